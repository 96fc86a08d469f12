//! `gristmill verify`: compares source, state and store.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::Task;
use gristmill::{Drift, IngestOptions, Result, RunCx, VerifyReport, verify, verify_and_repair};

use super::Form;
use super::ingest::store_name;
use crate::args::Global;
use crate::exit;
use crate::inputs::InputArgs;
use crate::output::{print, write_text};
use crate::paint::{REMOVED, paint};
use crate::progress::Meter;
use crate::say;
use crate::settings::{ChunkArgs, settle};
use crate::words::{counted, number};

/// Compare the store with the documents, chunk by chunk
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders [default: the sources of the settings]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Mend what differs
    #[arg(long, help_heading = "Store")]
    repair: bool,
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
    let inputs = InputArgs { paths: args.paths.clone(), ..InputArgs::default() }.inputs(global, &[])?;
    let report = {
        let mut meter = Meter::new(global, false);
        let mut progress = |done: usize, all: usize, path: &str| meter.tick(done, all, path);
        let lint = settings.lint.fix;
        let mut cx = RunCx { workers: global.workers(), inspect: false, lint, progress: &mut progress };
        if args.repair {
            verify_and_repair(&settings, &inputs, &IngestOptions::default(), &mut cx)?
        } else {
            verify(&settings, &inputs, &mut cx)?
        }
    };
    match args.format {
        Form::Json => write_text(None, &super::json(&report)?)?,
        Form::Text if !global.quiet => print(&text(&report, &store_name(&settings)))?,
        Form::Text => {}
    }
    let repaired = report.repaired.as_ref();
    for failure in report.failures.iter().chain(repaired.into_iter().flat_map(|repaired| &repaired.failures)) {
        say::failed(&format!("{}: {}", failure.source, failure.message));
    }
    let mended = repaired.is_some_and(|repaired| repaired.failures.is_empty() && repaired.ended_by.is_none());
    Ok(ExitCode::from(match (report.drift.is_empty() || mended, report.failures.is_empty()) {
        (false, _) => exit::GATE,
        (true, false) => exit::PARTIAL,
        (true, true) => 0,
    }))
}

/// Differences that are listed one by one in a document; of more only the first are.
const SHOWN: usize = 5;

fn text(report: &VerifyReport, store: &str) -> String {
    let mut out = String::new();
    let mut by_source: BTreeMap<&str, Vec<&Drift>> = BTreeMap::new();
    report.drift.iter().for_each(|drift| by_source.entry(&drift.source).or_default().push(drift));
    for (source, drift) in &by_source {
        for one in drift.iter().take(SHOWN) {
            let place = if source.is_empty() { store } else { source };
            let chunk = one.chunk_id.as_ref().map(|id| format!(" chunk {id}")).unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{} {place}:{chunk} {}", paint(REMOVED, "!"), one.message);
        }
        if drift.len() > SHOWN {
            let _ = writeln!(out, "  … {} more in {source}", number((drift.len() - SHOWN) as u64));
        }
    }
    let compared = format!("{}, {}", counted(report.documents, "document"), counted(report.chunks, "chunk"));
    let verdict = match (&report.repaired, report.drift.len()) {
        (_, 0) => format!("in step: {compared} compared"),
        (None, found) => format!("{} ({compared} compared); mend with --repair", counted(found as u64, "difference")),
        (Some(repaired), found) => {
            let chunks = &repaired.chunks;
            format!(
                "{} mended: {} written ({} embedded), {} removed",
                counted(found as u64, "difference"),
                counted(chunks.upserted, "chunk"),
                number(chunks.embedded),
                number(chunks.deleted)
            )
        }
    };
    let _ = writeln!(out, "{store}: {verdict}");
    out
}
