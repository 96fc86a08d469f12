//! `gristmill explain`: a rule, a stored chunk, or what becomes of a file.

mod chunk;
mod path;
mod rule;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gristmill::config::{Settings, Task};
use gristmill::{Error, Inputs, Result, RunCx, find_rule, lineage, preview};

use super::Form;
use crate::args::Global;
use crate::inputs::InputArgs;
use crate::progress::Meter;
use crate::settings::{ChunkArgs, settle};

/// Explain a rule, a stored chunk, or how a file is cut
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Name of a rule, identity of a chunk, or a file
    #[arg(value_name = "RULE|CHUNK_ID|FILE")]
    what: String,
    /// For a chunk: what was ingested [default: configured sources]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
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
    if is_identity(&args.what) {
        return explain_chunk(global, args);
    }
    match find_rule(&args.what) {
        Ok(rule) => rule::show(&rule, args.format)?,
        Err(_) if Path::new(&args.what).is_file() => return explain_file(global, args),
        Err(error) => return Err(unknown(&args.what, error)),
    }
    Ok(ExitCode::SUCCESS)
}

/// What is wrong with a name that is no rule's: of one that looks like a path, that there is no such file.
fn unknown(what: &str, error: Error) -> Error {
    if Path::new(what).is_dir() {
        return Error::usage(format!("a folder: {what}"))
            .hint("name one file; `gristmill inspect` counts what is in a folder");
    }
    if what.contains(['/', '\\', '.']) { Error::usage(format!("there is no such file: {what}")) } else { error }
}

/// True for a UUID as records write it.
fn is_identity(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let hex = |group: &&str| group.bytes().all(|byte| byte.is_ascii_hexdigit());
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12]) && groups.iter().all(hex)
}

fn explain_chunk(global: &Global, args: &Args) -> Result<ExitCode> {
    let (settings, inputs) = prepared(global, args)?;
    let lineage = with_meter(global, &settings, |cx| lineage(&settings, &inputs, &args.what, cx))?;
    chunk::show(&lineage, args.format)?;
    Ok(ExitCode::SUCCESS)
}

fn explain_file(global: &Global, args: &Args) -> Result<ExitCode> {
    let (settings, inputs) = prepared(global, args)?;
    let preview = with_meter(global, &settings, |cx| preview(&settings, &inputs, Path::new(&args.what), cx))?;
    path::show(&preview, args.format)?;
    Ok(ExitCode::SUCCESS)
}

fn prepared(global: &Global, args: &Args) -> Result<(Settings, Inputs)> {
    let mut options = args.chunk.options();
    options.store.path.clone_from(&args.store);
    let settings = settle(Task::Ingest, global, options)?;
    let inputs = InputArgs { paths: args.paths.clone(), ..InputArgs::default() }.inputs(global, &[])?;
    Ok((settings, inputs))
}

fn with_meter<T>(global: &Global, settings: &Settings, work: impl FnOnce(&mut RunCx<'_>) -> T) -> T {
    let mut meter = Meter::new(global, false);
    let mut progress = |done: usize, all: usize, path: &str| meter.tick(done, all, path);
    let lint = settings.lint.fix;
    let mut cx = RunCx { workers: global.workers(), inspect: false, lint, progress: &mut progress };
    work(&mut cx)
}
