//! Puts a change into the bytes of a chunk and leaves all others as they are.

use std::ops::Range;

use gristmill_core::{Error, Result};
use serde_json::Value;

use super::change::{Change, Notes, Setting, Style};
use super::found::{object_in, text_of, wrapper};
use super::keys::{END, METADATA, TEXT, TEXT_RESOURCE, VECTORS};
use super::members::{self, Member};

/// The bytes of a chunk with a change in them. `raw` is JSON that was read as a chunk.
///
/// # Errors
/// A bug when it was not.
pub(super) fn apply(raw: &[u8], change: &Change, notes: &mut Notes) -> Result<Vec<u8>> {
    let value: Value = serde_json::from_slice(raw).map_err(|e| Error::bug("a chunk is no JSON").because(e))?;
    let mut edits = Edits { raw, style: style(raw), list: Vec::new() };
    if value.is_string() {
        edits.replace_text(0..raw.len(), &value, change);
        change.metadata.iter().chain(&change.fields).for_each(|setting| notes.unheld(&setting.key));
    } else {
        edits.object(&value, change, notes)?;
    }
    edits.made()
}

/// How a chunk is written.
fn style(raw: &[u8]) -> Style {
    let code = |at: usize| u16::from_str_radix(std::str::from_utf8(raw.get(at + 2..at + 6)?).ok()?, 16).ok();
    let escaped = || memchr::memmem::find_iter(raw, b"\\u").filter_map(code).any(|unit| unit > 0x7f);
    let member = members::of(raw, 0).into_iter().next();
    let colon = member.and_then(|member| raw.get(member.colon)).unwrap_or_default();
    Style { spaced: colon.ends_with(b" "), ascii: raw.is_ascii() && escaped() }
}

/// Bytes to be replaced, in any order, none within another.
struct Edits<'r> {
    raw: &'r [u8],
    style: Style,
    list: Vec<(Range<usize>, Vec<u8>)>,
}

impl Edits<'_> {
    fn made(mut self) -> Result<Vec<u8>> {
        self.list.sort_by_key(|(range, _)| (range.start, range.end));
        let mut out = Vec::with_capacity(self.raw.len());
        let mut from = 0;
        for (range, bytes) in &self.list {
            let between = self.raw.get(from..range.start);
            out.extend_from_slice(between.ok_or_else(|| Error::bug("a chunk is changed twice at one place"))?);
            out.extend_from_slice(bytes);
            from = range.end;
        }
        out.extend_from_slice(self.raw.get(from..).unwrap_or_default());
        Ok(out)
    }

    fn object(&mut self, value: &Value, change: &Change, notes: &mut Notes) -> Result<()> {
        let (mut value, mut start) = (value, 0);
        while let Some(key) = wrapper(value) {
            let Some(inner) = last(&members::of(self.raw, start), key).map(|member| member.value.start) else { break };
            (value, start) = (value.get(key).unwrap_or(&Value::Null), inner);
        }
        let members = members::of(self.raw, start);
        self.text(&members, value, change, notes);
        let mut fields = change.fields.clone();
        self.metadata(&members, value, change, &mut fields, notes)?;
        fields.extend(end(change, value));
        self.set(start, &members, value, &fields);
        Ok(())
    }

    /// Puts the new text wherever the old one stands.
    fn text(&mut self, members: &[Member], value: &Value, change: &Change, notes: &mut Notes) {
        let old = text_of(value).unwrap_or_default();
        if change.text.as_deref().is_none_or(|text| text == old) {
            return;
        }
        notes.stale_vectors += usize::from(VECTORS.iter().any(|key| value.get(key).is_some_and(|v| !v.is_null())));
        let old = Value::from(old);
        for member in TEXT.iter().filter_map(|key| last(members, key)) {
            if value.get(&member.key) == Some(&old) {
                self.replace_text(member.value.clone(), &old, change);
            }
        }
        if let Some(member) = last(members, TEXT_RESOURCE)
            && value.get(TEXT_RESOURCE).and_then(|resource| resource.get("text")) == Some(&old)
            && let Some(inner) = last(&members::of(self.raw, member.value.start), "text")
        {
            self.replace_text(inner.value.clone(), &old, change);
        }
    }

    fn replace_text(&mut self, place: Range<usize>, old: &Value, change: &Change) {
        if let Some(text) = change.text.as_deref().filter(|text| Some(*text) != old.as_str()) {
            self.list.push((place, self.style.write(&Value::from(text).to_string())));
        }
    }

    /// Changes metadata where they stand, or adds what is to be there to `fields`.
    fn metadata(
        &mut self,
        members: &[Member],
        value: &Value,
        change: &Change,
        fields: &mut Vec<Setting>,
        notes: &mut Notes,
    ) -> Result<()> {
        let present = || METADATA.iter().filter_map(|key| Some((last(members, key)?, value.get(key)?)));
        let holds = |value: &Value| value.is_object() || object_in(value).is_some();
        let there = present().find(|(_, value)| holds(value)).or_else(|| present().next());
        let mut settings = change.metadata.clone();
        if let Some((_, metadata)) = there {
            settings.extend(end(change, object_in(metadata).map(Value::Object).as_ref().unwrap_or(metadata)));
        }
        if settings.is_empty() {
            return Ok(());
        }
        match there {
            // Haystack writes metadata beside the text and has no place for an object of them there.
            None if value.get("blob").is_some() && value.get("content").is_some() => fields.extend(settings),
            None => fields.extend(object_of(METADATA[0], &settings)),
            Some((member, Value::Null)) => fields.extend(object_of(&member.key, &settings)),
            Some((member, metadata @ Value::Object(_))) => {
                let start = member.value.start;
                self.set(start, &members::of(self.raw, start), metadata, &settings);
            }
            Some((member, text @ Value::String(inner))) if object_in(text).is_some() => {
                let inner = patched(inner, &settings)?;
                if *text != *inner {
                    self.list.push((member.value.clone(), self.style.write(&Value::from(inner).to_string())));
                }
            }
            Some(_) => settings.iter().for_each(|setting| notes.unheld(&setting.key)),
        }
        Ok(())
    }

    /// Sets, adds and takes away members of the object that begins at `start`.
    fn set(&mut self, start: usize, members: &[Member], value: &Value, settings: &[Setting]) {
        let mut added: Vec<&Setting> = Vec::new();
        let mut removed: Vec<&str> = Vec::new();
        let later = |index: usize, key: &str| settings.iter().skip(index + 1).any(|setting| setting.key == key);
        for (_, setting) in settings.iter().enumerate().filter(|(index, setting)| !later(*index, &setting.key)) {
            match (&setting.json, last(members, &setting.key)) {
                (Some(json), Some(member)) => {
                    if !value.get(&setting.key).is_some_and(|old| setting.equals(old)) {
                        self.list.push((member.value.clone(), self.style.write(json)));
                    }
                }
                (Some(_), None) => added.push(setting),
                (None, Some(_)) => removed.push(&setting.key),
                (None, None) => {}
            }
        }
        let is_removed = |member: &Member| removed.contains(&member.key.as_str());
        self.take_away(members, &is_removed);
        if !added.is_empty() {
            let bytes = self.addition(start, members, members.iter().all(is_removed), &added);
            let at = members.last().map_or(start + 1, |member| member.whole.end);
            self.list.push((at..at, bytes));
        }
    }

    /// True when the first member stands on a line after the bracket.
    fn line_break(&self, start: usize, first: &Member) -> bool {
        self.raw.get(start..first.whole.start).is_some_and(|before| before.contains(&b'\n'))
    }

    fn take_away(&mut self, members: &[Member], is_removed: &dyn Fn(&Member) -> bool) {
        let mut kept_before = false;
        for (index, member) in members.iter().enumerate() {
            if !is_removed(member) {
                kept_before = true;
                continue;
            }
            let before = index.checked_sub(1).and_then(|before| members.get(before));
            let after = members.get(index + 1);
            let range = match (before.filter(|_| kept_before), after) {
                (Some(before), _) => before.whole.end..member.whole.end,
                (None, Some(after)) => member.whole.start..after.whole.start,
                (None, None) => member.whole.clone(),
            };
            self.list.push((range, Vec::new()));
        }
    }

    /// New members as they follow the others; spaced as those are.
    fn addition(&self, start: usize, members: &[Member], alone: bool, added: &[&Setting]) -> Vec<u8> {
        let between = match members {
            [.., before, last] => self.raw.get(before.whole.end..last.whole.start).unwrap_or(b",").to_vec(),
            [only] if self.line_break(start, only) => {
                [b",", self.raw.get(start + 1..only.whole.start).unwrap_or_default()].concat()
            }
            _ => Vec::from(if self.style.spaced { &b", "[..] } else { b"," }),
        };
        let default: &[u8] = if self.style.spaced { b": " } else { b":" };
        let colon = members.last().and_then(|member| self.raw.get(member.colon.clone())).unwrap_or(default);
        let mut out = Vec::new();
        for (index, setting) in added.iter().enumerate() {
            if index > 0 || !alone {
                out.extend_from_slice(&between);
            }
            out.extend(self.style.write(&Value::from(setting.key.as_str()).to_string()));
            out.extend_from_slice(colon);
            out.extend(self.style.write(setting.json.as_deref().unwrap_or("null")));
        }
        out
    }
}

/// JSON in a text with settings in it.
pub(super) fn patched(json: &str, settings: &[Setting]) -> Result<String> {
    let raw = json.as_bytes();
    let start = raw.len() - raw.trim_ascii_start().len();
    let mut edits = Edits { raw, style: style(raw.trim_ascii()), list: Vec::new() };
    let value = serde_json::from_slice(raw).unwrap_or_default();
    edits.set(start, &members::of(raw, start), &value, settings);
    let made = edits.made()?;
    String::from_utf8(made).map_err(|error| Error::bug("metadata are no text").because(error))
}

/// One setting whose value is an object of others; none if these are none.
fn object_of(key: &str, settings: &[Setting]) -> Option<Setting> {
    let pair = |setting: &Setting| Some(format!("{}:{}", Value::from(setting.key.as_str()), setting.json.as_ref()?));
    let pairs: Vec<String> = settings.iter().filter_map(pair).collect();
    (!pairs.is_empty()).then(|| Setting { key: key.to_owned(), json: Some(format!("{{{}}}", pairs.join(","))) })
}

/// The new end in the document, under the key that has the old one.
fn end(change: &Change, value: &Value) -> Option<Setting> {
    let key = END.iter().find(|key| value.get(key).is_some_and(Value::is_number))?;
    Some(Setting { key: (*key).to_owned(), json: Some(change.end?.to_string()) })
}

/// The member that counts: of several with one key the last.
fn last<'m>(members: &'m [Member], key: &str) -> Option<&'m Member> {
    members.iter().rev().find(|member| member.key == key)
}
