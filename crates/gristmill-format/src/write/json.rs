//! A JSON array with one record a line, written as the records come.

use std::io;

use gristmill_core::Result;

use super::Writer;
use super::jsonl::JsonLinesWriter;
use crate::Record;

/// Writes `[`, the records, each on a line of its own, and `]`.
pub(super) struct JsonWriter {
    lines: JsonLinesWriter,
    empty: bool,
}

impl JsonWriter {
    pub(super) fn new(out: Box<dyn io::Write + Send>) -> Self {
        Self { lines: JsonLinesWriter::new(out), empty: true }
    }
}

impl Writer for JsonWriter {
    fn write(&mut self, record: &Record<'_>) -> Result<()> {
        let before: &[u8] = if self.empty { b"[\n" } else { b",\n" };
        self.empty = false;
        self.lines.put(before, record)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.lines.end(if self.empty { b"[]\n" } else { b"\n]\n" })
    }
}
