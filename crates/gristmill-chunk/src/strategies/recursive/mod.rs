//! A hierarchy of separators for any text: blank lines, sentences, lines; then clauses, words and characters where one
//! line is larger than a chunk.

use gristmill_core::{Chunk, ChunkCx, Chunker, Document, Measured, Outcome, Result, Span};
use gristmill_text::segment::sentence_starts;

use crate::border::{Border, Borders, Level};
use crate::cut::{Packing, cut};

/// Separators only, no structure.
#[derive(Debug)]
pub struct Recursive;

impl Chunker for Recursive {
    fn chunk(&self, document: &Document, cx: &ChunkCx<'_>) -> Result<Outcome<Vec<Chunk>>> {
        let measured = cx.sizer.measure(&document.text);
        let borders = borders(&document.text, measured.as_ref(), (cx.limits.target / 3).max(1));
        Ok(cut(document, cx, measured.as_ref(), &borders, Packing::Cheapest))
    }
}

/// Blank lines are borders; paragraphs from `grain` on are opened.
fn borders(text: &str, measured: &dyn Measured, grain: usize) -> Borders {
    let mut out = Borders::default();
    let mut starts = Vec::new();
    for paragraph in paragraphs(text) {
        out.push(Border::new(paragraph.start as usize, Level::Block));
        if measured.size(paragraph.range()) >= grain {
            open(text, paragraph, &mut starts, &mut out);
        }
    }
    out
}

fn open(text: &str, paragraph: Span, starts: &mut Vec<usize>, out: &mut Borders) {
    let own = &text[paragraph.range()];
    starts.clear();
    sentence_starts(own, starts);
    let mut sentences = starts.iter().copied().peekable();
    let lines = memchr::memchr_iter(b'\n', own.as_bytes()).map(|i| i + 1);
    for line in lines.chain([own.len()]) {
        while let Some(at) = sentences.next_if(|&s| s <= line) {
            if at > 0 && at < own.len() {
                out.push(Border::new(paragraph.start as usize + at, Level::Sentence));
            }
        }
        if line < own.len() {
            out.push(Border::new(paragraph.start as usize + line, Level::Line));
        }
    }
}

/// Stretches between blank lines.
fn paragraphs(text: &str) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].len() - text[at..].trim_start().len();
        if at >= text.len() {
            return None;
        }
        let start = at;
        at = text.len().min(start + blank_line(&text[start..]));
        Some(Span::new(start, start + text[start..at].trim_end().len()))
    })
}

/// Where the first blank line of `text` begins, or its length.
fn blank_line(text: &str) -> usize {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes());
    ends.map(|i| i + 1)
        .find(|&next| text[next..].trim_start_matches([' ', '\t']).starts_with('\n'))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_lie_between_blank_lines() {
        let text = "\n a\nb\n\n \nc\n  \nd\n";
        let found: Vec<&str> = paragraphs(text).map(|p| &text[p.range()]).collect();
        assert_eq!(found, ["a\nb", "c", "d"]);
    }
}
