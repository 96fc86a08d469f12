//! Containers of blocks, and the text between blocks.

use std::ops::Range;

use gristmill_core::{Block, BlockKind, Section, Span};
use pulldown_cmark::BlockQuoteKind;

use super::blocks::{Builder, Found};
use super::gaps::gaps;

/// An open container.
pub(super) struct Frame {
    /// The mark that opened it; none for the parser's own containers.
    mark: Option<usize>,
    /// Number of the parser's own containers from the outermost to this one.
    natives: usize,
    /// Where its own marker ends, and so does it as long as it is empty.
    marker_end: usize,
}

impl Builder<'_> {
    /// Number of the parser's own containers around this place.
    pub(super) fn natives(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.natives)
    }

    /// Enters a container of the parser's.
    pub(super) fn enter(&mut self, kind: BlockKind, start: usize, marker_end: usize) {
        self.cover(start);
        let counts = self.outline.enter(kind, start);
        self.frames.push(Frame { mark: None, natives: self.natives() + 1, marker_end });
        if counts {
            self.covered = self.covered.max(marker_end);
        }
    }

    /// Enters the container that a mark opens.
    pub(super) fn open(&mut self, mark: usize, start: usize) {
        self.cover(start);
        self.outline.enter(BlockKind::Admonition, start);
        self.frames.push(Frame { mark: Some(mark), natives: self.natives(), marker_end: start });
        if let Some(opened) = self.opened.get_mut(mark) {
            *opened = self.frames.len();
        }
    }

    /// Leaves the container that a mark opened, if it is open and no container of the parser's was begun within it.
    pub(super) fn close(&mut self, opener: Option<usize>) {
        let Some(&depth) = opener.and_then(|mark| self.opened.get(mark)) else { return };
        let Some(frame) = depth.checked_sub(1).and_then(|index| self.frames.get(index)) else { return };
        if frame.natives == self.natives() {
            while self.frames.len() >= depth {
                self.leave();
            }
        }
    }

    /// Leaves the parser's innermost container, with all that marks opened in it.
    pub(super) fn leave_native(&mut self, at: &Range<usize>) {
        self.cover(self.position(at.end));
        while self.leave().is_some_and(|frame| frame.mark.is_some()) {}
    }

    fn leave(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.outline.leave(frame.marker_end);
        if let Some(opened) = frame.mark.and_then(|mark| self.opened.get_mut(mark)) {
            *opened = 0;
        }
        Some(frame)
    }

    /// A quote, or an alert with its label as the first block in it.
    pub(super) fn quote(&mut self, alert: Option<BlockQuoteKind>, at: &Range<usize>) {
        let start = self.span(at).start as usize;
        let marker_end = start + 1;
        if alert.is_none() {
            return self.enter(BlockKind::Quote, start, marker_end);
        }
        self.enter(BlockKind::Admonition, start, marker_end);
        let line = self.text[start..].lines().next().unwrap_or_default();
        let label = line.trim_start_matches([' ', '\t', '>']);
        let label_start = start + (line.len() - label.len());
        self.leaf(BlockKind::Html, Span::new(label_start, label_start + label.trim_end().len()));
    }

    /// A table: its first line and the line under it are its header.
    pub(super) fn table(&mut self, at: &Range<usize>) {
        let span = self.span(at);
        let block = &self.text[span.range()];
        let second = block.find('\n').map_or(block.len(), |at| at + 1);
        let end = block[second..].find('\n').map_or(block.len(), |at| second + at);
        let start = span.start as usize;
        let header = Span::new(start, start + block[..end].trim_end().len());
        self.enter(BlockKind::Table { header }, start, header.end as usize);
    }

    /// A block without blocks in it. White space that only the parser takes for text is none.
    pub(super) fn leaf(&mut self, kind: BlockKind, span: Span) {
        if span.is_empty() {
            return;
        }
        self.cover(span.start as usize);
        self.outline.block(kind, span);
        self.covered = self.covered.max(span.end as usize);
    }

    /// Makes blocks of what lies in no event up to `to`.
    pub(super) fn cover(&mut self, to: usize) {
        if to > self.covered {
            for (kind, span) in gaps(self.text, self.covered, to) {
                self.outline.block(kind, span);
            }
            self.covered = to;
        }
    }

    /// Where the marker of an item or footnote is, in the text. The parser begins some of them with white space, or with
    /// the `>` before a tab.
    pub(super) fn marker(&self, seen: usize) -> usize {
        let start = self.position(seen);
        let text = &self.text[start..];
        start + (text.len() - text.trim_start_matches(|c: char| c.is_whitespace() || c == '>').len())
    }

    /// The range of text behind a range of the parsed text, without white space at its ends.
    pub(super) fn span(&self, at: &Range<usize>) -> Span {
        let start = self.position(at.start);
        let end =
            if at.end < self.dialect.view.seen.len() { self.position(at.end).max(start) } else { self.text.len() };
        Span::new(start, end).trimmed(self.text)
    }

    /// Where words begin that the parser shows from `start` on: it leaves out the backslash of an escape before them.
    pub(super) fn escaped_start(&self, start: usize) -> usize {
        let hidden = self.text.get(self.covered..start).unwrap_or_default();
        let line = hidden.rfind('\n').map_or(hidden, |at| &hidden[at + 1..]);
        start - line.trim_start_matches(|c: char| c.is_whitespace() || c == '>').len()
    }

    /// The position in the text of a position in the parsed text.
    pub(super) fn position(&self, parsed: usize) -> usize {
        self.dialect.view.place(parsed).min(self.text.len())
    }

    /// Where the white space before `start` begins, within its line and after a container's marker with its blank.
    pub(super) fn indented_start(&self, start: u32) -> u32 {
        let before = &self.text[..start as usize];
        let bare = before.trim_end_matches([' ', '\t']);
        let after_marker = usize::from(bare.len() < before.len() && !bare.is_empty() && !bare.ends_with('\n'));
        Span::new(bare.len() + after_marker, start as usize).start
    }

    pub(super) fn finish(mut self) -> Found {
        self.cover(self.text.len());
        while self.leave().is_some() {}
        let (blocks, sections): (Vec<Block>, Vec<Section>) = self.outline.finish();
        Found { blocks, sections, unclosed: self.unclosed }
    }
}

/// Length of a list marker.
pub(super) fn marker_len(item: &str) -> usize {
    let digits = item.bytes().take_while(u8::is_ascii_digit).count();
    (digits + 1).min(item.len())
}
