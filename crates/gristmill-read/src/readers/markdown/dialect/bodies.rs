//! Containers whose content is indented under their mark.

use gristmill_core::{BlockKind, Span};

use super::continued::State;
use super::lines::{CODE_INDENT, Line, Place, indent};
use super::pairs::Key;
use super::scanner::{SIGN, Scanner};
use super::{Mark, MarkKind};

/// What an indented container holds: lines of at least this indentation.
pub(super) struct Body {
    pub(super) column: usize,
    /// Columns before its mark, as the parser sees it.
    pub(super) mark_column: usize,
    /// Index of its mark.
    pub(super) mark: usize,
    /// Number of list items around it.
    pub(super) items: usize,
}

impl Scanner<'_> {
    /// A mark whose body is indented by four columns more, if the next line with text is.
    pub(super) fn indented(&mut self, line: Line, place: Place, next: usize) -> MarkKind {
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
    pub(super) fn end_body(&mut self) {
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
}
