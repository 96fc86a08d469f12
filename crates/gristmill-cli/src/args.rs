//! What can be said to every command. Each command's own arguments stand beside it.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::commands::Command;

/// Documents in, retrieval-ready chunks out, kept in step with their source.
#[derive(Debug, Parser)]
#[command(name = "gristmill", version, disable_help_subcommand = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of all commands.
#[derive(Clone, Debug, clap::Args)]
pub struct Global {
    /// Settings file, instead of the nearest `gristmill.toml` or `pyproject.toml` above the current folder
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options")]
    pub config: Option<PathBuf>,
    /// Whose documents these are; one store may hold several projects apart
    #[arg(long, global = true, value_name = "NAME", help_heading = "Global options")]
    pub project: Option<String>,
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, help_heading = "Global options")]
    pub color: Color,
    /// How progress is shown
    #[arg(long, global = true, value_enum, default_value_t = Progress::Auto, help_heading = "Global options")]
    pub progress: Progress,
    /// Threads that read and cut documents; default: one for each processor
    #[arg(short = 'j', long, global = true, value_name = "N", help_heading = "Global options")]
    pub jobs: Option<usize>,
    /// Fail rather than use the network
    #[arg(long, global = true, help_heading = "Global options")]
    pub offline: bool,
    /// Say nothing but errors
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub quiet: bool,
    /// Say more
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Global options")]
    pub verbose: u8,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    /// A bar on a terminal, else nothing
    Auto,
    /// A bar
    Bar,
    /// A line now and then
    Plain,
    /// One JSON object a line
    Json,
    /// Nothing
    None,
}

impl Global {
    /// Threads to work with.
    pub fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.jobs.unwrap_or_else(cores).max(1)
    }
}
