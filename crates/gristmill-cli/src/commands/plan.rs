//! `gristmill plan`: what an ingest would do.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::Task;
use gristmill::{IngestOptions, Plan, PlannedChange, PlannedChunks, PlannedDocument, Result, RunCx, plan};
use serde_json::json;

use super::Form;
use super::ingest::{Guards, Only, store_name, tell_unmatched};
use crate::args::Global;
use crate::inputs::InputArgs;
use crate::output::{print, write_text};
use crate::paint::{ADDED, CHANGED, MOVED, REMOVED, paint};
use crate::progress::Meter;
use crate::settings::{ChunkArgs, settle};
use crate::words::{counted, number};
use crate::{exit, say};

/// Show what an ingest would do, and write nothing
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders [default: the sources of the settings]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// File to save the plan in: `gristmill ingest FILE` does exactly that or refuses
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// End with 1 when anything is to be done
    #[arg(long, help_heading = "Output")]
    check: bool,
    #[command(flatten)]
    only: Only,
    #[command(flatten)]
    guards: Guards,
    /// File of the store [default: .gristmill/store.db]
    #[arg(long, value_name = "FILE", help_heading = "Store")]
    store: Option<PathBuf>,
    #[command(flatten)]
    chunk: ChunkArgs,
    /// text or json
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let mut options = args.chunk.options();
    options.store.path.clone_from(&args.store);
    let settings = settle(Task::Ingest, global, options)?;
    let input = InputArgs { paths: args.paths.clone(), ..InputArgs::default() };
    let inputs = input.inputs(global, &args.out.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let plan = {
        let mut meter = Meter::new(global, false);
        let mut progress = |done: usize, all: usize, path: &str| meter.tick(done, all, path);
        let mut cx = RunCx { workers: global.workers(), inspect: false, lint: false, progress: &mut progress };
        let options = IngestOptions { select: args.only.select(), ..args.guards.options() };
        plan(&settings, &inputs, &options, &mut cx)?
    };
    if let Some(path) = &args.out {
        // Documents that were named here are what the plan is of.
        write_text(Some(path), &super::json(&json!({ "plan": plan, "sources": args.paths }))?)?;
    }
    match args.format {
        Form::Json => write_text(None, &super::json(&plan)?)?,
        Form::Text if !global.quiet => print(&text(&plan, &store_name(&settings)))?,
        Form::Text => {}
    }
    for unseen in &plan.unseen {
        let name = if unseen.is_empty() { "." } else { unseen };
        say::failed(&format!("{name}: could not be looked at; what the store has of it is kept"));
    }
    if plan.files.failed > 0 {
        say::failed(&format!("{} cannot be read, or not whole", counted(plan.files.failed, "document")));
    }
    let unmatched = tell_unmatched(&plan.unmatched);
    if plan.files.failed > 0 || !plan.unseen.is_empty() || unmatched {
        return Ok(ExitCode::from(exit::PARTIAL));
    }
    Ok(ExitCode::from(if args.check && !plan.is_empty() { exit::GATE } else { 0 }))
}

/// Documents that are listed one by one; of more only the first are.
const SHOWN: usize = 200;

fn text(plan: &Plan, store: &str) -> String {
    let mut out = String::new();
    let moved = |document: &&PlannedDocument| !(document.change == PlannedChange::Deleted && document.reason.is_some());
    let documents: Vec<&PlannedDocument> = plan.documents.iter().filter(moved).collect();
    for document in documents.iter().take(SHOWN) {
        line(&mut out, document);
    }
    if documents.len() > SHOWN {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  … {} more (all of them: --format json)", number((documents.len() - SHOWN) as u64));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    if plan.new_model {
        let _ = writeln!(
            out,
            "model:     {} is new here: vectors of the model before answer until all documents have new ones",
            plan.model
        );
    }
    let _ = writeln!(out, "documents: {}", files(plan));
    let _ = writeln!(out, "chunks:    {}", chunks(&plan.totals));
    let _ = writeln!(out, "cost:      {}", cost(plan));
    let _ = writeln!(out, "store:     {store}");
    out
}

fn line(out: &mut String, document: &PlannedDocument) {
    let (mark, style) = match document.change {
        PlannedChange::New | PlannedChange::Copied => ("+", ADDED),
        PlannedChange::Modified => ("~", CHANGED),
        PlannedChange::Moved => (">", MOVED),
        PlannedChange::Deleted => ("-", REMOVED),
        PlannedChange::Failed => ("!", REMOVED),
    };
    let reason = document.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let unread = document.change == PlannedChange::Failed && document.reason.is_none();
    let failed = if unread { " (cannot be read)" } else { "" };
    let chunks = chunks(&document.chunks);
    let gap = if chunks == NOTHING { String::new() } else { format!("  {chunks}") };
    let _ = writeln!(out, "{} {}{reason}{failed}{gap}", paint(style, mark), document.source);
}

const NOTHING: &str = "nothing to do";

fn chunks(chunks: &PlannedChunks) -> String {
    let tokens = format!("to embed ({} tokens)", number(chunks.tokens));
    counts(&[(chunks.embed, &tokens), (chunks.reuse, "to reuse"), (chunks.delete, "to remove")])
}

fn files(plan: &Plan) -> String {
    let files = &plan.files;
    counts(&[
        (files.new, "new"),
        (files.modified, "changed"),
        (files.moved, "moved"),
        (files.copied, "copied"),
        (files.deleted, "deleted"),
        (files.failed, "unreadable"),
        (files.unchanged, "unchanged"),
    ])
}

/// Counts that are not zero, each with its word.
pub(super) fn counts(counts: &[(u64, &str)]) -> String {
    let there: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", number(*n))).collect();
    if there.is_empty() { NOTHING.to_owned() } else { there.join(", ") }
}

fn cost(plan: &Plan) -> String {
    let cost = match plan.cost {
        Some(0.0) if plan.totals.embed == 0 => return "nothing".to_owned(),
        Some(0.0) if plan.requests == 0 => return "nothing: the model runs here".to_owned(),
        Some(cost) => format!("{cost:.4} $"),
        None => "not known (set `[embed] price`)".to_owned(),
    };
    format!("{cost} by {} in {}", plan.model, counted(plan.requests, "request"))
}
