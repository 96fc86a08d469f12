//! Literal blocks, doctest blocks and line blocks.

use gristmill_core::{BlockKind, Span};

use super::parser::Parser;

impl Parser<'_, '_> {
    /// A paragraph from line `at` to `end` that ends with `::`, and the literal block after it.
    pub(super) fn before_code(&mut self, at: usize, end: usize) {
        let alone = self.text(at) == "::" && end == at + 1;
        let frame = self.frame();
        let next = self.lines.next_filled(end, frame.end);
        let after = match next {
            _ if next >= frame.end => next,
            _ if self.lines.indent(next) > frame.indent => self.body_end(next, frame.indent + 1),
            _ => self.quoted_end(next),
        };
        if !alone || after == next {
            self.leaf(BlockKind::Paragraph, at, end);
        }
        if after > next {
            let start = if alone { self.begin(at) } else { self.lines.start(next) };
            self.code(start, next, after);
        }
    }

    /// The end of a literal block without indentation, whose lines begin with the same punctuation character.
    fn quoted_end(&self, from: usize) -> usize {
        let sign = |at: usize| self.lines.trimmed(at).bytes().next().filter(u8::is_ascii_punctuation);
        let Some(first) = sign(from) else { return from };
        (from..self.frame().end).find(|&at| sign(at) != Some(first)).unwrap_or(self.frame().end)
    }

    /// A code block that begins at byte `start` and has the lines `from` up to `to`, blank ones at its end left out.
    pub(super) fn code(&mut self, start: usize, from: usize, to: usize) {
        let body = self.lines.span(from, self.lines.filled_end(from, to));
        let body = Span { end: self.lines.visible(from, to).end, ..body };
        let span = Span { start: Span::new(start, start).start, ..body };
        self.outline.block(BlockKind::Code { body, closed: true }, span);
        self.go(to);
    }

    /// Doctest blocks (`>>>`) and line blocks (`|`), which end at a blank line.
    pub(super) fn code_like(&mut self, at: usize) -> bool {
        let text = self.text(at);
        let end = self.lines.next_blank(at, self.frame().end).max(at + 1);
        if text.starts_with(">>> ") {
            let span = self.span(at, end);
            self.outline.block(BlockKind::Code { body: span, closed: true }, span);
            self.go(end);
            return true;
        }
        let is_verse = text == "|" || text.starts_with("| ");
        if is_verse {
            self.leaf(BlockKind::Paragraph, at, end);
        }
        is_verse
    }
}
