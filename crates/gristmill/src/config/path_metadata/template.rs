//! Reading a template.

use gristmill_core::{Error, Result};
use serde_json::Value;

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Int,
    Float,
    Bool,
}

impl Kind {
    const NAMES: [(&str, Self); 4] =
        [("str", Self::Text), ("int", Self::Int), ("float", Self::Float), ("bool", Self::Bool)];

    /// The longest text that a field of this type takes, in bytes; no limit for text.
    pub(super) fn longest(self) -> usize {
        match self {
            Self::Text => usize::MAX,
            Self::Int | Self::Float => 40,
            Self::Bool => 5,
        }
    }

    /// True when `text` is of this type.
    pub(super) fn takes(self, text: &str) -> bool {
        match self {
            Self::Text => !text.is_empty(),
            Self::Int => text.parse::<i64>().is_ok(),
            Self::Float => {
                let numeric = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.');
                text.chars().all(numeric) && text.parse::<f64>().is_ok()
            }
            Self::Bool => matches!(text, "true" | "false"),
        }
    }

    /// The value that `text` stands for; text, where it is of another type.
    pub(super) fn value(self, text: &str) -> Value {
        let typed = match self {
            Self::Text => None,
            Self::Int => text.parse::<i64>().ok().map(Value::from),
            Self::Float => text.parse::<f64>().ok().map(Value::from),
            Self::Bool => text.parse::<bool>().ok().map(Value::from),
        };
        typed.unwrap_or_else(|| Value::from(text))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// A part of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text that stands there.
    Literal(String),
    /// Index of a field.
    Field(usize),
}

/// A whole template: folders, and the file name last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Template {
    pub(super) segments: Vec<Vec<Piece>>,
    pub(super) fields: Vec<Field>,
}

impl Template {
    /// Reads a template.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut parser = Parser { text, at: 0, template: Self { segments: vec![Vec::new()], fields: Vec::new() } };
        while let Some(c) = parser.rest().chars().next() {
            parser.step(c)?;
        }
        if parser.template.segments.iter().any(Vec::is_empty) {
            return Err(parser.wrong(text.len(), "a name between two `/` is empty"));
        }
        Ok(parser.template)
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    template: Template,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn step(&mut self, c: char) -> Result<()> {
        let doubled = self.rest()[c.len_utf8()..].starts_with(c);
        match c {
            '{' | '}' if doubled => {
                self.at += 1;
                self.literal(c);
            }
            '{' => return self.field(),
            '}' => return Err(self.wrong(self.at, "`}` without `{`")),
            '/' => {
                self.template.segments.push(Vec::new());
                self.at += 1;
            }
            _ => self.literal(c),
        }
        Ok(())
    }

    fn literal(&mut self, c: char) {
        self.at += c.len_utf8();
        let Some(segment) = self.template.segments.last_mut() else { return };
        match segment.last_mut() {
            Some(Piece::Literal(text)) => text.push(c),
            _ => segment.push(Piece::Literal(c.to_string())),
        }
    }

    fn field(&mut self) -> Result<()> {
        let start = self.at;
        let Some((inner, _)) = self.rest()[1..].split_once('}') else {
            return Err(self.wrong(start, "`{` is not closed"));
        };
        let (name, kind) = inner.split_once(':').unwrap_or((inner, "str"));
        let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if name.is_empty() || !plain {
            return Err(self.wrong(start + 1, "a field needs a name of letters, digits and `_`"));
        }
        let Some((_, kind)) = Kind::NAMES.into_iter().find(|(known, _)| *known == kind) else {
            return Err(self.wrong(start + 2 + name.len(), "a field is `int`, `float`, `bool` or `str`"));
        };
        if self.template.fields.iter().any(|field| field.name == name) {
            return Err(self.wrong(start + 1, "a field has the name of an earlier one"));
        }
        let index = self.template.fields.len();
        if let Some(segment) = self.template.segments.last_mut() {
            if matches!(segment.last(), Some(Piece::Field(_))) {
                return Err(self.wrong(start, "two fields need some text between them"));
            }
            segment.push(Piece::Field(index));
        }
        self.template.fields.push(Field { name: name.to_owned(), kind });
        self.at += inner.len() + 2;
        Ok(())
    }

    fn wrong(&self, at: usize, what: &str) -> Error {
        let character = self.text[..at.min(self.text.len())].chars().count() + 1;
        Error::config(format!("malformed `path_metadata`, {what} (character {character}): {}", self.text))
    }
}
