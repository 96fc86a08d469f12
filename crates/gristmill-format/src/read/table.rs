//! Rows of Parquet files as JSON objects.

use std::fs::File;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use gristmill_core::{Error, Result};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use serde_json::{Map, Value};

use crate::Record;

/// A row: its columns by name, nulls included.
pub type Row = Map<String, Value>;

/// The rows of any Parquet file whose columns have a counterpart in JSON, in order.
///
/// Text, numbers, truth values, lists and structs are read; a column of another type is an error that names it.
pub struct ParquetRows {
    batches: ParquetRecordBatchReader,
    name: String,
    batch: Option<RecordBatch>,
    row: usize,
}

impl ParquetRows {
    /// Reads `file`; `name` stands for it in messages.
    ///
    /// # Errors
    /// When it is not a Parquet file that can be read.
    pub fn new(file: File, name: &str) -> Result<Self> {
        let damaged = |error| Error::input(format!("not a Parquet file that can be read: `{name}`")).because(error);
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(damaged)?;
        let batches = builder.with_batch_size(256).build().map_err(damaged)?;
        Ok(Self { batches, name: name.to_owned(), batch: None, row: 0 })
    }

    fn advance(&mut self) -> Result<Option<Row>> {
        loop {
            if let Some(batch) = &self.batch
                && self.row < batch.num_rows()
            {
                self.row += 1;
                return row(batch, self.row - 1, &self.name).map(Some);
            }
            let Some(next) = self.batches.next() else { return Ok(None) };
            let damaged = |error| Error::input(format!("a damaged Parquet file: `{}`", self.name)).because(error);
            self.batch = Some(next.map_err(damaged)?);
            self.row = 0;
        }
    }
}

impl Iterator for ParquetRows {
    type Item = Result<Row>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}

/// The records in a Parquet file that was written by the writer of this crate.
pub(super) fn records(file: File, name: String) -> Result<impl Iterator<Item = Result<Record<'static>>> + Send> {
    let rows = ParquetRows::new(file, &name)?;
    Ok(rows.enumerate().map(move |(index, row)| {
        record(row?).map_err(|error| Error::input(format!("`{name}`, row {}: not a record", index + 1)).because(error))
    }))
}

/// Attributes stand in a string in tables, since their fields differ from source to source.
fn record(mut row: Row) -> Result<Record<'static>, serde_json::Error> {
    if let Some(Value::Object(metadata)) = row.get_mut("metadata")
        && let Some(Value::String(attributes)) = metadata.get("attributes")
    {
        let attributes = serde_json::from_str(attributes)?;
        metadata.insert("attributes".to_owned(), attributes);
    }
    serde_json::from_value(Value::Object(row))
}

fn row(batch: &RecordBatch, row: usize, file: &str) -> Result<Row> {
    let columns = batch.schema_ref().fields().iter().zip(batch.columns());
    let cells = columns.map(|(field, column)| {
        let cell = value(column, row).map_err(|kind| {
            Error::input(format!("`{file}`: column `{}` has a type that is not read: {kind}", field.name()))
        });
        Ok((field.name().clone(), cell?))
    });
    cells.collect()
}

/// The value in a row of an array; the type's name if JSON has nothing for it.
pub(crate) fn value(array: &ArrayRef, row: usize) -> Result<Value, DataType> {
    if array.is_null(row) {
        return Ok(Value::Null);
    }
    Ok(match array.data_type() {
        DataType::Null => Value::Null,
        DataType::Boolean => array.as_boolean().value(row).into(),
        DataType::Int8 => array.as_primitive::<Int8Type>().value(row).into(),
        DataType::Int16 => array.as_primitive::<Int16Type>().value(row).into(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        DataType::UInt8 => array.as_primitive::<UInt8Type>().value(row).into(),
        DataType::UInt16 => array.as_primitive::<UInt16Type>().value(row).into(),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).into(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).into(),
        DataType::Float32 => array.as_primitive::<Float32Type>().value(row).into(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into(),
        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into(),
        DataType::Utf8View => array.as_string_view().value(row).into(),
        DataType::List(_) => list(&array.as_list::<i32>().value(row))?,
        DataType::LargeList(_) => list(&array.as_list::<i64>().value(row))?,
        DataType::FixedSizeList(_, _) => list(&array.as_fixed_size_list().value(row))?,
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            let members = columns.map(|(field, column)| Ok((field.name().clone(), value(column, row)?)));
            Value::Object(members.collect::<Result<_, _>>()?)
        }
        other => return Err(other.clone()),
    })
}

fn list(elements: &ArrayRef) -> Result<Value, DataType> {
    (0..elements.len()).map(|row| value(elements, row)).collect::<Result<Vec<_>, _>>().map(Value::Array)
}
