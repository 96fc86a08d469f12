//! One file a command.

mod chunk;
mod curate;
mod extract;
mod ingest;
mod search;
mod tokens;

use std::io::Write;
use std::process::ExitCode;

use clap::Subcommand;
use gristmill::Result;

use crate::args::Cli;

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Chunk(chunk::Args),
    Curate(curate::Args),
    Extract(extract::Args),
    Tokens(tokens::Args),
    Ingest(ingest::Args),
    Search(search::Args),
}

/// Runs a command.
pub fn run(cli: Cli) -> Result<ExitCode> {
    let global = &cli.global;
    match cli.command {
        Command::Chunk(args) => chunk::run(global, &args),
        Command::Curate(args) => curate::run(global, &args),
        Command::Extract(args) => extract::run(global, &args),
        Command::Tokens(args) => tokens::run(&args),
        Command::Ingest(args) => ingest::run(global, &args),
        Command::Search(args) => search::run(global, &args),
    }
}

/// Tells people something, on standard error.
pub fn say(line: &str) {
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(std::io::stderr(), "{line}");
}
