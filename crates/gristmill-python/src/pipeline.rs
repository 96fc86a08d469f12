//! A store kept in step, and asked.

use std::path::PathBuf;
use std::time::Duration;

use gristmill::config::Task;
use gristmill::service::stored_documents;
use gristmill::{
    Error, Given, Hit, IngestOptions, Inputs, Plan, Result, Retriever, RunCx, SearchOptions, embed_given, ingest,
    ingest_given, plan, search_passages,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use serde_json::{Value, json};

use crate::documents::report_text;
use crate::evaluate::retriever;
use crate::failure::working;
use crate::settings::{current_folder, settle, workers};
use crate::stop::Stop;
use crate::table::Vectors;

/// Where a run of the configured sources, or of named files and folders, reads.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Sources {
    /// Files and folders; none for the sources of the settings.
    paths: Vec<PathBuf>,
    /// What `source` is relative to.
    root: Option<PathBuf>,
    /// Files that are no documents of it.
    own: Vec<PathBuf>,
}

/// Bounds of a run, and what it follows.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Guards {
    /// Percent of the documents that may be removed at most.
    max_delete: Option<f64>,
    /// Dollars that embedding may cost at most.
    max_cost: Option<f64>,
    allow_empty_source: bool,
    rebuild: bool,
    /// A plan as JSON.
    plan: Option<String>,
}

/// Documents at hand.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Batch {
    names: Vec<String>,
    contents: Vec<PyBackedBytes>,
    /// Documents that are to be removed.
    gone: Vec<String>,
    /// Seconds to wait for another run that writes.
    wait: f64,
}

/// A question.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Question {
    text: String,
    k: usize,
    retriever: String,
    /// `field=value` each.
    filters: Vec<String>,
    expand: u32,
    parent: bool,
    budget: Option<usize>,
}

impl Sources {
    fn inputs(self) -> Result<Inputs> {
        let Self { paths, root, own } = self;
        Ok(Inputs { folder: current_folder()?, paths, root, own, ..Inputs::default() })
    }
}

impl Guards {
    fn options(self) -> Result<IngestOptions> {
        let plan = self.plan.map(|plan| serde_json::from_str::<Plan>(&plan)).transpose();
        Ok(IngestOptions {
            rebuild: self.rebuild,
            allow_empty_source: self.allow_empty_source,
            max_delete: self.max_delete,
            max_cost: self.max_cost,
            plan: plan.map_err(|error| Error::input("this is no plan").because(error))?,
            ..IngestOptions::default()
        })
    }
}

/// What an ingest would do, as JSON.
#[pyfunction]
#[pyo3(name = "plan")]
pub fn plan_of(
    py: Python<'_>,
    sources: Sources,
    guards: Guards,
    options: &str,
    config: Option<PathBuf>,
    jobs: Option<usize>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    running(py, on_progress, jobs, false, |cx| {
        let settings = settle(Task::Ingest, options, config)?.value;
        json_of(&plan(&settings, &sources.inputs()?, &guards.options()?, cx)?)
    })
}

/// Brings the store in step with sources; gives what was done and the report of the run, as JSON.
#[pyfunction]
#[pyo3(name = "ingest")]
pub fn ingest_sources(
    py: Python<'_>,
    sources: Sources,
    guards: Guards,
    options: &str,
    config: Option<PathBuf>,
    jobs: Option<usize>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    running(py, on_progress, jobs, true, |cx| {
        let settings = settle(Task::Ingest, options, config)?;
        let report = ingest(&settings.value, &sources.inputs()?, &guards.options()?, cx)?;
        Ok((report.told().to_string(), report_text(&report.run, &settings.diagnostics)?))
    })
}

/// Brings documents at hand into the store; gives the same.
#[pyfunction]
pub fn ingest_batch(
    py: Python<'_>,
    batch: Batch,
    options: &str,
    config: Option<PathBuf>,
    jobs: Option<usize>,
) -> PyResult<(String, String)> {
    running(py, None, jobs, true, |cx| {
        let settings = settle(Task::Ingest, options, config)?;
        let given = batch.names.into_iter().zip(batch.contents);
        let given = given.map(|(name, bytes)| Given { name, bytes: bytes.to_vec() }).collect();
        let wait = Duration::try_from_secs_f64(batch.wait).map_err(|error| Error::usage("no time").because(error))?;
        let report = ingest_given(&settings.value, given, &batch.gone, wait, cx)?;
        Ok((report.told().to_string(), report_text(&report.run, &settings.diagnostics)?))
    })
}

/// The documents in the store, as JSON.
#[pyfunction]
pub fn stored(py: Python<'_>, options: &str, config: Option<PathBuf>) -> PyResult<String> {
    working(py, || json_of(&stored_documents(&settle(Task::Ingest, options, config)?.value)?))
}

/// The best hits, as JSON.
#[pyfunction]
pub fn search(py: Python<'_>, question: Question, options: &str, config: Option<PathBuf>) -> PyResult<String> {
    working(py, || {
        let settings = settle(Task::Ingest, options, config)?.value;
        let retriever: Retriever = retriever(&question.retriever)?;
        let Question { text, k: limit, filters, expand, parent, budget, .. } = question;
        let asked = SearchOptions { retriever, limit, filters, expand, parent, budget };
        let found = search_passages(&settings, &text, &asked)?;
        let hits: Vec<Value> = found.hits.iter().map(hit).collect();
        Ok(json!({ "hits": hits, "passages": found.passages }).to_string())
    })
}

/// The vectors of texts.
#[pyfunction]
pub fn embed(py: Python<'_>, texts: Vec<String>, options: &str, config: Option<PathBuf>) -> PyResult<Vectors> {
    working(py, move || embed_given(&settle(Task::Ingest, options, config)?.value, &texts).map(Vectors))
}

fn hit(hit: &Hit) -> Value {
    let record: Value = serde_json::from_str(&hit.payload).unwrap_or_default();
    json!({ "score": hit.score, "dense": hit.dense, "bm25": hit.bm25, "source": hit.source, "record": record })
}

fn json_of(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::bug("what was found cannot be written").because(error))
}

/// Runs something over documents; whoever called may follow it.
fn running<T: Send>(
    py: Python<'_>,
    on_progress: Option<Py<PyAny>>,
    jobs: Option<usize>,
    lint: bool,
    run: impl FnOnce(&mut RunCx<'_>) -> Result<T> + Send,
) -> PyResult<T> {
    let stop = Stop::default();
    let heeded = stop.clone();
    let done = working(py, move || {
        let mut tell = |done: usize, all: usize, path: &str| {
            if let Some(told) = &on_progress {
                heeded.note(Python::attach(|py| told.call1(py, (done, all, path)).map(drop)));
            }
        };
        run(&mut RunCx { workers: workers(jobs), inspect: false, lint, progress: &mut tell })
    });
    stop.or(done)
}
