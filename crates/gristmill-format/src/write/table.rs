//! Records as Arrow tables, for Parquet and Arrow files.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, ListArray, RecordBatch, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use gristmill_core::{Error, Result};

use super::point_columns::{PointColumns, PointRow};
use super::points::{Beside, PointFields};
use crate::{Metadata, RECORD_SCHEMA, Record};

/// A batch is full with this many rows.
const ROWS: usize = 1024;

/// A batch is full with this many bytes of text.
const BYTES: usize = 8 << 20;

/// Arrow counts the text of a column in 31 bits; one record may have half of that.
const RECORD_BYTES: usize = 1 << 30;

/// Name under which files give the version of the record's shape.
pub(super) const SCHEMA_KEY: &str = "gristmill.record_schema";

/// Collects records by column and gives them out in batches of bounded size.
pub(super) struct Table {
    schema: SchemaRef,
    chunk_id: StringBuilder,
    content: StringBuilder,
    metadata: Vec<Builder>,
    token_count: Int64Builder,
    hash: StringBuilder,
    points: Option<PointColumns>,
    rows: usize,
    bytes: usize,
}

impl Table {
    pub(super) fn new(beside: Beside) -> Self {
        let points = match beside {
            Beside::Nothing => None,
            Beside::Point { dimensions } => Some(PointColumns::new(dimensions)),
        };
        Self {
            schema: schema(points.as_ref()),
            chunk_id: StringBuilder::new(),
            content: StringBuilder::new(),
            metadata: METADATA.iter().map(|(_, column)| column.builder()).collect(),
            token_count: Int64Builder::new(),
            hash: StringBuilder::new(),
            points,
            rows: 0,
            bytes: 0,
        }
    }

    pub(super) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Takes a record, with what stands beside it in a table of points. Gives the batch of those before when it is full.
    pub(super) fn push(&mut self, record: &Record<'_>, point: Option<&PointFields<'_>>) -> Result<Option<RecordBatch>> {
        let point = point.map(PointRow::new).transpose()?;
        let attributes = serde_json::to_string(&record.metadata.attributes)
            .map_err(|error| Error::bug("attributes cannot be written as JSON").because(error))?;
        let bytes = text_bytes(record) + attributes.len() + point.as_ref().map_or(0, PointRow::bytes);
        if bytes > RECORD_BYTES {
            let (id, source) = (&record.chunk_id, &record.metadata.source);
            return Err(Error::input(format!("chunk `{id}` of `{source}` is too large for a table: {bytes} bytes"))
                .hint("write `jsonl`, which has no such limit"));
        }
        let full = self.rows >= ROWS || (self.rows > 0 && self.bytes + bytes > BYTES);
        let batch = if full { self.take()? } else { None };
        self.append(record, &attributes)?;
        if let Some((columns, point)) = self.points.as_mut().zip(point) {
            columns.append(&point)?;
        }
        self.rows += 1;
        self.bytes += bytes;
        Ok(batch)
    }

    fn append(&mut self, record: &Record<'_>, attributes: &str) -> Result<()> {
        self.chunk_id.append_value(&record.chunk_id);
        self.content.append_value(&record.content);
        for ((_, column), builder) in METADATA.iter().zip(&mut self.metadata) {
            builder.append(column, &record.metadata, attributes)?;
        }
        self.token_count.append_value(integer(record.token_count)?);
        self.hash.append_value(&record.normalized_text_hash);
        Ok(())
    }

    /// The batch of all records taken since the last one; none without any.
    pub(super) fn take(&mut self) -> Result<Option<RecordBatch>> {
        if self.rows == 0 {
            return Ok(None);
        }
        (self.rows, self.bytes) = (0, 0);
        self.batch().map(Some).map_err(|error| Error::bug("records do not make a table").because(error))
    }

    fn batch(&mut self) -> Result<RecordBatch, ArrowError> {
        let metadata = self.metadata.iter_mut().map(Builder::finish).collect::<Result<Vec<_>, _>>()?;
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.chunk_id.finish()),
            Arc::new(self.content.finish()),
            Arc::new(StructArray::try_new(metadata_fields(), metadata, None)?),
            Arc::new(self.token_count.finish()),
            Arc::new(self.hash.finish()),
        ];
        columns.extend(self.points.iter_mut().flat_map(PointColumns::finish));
        RecordBatch::try_new(self.schema(), columns)
    }
}

/// Bytes of all text of a record but its attributes.
fn text_bytes(record: &Record<'_>) -> usize {
    let own = record.chunk_id.len() + record.content.len() + record.normalized_text_hash.len();
    let metadata = METADATA.iter().map(|(_, column)| match column {
        Column::Text(get) => get(&record.metadata).len(),
        Column::MaybeText(get) => get(&record.metadata).map_or(0, str::len),
        Column::Texts(get) => get(&record.metadata).iter().map(|text| text.len()).sum(),
        Column::Number(_) | Column::Numbers(_) | Column::Parts | Column::Attributes => 0,
    });
    own + metadata.sum::<usize>()
}

/// Where a column of the metadata comes from. The order in [`METADATA`] is the order of the record.
enum Column {
    Text(for<'m> fn(&'m Metadata<'m>) -> &'m str),
    MaybeText(for<'m> fn(&'m Metadata<'m>) -> Option<&'m str>),
    Texts(for<'m> fn(&'m Metadata<'m>) -> &'m [Cow<'m, str>]),
    Number(fn(&Metadata<'_>) -> u64),
    Numbers(for<'m> fn(&'m Metadata<'m>) -> &'m [u64]),
    /// A list of structs.
    Parts,
    /// JSON in a string: its fields differ from source to source.
    Attributes,
}

const METADATA: &[(&str, Column)] = &[
    ("source", Column::Text(|m| &m.source)),
    ("filename", Column::Text(|m| &m.filename)),
    ("document_title", Column::Text(|m| &m.document_title)),
    ("section_title", Column::Text(|m| &m.section_title)),
    ("heading_path", Column::Texts(|m| &m.heading_path)),
    ("chunk_index", Column::Number(|m| m.chunk_index)),
    ("total_chunks", Column::Number(|m| m.total_chunks)),
    ("token_count", Column::Number(|m| m.token_count)),
    ("overlap_token_count", Column::Number(|m| m.overlap_token_count)),
    ("word_count", Column::Number(|m| m.word_count)),
    ("tags", Column::Texts(|m| &m.tags)),
    ("keywords", Column::Texts(|m| &m.keywords)),
    ("document_type", Column::MaybeText(|m| m.document_type.as_deref())),
    ("language", Column::MaybeText(|m| m.language.as_deref())),
    ("created_at", Column::MaybeText(|m| m.created_at.as_deref())),
    ("char_start", Column::Number(|m| m.char_start)),
    ("char_end", Column::Number(|m| m.char_end)),
    ("byte_start", Column::Number(|m| m.byte_start)),
    ("byte_end", Column::Number(|m| m.byte_end)),
    ("line_start", Column::Number(|m| m.line_start)),
    ("line_end", Column::Number(|m| m.line_end)),
    ("pages", Column::Numbers(|m| &m.pages)),
    ("cite", Column::MaybeText(|m| m.cite.as_deref())),
    ("format", Column::Text(|m| &m.format)),
    ("parts", Column::Parts),
    ("prev_chunk_id", Column::MaybeText(|m| m.prev_chunk_id.as_deref())),
    ("next_chunk_id", Column::MaybeText(|m| m.next_chunk_id.as_deref())),
    ("parent_id", Column::MaybeText(|m| m.parent_id.as_deref())),
    ("content_hash", Column::Text(|m| &m.content_hash)),
    ("source_hash", Column::Text(|m| &m.source_hash)),
    ("attributes", Column::Attributes),
    ("merged_ids", Column::Texts(|m| &m.merged_ids)),
];

impl Column {
    fn field(&self, name: &str) -> Field {
        let list = |of: Field| DataType::List(Arc::new(of));
        match self {
            Self::Text(_) | Self::Attributes => Field::new(name, DataType::Utf8, false),
            Self::MaybeText(_) => Field::new(name, DataType::Utf8, true),
            Self::Number(_) => Field::new(name, DataType::Int64, false),
            Self::Texts(_) => Field::new(name, list(element(DataType::Utf8)), false),
            Self::Numbers(_) => Field::new(name, list(element(DataType::Int64)), false),
            Self::Parts => Field::new(name, list(element(DataType::Struct(part_fields()))), false),
        }
    }

    fn builder(&self) -> Builder {
        match self {
            Self::Text(_) | Self::MaybeText(_) | Self::Attributes => Builder::Text(StringBuilder::new()),
            Self::Number(_) => Builder::Number(Int64Builder::new()),
            Self::Texts(_) => {
                Builder::Texts(ListBuilder::new(StringBuilder::new()).with_field(element(DataType::Utf8)))
            }
            Self::Numbers(_) => Builder::Numbers(numbers()),
            Self::Parts => Builder::Parts(Box::new(PartsBuilder::new())),
        }
    }
}

pub(super) fn element(of: DataType) -> Field {
    Field::new("element", of, false)
}

fn numbers() -> ListBuilder<Int64Builder> {
    ListBuilder::new(Int64Builder::new()).with_field(element(DataType::Int64))
}

fn part_fields() -> Fields {
    Fields::from(vec![
        Field::new("kind", DataType::Utf8, false),
        Field::new("start", DataType::Int64, false),
        Field::new("end", DataType::Int64, false),
        Field::new("origin", DataType::List(Arc::new(element(DataType::Int64))), true),
    ])
}

fn metadata_fields() -> Fields {
    METADATA.iter().map(|(name, column)| column.field(name)).collect()
}

fn schema(points: Option<&PointColumns>) -> SchemaRef {
    let mut fields = vec![
        Field::new("chunk_id", DataType::Utf8, false),
        Field::new("content", DataType::Utf8, false),
        Field::new("metadata", DataType::Struct(metadata_fields()), false),
        Field::new("token_count", DataType::Int64, false),
        Field::new("normalized_text_hash", DataType::Utf8, false),
    ];
    fields.extend(points.into_iter().flat_map(PointColumns::fields));
    // One entry only: the order of several would differ from run to run.
    let version = [(SCHEMA_KEY.to_owned(), RECORD_SCHEMA.to_string())];
    Arc::new(Schema::new_with_metadata(fields, version))
}

/// The values of one column so far.
enum Builder {
    Text(StringBuilder),
    Number(Int64Builder),
    Texts(ListBuilder<StringBuilder>),
    Numbers(ListBuilder<Int64Builder>),
    Parts(Box<PartsBuilder>),
}

impl Builder {
    fn append(&mut self, column: &Column, metadata: &Metadata<'_>, attributes: &str) -> Result<()> {
        match (self, column) {
            (Self::Text(to), Column::Text(get)) => to.append_value(get(metadata)),
            (Self::Text(to), Column::MaybeText(get)) => to.append_option(get(metadata)),
            (Self::Text(to), Column::Attributes) => to.append_value(attributes),
            (Self::Number(to), Column::Number(get)) => to.append_value(integer(get(metadata))?),
            (Self::Texts(to), Column::Texts(get)) => to.append_value(get(metadata).iter().map(Some)),
            (Self::Numbers(to), Column::Numbers(get)) => append_numbers(to, get(metadata))?,
            (Self::Parts(to), Column::Parts) => to.append(metadata)?,
            _ => return Err(Error::bug("a column and its builder differ")),
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Text(values) => Arc::new(values.finish()),
            Self::Number(values) => Arc::new(values.finish()),
            Self::Texts(values) => Arc::new(values.finish()),
            Self::Numbers(values) => Arc::new(values.finish()),
            Self::Parts(values) => Arc::new(values.finish()?),
        })
    }
}

/// The parts of the records so far.
struct PartsBuilder {
    lengths: Vec<usize>,
    kind: StringBuilder,
    start: Int64Builder,
    end: Int64Builder,
    origin: ListBuilder<Int64Builder>,
}

impl PartsBuilder {
    fn new() -> Self {
        let (start, end) = (Int64Builder::new(), Int64Builder::new());
        Self { lengths: Vec::new(), kind: StringBuilder::new(), start, end, origin: numbers() }
    }

    fn append(&mut self, metadata: &Metadata<'_>) -> Result<()> {
        self.lengths.push(metadata.parts.len());
        for part in &metadata.parts {
            self.kind.append_value(part.kind.name());
            self.start.append_value(integer(part.start)?);
            self.end.append_value(integer(part.end)?);
            match &part.origin {
                Some(origin) => append_numbers(&mut self.origin, origin)?,
                None => self.origin.append_null(),
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<ListArray, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.kind.finish()),
            Arc::new(self.start.finish()),
            Arc::new(self.end.finish()),
            Arc::new(self.origin.finish()),
        ];
        let parts = StructArray::try_new(part_fields(), columns, None)?;
        let offsets = OffsetBuffer::from_lengths(self.lengths.drain(..));
        ListArray::try_new(Arc::new(element(DataType::Struct(part_fields()))), offsets, Arc::new(parts), None)
    }
}

fn append_numbers(to: &mut ListBuilder<Int64Builder>, numbers: &[u64]) -> Result<()> {
    for number in numbers {
        to.values().append_value(integer(*number)?);
    }
    to.append(true);
    Ok(())
}

/// Signed, since not every reader of Parquet knows unsigned numbers.
fn integer(number: u64) -> Result<i64> {
    i64::try_from(number).map_err(|_| Error::input(format!("a number is too large for a table: {number}")))
}
