//! One window of a document, read, cleaned and cut, with everything its records need.

use gristmill_core::{Chunk, ChunkId, Document, Fingerprint, PartKind, Span};
use gristmill_format::normalized_hash;

use crate::position::{Cursor, Position};
use crate::stages::Stages;

/// A window that is cut.
pub struct Window {
    /// The window's text, blocks and sections.
    pub document: Document,
    /// Its chunks in order.
    pub chunks: Vec<Cut>,
}

/// A chunk with its identity and its place in the source file.
pub struct Cut {
    /// The chunk.
    pub chunk: Chunk,
    /// Identity.
    pub id: ChunkId,
    /// Where the body begins and ends in the decoded source.
    pub place: (Position, Position),
    /// Where the overlap begins and ends there.
    pub overlap: Option<(Position, Position)>,
    /// By which equal texts are recognised.
    pub hash: Fingerprint,
    /// Tokens of the content and of the overlap in it.
    pub tokens: (u64, u64),
}

/// Finds the places of chunks in the decoded source.
pub struct Places<'a> {
    document: &'a Document,
    cursor: Cursor<'a>,
}

impl<'a> Places<'a> {
    /// `source` is the decoded source that `document` was read from, which begins at `origin` of its file.
    pub fn new(document: &'a Document, source: &'a str, origin: Position) -> Self {
        Self { document, cursor: Cursor::new(source, origin) }
    }

    fn of(&mut self, span: Span) -> (Position, Position) {
        let at = self.document.map.span(span);
        (self.cursor.to(at.start as usize), self.cursor.to(at.end as usize))
    }

    fn overlap(&self, span: Span) -> (Position, Position) {
        let at = self.document.map.span(span);
        (self.cursor.before(at.start as usize), self.cursor.before(at.end as usize))
    }
}

/// Gives chunks their identity, place, hash and token count. `next_id` counts equal bodies.
pub fn finish(
    document: &Document,
    chunks: Vec<Chunk>,
    places: &mut Places<'_>,
    stages: &Stages<'_>,
    counted: bool,
    next_id: &mut dyn FnMut(&str) -> ChunkId,
) -> Vec<Cut> {
    let mut scratch = Vec::new();
    let finish_one = |chunk: Chunk| {
        let body = chunk.body_text(&document.text);
        let id = next_id(body);
        let hash = normalized_hash(body, &mut scratch);
        let place = places.of(chunk.body);
        let overlap = chunk.parts.iter().find(|p| p.kind == PartKind::Overlap).and_then(|p| p.origin);
        let overlap = overlap.map(|span| places.overlap(span));
        let tokens = tokens(&chunk, stages, counted);
        Cut { chunk, id, place, overlap, hash, tokens }
    };
    chunks.into_iter().map(finish_one).collect()
}

/// `counted` says that the chunk's size already is its number of tokens.
fn tokens(chunk: &Chunk, stages: &Stages<'_>, counted: bool) -> (u64, u64) {
    if counted {
        return (u64::from(chunk.size), u64::from(chunk.overlap_size));
    }
    let overlap = chunk.parts.iter().find(|p| p.kind == PartKind::Overlap);
    let overlap = overlap.map_or("", |p| chunk.content[p.range.range()].trim());
    (stages.tokens.size(&chunk.content) as u64, stages.tokens.size(overlap) as u64)
}
