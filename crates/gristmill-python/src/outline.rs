//! A document as the Python side reads it.

use gristmill::{Block, BlockKind, Document, Outcome, title};
use serde_json::{Value, json};

use crate::settings::told;

/// A document as JSON. Positions are code points of the text.
pub fn outline(outcome: &Outcome<Document>) -> Value {
    let document = &outcome.value;
    let points = CodePoints::of(&document.text);
    let sections = document.sections.iter().map(|section| {
        json!({ "level": section.level, "title": section.title, "parent": section.parent,
                "span": points.span(section.heading.start, section.heading.end) })
    });
    let blocks = document.blocks.iter().map(|block| self::block(block, document, &points));
    json!({ "source": document.source, "title": title(document), "format": document.format,
            "encoding": document.encoding, "metadata": document.attrs, "text": document.text,
            "sections": sections.collect::<Vec<_>>(), "blocks": blocks.collect::<Vec<_>>(),
            "warnings": told(&outcome.diagnostics) })
}

fn block(block: &Block, document: &Document, points: &CodePoints<'_>) -> Value {
    let mut value = json!({ "kind": block.kind.name(), "span": points.span(block.span.start, block.span.end),
                            "depth": block.depth, "section": block.section, "page": document.page_at(block.span.start) });
    match block.kind {
        BlockKind::Heading { level } => value["level"] = level.into(),
        BlockKind::Code { body, closed } => {
            value["body"] = json!(points.span(body.start, body.end));
            value["closed"] = closed.into();
        }
        BlockKind::Table { header } => value["header"] = json!(points.span(header.start, header.end)),
        BlockKind::Unit { signature } => value["signature"] = json!(points.span(signature.start, signature.end)),
        BlockKind::List { ordered } => value["ordered"] = ordered.into(),
        _ => {}
    }
    value
}

/// From bytes of a text to code points, which Python counts in.
struct CodePoints<'t> {
    text: &'t [u8],
    /// Code points before every byte that is a multiple of [`STRIDE`], and before the end.
    marks: Vec<usize>,
}

const STRIDE: usize = 256;

impl<'t> CodePoints<'t> {
    fn of(text: &'t str) -> Self {
        let text = text.as_bytes();
        let mut marks = vec![0];
        let mut count = 0;
        for block in text.chunks(STRIDE) {
            count += starts(block);
            marks.push(count);
        }
        Self { text, marks }
    }

    fn span(&self, start: u32, end: u32) -> [usize; 2] {
        [self.at(start), self.at(end)]
    }

    fn at(&self, byte: u32) -> usize {
        let byte = (byte as usize).min(self.text.len());
        let mark = byte / STRIDE;
        let rest = self.text.get(mark * STRIDE..byte).unwrap_or_default();
        self.marks.get(mark).copied().unwrap_or_default() + starts(rest)
    }
}

/// Bytes that begin a code point.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0xC0) != 0x80).count()
}
