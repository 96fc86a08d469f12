//! `gristmill inspect`: what stands in documents and in files of chunks.

mod chunk_files;
mod documents;

use std::process::ExitCode;

use gristmill::config::{FailOn, Options, Task};
use gristmill::report::RunReport;
use gristmill::{InspectOptions, InspectReport, Result, RunCx, inspect};

use super::{Form, json};
use crate::args::Global;
use crate::inputs::InputArgs;
use crate::output::{print, write_text};
use crate::progress::Meter;
use crate::settings::{ReadArgs, at_least, one_of, settle};
use crate::{exit, say, tell};

/// Count what stands in documents or in files of chunks
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    read: ReadArgs,
    /// Name or tokenizer.json [default: o200k_base]
    #[arg(long, value_name = "NAME", help_heading = "Counting")]
    tokenizer: Option<String>,
    /// Chunks with fewer tokens are fragments
    #[arg(long, value_name = "TOKENS", default_value_t = 32, help_heading = "Counting")]
    #[arg(allow_negative_numbers = true, value_parser = at_least::<0, usize>)]
    min: usize,
    /// Chunks with more are too large [default: chunk.max]
    #[arg(long, value_name = "TOKENS", help_heading = "Counting")]
    #[arg(allow_negative_numbers = true, value_parser = at_least::<0, usize>)]
    max: Option<usize>,
    /// text or json
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
    /// Exit with 1 from info, low, medium or high on
    #[arg(long, value_name = "SEVERITY", value_parser = one_of::<FailOn>, help_heading = "Output")]
    fail_on: Option<FailOn>,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let mut options = Options::default();
    args.read.put_into(&mut options);
    options.chunk.tokenizer.clone_from(&args.tokenizer);
    options.lint.fail_on = args.fail_on;
    let settings = settle(Task::Chunk, global, options)?;
    let inputs = args.input.inputs(global, &[])?;
    let options = InspectOptions { least: args.min, max: args.max };
    let report = {
        let mut meter = Meter::new(global, false);
        let mut progress = |done: usize, all: usize, path: &str| meter.tick(done, all, path);
        let mut cx = RunCx { workers: global.workers(), inspect: true, lint: false, progress: &mut progress };
        inspect(&settings, &inputs, options, &mut cx)?
    };
    let shown = |report: &InspectReport| report.run.totals.documents > 0 || !report.chunk_files.is_empty();
    match args.format {
        Form::Json => write_text(None, &json(&report)?)?,
        Form::Text if shown(&report) => print(&text(&report))?,
        Form::Text => {}
    }
    tell::tell(global, &told(report.run.clone(), args.format));
    let mut failed = 0;
    for error in report.chunk_files.iter().filter_map(|file| file.error.as_ref()) {
        say::failed(&error.message);
        failed += 1;
    }
    if report.chunk_files.is_empty() {
        return tell::judge(&settings, &inputs, &report.run, settings.lint.fail_on);
    }
    if report.run.totals.documents > 0 {
        let code = tell::judge(&settings, &inputs, &report.run, settings.lint.fail_on)?;
        return Ok(if failed > 0 { ExitCode::from(exit::PARTIAL) } else { code });
    }
    Ok(ExitCode::from(match failed {
        0 => 0,
        all if all == report.chunk_files.len() && all > 1 => exit::USAGE,
        _ => exit::PARTIAL,
    }))
}

/// What is told beside the report. Findings are about chunks, and the text names the documents to look at itself.
fn told(mut run: RunReport, form: Form) -> RunReport {
    run.findings.clear();
    for document in run.documents.iter_mut().filter(|document| form == Form::Text && document.needs_review) {
        document.warnings.clear();
    }
    run
}

fn text(report: &InspectReport) -> String {
    let mut parts = Vec::new();
    if report.run.totals.documents > 0 {
        parts.push(documents::text(&report.run));
    }
    parts.extend(report.chunk_files.iter().map(chunk_files::text));
    parts.join("\n")
}

/// A share as people read it.
fn percent(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!("{:.1} %", share * 100.0))
}
