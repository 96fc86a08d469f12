//! What is scanned: files of chunks as they are, documents once they are cut.

use std::io::Write;
use std::path::Path;

use gristmill_core::{Error, Result};
use gristmill_format::chunk_file::{ChunkFile, ChunkFormat, Notes};
use gristmill_format::report::RunReport;
use gristmill_format::{read_records, writer};
use tempfile::{NamedTempFile, TempPath};

use super::{Fixed, LintCx};
use crate::config::Settings;
use crate::documents::Inputs;
use crate::run::{RunCx, deliver};

/// Chunks that were made of documents.
pub struct CutDocuments {
    /// The chunks, as records.
    pub file: ChunkFile,
    /// What was read and cut.
    pub run: RunReport,
    /// Holds the records until all is done.
    _spool: TempPath,
}

/// True when a path names a file of chunks and not a document or a folder. Text and Markdown files are taken for chunks.
pub fn is_chunk_file(path: &Path) -> bool {
    !path.is_dir() && ChunkFormat::of_path(path).is_some()
}

/// Opens a file of chunks. Its format goes by its name.
///
/// # Errors
/// Input: it cannot be read, or its name tells no format.
pub fn open_chunks(path: &Path) -> Result<ChunkFile> {
    let name = path.display().to_string();
    let format = ChunkFormat::of_path(path).ok_or_else(|| {
        Error::input(format!("not known as a file of chunks: `{name}`"))
            .hint("the formats are .json, .jsonl, .parquet, .txt and .md")
    })?;
    ChunkFile::open(path, &name, format)
}

/// Reads and cuts documents, so that their chunks can be scanned.
///
/// # Errors
/// As [`deliver`].
pub fn cut_documents(settings: &Settings, inputs: &Inputs, name: &str, cx: &mut RunCx<'_>) -> Result<CutDocuments> {
    let (file, spool) = spool()?.into_parts();
    let out = std::io::BufWriter::with_capacity(1 << 16, file);
    let run = deliver(settings, inputs, writer("jsonl", Box::new(out))?, cx)?;
    let file = ChunkFile::open(&spool, name, ChunkFormat::JsonLines)?;
    Ok(CutDocuments { file, run, _spool: spool })
}

/// Writes repaired records in another format.
pub(super) fn write_records(
    fixed: &Fixed,
    cut: &CutDocuments,
    cx: &LintCx<'_>,
    format: &str,
    out: Box<dyn Write + Send>,
) -> Result<Notes> {
    let mut spool = spool()?;
    let notes = fixed.write(&cut.file, cx, spool.as_file_mut())?;
    let mut writer = writer(format, out)?;
    for record in read_records(spool.path(), "jsonl")? {
        writer.write(&record?)?;
    }
    writer.finish()?;
    Ok(notes)
}

fn spool() -> Result<NamedTempFile> {
    NamedTempFile::new().map_err(|error| Error::input("cannot write a temporary file").because(error))
}
