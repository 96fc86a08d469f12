//! Sizes in words: runs of characters that are not white space, as Python's `str.split()` sees them.

use std::ops::Range;

use gristmill_core::{Measured, Part, Sizer, Unit};

/// Counts words.
pub(super) struct Words;

impl Sizer for Words {
    fn name(&self) -> &str {
        Unit::Words.name()
    }

    fn unit(&self) -> Unit {
        Unit::Words
    }

    fn size(&self, text: &str) -> usize {
        starts(text).count()
    }

    fn measure<'t>(&'t self, text: &'t str) -> Box<dyn Measured + 't> {
        Box::new(MeasuredWords { text, starts: starts(text).collect() })
    }
}

struct MeasuredWords<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl MeasuredWords<'_> {
    /// The number of words that begin before `at`.
    fn before(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start < at)
    }

    /// Whether `at` lies within a word, so that a cut there makes two of it.
    fn cuts(&self, at: usize) -> bool {
        let is_word = |char: Option<char>| char.is_some_and(|char| !is_white_space(char));
        let (left, right) = (self.text.get(..at).unwrap_or_default(), self.text.get(at..).unwrap_or_default());
        is_word(left.chars().next_back()) && is_word(right.chars().next())
    }
}

/// Where the words of `text` begin.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    let mut in_word = false;
    text.char_indices().filter_map(move |(at, char)| {
        let begins = !in_word & !is_white_space(char);
        in_word = !is_white_space(char);
        begins.then_some(at)
    })
}

/// `White_Space` and the four separators of ASCII, which Python counts as white space, too.
fn is_white_space(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{1c}'..='\u{1f}')
}

impl Measured for MeasuredWords<'_> {
    fn size(&self, range: Range<usize>) -> usize {
        let cut = usize::from(!range.is_empty() && self.cuts(range.start));
        self.before(range.end) - self.before(range.start) + cut
    }

    fn reach(&self, start: usize, max: usize) -> usize {
        let cut = usize::from(self.cuts(start));
        match max.checked_sub(cut) {
            Some(whole) => {
                let next = self.before(start).saturating_add(whole);
                self.starts.get(next).copied().unwrap_or(self.text.len())
            }
            None => start,
        }
    }

    fn content_size(&self, content: &str, _: &[Part]) -> usize {
        starts(content).count()
    }

    fn is_exact(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::count::bpe::testing::rich_text;

    #[test]
    fn white_space_is_what_python_splits_at() {
        // Each checked with `len(s.split())` in CPython 3.12.
        for (text, words) in [("", 0), (" a  b\n", 2), ("a\u{1c}b\u{1f}c", 3), ("a\u{85}b\u{a0}c\u{3000}d", 4)] {
            assert_eq!(Words.size(text), words, "{text:?}");
        }
        assert_eq!(Words.size("a\u{200b}b\u{feff}c\u{180e}d"), 1);
    }

    #[test]
    fn reach_takes_the_white_space_after_the_last_word() {
        let measured = Words.measure("one two  three");
        assert_eq!((measured.reach(0, 1), measured.reach(0, 2), measured.reach(0, 3)), (4, 9, 14));
        assert_eq!((measured.reach(1, 1), measured.reach(1, 0), measured.reach(3, 0)), (4, 1, 4));
    }

    proptest! {
        #[test]
        fn ranges_are_as_if_taken_alone(text in rich_text(40), at: prop::sample::Index) {
            let borders: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let start = borders[at.index(borders.len())];
            let measured = Words.measure(&text);
            for end in borders.iter().copied().filter(|end| *end >= start) {
                let size = Words.size(&text[start..end]);
                prop_assert_eq!(measured.size(start..end), size);
                let reached = measured.reach(start, size);
                prop_assert!(reached >= end && Words.size(&text[start..reached]) == size);
                prop_assert!(text[reached..].chars().next().is_none_or(|next| !is_white_space(next)));
            }
        }
    }
}
