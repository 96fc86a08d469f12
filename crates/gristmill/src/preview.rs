//! How a file would be read and cut.

use std::path::Path;

use gristmill_core::{Error, Result, Unit};
use gristmill_format::Record;
use gristmill_format::report::{SizeReport, Warning};
use gristmill_pipeline::Sink;
use serde::Serialize;

use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::own_text::own_text;
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

/// How a file would be read and cut.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Preview {
    /// Its path in records.
    pub source: String,
    /// True when the configured sources have it.
    pub configured: bool,
    /// Who reads it; null when nobody does.
    pub reader: Option<String>,
    /// Why nobody reads it, or why it cannot be read.
    pub problem: Option<String>,
    /// The encoding, by its WHATWG name.
    pub encoding: String,
    /// The title that records name.
    pub title: Option<String>,
    /// The kind of document, declared or configured.
    pub document_type: Option<String>,
    /// How it is cut.
    pub cutting: CuttingTold,
    /// What it becomes.
    pub chunks: u64,
    /// Sizes of the chunks.
    pub size: SizeReport,
    /// The first chunks.
    pub first: Vec<PreviewedChunk>,
    /// Problems that do not keep it from being read.
    pub warnings: Vec<Warning>,
}

/// The settings by which a document is cut.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CuttingTold {
    /// How borders are found.
    pub strategy: String,
    /// The size to aim at.
    pub target: usize,
    /// The size that is never exceeded.
    pub max: usize,
    /// Smaller chunks are merged where they fit.
    pub min: usize,
    /// How much of the chunk before is repeated.
    pub overlap: usize,
    /// What sizes are counted in.
    pub unit: &'static str,
}

/// A chunk in short.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PreviewedChunk {
    /// First and last line in the source, from 1.
    pub lines: [u64; 2],
    /// Tokens of the text that is embedded.
    pub tokens: u64,
    /// Titles of the headings around it.
    pub heading_path: Vec<String>,
    /// First line of its own text that is neither blank nor a heading; of a chunk of headings the first.
    pub first_line: String,
}

/// Chunks that are shown.
const SHOWN: usize = 8;

/// Reads and cuts a file as the settings say, and writes nothing. A file of the configured sources is taken as one of them.
///
/// # Errors
/// When settings are wrong or the file is not there.
pub fn preview(settings: &Settings, inputs: &Inputs, file: &Path, cx: &mut RunCx<'_>) -> Result<Preview> {
    let (documents, configured) = only(settings, inputs, file)?;
    let mut first = First::default();
    let report = run_over(settings, &Toolkit::new(settings)?, &documents, &mut first, cx)?;
    let source = documents.jobs.first().map(|job| job.source.clone()).unwrap_or_default();
    let mut preview = Preview { source, configured, first: first.0, ..Preview::default() };
    preview.problem = report.skipped.first().map(|skipped| skipped.reason.clone().into_owned());
    for document in report.documents {
        preview.reader = (!document.format.is_empty()).then(|| document.format.into_owned());
        preview.problem = document.error.map(|error| error.message);
        preview.encoding = document.encoding.into_owned();
        preview.title = document.metadata.title;
        preview.document_type = document.metadata.document_type;
        preview.chunks = document.chunks;
        preview.warnings = document.warnings;
    }
    preview.size = report.totals.size;
    preview.cutting = cutting(settings, preview.document_type.as_deref());
    Ok(preview)
}

/// The file as the one document of a run, and whether the configured sources have it.
fn only(settings: &Settings, inputs: &Inputs, file: &Path) -> Result<(Documents, bool)> {
    let place = inputs.folder.join(file);
    let real = place
        .canonicalize()
        .map_err(|cause| Error::input(format!("cannot read: {}", file.display())).because(cause))?;
    let mut local = settings.clone();
    local.source.retain(|source| source.kind == "fs");
    if !local.source.is_empty() {
        let mut documents = Documents::list(&local, inputs)?;
        if let Some(index) = documents.of_file(&real) {
            documents.select(|other| other == index);
            return Ok((documents, true));
        }
    }
    let named = Inputs { paths: vec![file.to_owned()], own: Vec::new(), ..inputs.clone() };
    Ok((Documents::list(settings, &named)?, false))
}

fn cutting(settings: &Settings, document_type: Option<&str>) -> CuttingTold {
    let chunk = settings.chunk.for_type(document_type);
    CuttingTold {
        strategy: chunk.strategy.clone(),
        target: chunk.target,
        max: chunk.max,
        min: chunk.min,
        overlap: chunk.overlap,
        unit: Unit::from(chunk.unit).name(),
    }
}

/// The first chunks of a run.
#[derive(Default)]
struct First(Vec<PreviewedChunk>);

impl Sink for First {
    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        if self.0.len() < SHOWN {
            self.0.push(short(record)?);
        }
        Ok(())
    }
}

fn short(record: &Record<'_>) -> Result<PreviewedChunk> {
    let metadata = &record.metadata;
    let parts = serde_json::to_value(&metadata.parts).map_err(|e| Error::bug("parts cannot be written").because(e))?;
    let own = own_text(&record.content, Some(&parts));
    Ok(PreviewedChunk {
        lines: [metadata.line_start, metadata.line_end],
        tokens: record.token_count,
        heading_path: metadata.heading_path.iter().map(ToString::to_string).collect(),
        first_line: first_line(own).to_owned(),
    })
}

fn first_line(text: &str) -> &str {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    if first.starts_with('#') { lines.find(|line| !line.starts_with('#')).unwrap_or(first) } else { first }
}
