//! `gristmill curate`: documents to clean chunks, with a report.

use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::Task;
use gristmill::{Inputs, Result, format, report};

use super::chunk::{json, tell_failures, verdict, write_records};
use super::say;
use crate::args::Global;
use crate::output::write_text;
use crate::settings::{ChunkArgs, current_folder, settle};

/// Read, clean, cut and check documents; write chunks and a quality report
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders; default: the sources of the settings
    paths: Vec<PathBuf>,
    #[command(flatten)]
    chunk: ChunkArgs,
    /// Where the chunks go; the name chooses json, jsonl or parquet
    #[arg(short, long, value_name = "FILE", default_value = "chunks.json")]
    output: PathBuf,
    /// json, jsonl or parquet; default: by the name of the output, else json
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Where the quality report goes, as Markdown
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write the report as JSON, too
    #[arg(long, value_name = "FILE")]
    run_report: Option<PathBuf>,
    /// The folder that the `source` of records is relative to
    #[arg(long, value_name = "DIR")]
    source_root: Option<PathBuf>,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let settings = settle(Task::Curate, global, args.chunk.options())?;
    let inputs = Inputs {
        folder: current_folder()?,
        paths: args.paths.clone(),
        root: args.source_root.clone(),
        ..Inputs::default()
    };
    let format = args.format.as_deref().or_else(|| format::format_of(&args.output)).unwrap_or("json");
    let made = write_records(global, &settings, &inputs, Some(&args.output), format, true)?;
    if let Some(path) = &args.report {
        write_text(Some(path), &report::markdown(&made))?;
    }
    if let Some(path) = &args.run_report {
        write_text(Some(path), &json(&made)?)?;
    }
    tell_failures(global, &made);
    if !global.quiet {
        say(report::short(&made).trim_end());
    }
    Ok(verdict(&made))
}
