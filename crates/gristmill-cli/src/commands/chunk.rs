//! `gristmill chunk`: records on standard output.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gristmill::config::{FailOn, Settings, Task};
use gristmill::report::{self, RunReport};
use gristmill::{Error, Inputs, Result, RunCx, deliver, format};

use super::json;
use crate::args::Global;
use crate::inputs::InputArgs;
use crate::output::{Output, is_stdout, refuse_folder, write_text};
use crate::progress::Meter;
use crate::settings::{ChunkArgs, settle};
use crate::{say, tell};

/// Cut documents into chunks, write their records
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    chunk: ChunkArgs,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// jsonl, json, parquet or arrow [default: by the name]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    format: Option<String>,
    /// Write what was read, cut and found, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    run_report: Option<PathBuf>,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let settings = settle(Task::Chunk, global, args.chunk.options())?;
    let records = args.output.as_deref().unwrap_or(Path::new("-"));
    let outputs: Vec<&Path> = std::iter::once(records).chain(args.run_report.as_deref()).collect();
    let inputs = args.input.inputs(global, &outputs)?;
    let output = args.output.as_deref().filter(|path| !is_stdout(path));
    let format = format_for(output, args.format.as_deref(), "jsonl")?;
    let made = write_records(global, &settings, &inputs, output, format, false)?;
    write_report(args.run_report.as_deref(), &made)?;
    tell::tell(global, &made);
    let code = tell::judge(&settings, &inputs, &made, FailOn::Never)?;
    if output.is_some() && !global.quiet {
        say::line(report::short(&made).trim_end());
    }
    Ok(code)
}

/// The format that was named, else that of the output's name, else `standard` for standard output.
pub fn format_for<'a>(output: Option<&Path>, named: Option<&'a str>, standard: &'a str) -> Result<&'a str> {
    output.map_or(Ok(()), refuse_folder)?;
    match (named, output) {
        (Some(named), _) => Ok(named),
        (None, None) => Ok(standard),
        (None, Some(path)) => format::format_of(path).ok_or_else(|| {
            let names: Vec<String> = format::FORMATS.iter().map(|name| format!(".{name}")).collect();
            Error::usage(format!("the name tells no format: {}", path.display()))
                .hint(format!("let it end in {}, or say `--format`", names.join(", ")))
        }),
    }
}

/// Runs the stages and writes the records to a file or to standard output. A file is left alone when nothing was read.
pub fn write_records(
    global: &Global,
    settings: &Settings,
    inputs: &Inputs,
    path: Option<&Path>,
    format: &str,
    inspect: bool,
) -> Result<RunReport> {
    let (output, out) = Output::open(path)?;
    let mut meter = Meter::new(global, path.is_none());
    let mut progress = |done: usize, all: usize, path: &str| meter.tick(done, all, path);
    let mut cx = RunCx { workers: global.workers(), inspect, lint: inspect, progress: &mut progress };
    let written = format::writer(format, out).and_then(|writer| deliver(settings, inputs, writer, &mut cx));
    match written {
        Ok(report) if !tell::is_empty(&report) => output.done().map(|()| report),
        other => {
            output.abandon();
            other
        }
    }
}

/// Writes a report as JSON where one was asked for.
pub fn write_report(path: Option<&Path>, report: &RunReport) -> Result<()> {
    path.map_or(Ok(()), |path| write_text(Some(path), &json(report)?))
}
