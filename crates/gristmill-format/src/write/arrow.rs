//! Arrow: the same table as Parquet in the Arrow file format, which can be mapped into memory.

use std::io::{self, BufWriter};

use arrow_ipc::writer::FileWriter;
use arrow_schema::ArrowError;
use gristmill_core::{Error, Result};

use super::points::{Beside, PointFields, PointWriter, record_of};
use super::table::Table;
use super::{Writer, output_error};
use crate::Record;

/// Writes batches of bounded size.
pub(super) struct ArrowWriter {
    table: Table,
    file: FileWriter<BufWriter<Box<dyn io::Write + Send>>>,
}

impl ArrowWriter {
    pub(super) fn new(out: Box<dyn io::Write + Send>, beside: Beside) -> Result<Self> {
        let table = Table::new(beside);
        let file = FileWriter::try_new_buffered(out, &table.schema()).map_err(failed)?;
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
        self.file.finish().and_then(|()| self.file.flush()).map_err(failed)
    }
}

impl Writer for ArrowWriter {
    fn write(&mut self, record: &Record<'_>) -> Result<()> {
        self.put(record, None)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.end()
    }
}

impl PointWriter for ArrowWriter {
    fn write(&mut self, record: &str, point: Option<&PointFields<'_>>) -> Result<()> {
        self.put(&record_of(record)?, point)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.end()
    }
}

fn failed(error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, error) => output_error(error),
        error => Error::bug("cannot write Arrow").because(error),
    }
}
