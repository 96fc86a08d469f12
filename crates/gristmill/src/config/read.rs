//! Reading a settings file, with the place of every key.

use std::ops::Range;
use std::path::Path;

use gristmill_core::{Error, Result};
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::Options;
use super::complaint::{Complaint, File, LineStarts};
use super::nearest::nearest;
use super::schema::{Known, schema};

/// A key and where it stands: its path, its name and its value, in bytes of the file.
#[derive(Clone, Debug)]
struct Place {
    key: String,
    name: Range<usize>,
    value: Range<usize>,
}

/// What a file says.
pub(super) struct Said {
    pub(super) options: Options,
    /// The line of each key.
    pub(super) lines: Vec<(String, u32)>,
}

/// Reads a file. `None` when it is a `pyproject.toml` without `[tool.gristmill]`.
pub(super) fn read(path: &Path, text: &str) -> Result<Option<Said>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = File { path, text };
    let table = DeTable::parse(text).map_err(|e| {
        let message = format!("malformed TOML, {}", one_line(e.message()));
        file.wrong(&Complaint { message: &message, at: e.span(), label: "", hint: None })
    })?;
    let span = table.span();
    let table = Spanned::new(span, DeValue::Table(table.into_inner()));
    let Some(table) = (if is_pyproject(path) { own_table(table) } else { Some(table) }) else { return Ok(None) };
    let schema = schema();
    let mut places = Vec::new();
    walk(&file, Known::new(&schema), &table, "", &mut places)?;
    let options = Options::deserialize(ValueDeserializer::from(table)).map_err(|e| wrong_value(&file, &places, &e))?;
    let starts = LineStarts::new(text);
    let lines = places.into_iter().map(|place| (place.key, starts.line(place.name.start))).collect();
    Ok(Some(Said { options, lines }))
}

/// True for the file of a Python project.
fn is_pyproject(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "pyproject.toml")
}

/// The table `[tool.gristmill]`.
fn own_table(table: Spanned<DeValue<'_>>) -> Option<Spanned<DeValue<'_>>> {
    inside(inside(table, "tool")?, "gristmill")
}

fn inside<'t>(table: Spanned<DeValue<'t>>, name: &str) -> Option<Spanned<DeValue<'t>>> {
    let DeValue::Table(table) = table.into_inner() else { return None };
    table.into_iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value)
}

/// Notes the place of every key and stops at the first that may not stand where it does. No deeper than the schema is.
fn walk(
    file: &File<'_>,
    known: Known<'_>,
    value: &Spanned<DeValue<'_>>,
    at: &str,
    places: &mut Vec<Place>,
) -> Result<()> {
    match value.get_ref() {
        DeValue::Table(table) => {
            for (name, value) in table {
                let key = if at.is_empty() { name.get_ref().to_string() } else { format!("{at}.{}", name.get_ref()) };
                let known =
                    known.key(name.get_ref()).ok_or_else(|| unknown(file, known, name.get_ref(), name.span(), at))?;
                places.push(Place { key: key.clone(), name: name.span(), value: value.span() });
                walk(file, known, value, &key, places)?;
            }
        }
        DeValue::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                let key = format!("{at}[{index}]");
                places.push(Place { key: key.clone(), name: value.span(), value: value.span() });
                walk(file, known.values(), value, &key, places)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn unknown(file: &File<'_>, known: Known<'_>, name: &str, span: Range<usize>, at: &str) -> Error {
    let keys = known.keys();
    let schema = schema();
    let top = Known::new(&schema);
    let elsewhere =
        || top.keys().into_iter().find(|section| top.key(section).is_some_and(|k| k.keys().contains(&name)));
    let label = if let Some(near) = nearest(name, keys.iter().copied()) {
        format!("nearest is `{near}`")
    } else {
        elsewhere().map_or_else(String::new, |section| format!("belongs in `[{section}]`"))
    };
    let table = if at.is_empty() { "at the top".to_owned() } else { format!("in `{at}`") };
    let comma = if label.is_empty() { "" } else { ", " };
    let message = format!("unknown key `{name}` {table}{comma}{label}");
    let hint = label.is_empty().then(|| format!("known here are {}", keys.join(", ")));
    file.wrong(&Complaint { message: &message, at: Some(span), label: &label, hint: hint.as_deref() })
}

fn wrong_value(file: &File<'_>, places: &[Place], error: &toml::de::Error) -> Error {
    let span = error.span();
    let inside =
        |place: &&Place| span.as_ref().is_some_and(|s| place.value.start <= s.start && s.end <= place.value.end);
    let place = places.iter().filter(inside).min_by_key(|place| place.value.len());
    let label = plain(error.message());
    let message = place.map_or_else(|| "wrong value".to_owned(), |place| format!("wrong value for `{}`", place.key));
    file.wrong(&Complaint { message: &format!("{message}, {label}"), at: span, label: &label, hint: None })
}

/// Characters of a wrong value that are shown.
const LONGEST_FOUND: usize = 80;

/// The deserializer's message in words for people.
pub(super) fn plain(message: &str) -> String {
    let message = one_line(message);
    let Some((found, expected)) = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "))
        .and_then(|rest| rest.rsplit_once(", expected "))
    else {
        return message;
    };
    let expected = match expected {
        "u32" | "u64" | "usize" => "a whole number from 0 to 4294967295",
        "a boolean" => "true or false",
        "a string" | "path string" => "text in quotes",
        "a sequence" => "a list in brackets",
        "a map" => "a table",
        other if other.starts_with("struct ") => "a table",
        other => other,
    };
    let shown: String = found.chars().take(LONGEST_FOUND).collect();
    let cut = if shown.len() < found.len() { "…" } else { "" };
    format!("expected {expected}, found {shown}{cut}")
}

fn one_line(message: &str) -> String {
    message.trim().replace('\n', ", ")
}
