//! Looks through all chunks of a store.

use std::io::BufWriter;

use gristmill_core::{Error, Result};
use gristmill_format::chunk_file::{ChunkFile, ChunkFormat};
use gristmill_format::findings::ScanReport;
use tempfile::NamedTempFile;

use crate::config::Settings;
use crate::lint::{LintCx, scan};
use crate::open::open_store_if_there;
use crate::stored::{ExportOptions, export};

/// What is wrong with the chunks of a project that are stored, with what a repair would make of each; of more than
/// `most` findings the most severe are given. `None` where nobody has made the store yet.
///
/// # Errors
/// When the store cannot be read.
pub fn scan_stored(settings: &Settings, threads: usize, most: usize) -> Result<Option<ScanReport>> {
    if open_store_if_there(settings)?.is_none() {
        return Ok(None);
    }
    let failed = |cause| Error::input("cannot write a temporary file").because(cause);
    let spool = NamedTempFile::new().map_err(failed)?;
    let out = BufWriter::new(spool.reopen().map_err(failed)?);
    let options = ExportOptions { format: "jsonl".into(), with_vectors: false };
    export(settings, &options, Box::new(out), &mut |_, _, _| {})?;
    let file = ChunkFile::open(spool.path(), "the store", ChunkFormat::JsonLines)?;
    let cx = LintCx {
        settings: &settings.lint,
        tokenizer: &settings.chunk.tokenizer,
        workers: threads,
        risky: false,
        max_findings: Some(most),
        diff: true,
    };
    scan(&file, &cx).map(|scanned| Some(scanned.report))
}
