//! What can be said to every command. Each command's own arguments stand beside it.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgAction, Parser, ValueEnum};

use crate::commands::Command;
use crate::paint::STYLES;
use crate::settings::at_least;

/// Documents in, retrieval-ready chunks out, kept in step with their source
#[derive(Debug, Parser)]
#[command(name = "gristmill", version, styles = STYLES, max_term_width = 110)]
#[command(disable_help_flag = true, disable_version_flag = true)]
#[command(arg_required_else_help = true, subcommand_value_name = "COMMAND", subcommand_help_heading = "Commands")]
#[command(override_usage = "gristmill COMMAND [OPTIONS]")]
#[command(after_help = "`gristmill COMMAND --help` shows what a command takes. `gristmill init` is a good start.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub global: Global,
    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version, help_heading = "Global options")]
    version: Option<bool>,
}

/// Options of all commands.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Settings file [default: gristmill.toml here or above]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Whose documents these are; a store may hold several
    #[arg(long, global = true, value_name = "NAME")]
    pub project: Option<String>,
    /// Threads for documents [default: one a processor]
    #[arg(short = 'j', long, global = true, value_name = "N")]
    #[arg(allow_negative_numbers = true, value_parser = at_least::<1, usize>)]
    pub jobs: Option<usize>,
    /// Refuse whatever needs the network
    #[arg(long, global = true)]
    pub offline: bool,
    /// Colour: auto, always or never
    #[arg(long, global = true, value_name = "WHEN", hide_possible_values = true, hide_default_value = true)]
    #[arg(value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// How far a run is: auto, bar, plain, json or none
    #[arg(long, global = true, value_name = "HOW", hide_possible_values = true, hide_default_value = true)]
    #[arg(value_enum, default_value_t = Progress::Auto)]
    pub progress: Progress,
    /// Say nothing but errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more: every warning, and what was passed over
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Print help
    #[arg(short, long, global = true, action = ArgAction::Help)]
    help: Option<bool>,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    // On a terminal, unless `NO_COLOR` is set.
    Auto,
    Always,
    Never,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    // A bar on a terminal, else nothing.
    Auto,
    Bar,
    // A line now and then.
    Plain,
    // One JSON object a line.
    Json,
    None,
}

impl Global {
    /// Threads to work with.
    pub fn workers(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.jobs.unwrap_or_else(processors)
    }
}
