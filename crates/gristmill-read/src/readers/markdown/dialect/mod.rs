//! What documentation sites add to Markdown, found by lines before the parser reads them.
//!
//! Each such line, or run of lines, becomes a [`Mark`], and an [`Edit`] for the parser puts `<?>` in its place: a
//! processing instruction, which CommonMark takes as a block of its own on one line, and which ends a paragraph, a lazy
//! line and a list item it is not indented for. So the parser itself says in which container the mark stands.
//! Indentation that means nothing in the dialect is taken off for the parser in the same way.
//!
//! A mark that the parser never shows (because it sees code there) is text like any other.

mod html;
mod lines;
mod math;
mod pairs;
mod recognise;
mod scanner;
mod tag;

use gristmill_core::{BlockKind, Edit, Span};

/// A line or run of lines of the dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Where its first line begins.
    line: usize,
    /// Its text. Empty for the end of a container that ends with its indentation.
    pub(super) span: Span,
    /// True when the parser knows it for an HTML block, and where it ends.
    pub(super) native: bool,
    /// What it is.
    pub(super) kind: MarkKind,
}

/// What a mark does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// It is a block.
    Leaf(BlockKind),
    /// It opens a container, if a mark closes it.
    Open { paired: bool },
    /// It closes the container that the mark of this index opened.
    Close(Option<usize>),
}

/// How the parser is to see the text.
#[derive(Debug, Default)]
pub(super) struct Dialect {
    /// Changes of the text for the parser, sorted.
    pub(super) edits: Vec<Edit>,
    /// In order of the text.
    pub(super) marks: Vec<Mark>,
}

/// Finds the dialect of `text`. In MDX, indentation makes no code.
pub(super) fn dialect(text: &str, mdx: bool) -> Dialect {
    scanner::Scanner::new(text, mdx).scan()
}

/// Marks as they are met in the parser's events.
pub(super) struct Marks {
    marks: Vec<Mark>,
    next: usize,
}

impl Marks {
    pub(super) fn new(marks: Vec<Mark>) -> Self {
        Self { marks, next: 0 }
    }

    /// The mark behind an HTML block that begins at this place of the text, with its index. Places never go back.
    pub(super) fn at(&mut self, place: usize) -> Option<(usize, Mark)> {
        while self.marks.get(self.next).is_some_and(|mark| (mark.span.start as usize) < place) {
            self.next += 1;
        }
        let index = self.next;
        let mark = *self.marks.get(index).filter(|mark| mark.line <= place)?;
        self.next += 1;
        Some((index, mark))
    }
}
