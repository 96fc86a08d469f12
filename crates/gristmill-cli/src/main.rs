//! The command line: options in, the façade called, data to standard output and all else to standard error.

mod args;
mod commands;
mod exit;
mod inputs;
mod output;
mod paint;
mod progress;
mod say;
mod settings;
mod tell;
mod words;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    exit::guarded(|| {
        paint::settle(std::env::args_os());
        match args::Cli::try_parse() {
            Ok(cli) => commands::run(cli),
            Err(error) => Ok(exit::usage(&error)),
        }
    })
}
