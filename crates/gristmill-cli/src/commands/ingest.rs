//! `gristmill ingest`: brings a store in step with its sources.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::{Settings, Task};
use gristmill::{Error, Files, IngestOptions, IngestReport, Inputs, Plan, Result, RunCx, ingest, tripped};

use super::Form;
use super::plan::counts;
use crate::args::Global;
use crate::inputs::InputArgs;
use crate::output::{print, write_text};
use crate::progress::Meter;
use crate::settings::{ChunkArgs, current_folder, settle};
use crate::words::counted;
use crate::{exit, say, tell};

/// Bring the store in step with the documents
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders, or a plan that `gristmill plan --out` saved [default: the sources of the settings]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    only: Only,
    #[command(flatten)]
    guards: Guards,
    /// File of the store [default: .gristmill/store.db]
    #[arg(long, value_name = "FILE", help_heading = "Store")]
    store: Option<PathBuf>,
    #[command(flatten)]
    chunk: ChunkArgs,
    /// text or json
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
}

/// Some of the documents.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Documents")]
pub struct Only {
    /// Look at this document or folder only, by the path that messages and `plan` show; all others stay as they are. May be
    /// given again
    #[arg(long, value_name = "SOURCE")]
    only: Vec<String>,
}

impl Only {
    /// The same as options.
    pub fn select(&self) -> Option<BTreeSet<String>> {
        (!self.only.is_empty()).then(|| self.only.iter().map(|path| path.trim_end_matches('/').to_owned()).collect())
    }
}

/// Tells of paths at which there is no document; true when there are some.
pub fn tell_unmatched(unmatched: &[String]) -> bool {
    for path in unmatched {
        say::failed(&format!("{path}: no document is called so, neither in the sources nor in the store"));
    }
    !unmatched.is_empty()
}

/// What a run may do.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Store")]
pub struct Guards {
    /// Write every document anew
    #[arg(long)]
    rebuild: bool,
    /// Take a source without documents for an emptied one
    #[arg(long)]
    allow_empty_source: bool,
    /// Stop when more of the documents in the store would be removed, such as 10% [default: 50% where documents are named and
    /// the store has 4 or more, else no limit]
    #[arg(long, value_name = "N%", value_parser = percent)]
    max_delete: Option<f64>,
    /// Stop when embedding would cost more
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    max_cost: Option<f64>,
}

impl Guards {
    /// The same as options.
    pub fn options(&self) -> IngestOptions {
        IngestOptions {
            rebuild: self.rebuild,
            allow_empty_source: self.allow_empty_source,
            max_delete: self.max_delete,
            max_cost: self.max_cost,
            ..IngestOptions::default()
        }
    }
}

fn percent(text: &str) -> std::result::Result<f64, String> {
    let number: f64 =
        text.trim().trim_end_matches('%').trim().parse().map_err(|_| "not a share in percent".to_owned())?;
    if (0.0..=100.0).contains(&number) { Ok(number) } else { Err("must be from 0 to 100".to_owned()) }
}

fn dollars(text: &str) -> std::result::Result<f64, String> {
    let number: f64 = text.trim().trim_start_matches('$').parse().map_err(|_| "not an amount in dollars".to_owned())?;
    if number >= 0.0 && number.is_finite() { Ok(number) } else { Err("must be 0 or more".to_owned()) }
}

/// What `plan --out` saves.
#[derive(serde::Deserialize)]
struct Saved {
    plan: Plan,
    /// Documents that were named for the plan.
    #[serde(default)]
    sources: Vec<PathBuf>,
}

/// Plans are not larger.
const LARGEST: u64 = 1 << 30;

/// The saved plan, when one is all that was named. Its first characters tell: a damaged plan is no document.
fn saved_plan(paths: &[PathBuf]) -> Result<Option<Saved>> {
    let begins = |path: &PathBuf| -> std::io::Result<bool> {
        let mut head = [0; 64];
        let file = std::fs::File::open(path)?;
        let length = std::io::Read::read(&mut std::io::Read::take(file, 64), &mut head)?;
        let head: Vec<u8> = head[..length].iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
        Ok(head.starts_with(b"{\"plan\":{"))
    };
    let is_plan = |path: &&PathBuf| {
        path.metadata().is_ok_and(|file| file.is_file() && file.len() < LARGEST) && begins(path).unwrap_or(false)
    };
    let Some(path) = paths.iter().find(is_plan) else { return Ok(None) };
    if paths.len() > 1 {
        return Err(Error::usage(format!("a plan is followed alone, without other paths: `{}`", path.display())));
    }
    let bytes =
        std::fs::read(path).map_err(|e| Error::input(format!("cannot read `{}`", path.display())).because(e))?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let read = serde_json::from_slice(bytes);
    read.map(Some).map_err(|e| {
        Error::input(format!("not a whole plan of this program: `{}`", path.display()))
            .because(e)
            .hint("make a new one with `gristmill plan --out FILE`")
    })
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let (plan, paths) = match saved_plan(&args.paths)? {
        Some(saved) => (Some(saved.plan), saved.sources),
        None => (None, args.paths.clone()),
    };
    let mut options = args.chunk.options();
    options.store.path.clone_from(&args.store);
    let settings = settle(Task::Ingest, global, options)?;
    let input = InputArgs { paths, ..InputArgs::default() };
    let inputs = input.inputs(global, &[])?;
    let select = args.only.select();
    if plan.is_some() && select.is_some() {
        return Err(Error::usage("a plan is followed as a whole, without `--only`")
            .hint("make a plan of these documents: `gristmill plan --only SOURCE --out FILE`"));
    }
    let options = IngestOptions { plan, select, ..args.guards.options() };
    let report = run_once(global, &settings, &inputs, &options)?;
    // Those whose files are no documents any more were told.
    let spoilt = report.run.totals.findings.get("no-document-any-more").copied().unwrap_or_default();
    let gone = report.files.deleted.saturating_sub(spoilt);
    if report.files == Files::default() && !global.quiet {
        say::note("no documents were found in what was named or configured");
    }
    if !args.paths.is_empty() && gone > 0 && args.only.select().is_none() && !global.quiet {
        say::note(&left_out(gone));
    }
    match args.format {
        Form::Json => {
            write_text(None, &super::json(&report.told())?)?;
        }
        Form::Text if report.stopped => {}
        Form::Text if !global.quiet => print(&text(&settings, &report))?,
        Form::Text => {}
    }
    Ok(ExitCode::from(outcome(global, &settings, &report)))
}

/// One ingest, with a meter; what was found in documents is told.
///
/// # Errors
/// What stopped it.
pub fn run_once(
    global: &Global,
    settings: &Settings,
    inputs: &Inputs,
    options: &IngestOptions,
) -> Result<IngestReport> {
    let report = {
        let mut meter = Meter::new(global, false);
        let mut progress = |done: usize, all: usize, path: &str| meter.tick(done, all, path);
        let mut cx = RunCx { workers: global.workers(), inspect: false, lint: true, progress: &mut progress };
        ingest(settings, inputs, options, &mut cx)?
    };
    tell::tell(global, &report.run);
    Ok(report)
}

/// Tells what was not done; gives the exit code.
pub fn outcome(global: &Global, settings: &Settings, report: &IngestReport) -> u8 {
    if report.stopped {
        let found = tripped(&report.run, settings.lint.fail_on).unwrap_or_default();
        say::failed(&format!("`lint.fail_on` stopped the run, nothing was written: {found}"));
        return exit::GATE;
    }
    if tell_failures(global, report) { exit::PARTIAL } else { 0 }
}

/// Tells what failed; true when something did.
fn tell_failures(global: &Global, report: &IngestReport) -> bool {
    let unread: Vec<&str> = report.run.documents.iter().filter(|d| d.error.is_some()).map(|d| &*d.source).collect();
    for failure in report.failures.iter().filter(|failure| !unread.contains(&&*failure.source)) {
        say::failed(&format!("{}: {}", failure.source, failure.message));
    }
    if let Some(note) = report.unpublished.as_ref().filter(|_| !global.quiet) {
        say::note(note);
    }
    if let Some(error) = &report.ended_by {
        say::error(&error.chain());
        if let Some(hint) = error.hint_text() {
            say::hint(hint);
        }
    }
    let unmatched = tell_unmatched(&report.unmatched);
    unmatched || !report.failures.is_empty() || report.ended_by.is_some() || report.unpublished.is_some()
}

/// The store equals what was named: what an earlier call named is gone when this one does not name it.
fn left_out(documents: u64) -> String {
    let (are, were) = if documents == 1 { ("is", "was") } else { ("are", "were") };
    format!(
        "{} of an earlier ingest {are} not in what was named and {were} removed; name all sources in one call, keep them \
         apart with `--project`, or configure `[[source]]`",
        counted(documents, "document")
    )
}

/// What was done, for people.
pub fn text(settings: &Settings, report: &IngestReport) -> String {
    let (files, chunks) = (&report.files, &report.chunks);
    let documents = counts(&files.told());
    let chunks = counts(&[
        (chunks.upserted, "written"),
        (chunks.embedded, "embedded"),
        (chunks.reused, "reused"),
        (chunks.deleted, "removed"),
    ]);
    format!("documents: {documents}\nchunks:    {chunks}\nstore:     {}\n", store_name(settings))
}

/// Where the store is, for people.
pub fn store_name(settings: &Settings) -> String {
    let store = &settings.store;
    if store.kind == "sqlite" {
        let here = current_folder().unwrap_or_default();
        return store.path.strip_prefix(here).unwrap_or(&store.path).display().to_string();
    }
    let url = store.url.as_deref().unwrap_or(&store.kind);
    format!("collection `{}` at {url}", store.collection)
}
