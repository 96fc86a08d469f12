//! The command line: options in, the façade called, data to standard output and all else to standard error.

mod args;
mod commands;
mod exit;
mod output;
mod progress;
mod settings;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return exit::usage(&error),
    };
    match commands::run(cli) {
        Ok(code) => code,
        Err(error) => exit::failed(&error),
    }
}
