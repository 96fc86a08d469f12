//! What stands in documents and in files of chunks, in numbers.

mod chunk_file;
mod fields;

use std::path::{Path, PathBuf};

use gristmill_core::Result;
use gristmill_format::Record;
use gristmill_format::report::RunReport;
use gristmill_pipeline::Sink;
use gristmill_text::count::sizer;
use serde::Serialize;

use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

pub use chunk_file::{ChunkFile, Share};

/// What was counted. The counts of documents have the shape of a run report.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InspectReport {
    /// The documents, each with its counts, and what they became with the settings at hand. Where there are none, its
    /// total of chunks is that of the files of chunks.
    #[serde(flatten)]
    pub run: RunReport,
    /// The files of chunks.
    pub chunk_files: Vec<ChunkFile>,
}

/// What counts as too small and too large in a file of chunks, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InspectOptions {
    /// Chunks below this are fragments.
    pub least: usize,
    /// Chunks above this are too large; `None` for the limit of the settings.
    pub max: Option<usize>,
}

impl Default for InspectOptions {
    fn default() -> Self {
        Self { least: 32, max: None }
    }
}

/// Counts. A path that names a `.json`, `.jsonl` or `.parquet` file is a file of chunks, everything else is read as
/// documents; nothing is written.
///
/// # Errors
/// When settings are wrong or nothing can be listed. Files that cannot be read are in the report.
pub fn inspect(
    settings: &Settings,
    inputs: &Inputs,
    options: InspectOptions,
    cx: &mut RunCx<'_>,
) -> Result<InspectReport> {
    let (files, paths): (Vec<PathBuf>, _) =
        inputs.paths.iter().cloned().partition(|path| chunk_file::format_of(&inputs.folder.join(path)).is_some());
    let toolkit = Toolkit::new(settings)?;
    let documents = if paths.is_empty() && inputs.given.is_none() && !files.is_empty() {
        Documents::default()
    } else {
        Documents::list(settings, &Inputs { paths, ..inputs.clone() })?
    };
    let mut run = run_over(settings, &toolkit, &documents, &mut Nowhere, cx)?;
    let tokens = sizer(gristmill_core::Unit::Tokens, &settings.chunk.tokenizer)?;
    let max = options.max.unwrap_or(settings.chunk.max);
    let limits = chunk_file::Sizing { tokens: tokens.as_ref(), least: options.least, max };
    let one = |path: &PathBuf| ChunkFile::read(&inputs.folder.join(path), &shown(path), &limits);
    let chunk_files: Vec<ChunkFile> = files.iter().map(one).collect();
    if documents.jobs.is_empty() {
        run.totals.chunks = chunk_files.iter().map(|file| file.chunks).sum();
    }
    Ok(InspectReport { run, chunk_files })
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Takes records nowhere.
struct Nowhere;

impl Sink for Nowhere {
    fn record(&mut self, _: &Record<'_>) -> Result<()> {
        Ok(())
    }
}
