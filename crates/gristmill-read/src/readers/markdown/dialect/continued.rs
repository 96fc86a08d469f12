//! Blocks that go on over lines in which nothing else is looked for: fences and raw HTML.

use gristmill_core::{BlockKind, Span};

use super::html::{HtmlEnd, details, holds_end};
use super::lines::{Around, CODE_INDENT, Line, Place, inside};
use super::pairs::Key;
use super::scanner::Scanner;
use super::tag::TagKind;
use super::view::Patch;
use super::{Mark, MarkKind};

/// What the line before left open.
#[derive(Clone, Copy)]
pub(super) enum State {
    Text,
    Fence(Fence),
    Html(Html),
}

#[derive(Clone, Copy)]
pub(super) struct Fence {
    pub(super) mark: u8,
    pub(super) width: usize,
    pub(super) around: Around,
}

#[derive(Clone, Copy)]
pub(super) struct Html {
    pub(super) end: HtmlEnd,
    pub(super) around: Around,
    /// Where it and its line begin.
    pub(super) start: usize,
    pub(super) line: usize,
    /// Number of patches and marks before it.
    pub(super) patches: usize,
    pub(super) marks: usize,
}

impl Scanner<'_> {
    pub(super) fn html(&mut self, line: Line, place: Place, end: HtmlEnd) {
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

    pub(super) fn fence_line(&mut self, line: Line, fence: Fence) -> usize {
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

    pub(super) fn html_line(&mut self, line: Line, html: Html) -> usize {
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
    pub(super) fn html_before_fence(&mut self, html: Html) {
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
}

/// The character and number of marks of the fence that a line opens.
pub(super) fn fence(content: &str) -> Option<(u8, usize)> {
    let mark = *content.as_bytes().first()?;
    if mark != b'`' && mark != b'~' {
        return None;
    }
    let width = content.bytes().take_while(|&byte| byte == mark).count();
    let info = &content[width..];
    (width >= 3 && !(mark == b'`' && info.contains('`'))).then_some((mark, width))
}
