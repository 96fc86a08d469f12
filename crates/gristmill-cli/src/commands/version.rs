//! `gristmill version`: the version, and the versions of the shapes it writes.

use std::process::ExitCode;

use gristmill::Result;
use gristmill::format::RECORD_SCHEMA;
use gristmill::report::REPORT_SCHEMA;
use serde_json::json;

use super::Form;
use crate::output::write_text;

/// Print the version, and those of the shapes that are written
#[derive(Debug, clap::Args)]
pub struct Args {
    /// text or json
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let version = env!("CARGO_PKG_VERSION");
    let platform = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let text = match args.format {
        Form::Text => format!(
            "gristmill {version} ({platform})\nrecord schema {RECORD_SCHEMA}, run report schema {REPORT_SCHEMA}\n"
        ),
        Form::Json => super::json(&json!({
            "version": version, "platform": platform, "record_schema": RECORD_SCHEMA, "run_report_schema": REPORT_SCHEMA,
        }))?,
    };
    write_text(None, &text)?;
    Ok(ExitCode::SUCCESS)
}
