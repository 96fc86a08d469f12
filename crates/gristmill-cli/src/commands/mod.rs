//! One file a command.

mod chunk;
mod completions;
mod config;
mod curate;
mod diff;
mod eval;
mod explain;
mod export;
mod extract;
mod formats;
mod gc;
mod ingest;
mod init;
mod inspect;
#[cfg(feature = "serve")]
mod jobs;
mod lint;
#[cfg(feature = "serve")]
mod mcp;
mod models;
mod plan;
#[cfg(feature = "readers")]
pub mod reading;
mod reference;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod status;
mod tokens;
mod verify;
mod version;
mod watch;

use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use gristmill::{Error, Result};

use crate::args::Cli;

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Init(init::Args),
    Inspect(inspect::Args),
    Extract(extract::Args),
    Chunk(chunk::Args),
    Curate(curate::Args),
    #[command(visible_aliases = ["check", "lint"])]
    Scan(lint::scan::Args),
    Fix(lint::fix::Args),
    Plan(plan::Args),
    #[command(visible_alias = "apply")]
    Ingest(ingest::Args),
    Watch(watch::Args),
    Verify(verify::Args),
    Status(status::Args),
    Export(export::Args),
    Gc(gc::Args),
    Search(search::Args),
    Eval(Box<eval::Args>),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    #[cfg(feature = "serve")]
    Jobs(jobs::Args),
    #[cfg(feature = "serve")]
    Mcp(mcp::Args),
    Diff(diff::Args),
    Models(models::Args),
    Tokens(tokens::Args),
    Rules(lint::rules::Args),
    Explain(explain::Args),
    Formats(formats::Args),
    #[command(subcommand)]
    Config(config::Command),
    Completions(completions::Args),
    Version(version::Args),
    /// Print the page docs/reference/commands.md
    #[command(hide = true)]
    HelpMarkdown,
    #[cfg(feature = "readers")]
    ReadPdf(reading::Args),
}

/// Runs a command.
///
/// # Errors
/// What stopped it.
pub fn run(cli: Cli) -> Result<ExitCode> {
    let global = &cli.global;
    match cli.command {
        Command::Init(args) => init::run(global, &args),
        Command::Inspect(args) => inspect::run(global, &args),
        Command::Extract(args) => extract::run(global, &args),
        Command::Chunk(args) => chunk::run(global, &args),
        Command::Curate(args) => curate::run(global, &args),
        Command::Scan(args) => lint::scan::run(global, &args),
        Command::Fix(args) => lint::fix::run(global, &args),
        Command::Rules(args) => lint::rules::run(&args),
        Command::Explain(args) => explain::run(global, &args),
        Command::Plan(args) => plan::run(global, &args),
        Command::Ingest(args) => ingest::run(global, &args),
        Command::Watch(args) => watch::run(global, &args),
        Command::Verify(args) => verify::run(global, &args),
        Command::Status(args) => status::run(global, &args),
        Command::Export(args) => export::run(global, &args),
        Command::Gc(args) => gc::run(global, &args),
        Command::Diff(args) => diff::run(global, &args),
        Command::Models(args) => models::run(global, &args),
        Command::Search(args) => search::run(global, &args),
        Command::Eval(args) => eval::run(global, &args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(global, &args),
        #[cfg(feature = "serve")]
        Command::Jobs(args) => jobs::run(global, &args),
        #[cfg(feature = "serve")]
        Command::Mcp(args) => mcp::run(global, &args),
        Command::Tokens(args) => tokens::run(&args),
        Command::Formats(args) => formats::run(&args),
        Command::Config(command) => config::run(global, &command),
        Command::Completions(args) => completions::run(&args),
        Command::Version(args) => version::run(&args),
        Command::HelpMarkdown => reference::run(),
        #[cfg(feature = "readers")]
        Command::ReadPdf(args) => reading::run(&args),
    }
}

/// Whom a report is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    // For people.
    Text,
    // For programs.
    Json,
}

/// A value as indented JSON.
fn json(value: &impl serde::Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Error::bug("a report cannot be written").because(e))?;
    Ok(text + "\n")
}
