//! Sizes in code points.

use std::ops::Range;

use gristmill_core::{Measured, Part, Sizer, Unit};

/// Bytes between two counts of the index.
const BLOCK: usize = 256;

/// Counts code points.
pub(super) struct Chars;

impl Sizer for Chars {
    fn name(&self) -> &str {
        Unit::Chars.name()
    }

    fn unit(&self) -> Unit {
        Unit::Chars
    }

    fn size(&self, text: &str) -> usize {
        text.chars().count()
    }

    fn measure<'t>(&'t self, text: &'t str) -> Box<dyn Measured + 't> {
        Box::new(MeasuredChars::new(text))
    }
}

struct MeasuredChars<'t> {
    text: &'t str,
    /// Characters that begin before each block.
    before: Vec<usize>,
}

impl<'t> MeasuredChars<'t> {
    fn new(text: &'t str) -> Self {
        let mut total = 0;
        let before = text.as_bytes().chunks(BLOCK).map(|block| {
            let before = total;
            total += starts(block);
            before
        });
        Self { text, before: before.collect() }
    }

    /// Characters that begin before byte `at`.
    fn before(&self, at: usize) -> usize {
        let block = (at / BLOCK).min(self.before.len().saturating_sub(1));
        let rest = self.text.as_bytes().get(block * BLOCK..at).unwrap_or_default();
        self.before.get(block).copied().unwrap_or(0) + starts(rest)
    }
}

/// The characters that begin in `bytes`.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| is_start(**byte)).count()
}

fn is_start(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

impl Measured for MeasuredChars<'_> {
    fn size(&self, range: Range<usize>) -> usize {
        self.before(range.end) - self.before(range.start)
    }

    fn reach(&self, start: usize, max: usize) -> usize {
        let target = self.before(start).saturating_add(max);
        let block = self.before.partition_point(|before| *before <= target).saturating_sub(1);
        let first = self.before.get(block).copied().unwrap_or(0);
        let from = block * BLOCK;
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        let begins = rest.iter().enumerate().filter(|(_, byte)| is_start(**byte));
        begins.map(|(at, _)| from + at).nth(target - first).unwrap_or(self.text.len())
    }

    fn content_size(&self, content: &str, _: &[Part]) -> usize {
        content.chars().count()
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
    fn code_points_are_counted() {
        assert_eq!(Chars.size("aé中🙂e\u{301}"), 6);
        assert_eq!(Chars.measure("").reach(0, 5), 0);
        assert_eq!(Chars.measure("aé中🙂").reach(1, 2), 6);
        assert_eq!(Chars.measure("aé中🙂").reach(1, 0), 1);
    }

    proptest! {
        #[test]
        fn ranges_are_as_if_taken_alone(text in rich_text(200), a: prop::sample::Index, b: prop::sample::Index) {
            let borders: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (from, to) = (a.index(borders.len()), b.index(borders.len()));
            let (from, to) = (from.min(to), from.max(to));
            let measured = Chars.measure(&text);
            prop_assert_eq!(measured.size(borders[from]..borders[to]), to - from);
            prop_assert_eq!(measured.reach(borders[from], to - from), borders[to]);
            prop_assert_eq!(measured.reach(borders[to], usize::MAX), text.len());
        }
    }
}
