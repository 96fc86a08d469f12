//! Chunks of any splitter, one after another, from a file.
//!
//! JSON: a list, or an object with a list under `chunks`, `documents`, `data` or `items`. JSON Lines: one chunk a line.
//! Parquet: one chunk a row. A chunk is a text, or an object with its text under `text`, `page_content` or `content`.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use gristmill_core::{Error, Result};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// Keys under which an object holds its list of chunks.
const LISTS: [&str; 4] = ["chunks", "documents", "data", "items"];

/// Keys of a chunk's text, the first that is there counts.
const TEXTS: [&str; 3] = ["text", "page_content", "content"];

/// Objects around a chunk in the exports of other tools.
const WRAPPERS: [&str; 2] = ["kwargs", "node"];

/// A chunk as it was found.
pub(super) struct Found {
    value: Value,
}

impl Found {
    /// Takes a value for a chunk; says what is missing.
    fn new(mut value: Value) -> Result<Self, String> {
        for wrapper in WRAPPERS {
            if let Some(inner) = value.get_mut(wrapper).filter(|inner| inner.is_object()) {
                value = inner.take();
            }
        }
        match &value {
            Value::String(_) => Ok(Self { value }),
            Value::Object(_) => match TEXTS.iter().find_map(|key| value.get(key)) {
                Some(Value::String(_)) => Ok(Self { value }),
                Some(other) => Err(format!("has a text that is no string: {}", kind(other))),
                None => Err(format!("has no text under `{}`", TEXTS.join("`, `"))),
            },
            other => Err(format!("is neither an object nor a text: {}", kind(other))),
        }
    }

    /// Its text.
    pub(super) fn text(&self) -> &str {
        let field = TEXTS.iter().find_map(|key| self.value.get(key));
        field.unwrap_or(&self.value).as_str().unwrap_or_default()
    }

    /// The first of `keys` that is filled, in the chunk itself or in its metadata.
    pub(super) fn field(&self, keys: &[&str]) -> Option<&Value> {
        let places = [Some(&self.value), self.value.get("metadata"), self.value.get("meta")];
        let mut filled = places.into_iter().flatten().flat_map(|place| keys.iter().filter_map(|key| place.get(key)));
        filled.find(|value| is_filled(value))
    }
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

/// Hands every chunk of a file to `take`, one at a time.
///
/// # Errors
/// Input: the file cannot be read, or holds something that is no chunk; with the place.
pub(super) fn read(path: &Path, name: &str, format: &str, take: &mut dyn FnMut(&Found)) -> Result<()> {
    let file = File::open(path).map_err(|e| Error::input(format!("cannot open `{name}`")).because(e))?;
    match format {
        "parquet" => rows(file, name, take),
        "jsonl" => lines(BufReader::with_capacity(1 << 16, file), name, take),
        _ => document(BufReader::with_capacity(1 << 16, file), name, take),
    }
}

#[cfg(feature = "parquet")]
fn rows(file: File, name: &str, take: &mut dyn FnMut(&Found)) -> Result<()> {
    for (index, row) in gristmill_format::ParquetRows::new(file, name)?.enumerate() {
        let found = Found::new(Value::Object(row?));
        take(&found.map_err(|why| Error::input(format!("`{name}`, row {}: {why}", index + 1)))?);
    }
    Ok(())
}

#[cfg(not(feature = "parquet"))]
fn rows(_: File, name: &str, _: &mut dyn FnMut(&Found)) -> Result<()> {
    Err(Error::input(format!("this build cannot read Parquet files: `{name}`"))
        .hint("build with the feature `parquet`"))
}

fn lines(mut input: impl BufRead, name: &str, take: &mut dyn FnMut(&Found)) -> Result<()> {
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        if read.map_err(|e| Error::input(format!("cannot read `{name}`")).because(e))? == 0 {
            break;
        }
        let text = without_mark(&line).trim_ascii();
        if text.is_empty() {
            continue;
        }
        let value = serde_json::from_slice(text).map_err(|e| e.to_string().replace("at line 1 column", "at column"));
        let found = value.and_then(|value| Found::new(value).map_err(|why| format!("the chunk {why}")));
        take(&found.map_err(|why| Error::input(format!("`{name}`, line {number}: {why}")))?);
    }
    Ok(())
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

fn document(mut input: impl BufRead, name: &str, take: &mut dyn FnMut(&Found)) -> Result<()> {
    let failed = |e: &dyn fmt::Display| Error::input(format!("`{name}`: {e}"));
    let start = input.fill_buf().map_err(|e| failed(&e))?;
    let mark = start.len() - without_mark(start).len();
    input.consume(mark);
    let mut parser = serde_json::Deserializer::from_reader(input);
    Whole(take).deserialize(&mut parser).map_err(|e| failed(&e))?;
    parser.end().map_err(|e| failed(&e).hint("a file with one chunk a line is to be named `.jsonl`"))
}

/// A list of chunks, or an object that holds one.
struct Whole<'a>(&'a mut dyn FnMut(&Found));

impl<'de> DeserializeSeed<'de> for Whole<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Whole<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of chunks, or an object with one under `{}`", LISTS.join("`, `"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut index = 0_u64;
        while let Some(value) = list.next_element()? {
            let found = Found::new(value).map_err(|why| A::Error::custom(format!("chunk {index} {why}")))?;
            (self.0)(&found);
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = false;
        while let Some(key) = map.next_key::<String>()? {
            if LISTS.contains(&key.as_str()) {
                map.next_value_seed(List(&mut *self.0))?;
                seen = true;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        let missing = || A::Error::custom(format!("no list of chunks under `{}`", LISTS.join("`, `")));
        if seen { Ok(()) } else { Err(missing()) }
    }
}

/// A list of chunks.
struct List<'a>(&'a mut dyn FnMut(&Found));

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_seq(Whole(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(format: &str, content: &str) -> Result<Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, content).unwrap();
        let mut texts = Vec::new();
        read(&path, "f", format, &mut |found| texts.push(found.text().to_owned()))?;
        Ok(texts)
    }

    #[test]
    fn lists_of_other_tools_are_read() {
        for content in [
            r#"["a", "b"]"#,
            r#"[{"page_content": "a", "metadata": {}}, {"text": "b"}]"#,
            r#"{"version": [1], "documents": [{"content": "a"}, {"content": "b"}], "more": {}}"#,
            r#"[{"lc": 1, "kwargs": {"page_content": "a"}}, {"node": {"text": "b"}, "score": 1}]"#,
            "\u{feff}[\"a\", {\"text\": \"b\"}]\n",
        ] {
            assert_eq!(texts("json", content).unwrap(), ["a", "b"], "{content}");
        }
        assert_eq!(texts("jsonl", "\u{feff}\"a\"\r\n\n{\"text\": \"b\"}").unwrap(), ["a", "b"]);
        assert!(texts("json", "[]").unwrap().is_empty() && texts("jsonl", "").unwrap().is_empty());
    }

    #[test]
    fn what_is_no_chunk_is_named_with_its_place() {
        let message = |format, content| texts(format, content).unwrap_err().to_string();
        let without_text = message("json", "[\"a\",\n {\"x\": 1}]");
        assert!(without_text.starts_with("`f`: chunk 1 has no text under `text`, `page_content`, `content` at line 2"));
        assert_eq!(message("jsonl", "\"a\"\n\"b\"\n{\"text\": three}\n").split(": ").next(), Some("`f`, line 3"));
        assert_eq!(message("jsonl", "{\"text\": 3}"), "`f`, line 1: the chunk has a text that is no string: a number");
        assert!(message("json", "{\"a\": 1}").starts_with("`f`: no list of chunks under"));
        assert!(message("json", "7").contains("expected a list of chunks"));
        assert!(message("json", "{\"data\": 7}").contains("expected a list of chunks"));
        let several = texts("json", "{\"chunks\": []}\n{}").unwrap_err();
        assert!(several.hint_text().is_some_and(|hint| hint.contains(".jsonl")));
        assert!(texts("json", &"[".repeat(100_000)).is_err());
    }

    #[test]
    fn fields_are_found_in_the_chunk_and_in_its_metadata() {
        let chunk = |text: &str| Found::new(serde_json::from_str(text).unwrap()).unwrap();
        let found = chunk(r#"{"text": "a", "source": " ", "metadata": {"source": "m.md", "tags": []}}"#);
        assert_eq!(found.field(&["source"]).and_then(Value::as_str), Some("m.md"));
        assert_eq!(found.field(&["tags"]), None);
        assert_eq!(chunk(r#"{"text": "a", "meta": {"page": 0}}"#).field(&["page"]), Some(&Value::from(0)));
        assert_eq!(chunk("\"a\"").field(&["source"]), None);
    }
}
