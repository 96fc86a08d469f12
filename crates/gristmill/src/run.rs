//! `chunk` and `curate`: documents in, records and a report out.

use std::borrow::Cow;

use gristmill_core::Result;
use gristmill_format::report::{ReportBuilder, RunReport, Setting};
use gristmill_format::{Record, Writer};
use gristmill_pipeline::{Duplicates, Lint, Pick, RunOptions, Sink, Stages, run};
use gristmill_read::decode::source_text;
use gristmill_read::window_end;
use serde_json::Value;

use crate::config::{self, Settings};
use crate::documents::{Documents, Inputs};
use crate::lint::Linter;
use crate::toolkit::Toolkit;

/// What a run is told besides its settings.
pub struct RunCx<'a> {
    /// Threads that read and cut.
    pub workers: usize,
    /// Whether what stands in the documents is counted for the report.
    pub inspect: bool,
    /// Whether the rules of `scan` look at the chunks for the report, and repair what `[lint]` allows.
    pub lint: bool,
    /// Called with the number of documents done, of all, and the path of the last.
    pub progress: &'a mut dyn FnMut(usize, usize, &str),
}

/// Reads and cuts documents and writes their records, in the order of sources and paths. The same input and settings
/// give the same records, whatever the number of threads.
///
/// # Errors
/// When settings are wrong, nothing can be listed, or the output cannot be written. Documents that fail are in the report.
pub fn deliver(settings: &Settings, inputs: &Inputs, writer: Box<dyn Writer>, cx: &mut RunCx<'_>) -> Result<RunReport> {
    let toolkit = Toolkit::new(settings)?;
    let documents = Documents::list(settings, inputs)?;
    let mut sink = ToWriter { writer: Some(writer) };
    let report = run_over(settings, &toolkit, &documents, &mut sink, cx)?;
    sink.writer.take().map_or(Ok(()), Writer::finish)?;
    Ok(report)
}

/// Runs the stages over listed documents.
pub(crate) fn run_over(
    settings: &Settings,
    toolkit: &Toolkit,
    documents: &Documents,
    sink: &mut dyn Sink,
    cx: &mut RunCx<'_>,
) -> Result<RunReport> {
    let mut report = ReportBuilder::default();
    for diagnostic in &documents.diagnostics {
        report.finding(diagnostic.into());
    }
    for (source, reason) in &documents.passed_over {
        report.skip(source, reason.clone());
    }
    let fetch = |index: usize| documents.fetch(index);
    let cutting = |kind: Option<&str>| toolkit.cutting(kind);
    let readers = &toolkit.readers;
    let pick = |path: &str, head: &[u8]| match documents.reader {
        Some(named) => Pick::Reader(readers.set_up(named)),
        None => readers.pick(path, head),
    };
    let linter = if cx.lint { Some(Linter::new(&settings.lint)?) } else { None };
    let stages = Stages {
        fetch: &fetch,
        pick: &pick,
        decoded: &source_text,
        window_end: &window_end,
        cutting: &cutting,
        tokens: toolkit.tokens.as_ref(),
        lint: linter.as_ref().map(|linter| linter as &dyn Lint),
        cleaner: &toolkit.cleaner,
        enrich: &toolkit.enrich,
        inspect: cx.inspect,
    };
    let duplicates = match settings.validate.duplicates {
        config::Duplicates::Reject if settings.validate.per_document => Duplicates::RejectWithin,
        config::Duplicates::Reject => Duplicates::Reject,
        config::Duplicates::Keep => Duplicates::Keep,
    };
    let options = RunOptions { workers: cx.workers, duplicates };
    let all = documents.jobs.len();
    run(&documents.jobs, &stages, options, sink, &mut report, &mut |done, path| (cx.progress)(done, all, path))?;
    documents.ready.iter().try_for_each(|ready| ready.deliver(toolkit.tokens.as_ref(), sink, &mut report))?;
    let sizer = toolkit.cutting.sizer.as_ref();
    Ok(report.finish(env!("CARGO_PKG_VERSION"), sizer.unit(), toolkit.tokens.name(), configuration(settings)))
}

struct ToWriter {
    writer: Option<Box<dyn Writer>>,
}

impl Sink for ToWriter {
    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        self.writer.as_mut().map_or(Ok(()), |writer| writer.write(record))
    }
}

/// The settings that shape chunks, with where each came from, beside the values recommended to start with.
fn configuration(settings: &Settings) -> Vec<Setting> {
    let chunk = &settings.chunk;
    let row = |name: &str, recommended: Value, used: Value| Setting {
        name: name.to_owned(),
        recommended,
        used,
        origin: Cow::Owned(settings.origins.of(name).to_string()),
    };
    vec![
        row("chunk.target", 400.into(), chunk.target.into()),
        row("chunk.max", 600.into(), chunk.max.into()),
        row("chunk.min", 80.into(), chunk.min.into()),
        row("chunk.overlap", 60.into(), chunk.overlap.into()),
        row("chunk.unit", "tokens".into(), serde_json::to_value(chunk.unit).unwrap_or_default()),
        row("chunk.tokenizer", "o200k_base".into(), chunk.tokenizer.as_str().into()),
        row("chunk.strategy", "markdown".into(), chunk.strategy.as_str().into()),
        row("chunk.context", "headings".into(), serde_json::to_value(chunk.context).unwrap_or_default()),
    ]
}
