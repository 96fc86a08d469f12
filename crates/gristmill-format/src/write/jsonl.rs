//! JSON Lines: one record a line.

use std::io::{self, BufWriter, Write};

use gristmill_core::{Error, Result};

use super::{Writer, output_error};
use crate::Record;

type Out = BufWriter<Box<dyn io::Write + Send>>;

/// Writes each record as a line of JSON.
pub(super) struct JsonLinesWriter {
    out: Out,
    line: Vec<u8>,
}

impl JsonLinesWriter {
    pub(super) fn new(out: Box<dyn io::Write + Send>) -> Self {
        Self { out: BufWriter::with_capacity(1 << 16, out), line: Vec::new() }
    }

    /// Writes `before`, then the record without a line end.
    pub(super) fn put(&mut self, before: &[u8], record: &Record<'_>) -> Result<()> {
        self.line.clear();
        self.line.extend_from_slice(before);
        serde_json::to_writer(&mut self.line, record)
            .map_err(|error| Error::bug("a record cannot be written as JSON").because(error))?;
        self.out.write_all(&self.line).map_err(output_error)
    }

    /// Writes `after` and all that is held back.
    pub(super) fn end(mut self, after: &[u8]) -> Result<()> {
        self.out.write_all(after).and_then(|()| self.out.flush()).map_err(output_error)
    }
}

impl Writer for JsonLinesWriter {
    fn write(&mut self, record: &Record<'_>) -> Result<()> {
        self.put(b"", record)?;
        self.out.write_all(b"\n").map_err(output_error)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.end(b"")
    }
}
