//! YAML to typed values, with bounds on depth and size.
//!
//! Built from the parser's events rather than by its loader: the loader is recursive, and aliases must be paid for
//! before they are copied (a few hundred bytes of nested aliases stand for gigabytes).

use std::borrow::Cow;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};
use serde_json::{Map, Number, Value};

use super::Malformed;

/// Deeper nesting is refused.
const MAX_DEPTH: usize = 64;
/// More values than this, aliases counted as often as they are used, are refused.
const MAX_NODES: usize = 100_000;
/// More bytes of scalars than this, counted likewise, are refused.
const MAX_BYTES: usize = 4 << 20;

#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) value: Value,
    /// Names given more than once in one mapping, with their line from 1.
    pub(super) repeated: Vec<(u64, String)>,
}

/// Reads the first document of `text`; no document at all is a null.
pub(super) fn parse(text: &str) -> Result<Parsed, Malformed> {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| scan_error(&error))?;
        builder.line = span.start.line() as u64;
        if matches!(event, Event::DocumentEnd) {
            break;
        }
        builder.take(event)?;
    }
    Ok(Parsed { value: builder.root.unwrap_or_default(), repeated: builder.repeated })
}

fn scan_error(error: &ScanError) -> Malformed {
    Malformed { line: error.marker().line() as u64, message: error.info().to_lowercase() }
}

/// What a value costs when it is copied.
#[derive(Clone, Copy, Default)]
struct Cost {
    nodes: usize,
    bytes: usize,
}

impl Cost {
    fn plus(self, other: Cost) -> Cost {
        Cost { nodes: self.nodes.saturating_add(other.nodes), bytes: self.bytes.saturating_add(other.bytes) }
    }
}

enum Open {
    List(Vec<Value>),
    Map { values: Map<String, Value>, key: Option<String> },
}

struct Frame {
    open: Open,
    anchor: usize,
    cost: Cost,
}

#[derive(Default)]
struct Builder {
    frames: Vec<Frame>,
    /// Finished values that have an anchor, by its number.
    anchors: BTreeMap<usize, (Value, Cost)>,
    root: Option<Value>,
    repeated: Vec<(u64, String)>,
    spent: Cost,
    line: u64,
}

impl Builder {
    fn take(&mut self, event: Event<'_>) -> Result<(), Malformed> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let cost = Cost { nodes: 1, bytes: text.len() };
                self.spend(cost)?;
                // A name is kept as written, whatever its type would be.
                let value = if self.wants_key() {
                    Value::String(text.into_owned())
                } else {
                    scalar(text, style, tag.as_deref())
                };
                self.done(value, anchor, cost)
            }
            Event::Alias(anchor) => {
                let Some((_, cost)) = self.anchors.get(&anchor) else {
                    return Err(self.broken("an alias of a value that holds it"));
                };
                let cost = *cost;
                self.spend(cost)?;
                let value = self.anchors.get(&anchor).map(|(value, _)| value.clone()).unwrap_or_default();
                self.done(value, 0, cost)
            }
            Event::SequenceStart(anchor, _) => self.open(Open::List(Vec::new()), anchor),
            Event::MappingStart(anchor, _) => self.open(Open::Map { values: Map::new(), key: None }, anchor),
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            _ => Ok(()),
        }
    }

    fn wants_key(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { open: Open::Map { key: None, .. }, .. }))
    }

    fn open(&mut self, open: Open, anchor: usize) -> Result<(), Malformed> {
        if self.wants_key() {
            return Err(self.broken("a list or mapping as a name"));
        }
        if self.frames.len() >= MAX_DEPTH {
            return Err(self.broken(&format!("nested deeper than {MAX_DEPTH} levels")));
        }
        let cost = Cost { nodes: 1, bytes: 0 };
        self.spend(cost)?;
        self.frames.push(Frame { open, anchor, cost });
        Ok(())
    }

    fn close(&mut self) -> Result<(), Malformed> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let value = match frame.open {
            Open::List(values) => Value::Array(values),
            Open::Map { values, .. } => Value::Object(values),
        };
        self.done(value, frame.anchor, frame.cost)
    }

    /// Puts a finished value where it belongs.
    fn done(&mut self, value: Value, anchor: usize, cost: Cost) -> Result<(), Malformed> {
        if anchor != 0 {
            self.spend(cost)?;
            self.anchors.insert(anchor, (value.clone(), cost));
        }
        let line = self.line;
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(value);
            return Ok(());
        };
        frame.cost = frame.cost.plus(cost);
        match &mut frame.open {
            Open::List(values) => values.push(value),
            Open::Map { values, key } => match key.take() {
                Some(name) => {
                    if values.contains_key(&name) {
                        self.repeated.push((line, name.clone()));
                    }
                    values.insert(name, value);
                }
                None => match value {
                    Value::String(name) => *key = Some(name),
                    _ => return Err(self.broken("a list or mapping as a name")),
                },
            },
        }
        Ok(())
    }

    fn spend(&mut self, cost: Cost) -> Result<(), Malformed> {
        self.spent = self.spent.plus(cost);
        if self.spent.nodes > MAX_NODES || self.spent.bytes > MAX_BYTES {
            return Err(self.broken("too large, its aliases counted"));
        }
        Ok(())
    }

    fn broken(&self, message: &str) -> Malformed {
        Malformed { line: self.line, message: message.to_owned() }
    }
}

/// The value of a scalar by the core schema of YAML 1.2.2 (section 10.3.2). Dates are no part of it and stay strings.
fn scalar(text: Cow<'_, str>, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    let is_text = tag.is_some_and(|tag| tag.is_yaml_core_schema() && matches!(tag.suffix.as_str(), "str" | "binary"));
    if style != ScalarStyle::Plain || is_text {
        return Value::String(text.into_owned());
    }
    match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        plain => number(plain).map_or_else(|| Value::String(plain.to_owned()), Value::Number),
    }
}

/// A number that JSON holds as exactly as it is written here.
fn number(text: &str) -> Option<Number> {
    let radix = |prefix: &str, base: u32| {
        let digits = text.strip_prefix(prefix)?;
        digits.chars().all(|c| c.is_digit(base)).then(|| u64::from_str_radix(digits, base).ok()).flatten()
    };
    if let Some(whole) = radix("0x", 16).or_else(|| radix("0o", 8)) {
        return Some(whole.into());
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if unsigned.is_empty() || !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if unsigned.bytes().all(|b| b.is_ascii_digit()) {
        return text.parse::<i64>().ok().map(Number::from).or_else(|| text.parse::<u64>().ok().map(Number::from));
    }
    is_float(unsigned).then(|| text.parse::<f64>().ok()).flatten().and_then(Number::from_f64)
}

/// `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
fn is_float(unsigned: &str) -> bool {
    let (base, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((base, exponent)) => (base, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let base_fits = match base.split_once('.') {
        Some((whole, part)) => digits(whole) && digits(part) && !(whole.is_empty() && part.is_empty()),
        None => !base.is_empty() && digits(base),
    };
    let exponent_fits = exponent.is_none_or(|e| {
        let e = e.strip_prefix(['-', '+']).unwrap_or(e);
        !e.is_empty() && digits(e)
    });
    base_fits && exponent_fits
}
