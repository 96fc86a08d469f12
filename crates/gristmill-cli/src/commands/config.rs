//! `gristmill config`: what holds, whether it can work, and what can be said.

use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use gristmill::config::{self, Options, Task};
use gristmill::{Error, Result, check};

use crate::args::Global;
use crate::output::{print, write_text};
use crate::settings::{project_file, settle};

/// Show and check settings
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the settings that hold, as TOML
    Show {
        /// Say where each value comes from
        #[arg(long, help_heading = "Options")]
        origins: bool,
        /// Command whose defaults hold: chunk, curate or ingest
        #[arg(long = "for", value_name = "COMMAND", value_enum, default_value_t = For::Ingest, help_heading = "Options")]
        #[arg(hide_possible_values = true)]
        task: For,
    },
    /// Look whether the settings file is right and all it names is there
    Check,
    /// Print the JSON Schema of settings files
    Schema,
}

/// Commands with defaults of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum For {
    Chunk,
    Curate,
    Ingest,
}

pub fn run(global: &Global, command: &Command) -> Result<ExitCode> {
    match command {
        Command::Show { origins, task } => {
            let settings = settle(task.task(), global, Options::default())?;
            print(&if *origins { settings.show_origins()? } else { settings.to_toml()? })?;
        }
        Command::Check => {
            let file = project_file(global)?.ok_or_else(|| {
                Error::config("no gristmill.toml here or above")
                    .hint("`gristmill init` writes one from a look at the files")
            })?;
            let settings = settle(Task::Ingest, global, Options::default())?;
            check(&settings)?;
            gristmill_server::check(&settings)?;
            if !global.quiet {
                print(&format!("fine: {}\n", file.display()))?;
            }
        }
        Command::Schema => write_text(None, &super::json(&config::schema())?)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl For {
    fn task(self) -> Task {
        match self {
            Self::Chunk => Task::Chunk,
            Self::Curate => Task::Curate,
            Self::Ingest => Task::Ingest,
        }
    }
}
