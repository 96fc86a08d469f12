//! What an ingest says of itself.

use gristmill_core::{Error, ErrorKind};
use gristmill_format::RunReport;
use gristmill_pipeline::sync::{Applied, Change};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plan::PlannedChange;

/// What an ingest did.
#[derive(Debug, Default, Serialize)]
pub struct IngestReport {
    /// Documents, by what became of them.
    pub files: Files,
    /// Chunks, by what was done.
    pub chunks: Chunks,
    /// Documents that failed; they are tried again next time.
    pub failures: Vec<IngestFailure>,
    /// Selected paths at which there is no document, neither in the sources nor in the store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<String>,
    /// The model of the vectors.
    pub model: String,
    /// True when a finding of `[lint] fail_on` or above stopped the run before anything was written.
    pub stopped: bool,
    /// What ended the run before its time, when something was committed before.
    #[serde(skip)]
    pub ended_by: Option<Error>,
    /// True when vectors of another model were being made and are complete now: they answer from now on.
    pub published: bool,
    /// Why vectors of another model that were being made do not answer yet.
    pub unpublished: Option<String>,
    /// What was read and cut.
    pub run: RunReport,
}

/// Documents by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Files {
    /// Not in the store before.
    pub new: u64,
    /// In the store, with other bytes or settings.
    pub modified: u64,
    /// The bytes of a document that is gone, under another path.
    pub moved: u64,
    /// The bytes of a document that is still there, under another path.
    pub copied: u64,
    /// As they are in the store.
    pub unchanged: u64,
    /// Gone from the source, and so from the store.
    pub deleted: u64,
    /// Not read or not stored.
    pub failed: u64,
}

impl Files {
    /// The counts with a word for each, in the order in which people are told.
    pub fn told(&self) -> [(u64, &'static str); 7] {
        [
            (self.new, "new"),
            (self.modified, "modified"),
            (self.moved, "moved"),
            (self.copied, "copied"),
            (self.deleted, "deleted"),
            (self.unchanged, "unchanged"),
            (self.failed, "failed"),
        ]
    }

    /// Takes back a document that was counted.
    pub(super) fn uncount(&mut self, change: PlannedChange) {
        match change {
            PlannedChange::New => self.new -= 1,
            PlannedChange::Modified => self.modified -= 1,
            PlannedChange::Moved => self.moved -= 1,
            PlannedChange::Copied => self.copied -= 1,
            PlannedChange::Deleted | PlannedChange::Failed => {}
        }
    }

    /// Counts a document that was written.
    pub(super) fn count(&mut self, change: &Change) {
        match change {
            Change::New => self.new += 1,
            Change::Modified(_) => self.modified += 1,
            Change::Moved { .. } => self.moved += 1,
            Change::Copied { .. } => self.copied += 1,
        }
    }
}

/// Chunks by what was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

impl IngestReport {
    /// What people and programs are told, without the report of the run.
    pub fn told(&self) -> serde_json::Value {
        serde_json::json!({
            "model": self.model,
            "files": self.files,
            "chunks": self.chunks,
            "failures": self.failures,
            "stopped": self.stopped,
            "published": self.published,
            "warnings": self.unpublished.iter().collect::<Vec<_>>(),
            "error": self.ended_by.as_ref().map(Error::chain),
        })
    }

    pub(super) fn add(&mut self, applied: &Applied) {
        applied.done.iter().for_each(|(_, change)| self.files.count(change));
        self.files.deleted += applied.dropped + applied.removed;
        self.chunks = Chunks {
            embedded: applied.embedded,
            reused: applied.reused,
            upserted: applied.upserted,
            deleted: applied.deleted,
        };
        let failure =
            |(source, error): &(String, Error)| IngestFailure { source: source.clone(), message: error.chain() };
        self.failures.extend(applied.failures.iter().map(failure));
    }

    pub(super) fn fail(&mut self, source: &str, message: impl Into<String>) {
        self.failures.push(IngestFailure { source: source.to_owned(), message: message.into() });
    }

    /// An error that ended the run: given as such when nothing was committed before, else noted.
    pub(super) fn end(mut self, outcome: Result<(), Error>) -> Result<Self, Error> {
        match outcome {
            Ok(()) => Ok(self),
            Err(error) if !self.has_committed() || error.kind() == ErrorKind::Bug => Err(error),
            Err(error) => {
                self.ended_by = Some(error);
                Ok(self)
            }
        }
    }

    fn has_committed(&self) -> bool {
        let files = &self.files;
        files.new + files.modified + files.moved + files.copied + files.deleted > 0
    }
}
