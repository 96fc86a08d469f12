//! `gristmill curate`: documents to clean chunks, with a report.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gristmill::config::{FailOn, Settings, Task};
use gristmill::format::html::run_page;
use gristmill::{Inputs, Result, RunCx, cut_for_page, report};

use super::chunk::{format_for, write_records, write_report};
use crate::args::Global;
use crate::inputs::InputArgs;
use crate::output::{is_stdout, print, write_text};
use crate::settings::{ChunkArgs, one_of, settle};
use crate::{say, tell};

/// Read, clean, cut and check documents; write chunks and a report
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    chunk: ChunkArgs,
    /// Where the chunks go
    #[arg(short, long, value_name = "FILE", default_value = "chunks.json", help_heading = "Output")]
    output: PathBuf,
    /// json, jsonl, parquet or arrow [default: by the name]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    format: Option<String>,
    /// Write the quality report, as Markdown
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    /// Write the report as one HTML page, with documents beside their chunks
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<PathBuf>,
    /// Write the report as JSON, too
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    run_report: Option<PathBuf>,
    /// Exit with 1 from info, low, medium or high on
    #[arg(long, value_name = "SEVERITY", value_parser = one_of::<FailOn>, help_heading = "Output")]
    fail_on: Option<FailOn>,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let mut options = args.chunk.options();
    options.lint.fail_on = args.fail_on;
    let settings = settle(Task::Curate, global, options)?;
    let reports = [&args.report, &args.html, &args.run_report].into_iter().flatten().map(PathBuf::as_path);
    let outputs: Vec<&Path> = std::iter::once(args.output.as_path()).chain(reports).collect();
    let inputs = args.input.inputs(global, &outputs)?;
    let output = Some(args.output.as_path()).filter(|path| !is_stdout(path));
    let format = format_for(output, args.format.as_deref(), "json")?;
    let made = write_records(global, &settings, &inputs, output, format, true)?;
    if let Some(path) = &args.report {
        write_text(Some(path), &report::markdown(&made))?;
    }
    if let Some(path) = &args.html {
        write_text(Some(path), &page(global, &settings, &inputs, &made)?)?;
    }
    write_report(args.run_report.as_deref(), &made)?;
    tell::tell(global, &made);
    let code = tell::judge(&settings, &inputs, &made, settings.lint.fail_on)?;
    if !global.quiet && !tell::is_empty(&made) {
        let streams = outputs.iter().any(|path| is_stdout(path));
        summary(args, streams, report::short(&made).trim_end())?;
    }
    Ok(code)
}

/// The report with its documents beside their chunks.
fn page(global: &Global, settings: &Settings, inputs: &Inputs, made: &report::RunReport) -> Result<String> {
    let mut cx = RunCx { workers: global.workers(), inspect: true, lint: true, progress: &mut |_, _, _| {} };
    let documents = cut_for_page(settings, inputs, made, &mut cx)?;
    Ok(run_page(made, &documents))
}

/// Where things went, and last the short form; on standard output unless it `streams` what was made.
fn summary(args: &Args, streams: bool, short: &str) -> Result<()> {
    let mut text = String::new();
    let places = [
        ("chunks", Some(&args.output)),
        ("report", args.report.as_ref()),
        ("page", args.html.as_ref()),
        ("run report", args.run_report.as_ref()),
    ];
    for (what, place) in places {
        if let Some(place) = place.filter(|place| !is_stdout(place)) {
            text.push_str(&format!("{what}: {}\n", place.display()));
        }
    }
    text.push_str(short);
    if streams {
        say::line(&text);
        return Ok(());
    }
    print(&format!("{text}\n"))
}
