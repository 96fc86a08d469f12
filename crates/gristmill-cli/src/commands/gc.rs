//! `gristmill gc`: takes out of a store what no run needs any more.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::{Options, Task};
use gristmill::{GcReport, Result, gc};

use super::Form;
use super::ingest::store_name;
use crate::args::Global;
use crate::output::{print, write_text};
use crate::paint::visible;
use crate::settings::settle;
use crate::words::{bytes, number};

/// Remove from the store what no run needs any more
#[derive(Debug, clap::Args)]
pub struct Args {
    /// File of the store [default: .gristmill/store.db]
    #[arg(long, value_name = "FILE", help_heading = "Store")]
    store: Option<PathBuf>,
    /// text or json
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let mut options = Options::default();
    options.store.path.clone_from(&args.store);
    let settings = settle(Task::Ingest, global, options)?;
    let report = gc(&settings)?;
    match args.format {
        Form::Json => write_text(None, &super::json(&report)?)?,
        Form::Text if !global.quiet => print(&text(&report, &store_name(&settings)))?,
        Form::Text => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn text(report: &GcReport, store: &str) -> String {
    let mut out = String::new();
    let store = visible(store);
    if !report.exists {
        return format!("store:     {store} is not there yet; `gristmill ingest` makes it\n");
    }
    // Writing to a string cannot fail.
    if let Some(model) = &report.abandoned {
        let _ = writeln!(out, "model:     {} was begun and is no longer wanted", visible(model));
    }
    if let Some(model) = &report.in_making {
        let _ = writeln!(out, "model:     {} is being made and stays", visible(model));
    }
    let removed = match report.removed {
        0 => "nothing".to_owned(),
        n => format!("{} points and vectors", number(n)),
    };
    let _ = writeln!(out, "removed:   {removed}");
    let _ = match (report.bytes_before, report.bytes_after) {
        (Some(before), Some(after)) if after < before => {
            writeln!(out, "store:     {store} ({}, {} less)", bytes(after), bytes(before - after))
        }
        (_, Some(after)) => writeln!(out, "store:     {store} ({})", bytes(after)),
        (_, None) => writeln!(out, "store:     {store}"),
    };
    out
}
