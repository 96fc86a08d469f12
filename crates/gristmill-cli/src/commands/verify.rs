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
    let differs = if repaired.is_some() { &report.left } else { &report.drift };
    let failed = !report.failures.is_empty() || repaired.is_some_and(|repaired| !repaired.failures.is_empty());
    Ok(ExitCode::from(match (differs.is_empty(), failed) {
        (false, _) => exit::GATE,
        (true, true) => exit::PARTIAL,
        (true, false) => 0,
    }))
}

/// Differences that are listed one by one in a document; of more only the first are.
const SHOWN: usize = 5;

fn text(report: &VerifyReport, store: &str) -> String {
    let mut out = listed(&report.drift, store);
    let unread = report.failures.len() as u64;
    let compared = counted(report.compared, "document");
    let compared = format!("{compared}, {} compared", counted(report.chunks, "chunk"));
    let found = counted(report.drift.len() as u64, "difference");
    let mut verdict = match &report.repaired {
        _ if report.drift.is_empty() && unread > 0 => format!("what could be compared is in step: {compared}"),
        _ if report.drift.is_empty() => format!("in step: {compared}"),
        None => format!("{found} ({compared}); mend with --repair"),
        Some(repaired) => {
            let chunks = &repaired.chunks;
            let (written, embedded) = (counted(chunks.upserted, "chunk"), number(chunks.embedded));
            let done = format!("{written} written ({embedded} embedded), {} removed", number(chunks.deleted));
            if report.left.is_empty() { format!("{found} mended: {done}") } else { format!("{found}; {done}") }
        }
    };
    if !report.left.is_empty() {
        let _ = write!(verdict, "; {} left", counted(report.left.len() as u64, "difference"));
    }
    if unread > 0 {
        let _ = write!(verdict, "; {} could not be read", counted(unread, "path"));
    }
    let _ = writeln!(out, "{store}: {verdict}");
    out + &listed(&report.left, store)
}

/// What differs, by document.
fn listed(drift: &[Drift], store: &str) -> String {
    let mut out = String::new();
    let mut by_source: BTreeMap<&str, Vec<&Drift>> = BTreeMap::new();
    drift.iter().for_each(|drift| by_source.entry(&drift.source).or_default().push(drift));
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
    out
}
