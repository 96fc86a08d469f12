//! Reads files of records back, one record at a time.

mod json;
#[cfg(feature = "parquet")]
mod table;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use gristmill_core::{Error, Result};

use crate::Record;

pub use json::RecordReader;
#[cfg(feature = "parquet")]
pub(crate) use table::value as cell;
#[cfg(feature = "parquet")]
pub use table::{ParquetRows, Row};

/// The records of a file, in order.
pub type Records = Box<dyn Iterator<Item = Result<Record<'static>>> + Send>;

/// Opens a file of records. `format` is `json`, `jsonl` or `parquet`.
///
/// Holds one record at a time, of Parquet one batch. A record that cannot be read is an error in its place.
///
/// # Errors
/// When the file cannot be opened, or the format is another one.
pub fn read_records(path: &Path, format: &str) -> Result<Records> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Error::input(format!("cannot open: `{name}`")).because(error))?;
    match format {
        #[cfg(feature = "parquet")]
        "parquet" => Ok(Box::new(table::records(file, name)?)),
        _ => Ok(Box::new(RecordReader::new(BufReader::with_capacity(1 << 16, file), format, &name)?)),
    }
}
