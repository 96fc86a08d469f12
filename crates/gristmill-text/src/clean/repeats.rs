//! Exact repeated blocks: paragraphs that say word for word what an earlier one of the same document says.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

/// Paragraphs below this many characters repeat for good reasons.
pub const SUBSTANTIVE: usize = 60;

/// The paragraphs seen so far.
#[derive(Default)]
pub(crate) struct Repeats<'t> {
    seen: FxHashMap<u64, std::borrow::Cow<'t, str>>,
}

impl<'t> Repeats<'t> {
    /// True when `paragraph` is substantive and equal to an earlier one after folding ASCII white space.
    pub(crate) fn is_repeat(&mut self, paragraph: std::borrow::Cow<'t, str>) -> bool {
        if !is_substantive(&paragraph) {
            return false;
        }
        match self.seen.entry(hash(&paragraph)) {
            std::collections::hash_map::Entry::Occupied(first) => {
                first.get().split_ascii_whitespace().eq(paragraph.split_ascii_whitespace())
            }
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(paragraph);
                false
            }
        }
    }
}

fn is_substantive(paragraph: &str) -> bool {
    if paragraph.len() < SUBSTANTIVE {
        return false;
    }
    let mut size = 0;
    for word in paragraph.split_ascii_whitespace() {
        size += usize::from(size > 0) + word.chars().count();
        if size >= SUBSTANTIVE {
            return true;
        }
    }
    false
}

fn hash(paragraph: &str) -> u64 {
    let mut hasher = FxHasher::default();
    for word in paragraph.split_ascii_whitespace() {
        hasher.write(word.as_bytes());
        hasher.write_u8(b' ');
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_does_not_matter_and_short_ones_do_not_count() {
        let long = "The valve is opened by hand before the pump is started again.";
        assert_eq!(long.chars().count(), 61);
        let mut repeats = Repeats::default();
        assert!(!repeats.is_repeat(long.into()));
        assert!(repeats.is_repeat(long.replacen(' ', "\n  ", 3).into()));
        assert!(!repeats.is_repeat(long.replace("hand", "HAND").into()));
        let short = &long[..59];
        assert!(!repeats.is_repeat(short.into()));
        assert!(!repeats.is_repeat(short.into()));
    }
}
