//! Chunks in the rows of a Parquet file.

mod arrays;
mod memory;
mod rows;

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, UInt64Array};
use arrow_schema::{ArrowError, DataType, Schema};
use arrow_select::take::take_record_batch;
use gristmill_core::{Error, ErrorKind, Result};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ArrowWriter, ProjectionMask};
use parquet::basic::Compression;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::properties::WriterProperties;

use super::change::{Change, Notes, Verdict};
use super::stream::{Store, copy, unreadable};
use crate::write::{GROUP_BYTES, parquet_failed as not_written};

pub use memory::{rewrite_table, table_lines};

/// Rows that are held at once.
const BATCH: usize = 256;

/// The table itself.
#[derive(Debug)]
pub(super) struct Table {
    /// Read by one at a time, since its position is shared.
    file: Mutex<File>,
    rows: usize,
}

type Builder = ParquetRecordBatchReaderBuilder<File>;

/// Puts the rows of a table into a temporary file as JSON Lines, since rows of a table cannot be read one by one. Vectors
/// are left out. Gives these and the table.
pub(super) fn open(store: Store, name: &str) -> Result<(Store, Table)> {
    let table = match store {
        Store::File(file) => file,
        Store::Bytes(bytes) => {
            let mut file = tempfile::tempfile().map_err(no_room)?;
            file.write_all(&bytes).and_then(|()| file.rewind()).map_err(no_room)?;
            file
        }
    };
    let builder = builder(&table, name)?;
    let is_read = |(_, field): &(usize, &Arc<arrow_schema::Field>)| !is_vector(field.data_type());
    let read = builder.schema().fields().iter().enumerate().filter(is_read).map(|(index, _)| index);
    let mask = ProjectionMask::roots(builder.parquet_schema(), read.collect::<Vec<_>>());
    let batches = Batches::new(builder.with_projection(mask), name)?;
    let mut out = BufWriter::new(tempfile::tempfile().map_err(no_room)?);
    let mut count = 0;
    for batch in batches {
        let batch = batch?;
        count += batch.num_rows();
        for row in 0..batch.num_rows() {
            serde_json::to_writer(&mut out, &rows::object(&batch, row)).map_err(|error| no_room(error.into()))?;
            out.write_all(b"\n").map_err(no_room)?;
        }
    }
    let rows = out.into_inner().map_err(|error| no_room(error.into_error()))?;
    Ok((Store::File(rows), Table { file: Mutex::new(table), rows: count }))
}

fn is_vector(kind: &DataType) -> bool {
    match kind {
        DataType::List(of) | DataType::LargeList(of) | DataType::FixedSizeList(of, _) => of.data_type().is_floating(),
        _ => false,
    }
}

/// Writes the table with `verdict` done to its rows.
pub(super) fn write(
    table: &Table,
    name: &str,
    out: &mut (dyn Write + Send),
    verdict: &mut dyn FnMut(usize) -> Result<Verdict>,
) -> Result<Notes> {
    let table_file = table.file.lock().unwrap_or_else(PoisonError::into_inner);
    let builder = builder(&table_file, name)?;
    let mut kept = 0;
    // Encoding anew would give other bytes; so a table of which all is kept is copied.
    let mut first = loop {
        match (kept < table.rows).then(|| verdict(kept)).transpose()? {
            Some(Verdict::Keep) => kept += 1,
            other => break other,
        }
    };
    if first.is_none() {
        let file = table_file.try_clone().map_err(|error| unreadable(name, error))?;
        copy(&Store::File(file), name, 0, None, out)?;
        out.flush().map_err(crate::write::output_error)?;
        return Ok(Notes::default());
    }
    let mut next = |row: usize| match row.cmp(&kept) {
        std::cmp::Ordering::Less => Ok(Verdict::Keep),
        std::cmp::Ordering::Equal => first.take().map_or_else(|| verdict(row), Ok),
        std::cmp::Ordering::Greater => verdict(row),
    };
    // File metadata are kept by the writer's properties; the order of those in a schema would differ from run to run.
    let schema = Arc::new(Schema::new(builder.schema().fields().clone()));
    let properties = properties(builder.metadata());
    let mut file = ArrowWriter::try_new(&mut *out, Arc::clone(&schema), Some(properties)).map_err(not_written)?;
    let (mut notes, mut row) = (Notes::default(), 0);
    for batch in Batches::new(builder, name)? {
        let batch = batch?;
        let verdicts = (row..row + batch.num_rows()).map(&mut next).collect::<Result<Vec<_>>>()?;
        row += batch.num_rows();
        let columns = RecordBatch::try_new(Arc::clone(&schema), batch.columns().to_vec());
        file.write(&rewritten(columns.map_err(wrong)?, verdicts, &mut notes)?).map_err(not_written)?;
    }
    file.close().map_err(not_written)?;
    out.flush().map_err(crate::write::output_error)?;
    Ok(notes)
}

/// The rows of a batch after their verdicts.
fn rewritten(batch: RecordBatch, verdicts: Vec<Verdict>, notes: &mut Notes) -> Result<RecordBatch> {
    let mut rows: Vec<u64> = Vec::with_capacity(verdicts.len());
    let mut changes: Vec<(usize, Change)> = Vec::new();
    let mut same = true;
    for (row, verdict) in (0_u64..).zip(verdicts) {
        match verdict {
            Verdict::Keep => rows.push(row),
            Verdict::Remove => {
                notes.removed += 1;
                same = false;
            }
            Verdict::Change(change) => {
                changes.push((rows.len(), change));
                rows.push(row);
            }
            Verdict::Several(several) => {
                same &= several.len() == 1;
                for change in several {
                    changes.push((rows.len(), change));
                    rows.push(row);
                }
            }
        }
    }
    let batch = if same { batch } else { take_record_batch(&batch, &UInt64Array::from(rows)).map_err(wrong)? };
    rows::change(batch, &changes, notes)
}

fn builder(table: &File, name: &str) -> Result<Builder> {
    let file = table.try_clone().map_err(|error| unreadable(name, error))?;
    let not_parquet = |error| Error::input(format!("not a Parquet file that can be read: `{name}`")).because(error);
    let builder = careful(name, || Builder::try_new(file))?.map_err(not_parquet)?;
    Ok(builder.with_batch_size(BATCH))
}

/// The rows of a table.
struct Batches<'a> {
    reader: ParquetRecordBatchReader,
    name: &'a str,
}

impl<'a> Batches<'a> {
    fn new(builder: Builder, name: &'a str) -> Result<Self> {
        let reader = careful(name, || builder.build())?.map_err(|error| damaged(name, error))?;
        Ok(Self { reader, name })
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        match careful(self.name, || self.reader.next()) {
            Ok(next) => next.map(|batch| batch.map_err(|error| damaged(self.name, error))),
            Err(error) => Some(Err(error)),
        }
    }
}

/// Reads with a reader that panics at some damage.
fn careful<T>(name: &str, read: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| Error::input(format!("a damaged Parquet file: `{name}`")))
}

/// Groups, compression and metadata as the input has them.
fn properties(input: &ParquetMetaData) -> WriterProperties {
    let mut facts = input.file_metadata().key_value_metadata().cloned().unwrap_or_default();
    facts.retain(|fact| fact.key != ARROW_SCHEMA_META_KEY);
    let group = input.row_groups().first();
    let rows = group.and_then(|group| usize::try_from(group.num_rows()).ok()).filter(|rows| *rows > 0);
    let compression =
        group.and_then(|group| group.columns().first()).map(parquet::file::metadata::ColumnChunkMetaData::compression);
    WriterProperties::builder()
        .set_key_value_metadata((!facts.is_empty()).then_some(facts))
        .set_created_by(format!("gristmill {}", env!("CARGO_PKG_VERSION")))
        .set_compression(compression.unwrap_or(Compression::SNAPPY))
        .set_max_row_group_row_count(rows)
        .set_max_row_group_bytes(Some(GROUP_BYTES))
        .build()
}

fn damaged(name: &str, cause: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::input(format!("a damaged Parquet file: `{name}`")).because(cause)
}

fn wrong(cause: ArrowError) -> Error {
    Error::bug("changed rows do not make a table").because(cause)
}

fn no_room(cause: io::Error) -> Error {
    Error::new(ErrorKind::Input, "cannot keep the rows of a table on disk")
        .because(cause)
        .hint("free some room in the folder for temporary files, or set TMPDIR to another one")
}
