//! `gristmill ingest`: brings a store in step with its sources.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use gristmill::config::Task;
use gristmill::{IngestOptions, IngestReport, Inputs, Result, RunCx, ingest};
use serde_json::json;

use super::say;
use crate::args::Global;
use crate::exit;
use crate::output::write_text;
use crate::progress::Meter;
use crate::settings::{ChunkArgs, current_folder, settle};

/// Bring the store in step with the sources
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders; default: the sources of the settings
    paths: Vec<PathBuf>,
    #[command(flatten)]
    chunk: ChunkArgs,
    /// The store's file; default: .gristmill/store.db
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Write every document anew
    #[arg(long)]
    rebuild: bool,
    /// Take a source without documents for an emptied one
    #[arg(long)]
    allow_empty_source: bool,
}

/// Forms of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For programs
    Json,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let mut options = args.chunk.options();
    options.store.path = args.store.clone();
    let settings = settle(Task::Ingest, global, options)?;
    let inputs = Inputs { folder: current_folder()?, paths: args.paths.clone(), ..Inputs::default() };
    let mut meter = Meter::new(global);
    let mut progress = |done: usize, all: usize, path: &str| meter.tick(done, all, path);
    let mut cx = RunCx { workers: global.workers(), inspect: false, progress: &mut progress };
    let options = IngestOptions { rebuild: args.rebuild, allow_empty_source: args.allow_empty_source };
    let report = ingest(&settings, &inputs, options, &mut cx)?;
    for failure in &report.failures {
        say(&format!("failed: {}: {}", failure.source, failure.message));
    }
    match args.format {
        Form::Json => {
            let shown = json!({ "files": report.files, "chunks": report.chunks, "failures": report.failures });
            write_text(None, &format!("{shown:#}\n"))?;
        }
        Form::Text if !global.quiet => write_text(None, &text(&report))?,
        Form::Text => {}
    }
    Ok(ExitCode::from(if report.failures.is_empty() { 0 } else { exit::PARTIAL }))
}

fn text(report: &IngestReport) -> String {
    let (files, chunks) = (&report.files, &report.chunks);
    format!(
        "documents: {} new, {} modified, {} moved, {} deleted, {} unchanged, {} failed\n\
         chunks:    {} written ({} embedded, {} reused), {} removed\n",
        files.new,
        files.modified,
        files.moved,
        files.deleted,
        files.unchanged,
        files.failed,
        chunks.upserted,
        chunks.embedded,
        chunks.reused,
        chunks.deleted
    )
}
