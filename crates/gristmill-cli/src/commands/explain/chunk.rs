//! Where a stored chunk comes from.

use std::fmt::Write as _;

use gristmill::{Lineage, Neighbour, PresentState, Result};
use serde_json::Value;

use super::super::status::model_name;
use super::super::{Form, json};
use crate::output::{print, write_text};
use crate::paint::{BOLD, CYAN, DIM, columns, paint, visible};
use crate::words::{counted, cut, number, wrap};

pub fn show(lineage: &Lineage, form: Form) -> Result<()> {
    match form {
        Form::Json => write_text(None, &json(lineage)?),
        Form::Text => print(&text(lineage, columns())),
    }
}

/// Lines of the chunk's own text that are shown.
const LINES: usize = 10;

fn text(lineage: &Lineage, columns: usize) -> String {
    let metadata = &lineage.record["metadata"];
    let mut out = format!("{}\n", paint(CYAN, visible(&place(&lineage.source, metadata))));
    let titles: Vec<&str> = list(&metadata["heading_path"]).iter().filter_map(Value::as_str).collect();
    // Writing to a string cannot fail.
    if !titles.is_empty() {
        let _ = writeln!(out, "{}", paint(BOLD, cut(&visible(&titles.join(" › ")), columns)));
    }
    own_text(&mut out, lineage.own_text(), columns);
    for (name, value) in facts(lineage, metadata) {
        let _ = writeln!(out, "{:13}{}", format!("{name}:"), visible(&value));
    }
    for (name, neighbour) in [("before", &lineage.previous), ("after", &lineage.next)] {
        let told = neighbour.as_ref().map_or_else(|| "none".to_owned(), |neighbour| beside(neighbour, columns));
        let _ = writeln!(out, "{:13}{told}", format!("{name}:"));
    }
    let _ = writeln!(out, "{:13}{}", "now:", now(lineage));
    out
}

/// `path:29-37`, what editors and people understand.
fn place(source: &str, metadata: &Value) -> String {
    match (metadata["line_start"].as_u64(), metadata["line_end"].as_u64()) {
        (Some(start), Some(end)) if end > start => format!("{source}:{start}-{end}"),
        (Some(start), _) if start > 0 => format!("{source}:{start}"),
        _ => source.to_owned(),
    }
}

fn own_text(out: &mut String, text: &str, columns: usize) {
    out.push('\n');
    let rows = text.lines().flat_map(|line| {
        let line = visible(line);
        let rows = wrap(&line, columns.saturating_sub(2));
        let rows: Vec<String> =
            rows.into_iter().map(|row| line.get(row).unwrap_or_default().trim_end().to_owned()).collect();
        if rows.is_empty() { vec![String::new()] } else { rows }
    });
    let mut rows = rows.peekable();
    for row in rows.by_ref().take(LINES) {
        let _ = writeln!(out, "{}", format!("  {row}").trim_end());
    }
    if rows.peek().is_some() {
        let _ = writeln!(out, "  {}", paint(DIM, "…"));
    }
    out.push('\n');
}

/// What is known of the chunk, by name.
fn facts(lineage: &Lineage, metadata: &Value) -> Vec<(&'static str, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("unknown").to_owned();
    let mut facts = vec![
        ("chunk", lineage.chunk_id.clone()),
        ("document", format!("{} (project {})", lineage.document, lineage.project)),
        ("place", in_document(metadata)),
        ("size", size(metadata)),
        ("parts", parts(metadata)),
        ("text hash", text(&metadata["content_hash"])),
        ("source hash", text(&metadata["source_hash"])),
        ("recipe", lineage.recipe.clone()),
    ];
    let vector = if lineage.has_vector { "" } else { " (none of this text: found by words alone)" };
    facts.extend(lineage.model.as_ref().map(|model| ("model", format!("{}{vector}", model_name(model)))));
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

fn in_document(metadata: &Value) -> String {
    let number_of = |key: &str| metadata[key].as_u64();
    let mut told = Vec::new();
    if let (Some(index), Some(total)) = (number_of("chunk_index"), number_of("total_chunks")) {
        told.push(format!("chunk {} of {}", number(index + 1), number(total)));
    }
    if let (Some(start), Some(end)) = (number_of("char_start"), number_of("char_end")) {
        told.push(format!("characters {} to {}", number(start), number(end)));
    }
    let pages: Vec<String> = list(&metadata["pages"]).iter().filter_map(Value::as_u64).map(number).collect();
    if !pages.is_empty() {
        told.push(format!("page {}", pages.join(", ")));
    }
    told.join(", ")
}

fn size(metadata: &Value) -> String {
    let Some(tokens) = metadata["token_count"].as_u64() else { return String::new() };
    let words = metadata["word_count"].as_u64().map(|words| format!(", {}", counted(words, "word")));
    let repeated = metadata["overlap_token_count"].as_u64().filter(|repeated| *repeated > 0);
    let repeated = repeated.map(|repeated| format!(", {} repeated from the chunk before", number(repeated)));
    format!("{}{}{}", counted(tokens, "token"), words.unwrap_or_default(), repeated.unwrap_or_default())
}

/// The pieces of the embedded text with their lengths in characters.
fn parts(metadata: &Value) -> String {
    let told = list(&metadata["parts"]).iter().filter_map(|part| {
        let length = part["end"].as_u64()?.checked_sub(part["start"].as_u64()?)?;
        Some(format!("{} {}", part["kind"].as_str()?.replace('_', " "), number(length)))
    });
    told.collect::<Vec<_>>().join(" + ")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn beside(neighbour: &Neighbour, columns: usize) -> String {
    let room = columns.saturating_sub(13 + neighbour.chunk_id.len() + 2).max(16);
    format!("{}  {}", neighbour.chunk_id, paint(DIM, cut(&visible(&neighbour.first_line), room)))
}

/// What the source gives now, in words.
fn now(lineage: &Lineage) -> String {
    let what = match lineage.now.state {
        PresentState::Same => "the source gives this very chunk",
        PresentState::Facts => "the source gives this text, with other facts beside it",
        PresentState::Recut => "the source gives this chunk no more",
        PresentState::Gone => "the document is gone",
        PresentState::Unknown => "not compared",
    };
    let reasons = visible(&lineage.now.reasons.join("; "));
    let late = if lineage.complete { "" } else { "; the document is not complete in the store" };
    format!("{what}{}{reasons}{late}", if reasons.is_empty() { "" } else { ": " })
}
