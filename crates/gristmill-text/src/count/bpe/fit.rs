//! How far into a piece a number of tokens reaches.

use super::Counter;
use super::classes::{NEWLINE, SPACE};
use super::merge;
use super::pretoken::Pattern;

/// Pieces up to this long are tried at every character; for longer ones the counts of all beginnings are worked out.
const SHORT: usize = 64;

/// The piece at `at` of a text that is counted from `start` on, when `left` tokens may lie after `at`.
pub(super) struct Step<'t> {
    text: &'t str,
    start: usize,
    at: usize,
    left: usize,
}

/// How far the piece may be taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// All of it, up to this end, with so many tokens.
    Whole(usize, usize),
    /// Up to this end only.
    Part(usize),
}

impl<'t> Step<'t> {
    /// No text of more than `left` times `longest` bytes fits, so the text ends soon behind that.
    pub(super) fn new(text: &'t str, start: usize, at: usize, left: usize, longest: usize) -> Self {
        let room = left.saturating_add(1).saturating_mul(longest);
        let end = text.floor_char_boundary(at.saturating_add(room));
        Self { text: text.get(..end).unwrap_or_default(), start, at, left }
    }

    /// Takes as much as fits.
    pub(super) fn take<P: Pattern>(&self, counter: &mut Counter<'_, P>) -> Taken {
        let end = P::end(counter.classes, self.text.as_bytes(), self.at);
        if end - self.at > SHORT {
            return self.take_long(counter, end);
        }
        let count = counter.total(self.text, self.at, end);
        if count <= self.left {
            return Taken::Whole(end, count);
        }
        Taken::Part(self.last_fitting(counter, end, |_| true))
    }

    fn take_long<P: Pattern>(&self, counter: &mut Counter<'_, P>, end: usize) -> Taken {
        let end_alone = self.end_alone(counter, end);
        let piece = self.text.as_bytes().get(self.at..end_alone).unwrap_or_default();
        let counts = merge::beginnings(counter.vocabulary, piece, self.left);
        let fits = |length: usize| counts.get(length).is_some_and(|count| *count <= self.left);
        match counts.get(end - self.at) {
            Some(count) if *count <= self.left => Taken::Whole(end, *count),
            _ => Taken::Part(self.last_fitting(counter, end, |end| fits(end - self.at))),
        }
    }

    /// The last end of a character in the piece up to which it fits, of those that `may` fit.
    fn last_fitting<P: Pattern>(&self, counter: &mut Counter<'_, P>, end: usize, may: impl Fn(usize) -> bool) -> usize {
        let piece = self.text.get(self.at..self.end_alone(counter, end)).unwrap_or_default();
        let ends = piece.char_indices().rev().map(|(at, char)| self.at + at + char.len_utf8());
        let fitting = ends.filter(|end| may(*end)).find(|end| counter.total(self.text, self.at, *end) <= self.left);
        fitting.or_else(|| self.white_space_run(counter)).unwrap_or(self.at)
    }

    /// White space leaves its last character to what follows, unless the text ends there.
    fn end_alone<P: Pattern>(&self, counter: &Counter<'_, P>, end: usize) -> usize {
        counter.classes.run(self.text.as_bytes(), self.at, SPACE | NEWLINE).max(end)
    }

    /// The end of the white space around `at` if, taken as one piece, it has no more tokens than its parts may have.
    fn white_space_run<P: Pattern>(&self, counter: &mut Counter<'_, P>) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let (class, length) = counter.classes.at(bytes, self.at);
        let before = self.text.get(self.start..self.at)?;
        let is_space = |char: char| counter.classes.at(char.encode_utf8(&mut [0; 4]).as_bytes(), 0).0 & SPACE != 0;
        let run = self.start + before.trim_end_matches(is_space).len();
        if class & SPACE == 0 || run == self.at {
            return None;
        }
        let allowed = self.left + counter.total(self.text, run, self.at);
        (counter.total(self.text, run, self.at + length) <= allowed).then_some(self.at + length)
    }
}
