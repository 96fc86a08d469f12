//! What the lines of a piece are: a light reading of Markdown that also works on the middle of a document.
//!
//! A chunk may begin inside a fence or a table that an earlier chunk opened. The state is carried from piece to piece,
//! and where two overlap, from the place at which the overlap begins.

mod fence;
mod line;
mod read;
mod table;

use gristmill_core::Span;

pub use fence::{Fence, marks};
pub(crate) use line::without_containers;
pub use line::{Line, LineKind, item_mark};
pub use read::read;
pub(crate) use read::{atx, is_break, underline};
pub use table::{Table, cells, delimiter_columns, is_framed_row};

/// What a text is inside of at some place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inside {
    /// The code block.
    pub fence: Option<Fence>,
    /// The table.
    pub table: Option<Table>,
}

/// The lines of a piece and what each is.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// All lines, in order. Line ends belong to none.
    pub lines: Vec<Line>,
    /// What the first line is inside of.
    pub starts: Inside,
    /// What the end of the last line is inside of.
    pub ends: Inside,
    /// A code fence that was opened in this piece and is open at its end: its line.
    pub left_open: Option<usize>,
    /// The line that closes the fence in which the piece begins, when it does so in this piece.
    pub closes_first: Option<usize>,
    /// The fence in which it begins is a guess: no piece shows its opening.
    pub guessed: bool,
    /// Headings: line, level from 1, title.
    pub headings: Vec<Heading>,
}

/// A heading in a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The first of its lines.
    pub line: usize,
    /// From 1.
    pub level: u8,
    /// Its words, without the marks around them.
    pub title: String,
}

impl Shape {
    /// The lines of a text that is code from its first line to its last, without a fence around it.
    pub fn of_code(text: &str) -> Self {
        let mut shape = read(text, Inside::default(), false);
        for line in &mut shape.lines {
            let blank = text[line.span.range()].trim().is_empty();
            line.kind = if blank { LineKind::Blank } else { LineKind::Code };
        }
        Self { lines: shape.lines, ..Self::default() }
    }

    /// Puts the lines of `front`, which is injected, before all others.
    pub fn put_in_front(&mut self, front: &str) {
        let mut lines = read(front, Inside::default(), false).lines;
        lines.iter_mut().filter(|line| line.kind != LineKind::Blank).for_each(|line| line.kind = LineKind::Context);
        let (added, bytes) = (lines.len(), u32::try_from(front.len()).unwrap_or(u32::MAX));
        for line in &mut self.lines {
            line.span = Span { start: line.span.start + bytes, end: line.span.end + bytes };
        }
        lines.append(&mut self.lines);
        self.lines = lines;
        self.headings.iter_mut().for_each(|heading| heading.line += added);
        self.left_open = self.left_open.map(|line| line + added);
        self.closes_first = self.closes_first.map(|line| line + added);
    }

    /// The line that holds the byte, or the last before it.
    pub fn line_at(&self, at: usize) -> Option<usize> {
        let after = self.lines.partition_point(|line| line.span.start as usize <= at);
        after.checked_sub(1)
    }

    /// The first line from byte `from` on that is not blank.
    pub fn first_from(&self, from: usize) -> Option<usize> {
        let first =
            self.lines.partition_point(|line| line.span.end as usize <= from && (line.span.start as usize) < from);
        (first..self.lines.len()).find(|index| self.lines[*index].kind != LineKind::Blank)
    }

    /// The last line before byte `until` that is not blank.
    pub fn last_until(&self, until: usize) -> Option<usize> {
        let last = self.lines.partition_point(|line| (line.span.start as usize) < until);
        (0..last).rev().find(|index| self.lines[*index].kind != LineKind::Blank)
    }

    /// The lines around `line` that make up one paragraph with it: neighbours of the same running text.
    pub fn paragraph(&self, line: usize) -> Span {
        let runs = |index: usize| self.lines[index].kind == LineKind::Prose;
        let begins = |index: usize| runs(index) || self.lines[index].kind == LineKind::Item;
        let mut first = line;
        while first > 0 && runs(first) && begins(first - 1) {
            first -= 1;
        }
        let mut last = line;
        while last + 1 < self.lines.len() && begins(last) && runs(last + 1) {
            last += 1;
        }
        Span { start: self.lines[first].span.start, end: self.lines[last].span.end }
    }

    /// True when nothing but headings and blank lines is in `from..until`.
    pub fn only_headings(&self, from: usize, until: usize) -> bool {
        let mut inside =
            self.lines.iter().filter(|line| line.span.start as usize >= from && (line.span.start as usize) < until);
        let mut any = false;
        let all = inside.all(|line| {
            any |= line.kind.is_heading();
            line.kind.is_heading() || line.kind == LineKind::Blank
        });
        any && all
    }
}
