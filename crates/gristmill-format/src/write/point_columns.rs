//! The columns that make points of the rows of a table.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{FixedSizeListBuilder, Float32Builder, StringBuilder};
use arrow_schema::{DataType, Field};
use gristmill_core::{Error, Result};

use super::points::PointFields;
use super::table::element;

/// What stands beside one record.
pub(super) struct PointRow<'a> {
    id: &'a str,
    vector: Option<&'a [f32]>,
    payload: String,
}

impl<'a> PointRow<'a> {
    pub(super) fn new(point: &PointFields<'a>) -> Result<Self> {
        let payload = serde_json::to_string(point.payload)
            .map_err(|error| Error::bug("a payload cannot be written as JSON").because(error))?;
        Ok(Self { id: point.id, vector: point.vector, payload })
    }

    /// Bytes that it takes in a batch.
    pub(super) fn bytes(&self) -> usize {
        self.id.len() + self.payload.len() + self.vector.map_or(0, size_of_val)
    }
}

/// The values of these columns so far.
pub(super) struct PointColumns {
    id: StringBuilder,
    vector: Option<Vectors>,
    payload: StringBuilder,
}

/// Vectors, each of the same length.
struct Vectors {
    length: usize,
    kind: DataType,
    values: FixedSizeListBuilder<Float32Builder>,
}

impl PointColumns {
    pub(super) fn new(dimensions: Option<usize>) -> Self {
        Self { id: StringBuilder::new(), vector: dimensions.and_then(Vectors::new), payload: StringBuilder::new() }
    }

    pub(super) fn fields(&self) -> Vec<Field> {
        let vector = self.vector.as_ref().map(|vectors| Field::new("vector", vectors.kind.clone(), true));
        let mut fields = vec![Field::new("point_id", DataType::Utf8, false)];
        fields.extend(vector);
        fields.push(Field::new("payload", DataType::Utf8, false));
        fields
    }

    pub(super) fn append(&mut self, point: &PointRow<'_>) -> Result<()> {
        self.id.append_value(point.id);
        self.payload.append_value(&point.payload);
        match (&mut self.vector, point.vector) {
            (Some(vectors), vector) => vectors.append(vector),
            (None, None) => Ok(()),
            (None, Some(_)) => Err(Error::bug("a vector in a table that has no column for it")),
        }
    }

    pub(super) fn finish(&mut self) -> Vec<ArrayRef> {
        let mut columns: Vec<ArrayRef> = vec![Arc::new(self.id.finish())];
        columns.extend(self.vector.iter_mut().map(|vectors| Arc::new(vectors.values.finish()) as ArrayRef));
        columns.push(Arc::new(self.payload.finish()));
        columns
    }
}

impl Vectors {
    /// `None` for a length that no column can have.
    fn new(length: usize) -> Option<Self> {
        let width = i32::try_from(length).ok().filter(|width| *width > 0)?;
        let field = Arc::new(element(DataType::Float32));
        let values = FixedSizeListBuilder::new(Float32Builder::new(), width).with_field(Arc::clone(&field));
        Some(Self { length, kind: DataType::FixedSizeList(field, width), values })
    }

    fn append(&mut self, vector: Option<&[f32]>) -> Result<()> {
        match vector {
            Some(vector) if vector.len() != self.length => {
                let (found, wanted) = (vector.len(), self.length);
                return Err(Error::bug(format!("a vector of {found} numbers among those of {wanted}")));
            }
            Some(vector) => self.values.values().append_slice(vector),
            // A row without a vector takes the same room as the others.
            None => self.values.values().append_value_n(0.0, self.length),
        }
        self.values.append(vector.is_some());
        Ok(())
    }
}
