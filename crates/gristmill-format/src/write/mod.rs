//! Writers of records.

#[cfg(feature = "parquet")]
mod arrow;
mod json;
mod jsonl;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod point_columns;
mod points;
#[cfg(feature = "parquet")]
mod table;

use std::io;
use std::path::Path;

use gristmill_core::{Error, ErrorKind, Result};

use crate::Record;

pub use points::{Beside, PointFields, PointWriter, point_writer};

#[cfg(feature = "parquet")]
pub(crate) use parquet::{GROUP_BYTES, failed as parquet_failed};

/// Takes records one after another. What has been written is complete only after [`Writer::finish`].
pub trait Writer: Send {
    /// Writes one record.
    ///
    /// # Errors
    /// When the output cannot be written: [`ErrorKind::ClosedPipe`] if its reader has gone.
    fn write(&mut self, record: &Record<'_>) -> Result<()>;

    /// Writes what is still held back and ends the output.
    ///
    /// # Errors
    /// As for [`Writer::write`].
    fn finish(self: Box<Self>) -> Result<()>;
}

/// Names of the formats of [`writer`]; each is also the extension of its files.
#[cfg(feature = "parquet")]
pub const FORMATS: &[&str] = &["json", "jsonl", "parquet", "arrow"];
/// Names of the formats of [`writer`]; each is also the extension of its files.
#[cfg(not(feature = "parquet"))]
pub const FORMATS: &[&str] = &["json", "jsonl"];

/// The format that the extension of a path asks for.
pub fn format_of(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let name = if extension == "ndjson" { "jsonl" } else { &extension };
    FORMATS.iter().find(|format| **format == name).copied()
}

/// A writer of `format`, one of [`FORMATS`], to `out`.
///
/// # Errors
/// [`ErrorKind::Usage`] for a format that is not known; else as for [`Writer::write`].
pub fn writer(format: &str, out: Box<dyn io::Write + Send>) -> Result<Box<dyn Writer>> {
    match format {
        "json" => Ok(Box::new(json::JsonWriter::new(out))),
        "jsonl" => Ok(Box::new(jsonl::JsonLinesWriter::new(out))),
        #[cfg(feature = "parquet")]
        "parquet" => Ok(Box::new(parquet::ParquetWriter::new(out, Beside::Nothing)?)),
        #[cfg(feature = "parquet")]
        "arrow" => Ok(Box::new(arrow::ArrowWriter::new(out, Beside::Nothing)?)),
        other => Err(unknown(other)),
    }
}

fn unknown(format: &str) -> Error {
    let known = FORMATS.join("`, `");
    Error::usage(format!("unknown output format: `{format}`")).hint(format!("the formats are `{known}`"))
}

/// What went wrong with the output, told apart by whether anyone still reads it.
pub(crate) fn output_error(error: io::Error) -> Error {
    let kind = if error.kind() == io::ErrorKind::BrokenPipe { ErrorKind::ClosedPipe } else { ErrorKind::Input };
    Error::new(kind, "cannot write the output").because(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_name_formats() {
        for format in FORMATS {
            assert_eq!(format_of(Path::new(&format!("out/chunks.{format}"))), Some(*format));
        }
        assert_eq!(format_of(Path::new("CHUNKS.NDJSON")), Some("jsonl"));
        assert_eq!(format_of(Path::new("chunks.txt")), None);
        assert_eq!(format_of(Path::new("json")), None);
    }

    #[test]
    fn an_unknown_format_is_named_with_the_known_ones() {
        let error = writer("yaml", Box::new(io::sink())).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(error.to_string().contains("`yaml`") && error.hint_text().is_some_and(|h| h.contains("`jsonl`")));
    }
}
