//! Front matter: what a text file declares of itself before its text begins.
//!
//! | first line | form | last line |
//! |---|---|---|
//! | `---` | YAML | `---` or `...` |
//! | `+++` | TOML | `+++` |
//! | `;;;` | JSON, with or without its outer braces | `;;;` |
//! | `{…` | a JSON object | its closing brace, followed by nothing on that line |
//!
//! A block counts only when it is closed, and when it holds named values: a rule at the top of a text stays a rule.

mod yaml;

use gristmill_core::Attrs;
use serde_json::{Map, Value};

/// Front matter that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrontMatter {
    /// The values by name. Dates, and numbers that no JSON number holds exactly, are strings as written.
    pub attrs: Attrs,
    /// Bytes of the text that it takes, with the line end of its last line.
    pub len: usize,
    /// Names given more than once, each with its line; the last value holds.
    pub repeated: Vec<(u64, String)>,
}

/// Something that begins as front matter but cannot be read. The text keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Line of the text, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub message: String,
}

/// Reads the front matter at the start of `text` (LF line ends, no byte order mark), if there is any.
///
/// # Errors
/// [`Malformed`] when a block looks like front matter and is broken, or would take unreasonable space or depth.
pub fn front_matter(text: &str) -> Result<Option<FrontMatter>, Malformed> {
    let first = text.lines().next().unwrap_or_default().trim_end();
    match first {
        "---" => delimited(text, &["---", "..."], yaml_values),
        "+++" => delimited(text, &["+++"], toml_values),
        ";;;" => delimited(text, &[";;;"], json_values),
        _ if first.starts_with('{') => Ok(json_object(text)),
        _ => Ok(None),
    }
}

/// What a form's parser gives: nothing when the block is something else.
type Values = Result<Option<Declared>, Malformed>;

#[derive(Default)]
struct Declared {
    values: Map<String, Value>,
    repeated: Vec<(u64, String)>,
}

fn delimited(text: &str, closers: &[&str], parse: fn(&str) -> Values) -> Result<Option<FrontMatter>, Malformed> {
    let Some((inside, len)) = block(text, closers) else { return Ok(None) };
    // Lines of the block are counted from 1 after the line that opens it.
    let below = |line: u64| line.saturating_add(1);
    let found = parse(inside).map_err(|e| Malformed { line: below(e.line), ..e })?;
    Ok(found.map(|declared| FrontMatter {
        attrs: declared.values.into_iter().collect(),
        len,
        repeated: declared.repeated.into_iter().map(|(line, name)| (below(line), name)).collect(),
    }))
}

/// The text between the first line and the first line that is one of `closers`, and the length of all three.
fn block<'t>(text: &'t str, closers: &[&str]) -> Option<(&'t str, usize)> {
    let start = text.find('\n')? + 1;
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        if closers.contains(&line.trim_end()) {
            return Some((&text[start..at], at + line.len()));
        }
        at += line.len();
    }
    None
}

fn yaml_values(block: &str) -> Values {
    match yaml::parse(block) {
        Ok(yaml::Parsed { value: Value::Object(values), repeated }) => Ok(Some(Declared { values, repeated })),
        Ok(yaml::Parsed { value: Value::Null, .. }) if !block.trim().is_empty() => Ok(Some(Declared::default())),
        Ok(_) => Ok(None),
        Err(error) if looks_declared(block) => Err(error),
        Err(_) => Ok(None),
    }
}

/// True when the first line with something to say is `name:` or `name: value`, or opens a flow mapping.
fn looks_declared(block: &str) -> bool {
    let said = block.lines().find(|line| !line.trim_start().is_empty() && !line.trim_start().starts_with('#'));
    said.is_some_and(|line| {
        let line = line.trim_end();
        let name = line.split_once(": ").map(|(name, _)| name).or_else(|| line.strip_suffix(':'));
        line.starts_with('{') || name.is_some_and(|name| !name.is_empty() && !name.contains(char::is_whitespace))
    })
}

fn toml_values(block: &str) -> Values {
    match block.parse::<toml::Table>() {
        Ok(table) if table.is_empty() && block.trim().is_empty() => Ok(None),
        Ok(table) => {
            let values = table.into_iter().map(|(name, value)| (name, toml_value(value))).collect();
            Ok(Some(Declared { values, repeated: Vec::new() }))
        }
        Err(error) => {
            let before = error.span().map_or("", |span| block.get(..span.start).unwrap_or_default());
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            Err(Malformed { line: line_of(before), message })
        }
    }
}

/// Nested no deeper than the TOML parser allows, which bounds the recursion.
fn toml_value(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => {
            serde_json::Number::from_f64(number).map_or_else(|| Value::String(number.to_string()), Value::Number)
        }
        toml::Value::Boolean(yes) => Value::Bool(yes),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(values) => values.into_iter().map(toml_value).collect(),
        toml::Value::Table(table) => {
            Value::Object(table.into_iter().map(|(name, value)| (name, toml_value(value))).collect())
        }
    }
}

fn json_values(block: &str) -> Values {
    let braced = block.trim_start().starts_with('{');
    let parsed = if braced { serde_json::from_str(block) } else { serde_json::from_str(&format!("{{{block}}}")) };
    match parsed {
        Ok(values) => Ok(Some(Declared { values, repeated: Vec::new() })),
        Err(error) => Err(Malformed { line: error.line() as u64, message: without_place(&error) }),
    }
}

/// An object at the very start of the text. What does not parse is no front matter: a brace may open anything.
fn json_object(text: &str) -> Option<FrontMatter> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Map<String, Value>>();
    let object = values.next()?.ok().filter(|object| !object.is_empty())?;
    let end = values.byte_offset();
    let rest = text.get(end..)?;
    let line = rest.split_inclusive('\n').next().unwrap_or_default();
    line.trim().is_empty().then(|| FrontMatter {
        attrs: object.into_iter().collect(),
        len: end + line.len(),
        repeated: Vec::new(),
    })
}

fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// The line, from 1, that begins or goes on after `before`.
fn line_of(before: &str) -> u64 {
    before.bytes().filter(|&byte| byte == b'\n').count() as u64 + 1
}

#[cfg(test)]
mod tests;
