//! Goes through the text line by line.

use std::borrow::Cow;

use gristmill_core::{BlockKind, Span};

use super::bodies::Body;
use super::continued::{Fence, Html, State, fence};
use super::html::{HtmlEnd, html_block};
use super::lines::{Around, CODE_INDENT, Items, Line, Place, indent, within};
use super::math::math;
use super::pairs::{Closers, Key, Pairs};
use super::recognise::{Form, recognise};
use super::tag::TagKind;
use super::view::Patch;
use super::{Mark, MarkKind};

/// What the parser sees in place of a mark.
pub(super) const SIGN: &str = "<?>";

pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) mdx: bool,
    pub(super) patches: Vec<Patch>,
    pub(super) marks: Vec<Mark>,
    pub(super) pairs: Pairs<'t>,
    pub(super) closers: Closers<'t>,
    pub(super) items: Items,
    pub(super) bodies: Vec<Body>,
    pub(super) state: State,
    /// Columns taken off the lines of this paragraph, list or fence, because they mean nothing.
    pub(super) dedent: usize,
    /// The line before belongs to a paragraph.
    pub(super) in_paragraph: bool,
    /// The line before is blank or begins the text.
    pub(super) after_blank: bool,
    /// Where the line after the last one with text begins.
    pub(super) text_end: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, mdx: bool) -> Self {
        Self {
            text,
            mdx,
            patches: Vec::new(),
            marks: Vec::new(),
            pairs: Pairs::default(),
            closers: Closers::new(text),
            items: Items::default(),
            bodies: Vec::new(),
            state: State::Text,
            dedent: 0,
            in_paragraph: false,
            after_blank: true,
            text_end: 0,
        }
    }

    pub(super) fn scan(mut self) -> (Vec<Patch>, Vec<Mark>) {
        let mut at = 0;
        while at < self.text.len() {
            let line = Line::at(self.text, at);
            at = if self.text[line.start..line.end].trim_matches([' ', '\t']).is_empty() {
                self.blank(line)
            } else {
                self.line(line)
            };
        }
        while !self.bodies.is_empty() {
            self.end_body();
        }
        (self.patches, self.marks)
    }

    fn blank(&mut self, line: Line) -> usize {
        self.in_paragraph = false;
        self.after_blank = true;
        if matches!(self.state, State::Html(Html { end: HtmlEnd::Blank, .. })) {
            self.state = State::Text;
        }
        line.next
    }

    /// Takes a line with text; gives where to go on.
    fn line(&mut self, line: Line) -> usize {
        let (column, _) = indent(self.text.as_bytes(), line.start);
        while self.bodies.last().is_some_and(|body| column < body.column) {
            self.end_body();
        }
        let next = match self.state {
            State::Fence(fence) => self.fence_line(line, fence),
            State::Html(html) => self.html_line(line, html),
            State::Text => self.text_line(line),
        };
        self.after_blank = false;
        self.text_end = next;
        next
    }

    /// Takes meaningless indentation off a line; gives the columns left and where its text begins.
    pub(super) fn dedented(&mut self, line: Line) -> (usize, usize) {
        let bytes = self.text.as_bytes();
        let (columns, content) = indent(bytes, line.start);
        let off = self.bodies.len() * CODE_INDENT + self.dedent;
        if off == 0 || columns == 0 {
            return (columns, content);
        }
        let taken = line.start + within(&bytes[line.start..content], off);
        self.patch(line.start, taken, "", None);
        (columns.saturating_sub(off), content)
    }

    pub(super) fn patch(&mut self, start: usize, end: usize, with: impl Into<Cow<'static, str>>, mark: Option<usize>) {
        self.patches.push(Patch { start, end, with: with.into(), mark });
    }

    pub(super) fn text_line(&mut self, line: Line) -> usize {
        let place = self.place(line);
        if place.content >= line.end || place.within >= CODE_INDENT {
            self.in_paragraph &= !place.item && place.content < line.end;
            return line.next;
        }
        let was_paragraph = std::mem::replace(&mut self.in_paragraph, false) && !place.item;
        let text = &self.text[place.content..];
        let content = &self.text[place.content..line.end];
        if let Some((mark, width)) = fence(content) {
            self.state = State::Fence(Fence { mark, width, around: self.around(place) });
            return line.next;
        }
        if content.starts_with("$$") || content.starts_with("\\[") {
            let off = self.bodies.len() * CODE_INDENT + self.dedent;
            if let Some(len) = math(self.text, place.content, self.around(place), off) {
                self.mark(place.content, place.content + len, MarkKind::Leaf(BlockKind::Math));
                return Line::at(self.text, place.content + len).next;
            }
        }
        if let Some((form, len)) = recognise(text, self.mdx, self.after_blank) {
            if !(was_paragraph && self.is_placeholder(form, place.content + len)) {
                return self.form(line, place, form, len);
            }
            self.in_paragraph = true;
            return line.next;
        }
        if let Some(end) = html_block(content, was_paragraph) {
            self.html(line, place, end);
            return line.next;
        }
        self.in_paragraph = !content.starts_with('#');
        line.next
    }

    pub(super) fn around(&self, place: Place) -> Around {
        Around { quotes: place.quotes, column: self.items.column(place.quotes) }
    }

    /// Where the line stands. In MDX and in components, indentation that belongs to no list means nothing.
    fn place(&mut self, line: Line) -> Place {
        let bytes = self.text.as_bytes();
        let free = self.mdx || self.pairs.in_tag();
        let (columns, _) = indent(bytes, line.start);
        let own = columns.saturating_sub(self.bodies.len() * CODE_INDENT);
        let around = self.bodies.last().map_or(0, |body| body.items);
        if !free {
            self.dedent = 0;
        } else if !self.in_paragraph || self.items.len() <= around {
            self.items.end_before(0, own.saturating_sub(self.dedent));
            if self.items.len() <= around {
                self.dedent = own.saturating_sub(self.items.column(0));
            }
        }
        let (column, content) = self.dedented(line);
        self.items.enter(bytes, line.end, column, content, self.in_paragraph)
    }

    /// Outside MDX, a tag within a paragraph that nothing closes or opens is a word of it, such as `<NAME>`.
    fn is_placeholder(&mut self, form: Form<'_>, end: usize) -> bool {
        match form {
            Form::Component { name, kind: TagKind::Open } => !self.mdx && !self.closers.close_after(name, end),
            Form::Component { name, kind: TagKind::Close } => !self.mdx && !self.pairs.waits(Key::Tag(name), 0),
            _ => false,
        }
    }

    fn form(&mut self, line: Line, place: Place, form: Form<'t>, len: usize) -> usize {
        let end = place.content + len;
        let next = Line::at(self.text, end).next;
        let kind = match form {
            Form::Colons { width, opens: true } => self.open(Key::Colons, width),
            Form::Colons { width, opens: false } => MarkKind::Close(self.close(Key::Colons, width)),
            Form::Slashes { width, opens: true } => self.open(Key::Slashes(width), 0),
            Form::Slashes { width, opens: false } => MarkKind::Close(self.close(Key::Slashes(width), 0)),
            Form::Component { name, kind: TagKind::Open } if self.closers.close_after(name, end) => {
                self.open(Key::Tag(name), 0)
            }
            Form::Component { name, kind: TagKind::Close } => MarkKind::Close(self.close(Key::Tag(name), 0)),
            Form::Component { .. } | Form::Alone => MarkKind::Leaf(BlockKind::Html),
            Form::Indented => self.indented(line, place, next),
        };
        self.mark(place.content, end, kind);
        next
    }

    pub(super) fn open(&mut self, key: Key<'t>, width: usize) -> MarkKind {
        self.pairs.open(key, self.marks.len(), width);
        MarkKind::Open { paired: false }
    }

    pub(super) fn close(&mut self, key: Key<'t>, width: usize) -> Option<usize> {
        let opener = self.pairs.close(key, width)?;
        if let Some(mark) = self.marks.get_mut(opener) {
            mark.kind = MarkKind::Open { paired: true };
        }
        Some(opener)
    }

    pub(super) fn mark(&mut self, start: usize, end: usize, kind: MarkKind) {
        self.patch(start, end, SIGN, Some(self.marks.len()));
        self.marks.push(Mark { span: Span::new(start, end), native: false, kind });
    }
}
