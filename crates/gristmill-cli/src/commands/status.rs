//! `gristmill status`: what a store holds.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::{Options, Task};
use gristmill::{Incomplete, ModelInMaking, ModelOf, Result, Status, status};

use super::Form;
use super::ingest::store_name;
use crate::args::Global;
use crate::output::{print, write_text};
use crate::paint::{CHANGED, paint, visible};
use crate::settings::settle;
use crate::words::{bytes, counted, number};

/// Show what the store holds, and whether it is complete
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
    let status = status(&settings)?;
    match args.format {
        Form::Json => write_text(None, &super::json(&status)?)?,
        Form::Text => print(&text(&status, &store_name(&settings), global.verbose))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Documents that are named unless more is asked for.
const SHOWN: usize = 20;

fn text(status: &Status, store: &str, all: bool) -> String {
    let mut out = format!("project:   {}\n", visible(&status.project));
    let store = visible(store);
    // Writing to a string cannot fail.
    if !status.store.exists {
        let _ = writeln!(out, "store:     {store} is not there yet; `gristmill ingest` makes it");
        return out;
    }
    let size = status.store.bytes.map(|size| format!(" ({})", bytes(size))).unwrap_or_default();
    let _ = writeln!(out, "store:     {store}{size}");
    if let Some(model) = &status.model {
        let _ = writeln!(out, "model:     {}", model_name(model));
    }
    if let Some(next) = &status.next {
        let _ = writeln!(out, "next:      {}", in_making(next, status.documents));
    }
    let _ = writeln!(out, "documents: {}", documents(status));
    let _ = writeln!(out, "chunks:    {}", number(status.chunks));
    list(&mut out, &status.incomplete, if all { usize::MAX } else { SHOWN });
    out
}

fn documents(status: &Status) -> String {
    match (status.documents, status.incomplete.len() as u64) {
        (0, _) => "none of this project yet; `gristmill ingest` stores them".to_owned(),
        (all, 0) => format!("{}, {}", number(all), if all == 1 { "complete" } else { "all complete" }),
        (all, some) => format!("{}, {} not complete", number(all), number(some)),
    }
}

/// A model with the length of its vectors.
pub fn model_name(model: &ModelOf) -> String {
    let length = model.dimensions.map(|length| format!(", vectors of {} numbers", number(length as u64)));
    format!("{}{}", visible(&model.name), length.unwrap_or_default())
}

fn in_making(next: &ModelInMaking, documents: u64) -> String {
    let (done, chunks) = (number(next.documents), counted(next.chunks, "chunk"));
    let all = counted(documents, "document");
    format!("{}: {done} of {all} done ({chunks}); answers when all are", model_name(&next.model))
}

fn list(out: &mut String, incomplete: &[Incomplete], most: usize) {
    if incomplete.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nnot complete; the next `gristmill ingest` completes them:");
    for document in incomplete.iter().take(most) {
        let mark = paint(CHANGED, "~");
        let _ = writeln!(out, "{mark} {}  {}", visible(&document.source), state(document));
    }
    if incomplete.len() > most {
        let more = number((incomplete.len() - most) as u64);
        let _ = writeln!(out, "  … {more} more (-v or --format json lists all)");
    }
}

fn state(document: &Incomplete) -> String {
    let chunks = format!("{} of {}", number(document.chunks), counted(document.of, "chunk"));
    match (document.answers, document.chunks.cmp(&document.of)) {
        (false, _) => format!("{chunks}, never complete"),
        (true, std::cmp::Ordering::Less) => format!("{chunks}, the others were taken away"),
        (true, std::cmp::Ordering::Equal) => format!("{chunks}, its last run did not end"),
        (true, std::cmp::Ordering::Greater) => format!("{chunks}, some of an older version"),
    }
}
