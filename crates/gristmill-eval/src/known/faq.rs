//! A question of the document asks for its answer.

use gristmill_core::{BlockKind, Span};

use super::{Made, asks};
use crate::Source;

pub(super) fn make(source: &Source) -> Vec<Made> {
    let document = &source.document;
    let mut out = Vec::new();
    for (index, pair) in document.blocks.iter().enumerate().filter(|(_, block)| block.kind == BlockKind::Pair) {
        let inside = document.blocks[index + 1..].iter().take_while(|block| block.depth > pair.depth);
        let mut inside = inside.filter(|block| block.depth == pair.depth + 1);
        let (Some(question), Some(answer)) = (inside.next(), inside.next()) else { continue };
        let text = unmarked(&document.text[question.span.range()]);
        if asks(text) {
            out.push(Made { text: text.to_owned(), evidence: Span { start: answer.span.start, end: pair.span.end } });
        }
    }
    out
}

/// A question without what only says that it is one.
fn unmarked(text: &str) -> &str {
    let text = text.trim().trim_start_matches(['#', '*', '-', '>', ' ']).trim_end_matches('*');
    let marks = ["Q:", "Q.", "Q：", "Question:", "질문:", "문:", "问：", "问:", "問：", "問:"];
    marks.iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text).trim()
}
