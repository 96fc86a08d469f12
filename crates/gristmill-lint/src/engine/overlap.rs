//! Finds what a piece repeats of the one before it.

use gristmill_core::{Part, PartKind, Span};

use crate::Piece;

/// Marks overlap in the pieces whose maker does not say what it is, and the note line with the path of headings that a
/// repair put in where the file cannot say so.
pub fn derive(pieces: &mut [Piece]) {
    for at in 0..pieces.len() {
        let (before, rest) = pieces.split_at_mut(at);
        let Some(piece) = rest.first_mut() else { return };
        piece.ensure_tiled();
        if piece.overlap_known {
            piece.overlap_before = before.last().map_or(0, |left| known(left, piece));
            continue;
        }
        piece.mark_note();
        forget(piece);
        piece.overlap_before = 0;
        if let Some(left) = before.last() {
            find(left, piece);
        }
    }
}

/// How much of `left` the known overlap of `piece` repeats.
fn known(left: &Piece, piece: &Piece) -> usize {
    let overlap = piece.parts.iter().find(|part| part.kind == PartKind::Overlap);
    let Some(text) = overlap.map(|part| piece.text[part.range.range()].trim()) else { return 0 };
    let shown = left.text[..left.body_end()].trim_end();
    if !text.is_empty() && shown.ends_with(text) { text.len() } else { 0 }
}

/// Takes overlap that was found before for body again.
fn forget(piece: &mut Piece) {
    let mut parts: Vec<Part> = Vec::with_capacity(piece.parts.len());
    for mut part in piece.parts.drain(..) {
        if part.kind == PartKind::Overlap {
            part.kind = PartKind::Body;
        }
        match parts.last_mut().filter(|last| last.kind == PartKind::Body && part.kind == PartKind::Body) {
            Some(last) if last.origin.is_none() && part.origin.is_none() => last.range.end = part.range.end,
            _ => parts.push(part),
        }
    }
    piece.parts = parts;
}

fn find(left: &Piece, piece: &mut Piece) {
    let start = piece.body_start();
    let Some(first) = piece.parts.iter().position(|part| part.kind == PartKind::Body) else { return };
    let body = piece.parts[first].range;
    let shown = &left.text[..left.body_end()];
    let Some(overlap) = gristmill_text::similar::overlap(shown, &piece.text[body.range()]) else { return };
    if overlap.right >= body.len() && piece.parts[first + 1..].iter().all(|part| part.kind != PartKind::Body) {
        // All of it stands in the piece before: a duplicate, not overlap.
        return;
    }
    let border = start + overlap.right;
    let origin = piece.parts[first].origin.take();
    piece.parts[first] = Part { kind: PartKind::Body, range: Span::new(border, body.end as usize), origin };
    piece.parts.insert(first, Part { kind: PartKind::Overlap, range: Span::new(start, border), origin: None });
    piece.overlap_before = overlap.left.saturating_sub(shown.len() - shown.trim_end().len());
}
