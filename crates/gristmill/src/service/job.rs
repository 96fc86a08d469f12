//! A job, as it is kept and shown.

use std::collections::BTreeMap;

use gristmill_core::{Error, ErrorKind, Retry};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ingest::{Chunks, Files};

/// Where a job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobStatus {
    /// It waits its turn.
    #[default]
    Queued,
    /// It finds out what is to be done.
    Planning,
    /// It works; `stage` tells on what.
    Running,
    /// It pauses until `waiting_until`: a service asked for a pause, or another run holds the store.
    Waiting,
    /// The store is in step.
    Succeeded,
    /// It ended, and some documents failed.
    Partial,
    /// It ended without doing what was asked.
    Failed,
    /// It was stopped.
    Cancelled,
    /// A later job does what it was to do.
    Superseded,
}

impl JobStatus {
    /// True when nothing more will happen.
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Queued | Self::Planning | Self::Running | Self::Waiting)
    }

    /// The name it is shown by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Planning => "planning",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Succeeded => "succeeded",
            Self::Partial => "partial",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Superseded => "superseded",
        }
    }
}

/// What a running job works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Documents are read and cut.
    Read,
    /// Texts are embedded.
    Embed,
    /// Chunks are written.
    Write,
    /// What is stale is removed.
    Delete,
}

/// How much is done anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// What has changed.
    #[default]
    Incremental,
    /// Every document is written anew; vectors of known texts are reused.
    Full,
    /// Every document is written anew, and every text embedded anew.
    Recreate,
}

/// Whether a job was asked to look at some documents or at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// At all.
    #[default]
    Full,
    /// At those that are named in `select`.
    Delta,
}

/// The commit of each repository that a job was asked to bring in.
pub type Commits = BTreeMap<String, String>;

/// How far a job is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobProgress {
    /// Documents that are done.
    pub done: u64,
    /// Documents that are to be done.
    pub total: u64,
    /// The last one.
    pub source: String,
    /// Texts that were embedded.
    pub embedded: u64,
    /// Chunks that were written.
    pub written: u64,
}

/// When a job came to be where it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Moment {
    /// Where.
    pub status: JobStatus,
    /// When, as RFC 3339.
    pub at: String,
}

/// Why a job failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobError {
    /// Who has to act, in one word.
    pub code: String,
    /// What happened and why.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// True when the same job may succeed later.
    pub retryable: bool,
}

impl From<&Error> for JobError {
    fn from(error: &Error) -> Self {
        Self {
            code: code(error.kind()).to_owned(),
            message: error.chain(),
            hint: error.hint_text().map(str::to_owned),
            retryable: error.retry_advice() != Retry::Never || error.kind() == ErrorKind::Remote,
        }
    }
}

/// The name of a kind of error.
pub(super) fn code(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Usage => "usage",
        ErrorKind::Config => "config",
        ErrorKind::Input => "input",
        ErrorKind::Remote => "remote",
        ErrorKind::Store => "store",
        ErrorKind::Guard => "guard",
        ErrorKind::Cancelled => "cancelled",
        ErrorKind::ClosedPipe => "closed-pipe",
        ErrorKind::Bug => "bug",
    }
}

/// An ingest that was asked for.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Job {
    /// Its name, such as `job-7`.
    pub id: String,
    /// Whose documents.
    pub project: String,
    /// Where it is.
    pub status: JobStatus,
    /// What it works on while it is running.
    pub stage: Option<Stage>,
    /// Whether some documents or all are looked at.
    pub scope: Scope,
    /// How much is done anew.
    pub mode: Mode,
    /// Nothing is written: the report is the plan.
    pub dry_run: bool,
    /// Paths of the documents that are meant, when `scope` is `delta`.
    pub select: Vec<String>,
    /// The plan that is followed.
    pub plan_id: Option<String>,
    /// Who asked: `api`, `github`, `gitlab`, `generic`, `push`, `ui` or `mcp`.
    pub cause: String,
    /// The commit that was pushed last.
    pub commit: Option<String>,
    /// The commits by repository.
    pub commits: Commits,
    /// When it was asked for.
    pub created_at: String,
    /// When it was begun last.
    pub started_at: Option<String>,
    /// When it ended.
    pub finished_at: Option<String>,
    /// Until when it pauses.
    pub waiting_until: Option<String>,
    /// How far it is.
    pub progress: JobProgress,
    /// How often it was begun.
    pub attempts: u32,
    /// True when somebody is told how it ends.
    pub callback: bool,
    /// The job that it repeats.
    pub retry_of: Option<String>,
    /// The job that does its work.
    pub superseded_by: Option<String>,
    /// Why it failed.
    pub error: Option<JobError>,
    /// What did not stop it, and somebody should know: paths of the selection without a document, a callback that failed.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// Documents, by what became of them.
    pub files: Option<Files>,
    /// Chunks, by what was done.
    pub chunks: Option<Chunks>,
    /// Where it has been.
    pub history: Vec<Moment>,
    /// Grows with every change.
    pub version: u64,
}

/// Moments that are kept of a job: rate limits may make it wait often.
const HISTORY: usize = 100;

impl Job {
    /// Moves it on.
    pub(super) fn come_to(&mut self, status: JobStatus, at: &str) {
        self.status = status;
        if status != JobStatus::Running {
            self.stage = None;
        }
        if status != JobStatus::Waiting {
            self.waiting_until = None;
        }
        if status.is_final() {
            self.finished_at = Some(at.to_owned());
        }
        if self.history.len() < HISTORY || status.is_final() {
            self.history.push(Moment { status, at: at.to_owned() });
        }
    }

    /// True when a later job may take over what it is to do.
    pub(super) fn may_be_superseded(&self) -> bool {
        !self.dry_run && self.plan_id.is_none() && !self.callback
    }

    /// Takes over what an earlier job was to do.
    pub(super) fn take_over(&mut self, earlier: &Self) {
        self.mode = self.mode.max(earlier.mode);
        if self.scope == Scope::Delta && earlier.scope == Scope::Delta {
            self.select.extend(earlier.select.iter().cloned());
            self.select.sort();
            self.select.dedup();
        } else {
            self.scope = Scope::Full;
            self.select.clear();
        }
        for (repository, commit) in &earlier.commits {
            self.commits.entry(repository.clone()).or_insert_with(|| commit.clone());
        }
    }
}
