//! Running one job.

use std::path::PathBuf;
use std::sync::Arc;

use gristmill_core::{ErrorKind, Result};
use serde_json::{Value, json};

use super::gate::{Gate, Sign};
use super::guarded::{GuardedEmbedder, GuardedStore};
use super::job::{Job, JobError, JobStatus, Mode, Scope, Stage};
use super::jobs::Jobs;
use super::submit::no_plan;
use crate::config::Settings;
use crate::documents::Inputs;
use crate::inbox::Inbox;
use crate::ingest::{Chunks, Files, IngestFailure, IngestOptions, IngestReport, ingest_into, plan};
use crate::open::{open_embedder, open_store};
use crate::run::RunCx;

/// How a job ended.
#[derive(Debug, Default)]
pub(super) struct Ended {
    pub status: JobStatus,
    pub error: Option<JobError>,
    pub warnings: Vec<String>,
    pub files: Option<Files>,
    pub chunks: Option<Chunks>,
    pub report: Option<String>,
    /// True when nothing was done and it may be begun again by itself.
    pub again: bool,
}

/// Who names changed paths by those of a repository, of which a source may be a part.
const HINTS: [&str; 3] = ["github", "gitlab", "generic"];

/// Findings and failures that a report lists; figures count all.
const LISTED: usize = 1_000;

/// Paths without a document that are named.
const WARNED: usize = 10;

/// What a job needs of its surroundings.
pub(super) struct JobCx<'a> {
    pub settings: &'a Settings,
    pub inputs: &'a Inputs,
    pub workers: usize,
    pub jobs: &'a Jobs,
    pub gate: &'a Arc<Gate>,
    pub progress: &'a mut dyn FnMut(usize, usize, &str),
}

/// Runs a job to its end.
pub(super) fn run(job: &Job, cx: &mut JobCx<'_>) -> Ended {
    let settings = settings_of(cx.settings, job);
    let done = if job.dry_run { dry(job, &settings, cx) } else { wet(job, &settings, cx) };
    done.unwrap_or_else(|error| Ended {
        status: if error.kind() == ErrorKind::Cancelled { JobStatus::Cancelled } else { JobStatus::Failed },
        again: error.retry_advice() != gristmill_core::Retry::Never,
        error: Some(JobError::from(&error)),
        ..Ended::default()
    })
}

/// The settings for the project of a job, with its repositories at the commits that were pushed.
fn settings_of(settings: &Settings, job: &Job) -> Settings {
    let mut settings = settings.clone();
    settings.project.clone_from(&job.project);
    for source in settings.source.iter_mut().filter(|source| source.url.is_some()) {
        if let Some(commit) = source.repository.as_ref().and_then(|name| job.commits.get(name)) {
            source.commit = Some(commit.clone());
        }
    }
    settings
}

fn options(job: &Job, cx: &JobCx<'_>) -> Result<IngestOptions> {
    let plan = match &job.plan_id {
        Some(id) => {
            Some(cx.jobs.plan(id)?.filter(|saved| saved.project == job.project).ok_or_else(|| no_plan(id))?.plan)
        }
        None => None,
    };
    // What a push names is a hint: what else has changed since the last ingest is brought in, too. Documents whose bytes are
    // the same are left alone either way.
    let binding = !HINTS.contains(&job.cause.as_str()) && job.scope == Scope::Delta;
    let select = binding.then(|| job.select.iter().cloned().collect());
    let allow_empty_source = job.cause == "push";
    Ok(IngestOptions {
        rebuild: job.mode != Mode::Incremental,
        recreate: job.mode == Mode::Recreate,
        allow_empty_source,
        plan,
        select,
        ..IngestOptions::default()
    })
}

fn dry(job: &Job, settings: &Settings, cx: &mut JobCx<'_>) -> Result<Ended> {
    let options = options(job, cx)?;
    let mut run = RunCx { workers: cx.workers, inspect: false, lint: false, progress: &mut *cx.progress };
    let plan = plan(settings, cx.inputs, &options, &mut run)?;
    Ok(Ended {
        status: JobStatus::Succeeded,
        warnings: warnings(&plan.unmatched),
        files: Some(plan.files),
        report: Some(text(&json!(plan))),
        ..Ended::default()
    })
}

fn wet(job: &Job, settings: &Settings, cx: &mut JobCx<'_>) -> Result<Ended> {
    let options = options(job, cx)?;
    let embedder = Arc::new(GuardedEmbedder { inner: open_embedder(settings)?, gate: Arc::clone(cx.gate) });
    let store = GuardedStore { inner: open_store(settings, true)?, gate: Arc::clone(cx.gate) };
    let gate = Arc::clone(cx.gate);
    let mut progress = |done: usize, all: usize, path: &str| {
        gate.show(Sign::At(Stage::Read));
        (cx.progress)(done, all, path);
    };
    let mut run = RunCx { workers: cx.workers, inspect: false, lint: true, progress: &mut progress };
    let embedder: Arc<dyn gristmill_core::Embedder> = embedder;
    let mut report = ingest_into(&store, &embedder, settings, cx.inputs, &options, &mut run)?;
    // A retry may come when the settings name no source for such documents any more.
    if job.cause == "push"
        && let Ok(inbox) = Inbox::open(settings)
    {
        judge_sent(&inbox, &mut report);
    }
    Ok(ended(&report))
}

/// A document that was sent and lies in its place, but is not among those of the source, is not in the store. One that is
/// neither here nor there was taken back, as it was to be.
fn judge_sent(inbox: &Inbox, report: &mut IngestReport) {
    for source in std::mem::take(&mut report.unmatched).into_iter().filter(|path| inbox.holds(path)) {
        let message = "was sent, and the settings of its source leave it out: see its `include` and `exclude`, and files such as `.gitignore`";
        report.failures.push(IngestFailure { source, message: message.to_owned() });
        report.files.failed += 1;
    }
}

/// Paths that were asked for in vain.
fn warnings(unmatched: &[String]) -> Vec<String> {
    let told = unmatched.iter().take(WARNED).map(|path| {
        format!("no document is at `{path}`, neither in a source nor in the store; paths are as `GET /v1/documents` lists them")
    });
    let more = unmatched.len().saturating_sub(WARNED);
    told.chain((more > 0).then(|| format!("and so for {more} more paths"))).collect()
}

fn ended(report: &IngestReport) -> Ended {
    let cancelled = report.ended_by.as_ref().is_some_and(|error| error.kind() == ErrorKind::Cancelled);
    let whole = report.failures.is_empty() && report.ended_by.is_none() && report.unpublished.is_none();
    let status = match () {
        () if cancelled => JobStatus::Cancelled,
        () if report.stopped => JobStatus::Failed,
        () if whole => JobStatus::Succeeded,
        () => JobStatus::Partial,
    };
    let stopped = || JobError {
        code: "guard".into(),
        message: "`lint.fail_on` stopped the run, nothing was written".into(),
        hint: Some("the findings are in the report".into()),
        retryable: false,
    };
    Ended {
        status,
        error: report.ended_by.as_ref().map(JobError::from).or_else(|| report.stopped.then(stopped)),
        warnings: warnings(&report.unmatched),
        files: Some(report.files),
        chunks: Some(report.chunks),
        report: Some(text(&told(report))),
        again: false,
    }
}

/// The report of an ingest, in bounds.
fn told(report: &IngestReport) -> Value {
    let run = &report.run;
    json!({
        "model": report.model,
        "files": report.files,
        "chunks": report.chunks,
        "failures": report.failures.iter().take(LISTED).collect::<Vec<_>>(),
        "stopped": report.stopped,
        "published": report.published,
        "unmatched": report.unmatched.iter().take(LISTED).collect::<Vec<_>>(),
        "warnings": report.unpublished.iter().collect::<Vec<_>>(),
        "error": report.ended_by.as_ref().map(gristmill_core::Error::chain),
        "totals": run.totals,
        "findings": run.findings.iter().take(LISTED).collect::<Vec<_>>(),
    })
}

fn text(value: &Value) -> String {
    value.to_string()
}

/// What a job reads: the sources of the settings, found from the folder of the server.
pub(super) fn inputs(folder: PathBuf, own: Vec<PathBuf>) -> Inputs {
    Inputs { folder, own, ..Inputs::default() }
}
