//! `gristmill completions`: what shells need to complete commands and options.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;
use gristmill::Result;

use crate::args::Cli;
use crate::output::write_text;

/// Print a script that completes commands in a shell
#[derive(Debug, clap::Args)]
pub struct Args {
    /// bash, elvish, fish, powershell or zsh
    #[arg(value_enum, hide_possible_values = true)]
    shell: Shell,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gristmill", &mut script);
    write_text(None, &String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
