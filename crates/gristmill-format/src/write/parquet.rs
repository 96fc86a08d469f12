//! Parquet: the record as columns, compressed by zstd.

use std::error::Error as _;
use std::io;

use gristmill_core::{Error, Result};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use super::points::{Beside, PointFields, PointWriter, record_of};
use super::table::{SCHEMA_KEY, Table};
use super::{Writer, output_error};
use crate::{RECORD_SCHEMA, Record};

/// Rows of a group, and its bytes as encoded: what is held in memory before it is written.
const GROUP_ROWS: usize = 100_000;
pub(crate) const GROUP_BYTES: usize = 32 << 20;

/// Writes row groups of bounded size. Holds neither clock nor chance, so equal records give equal bytes.
pub(super) struct ParquetWriter {
    table: Table,
    file: ArrowWriter<Box<dyn io::Write + Send>>,
}

impl ParquetWriter {
    pub(super) fn new(out: Box<dyn io::Write + Send>, beside: Beside) -> Result<Self> {
        let table = Table::new(beside);
        let file = ArrowWriter::try_new(out, table.schema(), Some(properties())).map_err(failed)?;
        Ok(Self { table, file })
    }

    fn put(&mut self, record: &Record<'_>, point: Option<&PointFields<'_>>) -> Result<()> {
        match self.table.push(record, point)? {
            Some(batch) => self.file.write(&batch).map_err(failed),
            None => Ok(()),
        }
    }

    fn end(mut self) -> Result<()> {
        if let Some(batch) = self.table.take()? {
            self.file.write(&batch).map_err(failed)?;
        }
        let mut out = self.file.into_inner().map_err(failed)?;
        out.flush().map_err(output_error)
    }
}

impl Writer for ParquetWriter {
    fn write(&mut self, record: &Record<'_>) -> Result<()> {
        self.put(record, None)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.end()
    }
}

impl PointWriter for ParquetWriter {
    fn write(&mut self, record: &str, point: Option<&PointFields<'_>>) -> Result<()> {
        self.put(&record_of(record)?, point)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.end()
    }
}

fn properties() -> WriterProperties {
    // Readers that know nothing of Arrow look for the version here.
    let version = KeyValue::new(SCHEMA_KEY.to_owned(), RECORD_SCHEMA.to_string());
    let mut properties = WriterProperties::builder()
        .set_key_value_metadata(Some(vec![version]))
        .set_created_by(format!("gristmill {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_max_row_group_bytes(Some(GROUP_BYTES));
    // Every value of these is another one: a dictionary of them would only cost memory.
    for name in ["chunk_id", "content", "normalized_text_hash", "point_id", "payload", "vector.list.element"] {
        let path = ColumnPath::new(name.split('.').map(str::to_owned).collect());
        properties = properties.set_column_dictionary_enabled(path, false);
    }
    properties.build()
}

pub(crate) fn failed(error: ParquetError) -> Error {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    match cause {
        Some(cause) => output_error(io::Error::new(cause.kind(), error)),
        None => Error::bug("cannot write Parquet").because(error),
    }
}
