//! `gristmill ingest`: brings a store in step with its sources.

use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::{Settings, Task};
use gristmill::{IngestOptions, IngestReport, Result, RunCx, ingest, tripped};
use serde_json::json;

use super::Form;
use crate::args::Global;
use crate::inputs::InputArgs;
use crate::output::{print, write_text};
use crate::progress::Meter;
use crate::settings::{ChunkArgs, current_folder, settle};
use crate::words::{counted, number};
use crate::{exit, say, tell};

/// Bring the store in step with the documents
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders [default: the sources of the settings]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write every document anew
    #[arg(long, help_heading = "Store")]
    rebuild: bool,
    /// Take a source without documents for an emptied one
    #[arg(long, help_heading = "Store")]
    allow_empty_source: bool,
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

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let mut options = args.chunk.options();
    options.store.path.clone_from(&args.store);
    let settings = settle(Task::Ingest, global, options)?;
    let input = InputArgs { paths: args.paths.clone(), ..InputArgs::default() };
    let inputs = input.inputs(global, &[])?;
    let report = {
        let mut meter = Meter::new(global, false);
        let mut progress = |done: usize, all: usize, path: &str| meter.tick(done, all, path);
        let mut cx = RunCx { workers: global.workers(), inspect: false, lint: true, progress: &mut progress };
        let options = IngestOptions { rebuild: args.rebuild, allow_empty_source: args.allow_empty_source };
        ingest(&settings, &inputs, options, &mut cx)?
    };
    tell::tell(global, &report.run);
    if !args.paths.is_empty() && report.files.deleted > 0 && !global.quiet {
        say::note(&left_out(report.files.deleted));
    }
    match args.format {
        Form::Json => {
            let shown = json!({
                "files": report.files,
                "chunks": report.chunks,
                "failures": report.failures,
                "stopped": report.stopped,
            });
            write_text(None, &super::json(&shown)?)?;
        }
        Form::Text if report.stopped => {}
        Form::Text if !global.quiet => print(&text(&settings, &report))?,
        Form::Text => {}
    }
    if report.stopped {
        let found = tripped(&report.run, settings.lint.fail_on).unwrap_or_default();
        say::failed(&format!("`lint.fail_on` stopped the run, nothing was written: {found}"));
        return Ok(ExitCode::from(exit::GATE));
    }
    Ok(ExitCode::from(if report.failures.is_empty() { 0 } else { exit::PARTIAL }))
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

fn text(settings: &Settings, report: &IngestReport) -> String {
    let (files, chunks) = (&report.files, &report.chunks);
    let counts = |counts: &[(u64, &str)]| {
        let there: Vec<String> =
            counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", number(*n))).collect();
        if there.is_empty() { "nothing to do".to_owned() } else { there.join(", ") }
    };
    let documents = counts(&[
        (files.new, "new"),
        (files.modified, "modified"),
        (files.moved, "moved"),
        (files.deleted, "deleted"),
        (files.unchanged, "unchanged"),
        (files.failed, "failed"),
    ]);
    let chunks = counts(&[
        (chunks.upserted, "written"),
        (chunks.embedded, "embedded"),
        (chunks.reused, "reused"),
        (chunks.deleted, "removed"),
    ]);
    let here = current_folder().unwrap_or_default();
    let store = settings.store.path.strip_prefix(here).unwrap_or(&settings.store.path).display();
    format!("documents: {documents}\nchunks:    {chunks}\nstore:     {store}\n")
}
