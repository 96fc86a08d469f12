//! Chunks of a file as pieces.

use gristmill_core::{Part, PartKind, Result, Span};
use gristmill_format::PartRecord;
use gristmill_format::chunk_file::{ChunkFile, ChunkFormat, Entry, Found};
use gristmill_lint::Piece;
use serde_json::Value;

/// Keys of the line on which a chunk begins in its document.
pub(super) const LINE: &[&str] = &["line_start", "start_line"];

/// The chunk at a place of the file.
pub(super) fn piece(file: &ChunkFile, index: usize, entry: &Entry) -> Result<Piece> {
    Ok(of(&file.read_at(index, entry)?, file.format()))
}

/// A chunk of a file of this format as the rules see it.
pub(super) fn of(found: &Found, format: ChunkFormat) -> Piece {
    let mut piece = Piece::new(found.index, found.id().map(std::borrow::Cow::into_owned), found.text().to_owned());
    piece.parts = parts(found, &piece.text).unwrap_or(piece.parts);
    piece.overlap_known = found.field(&["overlap_token_count"]).is_some() && found.field(&["parts"]).is_some();
    piece.path = found.headings().into_iter().map(str::to_owned).collect();
    piece.place = place(found, &piece.text);
    piece.counted = merged_before(found).count() as u64;
    piece.order = found.order().map(|order| (order, order.saturating_add(piece.counted)));
    piece.bare = found.value().is_string() || format == ChunkFormat::Parquet && !found.takes_facts_in_table();
    piece.line = found.field(LINE).and_then(Value::as_u64);
    piece.paged = !found.pages().is_empty() || names_pdf(found);
    let metadata = found.metadata().into_iter().flatten();
    piece.metadata = metadata.filter(|(_, value)| !is_empty(value)).map(|(key, _)| key.clone()).collect();
    piece
}

/// Names of the chunks that earlier repairs merged into this one.
pub(super) fn merged_before(found: &Found) -> impl Iterator<Item = &str> {
    let ids = found.field(&["merged_ids"]).and_then(Value::as_array).into_iter().flatten();
    ids.filter_map(Value::as_str)
}

/// The parts that the chunk says it has, in bytes; the rest of the text is body.
fn parts(found: &Found, text: &str) -> Option<Vec<Part>> {
    let said = found.parts();
    if said.is_empty() {
        return None;
    }
    let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let byte = |chars: u64| usize::try_from(chars).ok().and_then(|chars| bytes.get(chars)).copied();
    let mut parts = Vec::with_capacity(said.len());
    let mut at = 0;
    for part in said {
        let (start, end) = (byte(part.start)?, byte(part.end)?);
        if start < at || end < start {
            return None;
        }
        push(&mut parts, PartKind::Body, at, start, None);
        push(&mut parts, part.kind, start, end, origin(&part));
        at = end;
    }
    push(&mut parts, PartKind::Body, at, text.len(), None);
    Some(parts)
}

fn push(parts: &mut Vec<Part>, kind: PartKind, start: usize, end: usize, origin: Option<Span>) {
    if start < end {
        parts.push(Part { kind, range: Span::new(start, end), origin });
    }
}

fn origin(part: &PartRecord) -> Option<Span> {
    let [start, end] = part.origin?;
    let (start, end) = (u32::try_from(start).ok()?, u32::try_from(end).ok()?);
    (start <= end).then_some(Span { start, end })
}

/// Where the body lies: as the chunk says, or from its start on as far as its text reaches.
fn place(found: &Found, text: &str) -> Option<std::ops::Range<u64>> {
    match found.span() {
        (Some(start), Some(end)) => (start <= end).then_some(start..end),
        (Some(start), None) => Some(start..start + text.chars().count() as u64),
        _ => None,
    }
}

fn names_pdf(found: &Found) -> bool {
    found.source().is_some_and(|source| source.to_ascii_lowercase().ends_with(".pdf"))
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
