//! Chunk files are read from all tools and written back with nothing changed but what is to be.
#![expect(clippy::print_stdout, reason = "says what was skipped")]

mod bytes;
mod exports;
mod files;
mod properties;
mod rewriting;
#[path = "../sample/mod.rs"]
mod sample;
#[cfg(feature = "parquet")]
mod tables;

use gristmill_core::Result;
use gristmill_format::chunk_file::{ChunkFile, ChunkFormat, Found, Notes, Verdict};

/// A file in memory, named `f`.
fn open(text: &str, format: ChunkFormat) -> Result<ChunkFile> {
    ChunkFile::from_bytes(text.as_bytes().to_vec(), "f", Some(format))
}

/// The chunks of a file.
fn read(text: &str, format: ChunkFormat) -> Result<Vec<Found>> {
    open(text, format)?.chunks().collect()
}

fn texts(text: &str, format: ChunkFormat) -> Result<Vec<String>> {
    Ok(read(text, format)?.iter().map(|found| found.text().to_owned()).collect())
}

/// A file after verdicts.
fn written(file: &ChunkFile, mut verdict: impl FnMut(usize) -> Verdict) -> (String, Notes) {
    let mut out = Vec::new();
    let notes = file.write(&mut out, &mut |index| Ok(verdict(index))).unwrap();
    (String::from_utf8(out).unwrap(), notes)
}
