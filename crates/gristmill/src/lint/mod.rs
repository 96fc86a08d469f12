//! `scan` and `fix`: findings about chunks of any splitter, and their repair.

mod cut;
mod fates;
mod gate;
mod group;
mod input;
mod model;
mod parts;
mod read;
mod record;
mod rules;
mod run;
mod tell;
mod write;

use gristmill_core::Result;
#[cfg(feature = "parquet")]
use gristmill_format::chunk_file::RecordBatch;
use gristmill_format::chunk_file::{ChunkFile, Notes};
use gristmill_format::findings::{FixReport, ScanReport};

use crate::config::LintSettings;

pub(crate) use cut::Linter;
pub use fates::{Fate, Fates};
pub use gate::{tripped, trips};
pub use input::{CutDocuments, cut_documents, is_chunk_file, open_chunks};
pub(crate) use rules::selected;
pub use rules::{find_rule, rule_infos};

/// What a scan is told besides its settings.
#[derive(Clone, Copy)]
pub struct LintCx<'a> {
    /// Settings.
    pub settings: &'a LintSettings,
    /// The tokenizer for `max_tokens` where `[lint]` names none.
    pub tokenizer: &'a str,
    /// Threads.
    pub workers: usize,
    /// Whether repairs are made that change what can be found.
    pub risky: bool,
    /// A scan holds about this many findings, the most severe, and counts the others; `None` holds all.
    pub max_findings: Option<usize>,
    /// Whether findings show the chunks that their repair touches.
    pub diff: bool,
}

/// What a scan found.
pub struct Scanned {
    /// The findings.
    pub report: ScanReport,
    /// Mistakes of ours: repairs that failed their proof when they were tried, and were taken back.
    pub faults: Vec<String>,
}

/// Finds what is wrong with the chunks of a file.
///
/// # Errors
/// When a rule is not known, or the file holds something that is no chunk.
pub fn scan(file: &ChunkFile, cx: &LintCx<'_>) -> Result<Scanned> {
    run::scan(file, cx)
}

/// A file of chunks after its repair.
pub struct Fixed {
    /// What was done and what is left.
    pub report: FixReport,
    /// What becomes of each chunk.
    pub fates: Fates,
    /// Mistakes of ours: repairs that failed their proof and were taken back.
    pub faults: Vec<String>,
}

impl Fixed {
    /// Writes the repaired chunks in the format of `file`. What no repair touched is written as it was, byte for byte.
    ///
    /// # Errors
    /// When the file cannot be read again or the output cannot be written.
    pub fn write(&self, file: &ChunkFile, cx: &LintCx<'_>, out: &mut (dyn std::io::Write + Send)) -> Result<Notes> {
        write::write(file, &self.fates, cx, out)
    }

    /// The repaired chunks of a table in memory, which `file` holds as its lines.
    ///
    /// # Errors
    /// When the column of text cannot get another text.
    #[cfg(feature = "parquet")]
    pub fn write_table(&self, file: &ChunkFile, cx: &LintCx<'_>, table: &RecordBatch) -> Result<(RecordBatch, Notes)> {
        write::write_table(file, &self.fates, cx, table)
    }

    /// Writes the repaired chunks of [`cut_documents`] in a format of records: `json`, `jsonl`, `parquet` or `arrow`.
    ///
    /// # Errors
    /// As [`Self::write`], or when the format is another one.
    pub fn write_records(
        &self,
        cut: &CutDocuments,
        cx: &LintCx<'_>,
        format: &str,
        out: Box<dyn std::io::Write + Send>,
    ) -> Result<Notes> {
        input::write_records(self, cut, cx, format, out)
    }
}

/// Repairs the chunks of a file. Nothing is written.
///
/// # Errors
/// As [`scan`].
pub fn fix(file: &ChunkFile, cx: &LintCx<'_>) -> Result<Fixed> {
    run::fix(file, cx)
}
