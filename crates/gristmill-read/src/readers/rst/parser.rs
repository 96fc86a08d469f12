//! The walk over the lines. Nested bodies are frames on a stack: depth costs no recursion.

use gristmill_core::{Attrs, BlockKind, Span};

use super::markers::{self, Marker};
use super::titles::{Styles, title_at};
use super::{fields, titles};
use crate::lines::Lines;
use crate::outline::Outline;

/// Tells the outline the blocks of a whole text; gives the fields that it begins with.
///
/// Titles have the level of their style, by the order in which styles come up, after `level_before`.
pub(super) fn parse(lines: &Lines<'_>, level_before: u8, outline: &mut Outline) -> Attrs {
    let root = Frame { content: Content::Body, at: 0, end: lines.len(), indent: 0, first: None, leave: 0, tail: 0 };
    let styles = Styles::after(level_before);
    let mut parser = Parser { lines, outline, frames: vec![root], styles, attrs: Attrs::new(), head: true };
    while let Some(frame) = parser.frames.last_mut() {
        frame.at = lines.next_filled(frame.at, frame.end);
        let Frame { content, at, end, .. } = *frame;
        match content {
            _ if at >= end => parser.pop(),
            Content::Body => parser.block(at),
            Content::List(marker) => parser.next_item(at, marker),
        }
    }
    parser.attrs
}

/// Containers within one another; what is deeper is read as paragraphs.
const DEEPEST: usize = 32;

pub(super) struct Parser<'a, 't> {
    pub(super) lines: &'a Lines<'t>,
    pub(super) outline: &'a mut Outline,
    frames: Vec<Frame>,
    styles: Styles,
    pub(super) attrs: Attrs,
    /// Nothing but titles, comments and targets so far.
    head: bool,
}

/// A range of lines that belong together.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    content: Content,
    /// The next line.
    at: usize,
    /// One past its last line.
    pub(super) end: usize,
    /// Where its text begins, in bytes from the start of a line.
    pub(super) indent: usize,
    first: Option<First>,
    /// Containers that end with it, and the least end they have.
    leave: usize,
    tail: usize,
}

#[derive(Clone, Copy)]
enum Content {
    Body,
    List(Marker),
}

/// The first line of a frame that begins inside a line, after a marker.
#[derive(Clone, Copy)]
pub(super) struct First {
    pub(super) line: usize,
    /// Byte of the text where it begins.
    pub(super) byte: usize,
    /// It is to be read as prose.
    pub(super) plain: bool,
}

impl<'t> Parser<'_, 't> {
    /// The innermost frame.
    pub(super) fn frame(&self) -> Frame {
        let root = Frame { content: Content::Body, at: 0, end: 0, indent: 0, first: None, leave: 0, tail: 0 };
        self.frames.last().copied().unwrap_or(root)
    }

    /// Byte at which the text of line `at` begins.
    pub(super) fn begin(&self, at: usize) -> usize {
        let first = self.frame().first.filter(|first| first.line == at);
        first.map_or_else(|| self.lines.content(at), |first| first.byte)
    }

    pub(super) fn indent(&self, at: usize) -> usize {
        let frame = self.frame();
        if frame.first.is_some_and(|first| first.line == at) { frame.indent } else { self.lines.indent(at) }
    }

    /// The text of line `at`, without white space at its end.
    pub(super) fn text(&self, at: usize) -> &'t str {
        let start = self.begin(at);
        self.lines.whole()[start..self.lines.end(at).max(start)].trim_end()
    }

    /// From the text of line `at` to the last visible character before line `to`.
    pub(super) fn span(&self, at: usize, to: usize) -> Span {
        let start = self.begin(at);
        Span::new(start, self.lines.end(to.max(at + 1) - 1).max(start)).trimmed(self.lines.whole())
    }

    /// The first line at or after `from` that is indented by less than `indent`, in this frame.
    pub(super) fn body_end(&self, from: usize, indent: usize) -> usize {
        let end = self.frame().end;
        (from..end).find(|&at| !self.lines.is_blank(at) && self.lines.indent(at) < indent).unwrap_or(end)
    }

    /// Goes on at line `at`.
    pub(super) fn go(&mut self, at: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.at = at;
        }
    }

    pub(super) fn leaf(&mut self, kind: BlockKind, at: usize, to: usize) {
        let span = self.span(at, to);
        self.outline.block(kind, span);
        self.go(to);
    }

    fn pop(&mut self) {
        let Some(done) = self.frames.pop() else { return };
        for _ in 0..done.leave {
            self.outline.leave(done.tail);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.at = done.at.max(frame.at);
        }
    }

    /// Goes into a container, whose text is the lines up to `end`, from `first` or from line `from`.
    pub(super) fn enter(&mut self, kind: BlockKind, start: usize, first: Option<First>, from: usize, end: usize) {
        let next = self.lines.next_filled(from, end);
        let aligned = first.map(|first| first.byte - self.lines.start(first.line));
        let indent = match aligned {
            Some(column) if next >= end => column,
            _ => self.lines.indent(next),
        };
        self.outline.enter(kind, start);
        let at = first.map_or(from, |first| first.line);
        let tail = self.line_end(start);
        self.frames.push(Frame { content: Content::Body, at, end, indent, first, leave: 1, tail });
    }

    /// Where the visible text of the line that `start` is on ends.
    fn line_end(&self, start: usize) -> usize {
        let rest = &self.lines.whole()[start..];
        let line = &rest[..memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len())];
        start + line.trim_end().len()
    }

    fn block(&mut self, at: usize) {
        let frame = self.frame();
        let plain = frame.first.is_some_and(|first| first.line == at && first.plain);
        if plain || self.frames.len() > DEEPEST {
            return self.paragraph(at);
        }
        if self.indent(at) > frame.indent {
            let end = self.body_end(at, self.indent(at));
            return self.enter(BlockKind::Quote, self.begin(at), None, at, end);
        }
        if self.is_root() && self.title(at) {
            return;
        }
        let text = self.text(at);
        if is_explicit(text) {
            return self.explicit(at);
        }
        let head = self.is_root() && std::mem::take(&mut self.head);
        if let Some(marker) = self.marker(at) {
            if head && marker == Marker::Field {
                self.attrs.extend(fields::declared(self.lines, at, frame.end));
            }
            self.outline.enter(BlockKind::List { ordered: matches!(marker, Marker::Number(_)) }, self.begin(at));
            let tail = self.line_end(self.begin(at));
            return self.frames.push(Frame {
                content: Content::List(marker),
                leave: 1,
                tail,
                indent: self.indent(at),
                ..frame
            });
        }
        if !self.code_like(at) && !self.table(at) && !self.transition(at) {
            self.paragraph(at);
        }
    }

    fn is_root(&self) -> bool {
        self.frames.len() == 1
    }

    fn title(&mut self, at: usize) -> bool {
        let Some(title) = title_at(self.lines, at, self.frame().end) else { return false };
        let level = self.styles.level(title.style);
        let span = self.span(at, at + title.lines);
        self.outline.heading(level, super::inline::plain(title.text), span);
        self.go(at + title.lines);
        true
    }

    fn transition(&mut self, at: usize) -> bool {
        let alone = at + 1 >= self.frame().end || self.lines.is_blank(at + 1);
        let is_rule = alone && self.text(at).len() >= 4 && titles::adornment(self.text(at)).is_some();
        if is_rule {
            self.leaf(BlockKind::Rule, at, at + 1);
        }
        is_rule
    }

    /// What kind of list item line `at` begins.
    fn marker(&self, at: usize) -> Option<Marker> {
        let indent = self.indent(at);
        let text = self.text(at);
        let next = at + 1;
        let more = next < self.frame().end && !self.lines.is_blank(next);
        let deeper = more && self.lines.indent(next) > indent;
        let sibling = || more && self.lines.indent(next) == indent && markers::of(self.lines.trimmed(next)).is_some();
        match markers::of(text) {
            // `A. Miller` at the start of a wrapped line of prose.
            Some((Marker::Number(_), _)) if more && !deeper && !sibling() => None,
            Some((marker, _)) => Some(marker),
            None if deeper && !text.ends_with("::") && !is_other(text) => Some(Marker::Term),
            None => None,
        }
    }

    fn next_item(&mut self, at: usize, marker: Marker) {
        let frame = self.frame();
        let indent = self.indent(at);
        if indent != frame.indent || is_explicit(self.text(at)) || self.marker(at) != Some(marker) {
            return self.pop();
        }
        let start = self.begin(at);
        let end = self.body_end(at + 1, indent + 1);
        if marker == Marker::Term {
            let term = self.span(at, at + 1);
            self.enter(BlockKind::Item, start, None, at + 1, end);
            return self.outline.block(BlockKind::Paragraph, term);
        }
        let width = markers::of(self.text(at)).map_or(0, |(_, width)| width);
        // The name of a field is text, the sign of an item is not.
        let plain = marker == Marker::Field;
        let first = First { line: at, byte: if plain { start } else { start + width }, plain };
        self.enter(BlockKind::Item, start, Some(first), at + 1, end);
        if let Some(item) = self.frames.last_mut().filter(|_| !plain) {
            item.indent = item.indent.min(indent + width);
        }
        if self.text(at).is_empty() {
            self.go(at + 1);
        }
    }

    fn paragraph(&mut self, at: usize) {
        let end = self.lines.next_blank(at, self.frame().end).max(at + 1);
        let span = self.span(at, end);
        if !self.lines.whole()[span.range()].ends_with("::") {
            return self.leaf(BlockKind::Paragraph, at, end);
        }
        self.before_code(at, end);
    }
}

/// `..` and `__` open explicit markup.
fn is_explicit(text: &str) -> bool {
    text == ".." || text.starts_with(".. ") || text.starts_with("__ ")
}

/// Lines that begin something else than a term, whatever is indented after them.
fn is_other(text: &str) -> bool {
    text.starts_with(">>>") || text.starts_with("| ") || text.starts_with('+') || titles::adornment(text).is_some()
}
