//! The document header: title, author, revision, attributes.

use gristmill_core::{Attrs, BlockKind};
use serde_json::Value;

use super::{inline, line, titles};
use crate::lines::Lines;
use crate::outline::Outline;

/// Reads the header at the start of the lines; gives what it declares and the line after it.
pub(super) fn read(lines: &Lines<'_>, outline: &mut Outline) -> (Attrs, usize) {
    let mut attrs = Attrs::new();
    let mut at = lines.next_filled(0, lines.len());
    let before = entries_end(lines, at);
    declare(lines, at, before, &mut attrs);
    let from = lines.next_filled(before, lines.len());
    let title = titles::title_at(lines, from).filter(|title| title.level == 1);
    if before > at {
        outline.block(BlockKind::Html, lines.visible(at, before));
        at = before;
    }
    let Some(title) = title else { return (attrs, at) };
    let name = inline::plain(title.text);
    outline.heading(1, name, lines.visible(from, from + title.lines));
    let head = from + title.lines;
    let end = lines.next_blank(head, lines.len());
    if !is_header(lines, head, end) {
        return (attrs, head);
    }
    declare(lines, head, end, &mut attrs);
    people(lines, head, end, &mut attrs);
    outline.block(BlockKind::Html, lines.visible(head, end));
    (attrs, end)
}

/// The end of the attributes and comments that begin at line `from`.
fn entries_end(lines: &Lines<'_>, from: usize) -> usize {
    let is_entry = |at: usize| line::attribute(lines.trimmed(at)).is_some() || line::is_comment(lines.get(at));
    (from..lines.len()).find(|&at| !is_entry(at)).unwrap_or(lines.len())
}

/// True when the lines right after the title go on with the header: some author, revision, attribute or comment.
fn is_header(lines: &Lines<'_>, from: usize, to: usize) -> bool {
    let is_entry = |at: usize| line::attribute(lines.trimmed(at)).is_some() || line::is_comment(lines.get(at));
    from < to
        && (from..to).all(|at| is_entry(at) || at < from + 2)
        && (is_entry(from) || is_author(lines.trimmed(from)))
}

/// Names of up to four words with an address or alone, by the syntax of author lines.
fn is_author(line: &str) -> bool {
    line.split(';').all(|author| {
        let name = author.split('<').next().unwrap_or_default().trim();
        let words = name.split_whitespace().count();
        let letters = name.chars().all(|c| c.is_alphanumeric() || " -.'_’".contains(c));
        (1..=4).contains(&words) && letters && name.starts_with(|c: char| !c.is_lowercase())
    }) && !line.ends_with('.')
}

fn declare(lines: &Lines<'_>, from: usize, to: usize, attrs: &mut Attrs) {
    for at in from..to {
        let Some((name, value)) = line::attribute(lines.trimmed(at)) else { continue };
        if name.contains('!') {
            continue;
        }
        let value = if value.is_empty() { Value::Bool(true) } else { Value::String(value.to_owned()) };
        attrs.insert(name.to_lowercase(), value);
    }
}

/// The author line and the revision line after it.
fn people(lines: &Lines<'_>, from: usize, to: usize, attrs: &mut Attrs) {
    let plain = |at: usize| {
        let text = lines.trimmed(at);
        (at < to && line::attribute(text).is_none() && !line::is_comment(text)).then_some(text)
    };
    let Some(authors) = plain(from) else { return };
    let names: Vec<&str> =
        authors.split(';').map(|author| author.split('<').next().unwrap_or_default().trim()).collect();
    attrs.entry("author".to_owned()).or_insert_with(|| Value::String(names.join("; ")));
    if let Some(revision) = plain(from + 1) {
        attrs.entry("revision".to_owned()).or_insert_with(|| Value::String(revision.to_owned()));
    }
}
