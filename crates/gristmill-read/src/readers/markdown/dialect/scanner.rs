//! Goes through the text line by line.

use std::borrow::Cow;

use gristmill_core::{BlockKind, Span};

use super::html::{HtmlEnd, details, holds_end, html_block};
use super::lines::{Around, CODE_INDENT, Items, Line, Place, indent, inside};
use super::math::math;
use super::pairs::{Closers, Key, Pairs};
use super::recognise::{Form, recognise};
use super::tag::TagKind;
use super::view::Patch;
use super::{Mark, MarkKind};

/// What the parser sees in place of a mark.
const SIGN: &str = "<?>";

pub(super) struct Scanner<'t> {
    text: &'t str,
    mdx: bool,
    patches: Vec<Patch>,
    marks: Vec<Mark>,
    pairs: Pairs<'t>,
    closers: Closers<'t>,
    items: Items,
    bodies: Vec<Body>,
    state: State,
    /// Columns taken off the lines of this paragraph, list or fence, because they mean nothing.
    dedent: usize,
    /// The line before belongs to a paragraph.
    in_paragraph: bool,
    /// The line before is blank or begins the text.
    after_blank: bool,
    /// Where the line after the last one with text begins.
    text_end: usize,
}

/// What an indented container holds: lines of at least this indentation.
struct Body {
    column: usize,
    /// Columns before its mark, as the parser sees it.
    mark_column: usize,
    /// Index of its mark.
    mark: usize,
    /// Number of list items around it.
    items: usize,
}

#[derive(Clone, Copy)]
enum State {
    Text,
    Fence(Fence),
    Html(Html),
}

#[derive(Clone, Copy)]
struct Fence {
    mark: u8,
    width: usize,
    around: Around,
}

#[derive(Clone, Copy)]
struct Html {
    end: HtmlEnd,
    around: Around,
    /// Where it and its line begin.
    start: usize,
    line: usize,
    /// Number of patches and marks before it.
    patches: usize,
    marks: usize,
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
            at = if self.text[line.start..line.end].trim().is_empty() { self.blank(line) } else { self.line(line) };
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
    fn dedented(&mut self, line: Line) -> (usize, usize) {
        let bytes = self.text.as_bytes();
        let (columns, content) = indent(bytes, line.start);
        let off = self.bodies.len() * CODE_INDENT + self.dedent;
        if off == 0 || columns == 0 {
            return (columns, content);
        }
        let mut taken = line.start;
        while taken < content && indent(&bytes[..=taken], line.start).0 <= off {
            taken += 1;
        }
        self.patch(line.start, taken, "", None);
        (columns.saturating_sub(off), content)
    }

    fn patch(&mut self, start: usize, end: usize, with: impl Into<Cow<'static, str>>, mark: Option<usize>) {
        self.patches.push(Patch { start, end, with: with.into(), mark });
    }

    fn fence_line(&mut self, line: Line, fence: Fence) -> usize {
        let Some((column, at)) = self.inside(line, fence.around) else { return self.leave_and_read(line) };
        let bytes = &self.text.as_bytes()[..line.end];
        self.dedented(line);
        let marks = bytes[at..].iter().take_while(|&&byte| byte == fence.mark).count();
        let closes = marks >= fence.width && column < fence.around.column + CODE_INDENT;
        if closes && self.text[at + marks..line.end].trim().is_empty() {
            self.state = State::Text;
        }
        line.next
    }

    /// The column and place of a line's content, if the line goes on in the same quotes and list item.
    fn inside(&self, line: Line, around: Around) -> Option<(usize, usize)> {
        inside(self.text.as_bytes(), line, around, self.bodies.len() * CODE_INDENT + self.dedent)
    }

    /// The fence or HTML block ends before this line.
    fn leave_and_read(&mut self, line: Line) -> usize {
        self.state = State::Text;
        self.text_line(line)
    }

    fn html_line(&mut self, line: Line, html: Html) -> usize {
        let Some((_, at)) = self.inside(line, html.around) else { return self.leave_and_read(line) };
        let content = &self.text[at..line.end];
        match html.end {
            HtmlEnd::Line(ends) => {
                if holds_end(content, ends) {
                    self.state = State::Text;
                }
            }
            HtmlEnd::Blank if fence(content).is_some() => {
                self.html_before_fence(html);
                return self.leave_and_read(line);
            }
            HtmlEnd::Blank => self.end_details_within(content, html.marks),
        }
        self.dedented(line);
        line.next
    }

    /// Authors mean the fence: what stands before it becomes a mark, so that the parser sees the fence too.
    fn html_before_fence(&mut self, html: Html) {
        self.patches.truncate(html.patches);
        let end = html.start + self.text[html.start..self.text_end].trim_end().len();
        let opener = self.marks.get(html.marks).copied();
        self.marks.truncate(html.marks);
        let line = Line::at(self.text, html.line);
        self.dedented(line);
        let kind = opener.map_or(MarkKind::Leaf(BlockKind::Html), |mark| mark.kind);
        self.mark(html.start, end, kind);
    }

    /// Details that open and close within one HTML block hold nothing for us.
    fn end_details_within(&mut self, content: &str, first_mark: usize) {
        if holds_end(content, &["</details"]) && self.pairs.waits(Key::Details, first_mark) {
            self.pairs.close(Key::Details, 0);
        }
    }

    fn text_line(&mut self, line: Line) -> usize {
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
            return self.form(line, place, form, len);
        }
        if let Some(end) = html_block(content, was_paragraph) {
            self.html(line, place, end);
            return line.next;
        }
        self.in_paragraph = !content.starts_with('#');
        line.next
    }

    fn around(&self, place: Place) -> Around {
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

    fn html(&mut self, line: Line, place: Place, end: HtmlEnd) {
        let content = &self.text[place.content..line.end];
        if let HtmlEnd::Line(ends) = end {
            let rest = content.get(2..).unwrap_or_default();
            if holds_end(rest, ends) {
                return;
            }
        }
        let dedented = |patch: &Patch| patch.start == line.start && patch.end > patch.start;
        let patches = self.patches.len() - usize::from(self.patches.last().is_some_and(dedented));
        let (around, start) = (self.around(place), place.content);
        let marks = self.marks.len();
        self.state = State::Html(Html { end, around, start, line: line.start, patches, marks });
        let native = |kind| Mark { span: Span::new(start, start), native: true, kind };
        match details(content) {
            Some(TagKind::Open) => {
                self.pairs.open(Key::Details, marks, 0);
                self.marks.push(native(MarkKind::Open { paired: false }));
                self.end_details_within(content, marks);
            }
            Some(TagKind::Close) => {
                let opener = self.close(Key::Details, 0);
                self.marks.push(native(MarkKind::Close(opener)));
            }
            _ => {}
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

    fn open(&mut self, key: Key<'t>, width: usize) -> MarkKind {
        self.pairs.open(key, self.marks.len(), width);
        MarkKind::Open { paired: false }
    }

    fn close(&mut self, key: Key<'t>, width: usize) -> Option<usize> {
        let opener = self.pairs.close(key, width)?;
        if let Some(mark) = self.marks.get_mut(opener) {
            mark.kind = MarkKind::Open { paired: true };
        }
        Some(opener)
    }

    /// A mark whose body is indented by four columns more, if the next line with text is.
    fn indented(&mut self, line: Line, place: Place, next: usize) -> MarkKind {
        let bytes = self.text.as_bytes();
        let (column, content) = indent(bytes, line.start);
        let body = self.text[next..].find(|c: char| !c.is_whitespace()).map_or(next, |at| next + at);
        let body_line = self.text[..body].rfind('\n').map_or(0, |at| at + 1);
        if content != place.content || body >= self.text.len() || indent(bytes, body_line).0 < column + CODE_INDENT {
            return MarkKind::Leaf(BlockKind::Html);
        }
        let (mark, items) = (self.marks.len(), self.items.len());
        self.bodies.push(Body { column: column + CODE_INDENT, mark_column: place.column, mark, items });
        self.open(Key::Indented, 0)
    }

    /// Ends the innermost indented body after the last line with text.
    fn end_body(&mut self) {
        let Some(body) = self.bodies.pop() else { return };
        let opener = if self.pairs.waits(Key::Indented, body.mark) { self.close(Key::Indented, 0) } else { None };
        let blanks = " ".repeat(body.mark_column);
        let mut with = String::new();
        if !self.text[..self.text_end].ends_with('\n') {
            with.push('\n');
        }
        match self.state {
            State::Fence(fence) => {
                with.push_str(&blanks);
                with.extend(std::iter::repeat_n(char::from(fence.mark), fence.width));
                with.push('\n');
            }
            State::Html(_) => with.push('\n'),
            State::Text => {}
        }
        with.push_str(&blanks);
        with.push_str(SIGN);
        with.push('\n');
        self.patch(self.text_end, self.text_end, with, Some(self.marks.len()));
        let span = Span::new(self.text_end, self.text_end);
        self.marks.push(Mark { span, native: false, kind: MarkKind::Close(opener) });
        self.state = State::Text;
        self.in_paragraph = false;
        self.items.truncate(body.items);
    }

    fn mark(&mut self, start: usize, end: usize, kind: MarkKind) {
        self.patch(start, end, SIGN, Some(self.marks.len()));
        self.marks.push(Mark { span: Span::new(start, end), native: false, kind });
    }
}

/// The character and number of marks of the fence that a line opens.
fn fence(content: &str) -> Option<(u8, usize)> {
    let mark = *content.as_bytes().first()?;
    if mark != b'`' && mark != b'~' {
        return None;
    }
    let width = content.bytes().take_while(|&byte| byte == mark).count();
    let info = &content[width..];
    (width >= 3 && !(mark == b'`' && info.contains('`'))).then_some((mark, width))
}
