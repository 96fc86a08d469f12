//! The payload: a record laid flat for stores that search by fields, and the way back.
//!
//! Fields of the record and of its metadata stand at the top, so do the attributes that a source declares, unless
//! their name is taken: those stand in the object `attributes`. Values keep their types; nulls are left out. What this
//! form cannot give back byte for byte (an object that is no record, other blanks, numbers that change when they are
//! read) is kept beside it as text.

mod names;

use gristmill_core::{Error, ErrorKind, Result};
use serde_json::{Map, Value};

use crate::Record;
pub use names::PayloadNames;
use names::{ATTRIBUTES, OWN, RAW, RECORD, TEXT};

/// Version of the payload's shape. Grows when a field is added, removed or changes its meaning.
pub const PAYLOAD_SCHEMA: u32 = 1;

/// The payload of a record, a JSON object. `own` are fields of the store itself, by our names; they stand in place of
/// fields of the record that have the same name.
///
/// # Errors
/// When the record is not a JSON object.
pub fn to_payload(record: &str, own: Map<String, Value>, names: &PayloadNames) -> Result<Map<String, Value>> {
    let object: Map<String, Value> = serde_json::from_str(record).map_err(no_object)?;
    let mut payload = Map::new();
    let mut aside = Map::new();
    lay_flat(object, &mut payload, &mut aside, names);
    if !aside.is_empty() {
        payload.insert(names.name(ATTRIBUTES).to_owned(), Value::Object(aside));
    }
    payload.insert(names.name("version").to_owned(), PAYLOAD_SCHEMA.into());
    for (field, value) in own {
        payload.insert(names.name(&field).to_owned(), value);
    }
    if !comes_back(record, &payload, names) {
        payload.insert(names.name(RAW).to_owned(), record.into());
    }
    Ok(payload)
}

/// The record that a payload was made of, byte for byte.
///
/// # Errors
/// When fields of the record are missing or of another kind.
pub fn to_record(payload: &Map<String, Value>, names: &PayloadNames) -> Result<String> {
    if let Some(Value::String(raw)) = payload.get(names.name(RAW)) {
        return Ok(raw.clone());
    }
    let record: Record<'static> = serde_json::from_value(nested(payload, names)).map_err(no_record)?;
    serde_json::to_string(&record).map_err(no_record)
}

fn no_object(cause: serde_json::Error) -> Error {
    Error::new(ErrorKind::Store, "a payload is not a JSON object").because(cause)
}

fn no_record(cause: serde_json::Error) -> Error {
    Error::new(ErrorKind::Store, "a payload does not hold a record")
        .hint("the fields were changed by another program; ingest again with `--rebuild`")
        .because(cause)
}

/// Sorts the members of a record into fields of the payload and attributes whose names are taken.
fn lay_flat(
    object: Map<String, Value>,
    payload: &mut Map<String, Value>,
    aside: &mut Map<String, Value>,
    names: &PayloadNames,
) {
    let mut metadata = Map::new();
    let mut attributes = Map::new();
    for (field, value) in object {
        match value {
            Value::Object(members) if field == "metadata" => metadata = members,
            value => put(&field, value, payload, aside, names),
        }
    }
    for (field, value) in metadata {
        match value {
            Value::Object(members) if field == ATTRIBUTES => attributes = members,
            value => put(&field, value, payload, aside, names),
        }
    }
    for (name, value) in attributes {
        match names.attribute(&name) {
            // A null says something here: the attribute was declared.
            Some(key) => _ = payload.insert(key.to_owned(), value),
            None => _ = aside.insert(name, value),
        }
    }
}

/// Puts a member of the record or of its metadata in its place.
fn put(
    field: &str,
    value: Value,
    payload: &mut Map<String, Value>,
    aside: &mut Map<String, Value>,
    names: &PayloadNames,
) {
    let field = if field == "content" { TEXT } else { field };
    let key = if RECORD.contains(&field) { Some(names.name(field)) } else { names.attribute(field) };
    match key {
        Some(key) if !value.is_null() => _ = payload.insert(key.to_owned(), value),
        Some(_) => {}
        None => _ = aside.insert(field.to_owned(), value),
    }
}

/// True when the record can be made of the payload again after another program has stored it: numbers may change when
/// they are read, members may change their order.
fn comes_back(record: &str, payload: &Map<String, Value>, names: &PayloadNames) -> bool {
    let stored = serde_json::to_string(payload).ok().and_then(|text| serde_json::from_str(&text).ok());
    stored.is_some_and(|stored| to_record(&stored, names).is_ok_and(|back| back == record))
}

/// The members of a record where a record has them.
fn nested(payload: &Map<String, Value>, names: &PayloadNames) -> Value {
    let mut attributes = match payload.get(names.name(ATTRIBUTES)) {
        Some(Value::Object(aside)) => aside.clone(),
        _ => Map::new(),
    };
    let mut metadata = Map::new();
    for (key, value) in payload {
        let field = names.field(key);
        if field == ATTRIBUTES || OWN.contains(&field) {
            continue;
        }
        let members = if RECORD.contains(&field) { &mut metadata } else { &mut attributes };
        members.insert(field.to_owned(), value.clone());
    }
    let mut record = Map::new();
    record.extend(metadata.remove("chunk_id").map(|value| ("chunk_id".into(), value)));
    record.extend(metadata.remove(TEXT).map(|value| ("content".into(), value)));
    record.extend(metadata.remove("normalized_text_hash").map(|value| ("normalized_text_hash".into(), value)));
    record.extend(metadata.get("token_count").cloned().map(|value| ("token_count".into(), value)));
    attributes.values_mut().for_each(sort);
    metadata.insert(ATTRIBUTES.into(), Value::Object(attributes));
    record.insert("metadata".into(), Value::Object(metadata));
    Value::Object(record)
}

/// Orders the members of all objects by name: whoever stored them may have, too.
fn sort(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.sort_keys();
            members.values_mut().for_each(sort);
        }
        Value::Array(elements) => elements.iter_mut().for_each(sort),
        _ => {}
    }
}
