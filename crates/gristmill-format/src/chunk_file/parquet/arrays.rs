//! Arrays made from JSON values, and JSON values from arrays.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, LargeListArray, LargeStringArray, ListArray, PrimitiveArray, StringArray,
    StringViewArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, FieldRef, Fields};
use arrow_select::interleave::interleave;
use serde_json::Value;

use crate::read::cell;

/// The value in a row; of a struct those of its fields that JSON has values for.
pub(super) fn value(array: &ArrayRef, row: usize) -> Option<Value> {
    if array.is_null(row) {
        return Some(Value::Null);
    }
    match array.data_type() {
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            let members = columns.filter_map(|(field, column)| Some((field.name().clone(), value(column, row)?)));
            Some(Value::Object(members.collect()))
        }
        DataType::Dictionary(..) => {
            // Of one row, since all keys of the array it is asked of are looked at.
            let only = array.slice(row, 1);
            let dictionary = only.as_any_dictionary();
            let keys = if dictionary.values().is_empty() { Vec::new() } else { dictionary.normalized_keys() };
            value(dictionary.values(), *keys.first()?)
        }
        _ => cell(array, row).ok(),
    }
}

/// `array` with other values in some rows; `None` if it cannot hold them.
pub(super) fn replaced(array: &ArrayRef, rows: &[(usize, &Value)]) -> Option<ArrayRef> {
    let values: Vec<&Value> = rows.iter().map(|(_, value)| *value).collect();
    let new = of(array.data_type(), &values)?;
    let mut places: Vec<(usize, usize)> = (0..array.len()).map(|row| (0, row)).collect();
    for (index, (row, _)) in rows.iter().enumerate() {
        *places.get_mut(*row)? = (1, index);
    }
    interleave(&[array.as_ref(), new.as_ref()], &places).ok()
}

/// An array of values; `None` if one of them is of another type.
pub(super) fn of(kind: &DataType, values: &[&Value]) -> Option<ArrayRef> {
    Some(match kind {
        DataType::Boolean => Arc::new(BooleanArray::from(each(values, Value::as_bool)?)),
        DataType::Int8 => integers::<Int8Type>(values)?,
        DataType::Int16 => integers::<Int16Type>(values)?,
        DataType::Int32 => integers::<Int32Type>(values)?,
        DataType::Int64 => integers::<Int64Type>(values)?,
        DataType::UInt8 => integers::<UInt8Type>(values)?,
        DataType::UInt16 => integers::<UInt16Type>(values)?,
        DataType::UInt32 => integers::<UInt32Type>(values)?,
        DataType::UInt64 => integers::<UInt64Type>(values)?,
        DataType::Float32 => Arc::new(PrimitiveArray::<Float32Type>::from(each(values, single)?)),
        DataType::Float64 => Arc::new(PrimitiveArray::<Float64Type>::from(each(values, Value::as_f64)?)),
        DataType::Utf8 => Arc::new(StringArray::from(each(values, text)?)),
        DataType::LargeUtf8 => Arc::new(LargeStringArray::from(each(values, text)?)),
        DataType::Utf8View => Arc::new(StringViewArray::from_iter(each(values, text)?)),
        DataType::List(field) => {
            let (lengths, elements) = elements(field, values)?;
            let offsets = OffsetBuffer::<i32>::from_lengths(lengths);
            Arc::new(ListArray::try_new(Arc::clone(field), offsets, elements, present(values)).ok()?)
        }
        DataType::LargeList(field) => {
            let (lengths, elements) = elements(field, values)?;
            let offsets = OffsetBuffer::<i64>::from_lengths(lengths);
            Arc::new(LargeListArray::try_new(Arc::clone(field), offsets, elements, present(values)).ok()?)
        }
        DataType::Struct(fields) => Arc::new(structs(fields, values)?),
        _ => return None,
    })
}

/// What `get` makes of each; nulls stay.
fn each<'v, T>(values: &[&'v Value], get: impl Fn(&'v Value) -> Option<T>) -> Option<Vec<Option<T>>> {
    values.iter().map(|value| if value.is_null() { Some(None) } else { get(value).map(Some) }).collect()
}

fn integers<T: ArrowPrimitiveType<Native: TryFrom<i128>>>(values: &[&Value]) -> Option<ArrayRef> {
    let whole = |value: &Value| {
        let wide = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from))?;
        T::Native::try_from(wide).ok()
    };
    Some(Arc::new(each(values, whole)?.into_iter().collect::<PrimitiveArray<T>>()))
}

#[expect(clippy::cast_possible_truncation, reason = "the column has single precision")]
fn single(value: &Value) -> Option<f32> {
    value.as_f64().map(|number| number as f32)
}

/// A text; lists and objects as JSON.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(_) | Value::Object(_) => Some(value.to_string()),
        _ => None,
    }
}

fn elements(field: &FieldRef, values: &[&Value]) -> Option<(Vec<usize>, ArrayRef)> {
    let lists = each(values, Value::as_array)?;
    let lengths = lists.iter().map(|list| list.map_or(0, Vec::len)).collect();
    let flat: Vec<&Value> = lists.into_iter().flatten().flatten().collect();
    Some((lengths, of(field.data_type(), &flat)?))
}

fn structs(fields: &Fields, values: &[&Value]) -> Option<StructArray> {
    let objects = each(values, Value::as_object)?;
    let known = |key: &String| fields.find(key).is_some();
    if !objects.iter().flatten().all(|object| object.keys().all(known)) {
        return None;
    }
    let column = |field: &FieldRef| {
        let members = objects.iter().map(|object| object.and_then(|object| object.get(field.name())));
        let column: Vec<&Value> = members.map(|member| member.unwrap_or(&Value::Null)).collect();
        of(field.data_type(), &column)
    };
    let columns = fields.iter().map(column).collect::<Option<Vec<_>>>()?;
    StructArray::try_new(fields.clone(), columns, present(values)).ok()
}

fn present(values: &[&Value]) -> Option<NullBuffer> {
    let present: Vec<bool> = values.iter().map(|value| !value.is_null()).collect();
    present.contains(&false).then(|| NullBuffer::from(present))
}
