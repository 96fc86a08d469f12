//! A document beside the text that questions name places of.

use gristmill_core::{Document, Span};

use crate::ranges::Range;

/// A document and its decoded source.
pub struct Source {
    /// Path relative to the source's root.
    pub name: String,
    /// The decoded source: places are code points of it.
    pub text: String,
    /// What was read of it, cleaned.
    pub document: Document,
    points: Points,
}

impl Source {
    /// Takes a document and the text that its map leads to.
    pub fn new(name: String, text: String, document: Document) -> Self {
        let points = Points::new(&text);
        Self { name, text, document, points }
    }

    /// The place behind a range of `document.text`.
    pub fn place(&self, span: Span) -> Range {
        let at = self.document.map.span(span);
        (self.point(at.start as usize), self.point(at.end as usize))
    }

    /// Code points before a byte of the decoded source.
    pub fn point(&self, byte: usize) -> u64 {
        self.points.before(&self.text, byte)
    }

    /// The byte of the decoded source at which a code point begins.
    pub fn byte(&self, point: u64) -> usize {
        self.points.byte(&self.text, point)
    }

    /// The text at a place; what is beyond the end is left out.
    pub fn at(&self, place: Range) -> &str {
        let (start, end) = (self.byte(place.0), self.byte(place.1));
        self.text.get(start..end).unwrap_or_default()
    }

    /// Code points of the decoded source.
    pub fn size(&self) -> u64 {
        self.point(self.text.len())
    }

    /// The line of a place, from 1.
    pub fn line(&self, point: u64) -> u64 {
        let byte = self.byte(point);
        self.text.as_bytes().iter().take(byte).filter(|byte| **byte == b'\n').count() as u64 + 1
    }
}

/// Bytes between two counted places.
const STEP: usize = 256;

/// Code points before every so many bytes.
struct Points(Vec<u64>);

impl Points {
    fn new(text: &str) -> Self {
        let mut sum = 0;
        let mut before = vec![0];
        for piece in text.as_bytes().chunks(STEP) {
            sum += starts(piece);
            before.push(sum);
        }
        Self(before)
    }

    fn before(&self, text: &str, byte: usize) -> u64 {
        let byte = byte.min(text.len());
        let step = byte / STEP;
        self.0[step] + starts(&text.as_bytes()[step * STEP..byte])
    }

    fn byte(&self, text: &str, point: u64) -> usize {
        let step = self.0.partition_point(|before| *before <= point).saturating_sub(1);
        let left = usize::try_from(point - self.0[step]).unwrap_or(usize::MAX);
        // A step may begin inside a character, which was counted before it.
        let begin = (step * STEP..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        text[begin..].char_indices().nth(left).map_or(text.len(), |(at, _)| begin + at)
    }
}

/// Characters that begin in some bytes.
fn starts(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| (**byte & 0xc0) != 0x80).count() as u64
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use gristmill_core::{Block, BlockKind, DocumentId, OffsetMap, Origin, Pages, Section};

    use super::*;

    /// A document whose text is its source, with these blocks.
    pub fn source(text: &str, blocks: Vec<Block>, mut sections: Vec<Section>) -> Source {
        let root = Section { level: 0, title: String::new(), parent: 0, heading: Span::default() };
        sections.insert(0, root);
        let document = Document {
            id: DocumentId::new("", "", "a.md"),
            source: "a.md".into(),
            format: "markdown",
            encoding: "utf-8",
            attrs: BTreeMap::new(),
            text: text.to_owned(),
            blocks,
            sections,
            edits: Vec::new(),
            map: OffsetMap::default(),
            origin: Origin::default(),
            pages: Pages::default(),
        };
        Source::new("a.md".into(), text.to_owned(), document)
    }

    /// The block of a kind over the first place of a text.
    pub fn block(text: &str, of: &str, kind: BlockKind, depth: u8) -> Block {
        let start = text.find(of).unwrap();
        Block { kind, span: Span::new(start, start + of.len()), section: 0, depth }
    }

    #[test]
    fn places_are_code_points() {
        let text = "é한a".repeat(300);
        let source = source(&text, Vec::new(), Vec::new());
        assert_eq!(source.size(), 900);
        for (point, (byte, c)) in text.char_indices().enumerate() {
            assert_eq!(source.point(byte), point as u64);
            assert_eq!(source.at((point as u64, point as u64 + 1)), c.to_string());
        }
        assert_eq!(source.at((899, 2000)), "a");
        assert_eq!(source.at((5000, 6000)), "");
    }

    #[test]
    fn lines_are_counted_from_one() {
        let source = source("é\nb\nc", Vec::new(), Vec::new());
        assert_eq!((source.line(0), source.line(2), source.line(4)), (1, 2, 3));
    }
}
