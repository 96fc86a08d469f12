//! `gristmill chunk`: records on standard output.

use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::Task;
use gristmill::report::RunReport;
use gristmill::{Inputs, Result, RunCx, deliver, format};

use super::say;
use crate::args::Global;
use crate::exit;
use crate::output::{Output, write_text};
use crate::progress::Meter;
use crate::settings::{ChunkArgs, current_folder, settle};

/// Cut documents into chunks and write their records
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    chunk: ChunkArgs,
    /// jsonl, json or parquet; default: by the name of the output, else jsonl
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write what was read, cut and found as JSON
    #[arg(long, value_name = "FILE")]
    run_report: Option<PathBuf>,
    /// The folder that the `source` of records is relative to
    #[arg(long, value_name = "DIR")]
    source_root: Option<PathBuf>,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let settings = settle(Task::Chunk, global, args.chunk.options())?;
    let inputs = Inputs {
        folder: current_folder()?,
        paths: args.paths.clone(),
        root: args.source_root.clone(),
        ..Inputs::default()
    };
    let by_name = args.output.as_deref().and_then(format::format_of);
    let format = args.format.as_deref().or(by_name).unwrap_or("jsonl");
    let report = write_records(global, &settings, &inputs, args.output.as_deref(), format, false)?;
    if let Some(path) = &args.run_report {
        write_text(Some(path), &json(&report)?)?;
    }
    tell_failures(global, &report);
    Ok(verdict(&report))
}

/// Runs the stages and writes the records to a file or to standard output.
pub fn write_records(
    global: &Global,
    settings: &gristmill::config::Settings,
    inputs: &Inputs,
    path: Option<&std::path::Path>,
    format: &str,
    inspect: bool,
) -> Result<RunReport> {
    let (output, out) = Output::open(path)?;
    let mut meter = Meter::new(global);
    let mut progress = |done: usize, all: usize, path: &str| meter.tick(done, all, path);
    let mut cx = RunCx { workers: global.workers(), inspect, progress: &mut progress };
    let written = format::writer(format, out).and_then(|writer| deliver(settings, inputs, writer, &mut cx));
    match written {
        Ok(report) => output.done().map(|()| report),
        Err(error) => {
            output.abandon();
            Err(error)
        }
    }
}

pub fn json(value: &impl serde::Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|e| gristmill::Error::new(gristmill::ErrorKind::Bug, "a report cannot be written").because(e))?;
    Ok(text + "\n")
}

/// Names every document that failed or was passed over.
pub fn tell_failures(global: &Global, report: &RunReport) {
    for document in &report.documents {
        if let Some(error) = &document.error {
            say(&format!("failed: {}: {}", document.source, error.message));
        }
        for warning in document.warnings.iter().filter(|w| !global.quiet && w.severity != "info") {
            say(&format!("warning: {}: {} [{}]", place(&document.source, warning.line), warning.message, warning.code));
        }
    }
    if global.verbose > 0 {
        for skipped in &report.skipped {
            say(&format!("skipped: {}: {}", skipped.source, skipped.reason));
        }
    } else if report.totals.skipped > 0 && !global.quiet {
        say(&format!("skipped {} files that no reader takes (-v lists them)", report.totals.skipped));
    }
}

fn place(source: &str, line: Option<u64>) -> String {
    line.map_or_else(|| source.to_owned(), |line| format!("{source}:{line}"))
}

/// 0 when all went well, 4 when some documents failed, 2 when there was nothing that could be read.
pub fn verdict(report: &RunReport) -> ExitCode {
    let totals = &report.totals;
    let code = match (totals.documents, totals.failed) {
        (0, _) => exit::USAGE,
        (1, 1) => exit::PARTIAL,
        (all, failed) if all == failed => exit::USAGE,
        (_, 0) => 0,
        _ => exit::PARTIAL,
    };
    ExitCode::from(code)
}
