//! A JSON array with one record a line, written as the records come.

use std::io;

use gristmill_core::Result;

use super::Writer;
use super::jsonl::JsonLinesWriter;
use super::points::{PointFields, PointWriter};
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

    /// What stands before the next element.
    fn before(&mut self) -> &'static [u8] {
        if std::mem::replace(&mut self.empty, false) { b"[\n" } else { b",\n" }
    }

    fn end(self) -> Result<()> {
        self.lines.end(if self.empty { b"[]\n" } else { b"\n]\n" })
    }
}

impl Writer for JsonWriter {
    fn write(&mut self, record: &Record<'_>) -> Result<()> {
        let before = self.before();
        self.lines.put(before, record)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.end()
    }
}

impl PointWriter for JsonWriter {
    fn write(&mut self, record: &str, point: Option<&PointFields<'_>>) -> Result<()> {
        let before = self.before();
        self.lines.put_point(before, record, point)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.end()
    }
}
