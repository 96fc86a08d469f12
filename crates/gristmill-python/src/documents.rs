//! Reading and cutting documents.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::mpsc::channel;

use gristmill::config::Task;
use gristmill::format::{Record, RunReport};
use gristmill::{
    Diagnostic, Documents, Error, FileKind, Given, Inputs, Result, RunCx, Unit, deliver, file_kind, sizer,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::failure::working;
use crate::outline::outline;
use crate::records::{Collect, JsonList};
use crate::settings::{current_folder, settle, told, workers};
use crate::stop::{Stop, Stoppable};

/// So many bytes tell the kind of a file.
const HEAD: usize = 1 << 16;

/// What `options` say, checked: notes about them, as JSON.
#[pyfunction]
pub fn check_options(py: Python<'_>, options: &str, config: Option<PathBuf>) -> PyResult<String> {
    working(py, || Ok(told(&settle(Task::Chunk, options, config)?.diagnostics).to_string()))
}

/// The number of tokens of a text.
#[pyfunction]
pub fn tokens(py: Python<'_>, text: &str, tokenizer: &str) -> PyResult<usize> {
    working(py, || Ok(sizer(Unit::Tokens, tokenizer)?.size(text)))
}

/// What a reader makes of bytes, as JSON. The name tells the kind of document.
#[pyfunction]
pub fn extract(py: Python<'_>, name: String, content: &[u8], options: &str) -> PyResult<String> {
    working(py, || extracted(name, content.to_vec(), options))
}

fn extracted(name: String, bytes: Vec<u8>, options: &str) -> Result<String> {
    let settings = settle(Task::Chunk, options, None)?.value;
    let given = Some(vec![Given { name, bytes }]);
    let inputs = Inputs { folder: current_folder()?, given, ..Inputs::default() };
    let mut shown = None;
    gristmill::extract(&settings, &inputs, &mut |_, read| {
        shown = Some(outline(&read?).to_string());
        Ok(())
    })?;
    shown.ok_or_else(|| Error::bug("a document was neither read nor refused"))
}

/// The files of paths, listed and not yet read.
#[pyclass(frozen, module = "gristmill._native")]
pub struct Files(Documents);

#[pymethods]
impl Files {
    /// Lists files and folders.
    #[new]
    fn new(py: Python<'_>, paths: Vec<PathBuf>, root: Option<PathBuf>) -> PyResult<Self> {
        working(py, || {
            let settings = settle(Task::Chunk, "{}", None)?.value;
            let inputs = Inputs { folder: current_folder()?, paths, root, ..Inputs::default() };
            Documents::list(&settings, &inputs).map(Self)
        })
    }

    /// Their `source`, in order.
    fn sources(&self) -> Vec<&str> {
        self.0.jobs.iter().map(|job| job.source.as_str()).collect()
    }

    /// The bytes of one and what its reader makes of them, as JSON; nothing for a file of a kind that is not read.
    fn read(&self, py: Python<'_>, index: usize, options: &str) -> PyResult<Option<(Cow<'static, [u8]>, String)>> {
        working(py, || {
            let job = self.0.jobs.get(index).ok_or_else(|| Error::usage(format!("there is no file: {index}")))?;
            let bytes = self.0.bytes(index)?;
            let head = bytes.get(..HEAD).unwrap_or(&bytes);
            if matches!(file_kind(&job.source, head), FileKind::Binary | FileKind::Unread(_)) {
                return Ok(None);
            }
            let told = extracted(job.source.clone(), bytes.clone(), options)?;
            Ok(Some((Cow::Owned(bytes), told)))
        })
    }
}

/// The chunks of documents at hand: for each document a JSON list of records, and the report of the run.
#[pyfunction]
pub fn chunk_given(
    py: Python<'_>,
    names: Vec<String>,
    contents: Vec<PyBackedBytes>,
    reader: Option<&str>,
    options: &str,
    config: Option<PathBuf>,
    jobs: Option<usize>,
) -> PyResult<(Vec<String>, String)> {
    let stop = Stop::default();
    let done = working(py, || {
        let settings = settle(Task::Chunk, options, config)?;
        let given = names.into_iter().zip(contents).map(|(name, bytes)| Given { name, bytes: bytes.to_vec() });
        let given: Vec<Given> = given.collect();
        let mut lists = vec![JsonList::default(); given.len()];
        let mut take = |index: usize, record: &Record<'_>| {
            stop.heed()?;
            lists.get_mut(index).map_or(Ok(()), |list| list.push(record))
        };
        let mut cx = RunCx { workers: workers(jobs), inspect: false, lint: false, progress: &mut |_, _, _| {} };
        let report = gristmill::chunk_given(&settings.value, given, reader, &mut take, &mut cx)?;
        let lists: Result<Vec<String>> = lists.into_iter().map(JsonList::close).collect();
        Ok((lists?, report_text(&report, &settings.diagnostics)?))
    });
    stop.or(done)
}

/// The chunks of files and folders: a JSON list of records, and the report of the run.
#[pyfunction]
pub fn chunk_files(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    root: Option<PathBuf>,
    options: &str,
    config: Option<PathBuf>,
    jobs: Option<usize>,
) -> PyResult<(String, String)> {
    let stop = Stop::default();
    let done = working(py, || {
        let settings = settle(Task::Chunk, options, config)?;
        let inputs = Inputs { folder: current_folder()?, paths, root, ..Inputs::default() };
        let (sender, records) = channel();
        let writer = Box::new(Stoppable { writer: Box::new(Collect::new(sender)), stop: stop.clone() });
        let mut cx = RunCx { workers: workers(jobs), inspect: false, lint: false, progress: &mut |_, _, _| {} };
        let report = deliver(&settings.value, &inputs, writer, &mut cx)?;
        let list = records.try_recv().map_err(|_| Error::bug("the records were not handed over"))?;
        Ok((list, report_text(&report, &settings.diagnostics)?))
    });
    stop.or(done)
}

/// A run report with the notes about its settings, as JSON.
pub fn report_text(report: &RunReport, notes: &[Diagnostic]) -> Result<String> {
    let failed = |error| Error::bug("a report cannot be written").because(error);
    let mut value = serde_json::to_value(report).map_err(failed)?;
    value["notes"] = told(notes);
    Ok(value.to_string())
}
