//! Arrow tables, by the Arrow PyCapsule interface: no library of Python's is needed to take or give them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::types::{Float32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, Int64Array, LargeStringArray, ListArray, RecordBatch, RecordBatchIterator, RecordBatchOptions,
    RecordBatchReader, StringArray, StringViewArray, UInt64Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use gristmill::chunk_file::table_lines;
use gristmill::{Error, Result};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// A table that came from elsewhere or goes there.
#[pyclass(frozen, module = "gristmill._native")]
pub struct Table {
    pub(crate) batch: RecordBatch,
}

#[pymethods]
impl Table {
    /// Takes what an object with `__arrow_c_stream__` exports.
    #[new]
    fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let reader = stream(capsule.cast::<PyCapsule>()?)?;
        object
            .py()
            .detach(|| {
                let schema = reader.schema();
                let batches = reader.collect::<Result<Vec<_>, _>>()?;
                Ok(Self { batch: concat_batches(&schema, &batches)? })
            })
            .map_err(|error| wrong(&error))
    }

    /// A table of so many rows, which has no columns yet.
    #[staticmethod]
    fn empty(rows: usize) -> PyResult<Self> {
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let made = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &options);
        made.map(|batch| Self { batch }).map_err(|error| wrong(&error))
    }

    /// Number of rows.
    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// Names of the columns; those of the fields of a struct follow it, as in `metadata.source`.
    fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for field in self.batch.schema_ref().fields() {
            names.push(field.name().clone());
            if let DataType::Struct(inner) = field.data_type() {
                names.extend(inner.iter().map(|inner| format!("{}.{}", field.name(), inner.name())));
            }
        }
        names
    }

    /// The values of a column of text, or nothing where it is of another type.
    fn texts(&self, name: &str) -> PyResult<Option<Vec<Option<String>>>> {
        let column = self.column(name)?;
        column.to_data().validate_full().map_err(|error| wrong(&error))?;
        Ok(texts(&column))
    }

    /// The values of a column of whole numbers, or nothing where it is of another type.
    fn numbers(&self, name: &str) -> PyResult<Option<Vec<Option<i64>>>> {
        Ok(numbers(&self.column(name)?))
    }

    /// Some of the rows, in the order given; a row may be taken more than once.
    fn take(&self, py: Python<'_>, rows: Vec<u64>) -> PyResult<Self> {
        if let Some(row) = rows.iter().find(|row| **row >= self.batch.num_rows() as u64) {
            return Err(PyValueError::new_err(format!("there is no row: {row}")));
        }
        let rows = UInt64Array::from(rows);
        let batch = py.detach(|| take_record_batch(&self.batch, &rows)).map_err(|error| wrong(&error))?;
        Ok(Self { batch })
    }

    /// The same with this column of text, in the place and type of the one of that name, else behind the others.
    fn with_texts(&self, name: &str, values: Vec<Option<String>>) -> PyResult<Self> {
        let column: ArrayRef = match self.type_of(name) {
            Some(DataType::LargeUtf8) => Arc::new(LargeStringArray::from(values)),
            Some(DataType::Utf8View) => Arc::new(StringViewArray::from_iter(values)),
            _ => Arc::new(StringArray::from(values)),
        };
        self.with(name, column)
    }

    /// The same with this column of whole numbers, in the place of the one of that name, else behind the others.
    fn with_numbers(&self, name: &str, values: Vec<i64>) -> PyResult<Self> {
        self.with(name, Arc::new(Int64Array::from(values)))
    }

    /// The same with this column of vectors, in the place of the one of that name, else behind the others; nothing where a
    /// vector is empty.
    fn with_vectors(&self, name: &str, values: &Vectors) -> PyResult<Self> {
        let rows = values.0.iter().map(|vector| {
            let numbers = (!vector.is_empty()).then(|| vector.iter().map(|number| Some(*number)))?;
            Some(numbers)
        });
        self.with(name, Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(rows)))
    }

    /// Gives the table to whoever asks for a stream. It is given in the types it has, whatever is asked for.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        format!("<gristmill.Table of {} rows: {}>", self.batch.num_rows(), self.names().join(", "))
    }
}

/// Vectors of texts, which go into a table without becoming Python's numbers.
#[pyclass(frozen, module = "gristmill._native")]
pub struct Vectors(pub(crate) Vec<Vec<f32>>);

impl Table {
    /// The rows as JSON Lines. Whoever made the table may have put other bytes than Unicode into its texts.
    pub(crate) fn lines(&self) -> Result<Vec<u8>> {
        let unusable = |error| Error::input("this Arrow table cannot be used").because(error);
        self.batch.columns().iter().try_for_each(|column| column.to_data().validate_full()).map_err(unusable)?;
        table_lines(&self.batch)
    }

    /// The rows with an empty column of text, unless there is a column of this name.
    pub(crate) fn with_place(&self, name: &str) -> Result<RecordBatch> {
        if self.batch.column_by_name(name).is_some() {
            return Ok(self.batch.clone());
        }
        let column: ArrayRef = Arc::new(StringArray::new_null(self.batch.num_rows()));
        with(&self.batch, name, column).map_err(not_made)
    }

    /// The same without a column that is empty and that the table before did not have.
    pub(crate) fn without_empty(mut self, name: &str, before: &RecordBatch) -> Result<Self> {
        let place = self.batch.schema_ref().index_of(name).ok().filter(|_| before.column_by_name(name).is_none());
        if let Some(place) = place.filter(|place| self.batch.column(*place).null_count() == self.batch.num_rows()) {
            let kept: Vec<usize> = (0..self.batch.num_columns()).filter(|column| *column != place).collect();
            self.batch = self.batch.project(&kept).map_err(not_made)?;
        }
        Ok(self)
    }

    fn column(&self, name: &str) -> PyResult<ArrayRef> {
        let inner = || {
            let (outer, inner) = name.split_once('.')?;
            self.batch.column_by_name(outer)?.as_struct_opt()?.column_by_name(inner)
        };
        let column = self.batch.column_by_name(name).or_else(inner);
        column.cloned().ok_or_else(|| PyValueError::new_err(format!("there is no column: {name}")))
    }

    fn type_of(&self, name: &str) -> Option<DataType> {
        self.batch.column_by_name(name).map(|column| column.data_type().clone())
    }

    fn with(&self, name: &str, column: ArrayRef) -> PyResult<Self> {
        with(&self.batch, name, column).map(|batch| Self { batch }).map_err(|error| wrong(&error))
    }
}

fn with(batch: &RecordBatch, name: &str, column: ArrayRef) -> Result<RecordBatch, ArrowError> {
    let old = batch.schema();
    let field = Arc::new(Field::new(name, column.data_type().clone(), true));
    let mut fields: Vec<_> = old.fields().iter().cloned().collect();
    let mut columns = batch.columns().to_vec();
    match old.index_of(name) {
        Ok(at) => (fields[at], columns[at]) = (field, column),
        Err(_) => {
            fields.push(field);
            columns.push(column);
        }
    }
    let schema: SchemaRef = Arc::new(Schema::new_with_metadata(fields, old.metadata().clone()));
    RecordBatch::try_new(schema, columns)
}

fn not_made(error: ArrowError) -> Error {
    Error::bug("a table cannot be made").because(error)
}

fn texts(column: &ArrayRef) -> Option<Vec<Option<String>>> {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    Some(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().iter().map(owned).collect(),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().map(owned).collect(),
        DataType::Utf8View => column.as_string_view().iter().map(owned).collect(),
        _ => return None,
    })
}

fn numbers(column: &ArrayRef) -> Option<Vec<Option<i64>>> {
    use arrow_array::types::{Int8Type, Int16Type, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
    macro_rules! widened {
        ($kind:ty) => {
            column.as_primitive::<$kind>().iter().map(|n| n.and_then(|n| i64::try_from(n).ok())).collect()
        };
    }
    Some(match column.data_type() {
        DataType::Int8 => widened!(Int8Type),
        DataType::Int16 => widened!(Int16Type),
        DataType::Int32 => widened!(Int32Type),
        DataType::Int64 => column.as_primitive::<Int64Type>().iter().collect(),
        DataType::UInt8 => widened!(UInt8Type),
        DataType::UInt16 => widened!(UInt16Type),
        DataType::UInt32 => widened!(UInt32Type),
        DataType::UInt64 => widened!(UInt64Type),
        _ => return None,
    })
}

/// The stream in a capsule, moved out of it.
#[expect(unsafe_code, reason = "the Arrow C interface hands a struct over by its address")]
fn stream(capsule: &Bound<'_, PyCapsule>) -> PyResult<RecordBatchStreamReader> {
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a valid stream by the Arrow PyCapsule interface, and nobody else reads it:
    // the name was checked, the capsule is alive, and we hold Python's lock. The struct left behind counts as released.
    unsafe { RecordBatchStreamReader::from_raw(pointer.as_ptr()) }.map_err(|error| wrong(&error))
}

fn wrong(error: &ArrowError) -> PyErr {
    PyTypeError::new_err(format!("this Arrow table cannot be used: {error}"))
}
