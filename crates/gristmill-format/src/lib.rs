//! The outward shapes of gristmill: the record of a chunk, the files it is written to, and the report of a run.
//!
//! A chunk leaves gristmill as a [`Record`] and in no other shape, whether to a file, to a store or to a caller.
#![deny(missing_docs)]

pub mod chunk_file;
pub mod findings;
mod hash;
pub mod html;
mod payload;
mod read;
mod record;
pub mod report;
mod write;

pub use hash::normalized_hash;
pub use payload::{PAYLOAD_SCHEMA, PayloadNames, to_payload, to_record};
#[cfg(feature = "parquet")]
pub use read::{ParquetRows, Row};
pub use read::{RecordReader, Records, read_records};
pub use record::{Metadata, PartRecord, RECORD_SCHEMA, Record, record_schema};
pub use report::RunReport;
pub use write::{Beside, FORMATS, PointFields, PointWriter, Writer, format_of, point_writer, writer};
