//! A chunk as it was found.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::keys::{self, ID, METADATA, TEXT, TEXT_RESOURCE, WRAPPERS};
use crate::{PartRecord, Record};

/// A chunk of a file, with its facts under the names that any tool gives them.
#[derive(Clone, Debug)]
pub struct Found {
    value: Value,
    /// Its metadata were an object written as a text.
    metadata_are_text: bool,
    /// Place among the chunks of the file, from 0.
    pub index: usize,
    /// Line of the file on which it begins, of a Parquet file its row; from 1.
    pub line: u64,
}

impl Found {
    /// Takes a value for a chunk; says what is missing.
    pub(super) fn new(value: Value, index: usize, line: u64) -> Result<Self, String> {
        let mut value = value;
        while let Some(wrapper) = wrapper(&value) {
            value = value.get_mut(wrapper).map(Value::take).unwrap_or_default();
        }
        if !matches!(value, Value::String(_) | Value::Object(_)) {
            return Err(format!("is neither an object nor a text: {}", kind(&value)));
        }
        if text_of(&value).is_none() {
            return Err(match TEXT.iter().find_map(|key| value.get(key)) {
                Some(other) => format!("has a text that is no string: {}", kind(other)),
                None => format!("has no text under `{}`", TEXT.join("`, `")),
            });
        }
        let metadata_are_text = read_metadata(&mut value);
        Ok(Self { value, metadata_are_text, index, line })
    }

    /// Its text.
    pub fn text(&self) -> &str {
        text_of(&self.value).unwrap_or_default()
    }

    /// All of it, without what other tools put around it: a text or an object.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Its metadata, if it is an object with an object for them.
    pub fn metadata(&self) -> Option<&Map<String, Value>> {
        METADATA.iter().find_map(|key| self.value.get(key)?.as_object())
    }

    /// True when a new fact can be written into a table beside it: one of our records has a column for each, and metadata that
    /// are an object written as a text hold any. Other columns hold what they were made for. Chunks of JSON files hold any.
    pub fn takes_facts_in_table(&self) -> bool {
        self.metadata_are_text || self.value.get("normalized_text_hash").is_some()
    }

    /// The first of `keys` that is filled, in the chunk itself or in its metadata.
    pub fn field(&self, keys: &[&str]) -> Option<&Value> {
        let places = [Some(&self.value), self.value.get(METADATA[0]), self.value.get(METADATA[1])];
        let mut filled = places.into_iter().flatten().flat_map(|place| keys.iter().filter_map(|key| place.get(key)));
        filled.find(|value| is_filled(value))
    }

    /// Its identity.
    pub fn id(&self) -> Option<Cow<'_, str>> {
        self.field(ID).map(named)
    }

    /// The document it comes from. Where a whole object describes that, its most telling field.
    pub fn source(&self) -> Option<Cow<'_, str>> {
        let reference = || self.value.get("relationships")?.get("1")?.get("node_id");
        let mut source = self.field(keys::SOURCE).or_else(reference)?;
        if source.is_object() {
            let inner = keys::SOURCE.iter().filter_map(|key| source.get(key));
            source = inner.into_iter().find(|value| is_filled(value)).unwrap_or(source);
        }
        Some(named(source))
    }

    /// Its place in the document, if it says one.
    pub fn order(&self) -> Option<u64> {
        self.field(keys::ORDER).and_then(whole_number)
    }

    /// First and one past the last code point in the document, as far as they are given.
    pub fn span(&self) -> (Option<u64>, Option<u64>) {
        let at = |keys| self.field(keys).and_then(whole_number);
        (at(keys::START), at(keys::END))
    }

    /// Titles of the headings around it, outermost first, where its metadata say them.
    pub fn headings(&self) -> Vec<&str> {
        let leveled: Vec<&str> =
            (1..=6).filter_map(|level| self.field(&[&format!("Header {level}")])?.as_str()).map(str::trim).collect();
        let (all, nearest) = keys::HEADINGS.split_at(3);
        let found = |keys: &[&str]| {
            let key = keys.iter().find(|key| self.field(&[key]).is_some())?;
            self.field(&[key]).map(|value| titles(key, value))
        };
        let given = found(all).or_else(|| (!leveled.is_empty()).then_some(leveled)).or_else(|| found(nearest));
        given.unwrap_or_default()
    }

    /// The pages it stands on, as they are numbered in its metadata.
    pub fn pages(&self) -> Vec<u64> {
        match self.field(keys::PAGES) {
            Some(Value::Array(pages)) => pages.iter().filter_map(whole_number).collect(),
            page => page.and_then(whole_number).into_iter().collect(),
        }
    }

    /// What pieces of its text are: all of them in a record, else those marked as injected. In code points.
    pub fn parts(&self) -> Vec<PartRecord> {
        let parts = self.field(&["parts"]).map(parts_of).unwrap_or_default();
        if parts.is_empty() { self.field(&["injected"]).map(parts_of).unwrap_or_default() } else { parts }
    }

    /// The same as a record of ours, if it is one.
    pub fn record(&self) -> Option<Record<'static>> {
        let mut value = self.value.get("normalized_text_hash").map(|_| self.value.clone())?;
        if let Some(attributes) = value.pointer_mut("/metadata/attributes")
            && let Some(inner) = attributes.as_str().and_then(|text| serde_json::from_str(text).ok())
        {
            *attributes = inner;
        }
        serde_json::from_value(value).ok()
    }
}

/// The object in which a chunk stands, if `value` is but the one around it.
pub(super) fn wrapper(value: &Value) -> Option<&'static str> {
    if TEXT.iter().any(|key| value.get(key).is_some()) {
        return None;
    }
    WRAPPERS.into_iter().find(|wrapper| value.get(wrapper).is_some_and(Value::is_object))
}

/// The text of a chunk that is not wrapped.
pub(super) fn text_of(value: &Value) -> Option<&str> {
    let resource = || value.get(TEXT_RESOURCE)?.get("text")?.as_str();
    let field = || TEXT.iter().find_map(|key| value.get(key)?.as_str()).or_else(resource);
    value.as_str().or_else(field)
}

/// Tables often hold metadata as JSON in a text. True when these do.
fn read_metadata(value: &mut Value) -> bool {
    let mut are_text = false;
    for key in METADATA {
        if let Some(metadata) = value.get_mut(key)
            && let Some(object) = object_in(metadata)
        {
            *metadata = Value::Object(object);
            are_text = true;
        }
    }
    are_text
}

/// The object that a text holds as JSON.
pub(super) fn object_in(value: &Value) -> Option<Map<String, Value>> {
    let text = value.as_str().filter(|text| text.trim_start().starts_with('{'))?;
    serde_json::from_str(text).ok()
}

fn is_filled(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn named(value: &Value) -> Cow<'_, str> {
    value.as_str().map_or_else(|| Cow::Owned(value.to_string()), Cow::Borrowed)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be a small whole number")]
fn whole_number(value: &Value) -> Option<u64> {
    let float = || value.as_f64().filter(|n| (0.0..9e15).contains(n) && n.fract() == 0.0).map(|n| n as u64);
    value.as_u64().or_else(float).or_else(|| value.as_str()?.trim().parse().ok())
}

/// Headings of a list or a text; paths are written with `>` or, by LlamaIndex, with slashes around each.
fn titles<'v>(key: &str, value: &'v Value) -> Vec<&'v str> {
    let trimmed = |titles: &mut dyn Iterator<Item = &'v str>| {
        titles.map(str::trim).filter(|title| !title.is_empty()).collect::<Vec<_>>()
    };
    match value {
        Value::Array(titles) => trimmed(&mut titles.iter().filter_map(Value::as_str)),
        Value::String(path) if key == "header_path" => trimmed(&mut path.split('/')),
        Value::String(path) if key.contains("head") => trimmed(&mut path.split(" > ")),
        Value::String(title) => trimmed(&mut std::iter::once(title.as_str())),
        _ => Vec::new(),
    }
}

fn parts_of(value: &Value) -> Vec<PartRecord> {
    Vec::deserialize(value).unwrap_or_default()
}
