//! Keeps a store in step with its sources.

mod plan;
mod write;

use std::collections::HashMap;

use gristmill_core::{Error, ErrorKind, Result, Tracked, VectorSpec};
use gristmill_format::{Record, RunReport};
use gristmill_pipeline::Sink;
use serde::Serialize;

use self::plan::{Plan, Work};
use self::write::ToStore;
use crate::config::{FailOn, Settings};
use crate::documents::{Documents, Inputs};
use crate::lint::trips;
use crate::open::{open_embedder, open_store};
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

/// What an ingest did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IngestReport {
    /// Documents, by what became of them.
    pub files: Files,
    /// Chunks, by what was done.
    pub chunks: Chunks,
    /// Documents that failed; they are tried again next time.
    pub failures: Vec<IngestFailure>,
    /// True when a finding of `[lint] fail_on` or above stopped the run before anything was written.
    pub stopped: bool,
    /// What was read and cut.
    pub run: RunReport,
}

/// Documents by what became of them.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Files {
    /// Not in the store before.
    pub new: u64,
    /// In the store, with other bytes or settings.
    pub modified: u64,
    /// The bytes of a document that is gone, under another path.
    pub moved: u64,
    /// As they are in the store.
    pub unchanged: u64,
    /// Gone from the source, and so from the store.
    pub deleted: u64,
    /// Not read or not stored.
    pub failed: u64,
}

/// Chunks by what was done.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Chunks {
    /// Sent to the embedder.
    pub embedded: u64,
    /// Stored with a vector that was known.
    pub reused: u64,
    /// Written.
    pub upserted: u64,
    /// Removed.
    pub deleted: u64,
}

/// A document that failed.
#[derive(Clone, Debug, Serialize)]
pub struct IngestFailure {
    /// Its path.
    pub source: String,
    /// Why.
    pub message: String,
}

/// What may be overridden for one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct IngestOptions {
    /// Writes every document anew; vectors of known texts are still reused.
    pub rebuild: bool,
    /// Takes a source without documents for an emptied one.
    pub allow_empty_source: bool,
}

/// Brings the store in step with the sources: new and changed documents are cut, embedded and stored, gone ones removed.
///
/// # Errors
/// When settings are wrong, a guard trips, or the store or embedder cannot be used. Documents that fail are in the report.
pub fn ingest(
    settings: &Settings,
    inputs: &Inputs,
    options: IngestOptions,
    cx: &mut RunCx<'_>,
) -> Result<IngestReport> {
    let toolkit = Toolkit::new(settings)?;
    let mut documents = Documents::list(settings, inputs)?;
    let embedder = open_embedder(settings)?;
    let store = open_store(settings, true)?;
    let spec = VectorSpec { model: embedder.name().to_owned(), dimensions: embedder.dimensions() };
    // The right to write comes first, so that nobody changes what the plan is made from.
    let writer = store.writer(&spec)?;
    let tracked = store.tracked()?;
    guard_empty(&documents, &tracked, options)?;
    let mut report = IngestReport::default();
    let plan = Plan::new(settings, &documents, &tracked, options, &mut report)?;
    documents.select(|index| plan.work[index].is_some());
    if settings.lint.fail_on != FailOn::Never {
        let run = run_over(settings, &toolkit, &documents, &mut Nothing, cx)?;
        if trips(&run, settings.lint.fail_on) {
            return Ok(IngestReport { stopped: true, run, ..IngestReport::default() });
        }
    }
    let work: HashMap<_, Work> = plan.work.into_iter().flatten().map(|work| (work.document, work)).collect();
    let mut sink = ToStore::new(store.as_ref(), writer, embedder.as_ref(), work, report);
    let run = run_over(settings, &toolkit, &documents, &mut sink, cx)?;
    let ToStore { mut writer, mut report, .. } = sink;
    for id in plan.gone {
        report.chunks.deleted += writer.remove_document(id)?;
    }
    // What could not be looked at may have changed: the run is not complete.
    for unseen in &documents.unseen {
        let name = if unseen.is_empty() { "." } else { unseen };
        let message = "could not be looked at; what the store has of it was kept".to_owned();
        report.failures.push(IngestFailure { source: name.to_owned(), message });
    }
    for document in &run.documents {
        if let Some(error) = &document.error {
            report.failures.push(IngestFailure { source: document.source.clone(), message: error.message.clone() });
        }
    }
    report.files.failed = report.failures.len() as u64;
    report.run = run;
    Ok(report)
}

/// Looks at the chunks before any is written.
struct Nothing;

impl Sink for Nothing {
    fn record(&mut self, _: &Record<'_>) -> Result<()> {
        Ok(())
    }
}

/// An empty source is not a deleted source.
fn guard_empty(documents: &Documents, tracked: &[Tracked], options: IngestOptions) -> Result<()> {
    if documents.jobs.is_empty() && !tracked.is_empty() && !options.allow_empty_source {
        let message = format!("the source holds no document, the store holds {}: nothing was removed", tracked.len());
        return Err(Error::new(ErrorKind::Guard, message)
            .hint("if the source is meant to be empty, run with `--allow-empty-source`"));
    }
    Ok(())
}
