//! `gristmill eval questions`: questions made by rule.

use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::{Options, Task};
use gristmill::eval::make_questions;
use gristmill::{Error, Result};

use crate::args::Global;
use crate::inputs::InputArgs;
use crate::output::write_text;
use crate::settings::settle;

/// Print questions made by rule, each with its evidence
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let settings = settle(Task::Ingest, global, Options::default())?;
    let outputs: Vec<_> = args.output.iter().map(PathBuf::as_path).collect();
    let inputs = args.input.inputs(global, &outputs)?;
    let mut out = String::new();
    for question in make_questions(&settings, &inputs)? {
        let line = serde_json::to_string(&question);
        out += &line.map_err(|error| Error::bug("a question cannot be written").because(error))?;
        out.push('\n');
    }
    write_text(args.output.as_deref(), &out)?;
    Ok(ExitCode::SUCCESS)
}
