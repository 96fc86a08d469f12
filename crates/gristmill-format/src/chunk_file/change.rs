//! What becomes of a chunk, and what became of all.

use std::collections::BTreeMap;

use gristmill_core::{Error, Result};
use serde::Serialize;
use serde_json::Value;

use super::members::{self, string};
use crate::{PartRecord, Record};

/// What becomes of a chunk.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It stays as it is, byte for byte.
    Keep,
    /// It goes.
    Remove,
    /// It gets another text or other facts; all else of it stays as it is.
    Change(Change),
    /// It becomes several, each with a text and facts of its own; all else of it stands in all of them.
    Several(Vec<Change>),
}

/// Another text and other facts for a chunk. What equals what is there is not touched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    pub(super) text: Option<String>,
    pub(super) end: Option<u64>,
    pub(super) fields: Vec<Setting>,
    pub(super) metadata: Vec<Setting>,
}

/// A key and what it is to hold, as compact JSON; `None` takes it away.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    pub(super) key: String,
    pub(super) json: Option<String>,
}

impl Change {
    /// Another text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// All that `record` says. A chunk that was a record is one afterwards.
    ///
    /// # Errors
    /// A bug when the record cannot be written as JSON.
    pub fn record(record: &Record<'_>) -> Result<Self> {
        let failed = || Error::bug("a record cannot be written as JSON");
        let json = serde_json::to_vec(record).map_err(|error| failed().because(error))?;
        let settings = |from: usize, without: &[&str]| -> Vec<Setting> {
            let members = members::of(&json, from).into_iter().filter(|member| !without.contains(&member.key.as_ref()));
            let pair = |member: members::Member| Setting {
                key: member.key.clone(),
                json: json.get(member.value).map(|json| String::from_utf8_lossy(json).into_owned()),
            };
            members.map(pair).collect()
        };
        let metadata = members::of(&json, 0).into_iter().find(|member| member.key == "metadata").ok_or_else(failed)?;
        Ok(Self {
            text: Some(record.content.clone().into_owned()),
            end: None,
            fields: settings(0, &["content", "metadata"]),
            metadata: settings(metadata.value.start, &[]),
        })
    }

    /// One past the last code point in the document; written where the chunk has such a fact.
    #[must_use]
    pub fn end(mut self, end: u64) -> Self {
        self.end = Some(end);
        self
    }

    /// Another value under a key of the chunk itself, `None` to take it away.
    ///
    /// # Errors
    /// A bug when it cannot be written as JSON.
    pub fn field(mut self, key: &str, value: Option<&impl Serialize>) -> Result<Self> {
        self.fields.push(Setting::new(key, value)?);
        Ok(self)
    }

    /// Another value under a key of the chunk's metadata, `None` to take it away. Metadata are made where there are
    /// none; a chunk that is a text alone cannot have any.
    ///
    /// # Errors
    /// A bug when it cannot be written as JSON.
    pub fn metadata(mut self, key: &str, value: Option<&impl Serialize>) -> Result<Self> {
        self.metadata.push(Setting::new(key, value)?);
        Ok(self)
    }

    /// Marks the pieces of the new text that a repair put in, under `injected` in the metadata; without any, takes the
    /// marks away. For chunks that are no records: those have such pieces among their parts.
    ///
    /// # Errors
    /// A bug when they cannot be written as JSON.
    pub fn injected(self, parts: &[PartRecord]) -> Result<Self> {
        #[derive(Serialize)]
        struct Mark {
            kind: &'static str,
            start: u64,
            end: u64,
        }
        let mark = |part: &PartRecord| Mark { kind: part.kind.name(), start: part.start, end: part.end };
        let marks: Vec<Mark> = parts.iter().map(mark).collect();
        self.metadata("injected", (!marks.is_empty()).then_some(&marks))
    }
}

impl Setting {
    fn new(key: &str, value: Option<&impl Serialize>) -> Result<Self> {
        let json = value.map(serde_json::to_string).transpose();
        let json = json.map_err(|error| Error::bug(format!("not to be written as JSON: `{key}`")).because(error))?;
        Ok(Self { key: key.to_owned(), json })
    }

    pub(super) fn value(&self) -> Option<Value> {
        self.json.as_deref().and_then(|json| serde_json::from_str(json).ok())
    }

    /// True when `old` says the same. Tables hold values without a type of their own as JSON in a text.
    pub(super) fn equals(&self, old: &Value) -> bool {
        let Some(new) = self.value() else { return false };
        new == *old || old.as_str().is_some_and(|old| serde_json::from_str::<Value>(old).is_ok_and(|old| old == new))
    }
}

/// What became of the chunks of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Chunks that are other than before.
    pub changed: usize,
    /// Chunks that are gone.
    pub removed: usize,
    /// Facts that the file has no place for, by their keys, with the number of chunks.
    pub unheld: BTreeMap<String, usize>,
    /// Changed chunks that still carry a vector of their old text.
    pub stale_vectors: usize,
    /// Chunks of a text file that will be read back as several, or otherwise than they were written.
    pub split: usize,
}

impl Notes {
    /// True when the output equals the input.
    pub fn is_unchanged(&self) -> bool {
        self.changed == 0 && self.removed == 0
    }

    pub(super) fn unheld(&mut self, key: &str) {
        *self.unheld.entry(key.to_owned()).or_default() += 1;
    }
}

/// How JSON is written in a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    /// A blank after each comma and colon.
    pub(super) spaced: bool,
    /// Characters beyond ASCII are escaped.
    pub(super) ascii: bool,
}

impl Style {
    /// Compact JSON in this style.
    pub(super) fn write(self, json: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(json.len());
        let (bytes, mut at) = (json.as_bytes(), 0);
        while let Some(byte) = bytes.get(at) {
            if *byte == b'"' {
                let end = string(bytes, at);
                self.escape(json.get(at..end).unwrap_or_default(), &mut out);
                at = end;
                continue;
            }
            out.push(*byte);
            if self.spaced && matches!(byte, b',' | b':') {
                out.push(b' ');
            }
            at += 1;
        }
        out
    }

    fn escape(self, text: &str, out: &mut Vec<u8>) {
        if !self.ascii || text.is_ascii() {
            out.extend_from_slice(text.as_bytes());
            return;
        }
        let mut units = [0; 2];
        for c in text.chars() {
            if c.is_ascii() {
                out.push(c as u8);
            } else {
                for unit in c.encode_utf16(&mut units) {
                    out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
                }
            }
        }
    }
}
