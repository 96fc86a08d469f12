//! How far into a piece a number of tokens reaches.

use super::Counter;
use super::classes::{NEWLINE, SPACE};
use super::merge;
use super::pretoken::Pattern;

/// Pieces up to this long are tried at every character; in longer ones the counts of all beginnings are worked out.
const SHORT: usize = 64;

/// A piece with more than `left` tokens.
pub(super) struct Overflow<'t> {
    pub(super) text: &'t str,
    /// Where counting began, on or before `at`.
    pub(super) start: usize,
    /// The piece.
    pub(super) at: usize,
    pub(super) end: usize,
    /// Tokens that may lie after `at`.
    pub(super) left: usize,
}

impl Overflow<'_> {
    /// The greatest end, not before `at`, up to which there are no more than `left` tokens.
    pub(super) fn fit<P: Pattern>(&self, counter: &mut Counter<'_, P>) -> usize {
        let end = self.end_of_text_taken_alone(counter);
        let known = if end - self.at > SHORT { self.beginnings(counter, end) } else { Vec::new() };
        let counts = |end: usize| known.get(end - self.at).map_or(known.is_empty(), |count| *count <= self.left);
        let ends = self.borders(end).rev().filter(|end| counts(*end));
        let fitting = ends.into_iter().find(|end| counter.total(self.text, self.at, *end) <= self.left);
        fitting.or_else(|| self.white_space_run(counter)).unwrap_or(self.at)
    }

    /// White space leaves its last character to what follows, unless the text ends there.
    fn end_of_text_taken_alone<P: Pattern>(&self, counter: &Counter<'_, P>) -> usize {
        let run = counter.classes.run(self.text.as_bytes(), self.at, SPACE | NEWLINE);
        run.max(self.end)
    }

    /// The end of each character of the piece up to `end`.
    fn borders(&self, end: usize) -> impl DoubleEndedIterator<Item = usize> {
        let piece = self.text.get(self.at..end).unwrap_or_default();
        piece.char_indices().map(|(at, char)| self.at + at + char.len_utf8())
    }

    fn beginnings<P: Pattern>(&self, counter: &Counter<'_, P>, end: usize) -> Vec<usize> {
        let piece = self.text.as_bytes().get(self.at..end).unwrap_or_default();
        merge::beginnings(counter.vocabulary, piece, self.left)
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
