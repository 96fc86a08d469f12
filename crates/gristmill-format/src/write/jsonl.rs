//! JSON Lines: one record a line.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use gristmill_core::{Error, ErrorKind, Result};
use serde_json::Value;

use super::points::{PointFields, PointWriter};
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

    /// Writes `before`, then the object of a record with the fields of its point behind the others, without a line end.
    pub(super) fn put_point(&mut self, before: &[u8], record: &str, point: Option<&PointFields<'_>>) -> Result<()> {
        self.line.clear();
        self.line.extend_from_slice(before);
        let record = on_one_line(record)?;
        match point {
            None => self.line.extend_from_slice(record.as_bytes()),
            Some(point) => {
                let open = record.strip_suffix('}').map(str::trim_end);
                let open = open.ok_or_else(|| no_object("it does not end with `}`"))?;
                self.line.extend_from_slice(open.as_bytes());
                if !open.ends_with('{') {
                    self.line.push(b',');
                }
                let fields = serde_json::to_vec(point).map_err(no_object)?;
                self.line.extend_from_slice(fields.strip_prefix(b"{").unwrap_or(&fields));
            }
        }
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

impl PointWriter for JsonLinesWriter {
    fn write(&mut self, record: &str, point: Option<&PointFields<'_>>) -> Result<()> {
        self.put_point(b"", record, point)?;
        self.out.write_all(b"\n").map_err(output_error)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.end(b"")
    }
}

/// A JSON text without line ends: within JSON they are white space only.
fn on_one_line(record: &str) -> Result<Cow<'_, str>> {
    let record = record.trim();
    if !record.contains(['\n', '\r']) {
        return Ok(Cow::Borrowed(record));
    }
    let value: Value = serde_json::from_str(record).map_err(no_object)?;
    Ok(Cow::Owned(value.to_string()))
}

fn no_object(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::Store, "a stored record is not a JSON object").because(cause)
}
