//! Changes to the rows of a batch.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, FieldRef};
use gristmill_core::{Error, Result};
use serde_json::{Map, Value};

use super::super::change::{Change, Notes, Setting};
use super::super::found::text_of;
use super::super::keys::{END, METADATA, TEXT, VECTORS};
use super::super::splice::patched;
use super::{arrays, wrong};

/// A row as an object, without nulls and without columns that JSON has no values for.
pub(super) fn object(batch: &RecordBatch, row: usize) -> Map<String, Value> {
    let schema = batch.schema_ref();
    let columns = schema.fields().iter().zip(batch.columns());
    let cells = columns.filter_map(|(field, column)| Some((field.name().clone(), arrays::value(column, row)?)));
    cells.filter(|(_, value)| !value.is_null()).collect()
}

/// The batch with changes in its rows.
pub(super) fn change(batch: RecordBatch, changes: &[(usize, Change)], notes: &mut Notes) -> Result<RecordBatch> {
    if changes.is_empty() {
        return Ok(batch);
    }
    let mut cells = Cells { batch: &batch, list: BTreeMap::new() };
    for (row, change) in changes {
        let before = cells.count();
        cells.change(*row, change, notes)?;
        notes.changed += usize::from(cells.count() > before);
    }
    let columns = cells.columns()?;
    RecordBatch::try_new(batch.schema(), columns).map_err(wrong)
}

/// A column, or a field of a column of structs.
type Place = (usize, Option<usize>);

/// New values by place and row.
struct Cells<'b> {
    batch: &'b RecordBatch,
    list: BTreeMap<Place, Vec<(usize, Value)>>,
}

impl Cells<'_> {
    fn count(&self) -> usize {
        self.list.values().map(Vec::len).sum()
    }

    fn change(&mut self, row: usize, change: &Change, notes: &mut Notes) -> Result<()> {
        let value = Value::Object(object(self.batch, row));
        self.text(row, &value, change, notes)?;
        self.settings(row, &change.fields, notes);
        let end = |of: &Value| {
            let key = END.iter().find(|key| of.get(key).is_some_and(Value::is_number))?;
            Some(Setting { key: (*key).to_owned(), json: Some(change.end?.to_string()) })
        };
        self.settings(row, end(&value).as_slice(), notes);
        let column = METADATA.iter().find_map(|key| self.batch.schema_ref().index_of(key).ok());
        let metadata = column.and_then(|column| value.get(self.batch.schema_ref().field(column).name()));
        let mut settings = change.metadata.clone();
        settings.extend(metadata.and_then(end));
        match column {
            Some(column) => self.metadata(row, column, &settings, notes)?,
            // A table without metadata has such facts in columns of its own.
            None => self.settings(row, &settings, notes),
        }
        Ok(())
    }

    fn text(&mut self, row: usize, value: &Value, change: &Change, notes: &mut Notes) -> Result<()> {
        let old = text_of(value).unwrap_or_default();
        let Some(new) = change.text.as_deref().filter(|new| *new != old) else { return Ok(()) };
        let schema = self.batch.schema_ref();
        let vectors = VECTORS.iter().filter_map(|key| schema.index_of(key).ok());
        notes.stale_vectors += usize::from(vectors.into_iter().any(|column| self.batch.column(column).is_valid(row)));
        for key in TEXT.iter().filter(|key| value.get(key).and_then(Value::as_str) == Some(old)) {
            let held = schema.index_of(key).is_ok_and(|column| self.put((column, None), row, new.into()));
            if !held {
                return Err(Error::input(format!("a column of this type cannot get another text: `{key}`")));
            }
        }
        Ok(())
    }

    fn settings(&mut self, row: usize, settings: &[Setting], notes: &mut Notes) {
        for setting in settings {
            if !self.setting(row, setting) {
                notes.unheld(&setting.key);
            }
        }
    }

    /// Sets a value in a column of its own; false if it cannot be held.
    fn setting(&mut self, row: usize, setting: &Setting) -> bool {
        match self.batch.schema_ref().index_of(&setting.key) {
            Ok(column) => self.set((column, None), self.batch.column(column), row, setting),
            Err(_) => setting.json.is_none(),
        }
    }

    fn metadata(&mut self, row: usize, column: usize, settings: &[Setting], notes: &mut Notes) -> Result<()> {
        let array = self.batch.column(column);
        if let DataType::Struct(fields) = array.data_type() {
            let structs = array.as_struct();
            for setting in settings {
                let held = match fields.find(&setting.key).filter(|_| structs.is_valid(row)) {
                    Some((field, _)) => self.set((column, Some(field)), structs.column(field), row, setting),
                    None => self.setting(row, setting),
                };
                if !held {
                    notes.unheld(&setting.key);
                }
            }
            return Ok(());
        }
        let old = arrays::value(array, row).unwrap_or_default();
        let json = if old.is_null() { "{}" } else { old.as_str().unwrap_or_default() };
        let is_object = serde_json::from_str::<Map<String, Value>>(json).is_ok();
        let new = if is_object { patched(json, settings)? } else { json.to_owned() };
        let held = is_object && (new == json || self.put((column, None), row, new.into()));
        settings.iter().filter(|_| !held).for_each(|setting| notes.unheld(&setting.key));
        Ok(())
    }

    /// Sets a value that differs from the old one; false if it cannot be held.
    fn set(&mut self, place: Place, array: &ArrayRef, row: usize, setting: &Setting) -> bool {
        if arrays::value(array, row).is_some_and(|old| setting.equals(&old)) {
            return true;
        }
        self.put(place, row, setting.value().unwrap_or_default())
    }

    /// Notes a new value if it can be held.
    fn put(&mut self, place: Place, row: usize, value: Value) -> bool {
        let Some(field) = self.field(place) else { return false };
        let held = arrays::of(field.data_type(), &[&value]).is_some() && (field.is_nullable() || !value.is_null());
        if held {
            let cells = self.list.entry(place).or_default();
            cells.retain(|(other, _)| *other != row);
            cells.push((row, value));
        }
        held
    }

    fn field(&self, (column, inner): Place) -> Option<&FieldRef> {
        let field = self.batch.schema_ref().fields().get(column)?;
        match (inner, field.data_type()) {
            (None, _) => Some(field),
            (Some(inner), DataType::Struct(fields)) => fields.get(inner),
            (Some(_), _) => None,
        }
    }

    fn columns(&self) -> Result<Vec<ArrayRef>> {
        let mut columns = self.batch.columns().to_vec();
        for ((column, inner), cells) in &self.list {
            let cells: Vec<(usize, &Value)> = cells.iter().map(|(row, value)| (*row, value)).collect();
            if let Some(old) = columns.get_mut(*column) {
                let new = match inner {
                    None => arrays::replaced(old, &cells),
                    Some(inner) => with_field(old, *inner, &cells),
                };
                *old = new.ok_or_else(|| Error::bug("a changed column cannot be made"))?;
            }
        }
        Ok(columns)
    }
}

/// A column of structs with other values in one of its fields.
fn with_field(column: &ArrayRef, inner: usize, cells: &[(usize, &Value)]) -> Option<ArrayRef> {
    let (fields, mut columns, nulls) = column.as_struct().clone().into_parts();
    let field = columns.get_mut(inner)?;
    *field = arrays::replaced(field, cells)?;
    Some(Arc::new(StructArray::try_new(fields, columns, nulls).ok()?))
}
