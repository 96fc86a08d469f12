//! Byte ranges of a document's text.

use std::ops::Range;

/// A half-open range of bytes, `start..end`, on character borders of the text it belongs to.
///
/// 32 bits: one window of text is held below 4 GiB; larger files come as consecutive windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span of `start..end`.
    ///
    /// # Panics
    /// When the positions do not fit 32 bits, which a window never reaches.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "span {start}..{end}");
        let fit = |n: usize| u32::try_from(n).expect("a window of text is below 4 GiB");
        Self { start: fit(start), end: fit(end) }
    }

    /// The same as a range that slices text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Number of bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// True when it covers nothing.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// True when `other` lies within.
    pub fn covers(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The span without white space at its ends. `text` is the text it belongs to.
    pub fn trimmed(self, text: &str) -> Self {
        let inner = &text[self.range()];
        let start = self.start as usize + (inner.len() - inner.trim_start().len());
        Self::new(start, start + inner.trim().len())
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trimming_keeps_the_words() {
        let text = " \n ab c\t";
        assert_eq!(Span::new(0, text.len()).trimmed(text), Span::new(3, 7));
        assert!(Span::new(0, 2).trimmed(text).is_empty());
    }
}
