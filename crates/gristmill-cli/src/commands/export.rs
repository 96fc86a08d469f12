//! `gristmill export`: chunks out of a store.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::{Options, Settings, Task};
use gristmill::{ExportOptions, Exported, Result, export};

use super::chunk::format_for;
use crate::args::Global;
use crate::output::{Output, is_stdout};
use crate::progress::Meter;
use crate::say;
use crate::settings::settle;
use crate::words::counted;

/// Write the chunks of the store to a file
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// jsonl, json, parquet or arrow [default: by the name]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    format: Option<String>,
    /// Add point_id, vector and payload, to feed other stores
    #[arg(long, help_heading = "Output")]
    with_vectors: bool,
    /// File of the store [default: .gristmill/store.db]
    #[arg(long, value_name = "FILE", help_heading = "Store")]
    store: Option<PathBuf>,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let mut options = Options::default();
    options.store.path.clone_from(&args.store);
    let settings = settle(Task::Ingest, global, options)?;
    let output = args.output.clone().filter(|path| !is_stdout(path));
    let format = format_for(output.as_deref(), args.format.as_deref(), "jsonl")?.to_owned();
    let options = ExportOptions { format, with_vectors: args.with_vectors };
    let done = written(global, &settings, &options, output.as_ref())?;
    if !global.quiet {
        tell(done, output.as_ref());
    }
    Ok(ExitCode::SUCCESS)
}

fn written(global: &Global, settings: &Settings, options: &ExportOptions, path: Option<&PathBuf>) -> Result<Exported> {
    let (output, out): (Output, Box<dyn io::Write + Send>) = Output::open(path.map(PathBuf::as_path))?;
    let mut meter = Meter::new(global, path.is_none());
    let mut progress = |done: usize, all: usize, path: &str| meter.tick(done, all, path);
    match export(settings, options, out, &mut progress) {
        Ok(done) => output.done().map(|()| done),
        Err(error) => {
            output.abandon();
            Err(error)
        }
    }
}

fn tell(done: Exported, path: Option<&PathBuf>) {
    let what = format!("{} of {}", counted(done.chunks, "chunk"), counted(done.documents, "document"));
    match path {
        Some(path) => say::line(&format!("{what} written to {}", path.display())),
        None if done.chunks == 0 => say::note("the store has no chunk of this project"),
        None => {}
    }
}
