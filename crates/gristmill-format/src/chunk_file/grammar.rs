//! Finds the end of a JSON value in a stream, whatever its size and depth.

use gristmill_core::Result;
use memchr::memchr3;
use serde::de::IgnoredAny;

use super::stream::Input;

/// Open brackets that are followed; no parser of JSON goes this deep.
const MAX_DEPTH: usize = 10_000;

/// Reads one value, white space before it excluded, and appends its bytes to `keep` if there is one.
///
/// # Errors
/// With the line, when it is no JSON value. Text is not decoded.
pub(super) fn value(input: &mut Input<'_>, mut keep: Option<&mut Vec<u8>>) -> Result<()> {
    let mut grammar = Grammar::default();
    loop {
        let bytes = input.fill()?;
        if bytes.is_empty() {
            return grammar.end().map_err(|problem| input.error(problem));
        }
        let (length, step) = grammar.feed(bytes);
        let piece = bytes.get(..length).unwrap_or_default();
        let lines = memchr::memchr_iter(b'\n', piece).count() as u64;
        if let Some(keep) = keep.as_deref_mut() {
            keep.extend_from_slice(piece);
        }
        input.consume(length, lines);
        match step {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(problem) => return Err(input.error(problem)),
        }
    }
}

/// Passes over white space, appending it to `keep` if there is one; gives the byte after it.
pub(super) fn space(input: &mut Input<'_>, mut keep: Option<&mut Vec<u8>>) -> Result<Option<u8>> {
    loop {
        let bytes = input.fill()?;
        let blank = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count();
        let (piece, rest) = bytes.split_at(blank);
        let next = rest.first().copied();
        let (lines, ended) = (memchr::memchr_iter(b'\n', piece).count() as u64, piece.is_empty());
        if let Some(keep) = keep.as_deref_mut() {
            keep.extend_from_slice(piece);
        }
        input.consume(blank, lines);
        if next.is_some() || ended {
            return Ok(next);
        }
    }
}

#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    Value,
    /// After `[`.
    ElementOrEnd,
    /// After `{`.
    KeyOrEnd,
    /// After `,` in an object.
    Key,
    Colon,
    /// After a value.
    CommaOrEnd,
    Text,
    Escape,
    /// In a number or a name.
    Bare,
}

#[derive(Clone, Copy, PartialEq)]
enum Bracket {
    Object,
    Array,
}

/// What was read so far of a value.
#[derive(Default)]
struct Grammar {
    state: State,
    open: Vec<Bracket>,
    /// The text being read is a key.
    key: bool,
    bare: Vec<u8>,
}

const UNEXPECTED: &str = "not JSON: an unexpected character";

impl Grammar {
    /// Takes bytes up to the end of the value; gives their number, and whether the value ended.
    fn feed(&mut self, bytes: &[u8]) -> (usize, Result<bool, &'static str>) {
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            let step = match self.state {
                State::Text => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    let Some(found) = memchr3(b'"', b'\\', b'\n', rest) else { return (bytes.len(), Ok(false)) };
                    at += found;
                    self.text(rest.get(found).copied())
                }
                State::Escape => {
                    self.state = State::Text;
                    Ok(())
                }
                State::Bare if is_bare(*byte) => {
                    self.bare.push(*byte);
                    Ok(())
                }
                State::Bare => {
                    if let Err(problem) = self.end_bare() {
                        return (at, Err(problem));
                    }
                    if self.open.is_empty() {
                        return (at, Ok(true));
                    }
                    continue;
                }
                _ => self.mark(*byte),
            };
            if let Err(problem) = step {
                return (at, Err(problem));
            }
            at += 1;
            if self.state == State::CommaOrEnd && self.open.is_empty() {
                return (at, Ok(true));
            }
        }
        (at, Ok(false))
    }

    /// The input has ended.
    fn end(&mut self) -> Result<(), &'static str> {
        if self.state == State::Bare && self.open.is_empty() {
            return self.end_bare();
        }
        Err("not JSON: the input ends in the middle")
    }

    /// A byte that means something in a text.
    fn text(&mut self, byte: Option<u8>) -> Result<(), &'static str> {
        match byte {
            Some(b'"') => self.state = if self.key { State::Colon } else { State::CommaOrEnd },
            Some(b'\\') => self.state = State::Escape,
            _ => return Err("not JSON: a text that is not closed on its line"),
        }
        Ok(())
    }

    /// A byte outside of texts, numbers and names.
    fn mark(&mut self, byte: u8) -> Result<(), &'static str> {
        if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
            return Ok(());
        }
        let inside = self.open.last().copied();
        match (self.state, byte) {
            (State::Value | State::ElementOrEnd, b'"') => (self.state, self.key) = (State::Text, false),
            (State::Value | State::ElementOrEnd, b'{') => self.open(Bracket::Object)?,
            (State::Value | State::ElementOrEnd, b'[') => self.open(Bracket::Array)?,
            (State::KeyOrEnd | State::Key, b'"') => (self.state, self.key) = (State::Text, true),
            (State::Colon, b':') => self.state = State::Value,
            (State::ElementOrEnd, b']') | (State::KeyOrEnd, b'}') => self.close(),
            (State::CommaOrEnd, b']') if inside == Some(Bracket::Array) => self.close(),
            (State::CommaOrEnd, b'}') if inside == Some(Bracket::Object) => self.close(),
            (State::CommaOrEnd, b',') if inside == Some(Bracket::Object) => self.state = State::Key,
            (State::CommaOrEnd, b',') if inside == Some(Bracket::Array) => self.state = State::Value,
            (State::Value | State::ElementOrEnd, byte) if is_bare(byte) => {
                self.state = State::Bare;
                self.bare.clear();
                self.bare.push(byte);
            }
            _ => return Err(UNEXPECTED),
        }
        Ok(())
    }

    fn open(&mut self, bracket: Bracket) -> Result<(), &'static str> {
        if self.open.len() >= MAX_DEPTH {
            return Err("nested too deeply");
        }
        self.open.push(bracket);
        self.state = if bracket == Bracket::Object { State::KeyOrEnd } else { State::ElementOrEnd };
        Ok(())
    }

    fn close(&mut self) {
        self.open.pop();
        self.state = State::CommaOrEnd;
    }

    fn end_bare(&mut self) -> Result<(), &'static str> {
        self.state = State::CommaOrEnd;
        serde_json::from_slice::<IgnoredAny>(&self.bare)
            .map(drop)
            .map_err(|_| "not JSON: neither a number nor `true`, `false` or `null`")
    }
}

fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_')
}

#[cfg(test)]
mod tests {
    use super::super::stream::Store;
    use super::*;

    /// The first value of a text, and the byte after the white space that follows.
    fn first(text: &str) -> Result<(String, Option<u8>)> {
        let store = Store::Bytes(text.as_bytes().to_vec());
        let mut input = Input::new(&store, "f", 0, 1);
        let mut kept = Vec::new();
        value(&mut input, Some(&mut kept))?;
        Ok((String::from_utf8(kept).unwrap(), space(&mut input, None)?))
    }

    #[test]
    fn values_end_where_they_end() {
        for text in [r#""a\"]\\""#, "-1.0e5", "true", "{}", "[]", r#"{"a": [1, {"b": "}"}], "c":null}"#, "[[ ] , 2]"] {
            assert_eq!(first(&format!("{text} , x")).unwrap(), (text.to_owned(), Some(b',')), "{text}");
            assert_eq!(first(text).unwrap(), (text.to_owned(), None), "{text}");
        }
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for text in
            ["", "tru", "[1,]", "{\"a\",}", "{1: 2}", "[1}", "{]", "[1 2]", "\"a\nb\"", "[", "{\"a\":}", "three"]
        {
            assert!(first(text).is_err(), "{text}");
        }
        assert!(first(&"[".repeat(1 << 20)).unwrap_err().to_string().contains("nested too deeply"));
    }

    #[test]
    fn errors_name_the_line() {
        let error = first("[1,\n\n  2,\n three]").unwrap_err();
        assert!(error.to_string().starts_with("`f`, line 4: not JSON: "), "{error}");
    }
}
