//! Writers of what a store holds: records, and beside them what makes a point of each.

use std::io;

use gristmill_core::Result;
#[cfg(feature = "parquet")]
use gristmill_core::{Error, ErrorKind};
use serde::Serialize;
use serde_json::{Map, Value};

#[cfg(feature = "parquet")]
use super::{arrow, parquet};
use super::{json, jsonl, unknown};
#[cfg(feature = "parquet")]
use crate::Record;

/// What makes a point of a record, for other stores to take.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PointFields<'a> {
    /// Identity of the point: that of the chunk, a UUID.
    #[serde(rename = "point_id")]
    pub id: &'a str,
    /// The vector of its text; none where the model knows nothing of it.
    pub vector: Option<&'a [f32]>,
    /// The record laid flat, as [`crate::to_payload`] makes it.
    pub payload: &'a Map<String, Value>,
}

/// What stands beside the records of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Nothing: records alone.
    Nothing,
    /// [`PointFields`] for each.
    Point {
        /// Numbers in each vector: tables have a column of this width. Without it they have none for vectors.
        dimensions: Option<usize>,
    },
}

/// Takes stored records one after another. What has been written is complete only after [`PointWriter::finish`].
pub trait PointWriter: Send {
    /// Writes one record, given as the JSON it was stored as, with what stands beside it.
    ///
    /// # Errors
    /// When the output cannot be written ([`gristmill_core::ErrorKind::ClosedPipe`] if its reader has gone), or the record is none.
    fn write(&mut self, record: &str, point: Option<&PointFields<'_>>) -> Result<()>;

    /// Writes what is still held back and ends the output.
    ///
    /// # Errors
    /// When the output cannot be written.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// A writer of `format`, one of [`crate::FORMATS`], to `out`. In JSON, records stand as they were stored, and the fields
/// of a point are members behind those of its record; in tables they are columns: `point_id`, `vector` (a list of fixed
/// size), `payload` (JSON).
///
/// # Errors
/// [`gristmill_core::ErrorKind::Usage`] for a format that is not known; else when the output cannot be written.
pub fn point_writer(format: &str, out: Box<dyn io::Write + Send>, beside: Beside) -> Result<Box<dyn PointWriter>> {
    // Only tables have to know their columns beforehand.
    #[cfg(not(feature = "parquet"))]
    let _ = beside;
    match format {
        "json" => Ok(Box::new(json::JsonWriter::new(out))),
        "jsonl" => Ok(Box::new(jsonl::JsonLinesWriter::new(out))),
        #[cfg(feature = "parquet")]
        "parquet" => Ok(Box::new(parquet::ParquetWriter::new(out, beside)?)),
        #[cfg(feature = "parquet")]
        "arrow" => Ok(Box::new(arrow::ArrowWriter::new(out, beside)?)),
        other => Err(unknown(other)),
    }
}

/// The record that a JSON text is.
#[cfg(feature = "parquet")]
pub(super) fn record_of(text: &str) -> Result<Record<'static>> {
    serde_json::from_str(text).map_err(|cause| {
        Error::new(ErrorKind::Store, "a stored chunk is no record of this version")
            .hint("write `jsonl`, which holds any, or ingest again with `--rebuild`")
            .because(cause)
    })
}
