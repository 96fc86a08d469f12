//! Documents to clean chunks in a file, with a report.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use gristmill::config::Task;
use gristmill::{Error, Inputs, RunCx, deliver, format, report};
use pyo3::prelude::*;

use crate::documents::report_text;
use crate::failure::working;
use crate::settings::{current_folder, settle, workers};
use crate::stop::{Stop, Stoppable};

/// Where a run reads and writes.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Places {
    /// Files and folders; none for the sources of the settings.
    paths: Vec<PathBuf>,
    /// What `source` in records is relative to.
    root: Option<PathBuf>,
    /// Files that are no documents of it.
    own: Vec<PathBuf>,
    /// The file to write.
    output: PathBuf,
    /// `json`, `jsonl`, `parquet` or `arrow`.
    format: String,
}

/// Writes the chunks of documents to a file; gives the report of the run as JSON and as Markdown.
#[pyfunction]
pub fn curate(
    py: Python<'_>,
    places: Places,
    options: &str,
    config: Option<PathBuf>,
    jobs: Option<usize>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    let stop = Stop::default();
    let Places { paths, root, own, output, format } = places;
    let heeded = stop.clone();
    let done = working(py, move || {
        let settings = settle(Task::Curate, options, config)?;
        let inputs = Inputs { folder: current_folder()?, paths, root, own, ..Inputs::default() };
        let failed = |error| Error::input(format!("cannot write: {}", output.display())).because(error);
        let file = BufWriter::with_capacity(1 << 16, File::create(&output).map_err(failed)?);
        let writer = format::writer(&format, Box::new(file))?;
        let writer = Box::new(Stoppable { writer, stop: heeded.clone() });
        let mut tell = |done: usize, all: usize, path: &str| {
            if let Some(told) = &on_progress {
                heeded.note(Python::attach(|py| told.call1(py, (done, all, path)).map(drop)));
            }
        };
        let mut cx = RunCx { workers: workers(jobs), inspect: true, lint: true, progress: &mut tell };
        let made = deliver(&settings.value, &inputs, writer, &mut cx)?;
        Ok((report_text(&made, &settings.diagnostics)?, report::markdown(&made)))
    });
    stop.or(done)
}
