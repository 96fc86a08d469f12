//! A vocabulary of byte pairs: its tokens, and which of them merge.

use super::bridges::Bridges;
use super::layout;
use super::table::{Filter, Table, Words};
use super::trie::Trie;

/// Tokens below this are the single bytes.
const BYTES: u32 = 256;

/// Tokens and merges in flat tables, made when the crate was built (`make`).
pub(super) struct Vocabulary {
    /// The tokens by their bytes.
    pub(super) trie: Trie,
    /// Where characters may be parted.
    pub(super) bridges: Bridges,
    /// Bytes of the longest token.
    pub(super) longest: usize,
    /// For each token the two it was merged from.
    parts: Words,
    /// Two tokens to the one they merge into, and a filter in front of it, as most do not merge.
    merges: Table,
    merging: Filter,
}

impl Vocabulary {
    /// Opens tables in the layout of [`layout`].
    pub(super) fn open(tables: &'static [u8]) -> Self {
        let mut words = Words::new(tables);
        let longest = words.take(1).get(0).unwrap_or(1) as usize;
        let lengths = words.take(layout::SECTIONS);
        let sections: [Words; layout::SECTIONS] =
            std::array::from_fn(|section| words.take(lengths.get(section).unwrap_or(0) as usize));
        Self {
            trie: Trie {
                nodes: sections[layout::NODES],
                roots: sections[layout::ROOTS],
                heads: Table(sections[layout::HEADS]),
                shorter: sections[layout::SHORTER],
            },
            bridges: Bridges(Filter(sections[layout::BRIDGES])),
            longest,
            parts: sections[layout::PARTS],
            merges: Table(sections[layout::MERGES]),
            merging: Filter(sections[layout::MERGING]),
        }
    }

    /// Whether `left` and `right` stay two tokens when the bytes of both are encoded together.
    ///
    /// Runs the merging backwards: at any time one token lies left of the border and one right of it, and undoing the
    /// later of the two goes back in time. The border falls if those two merge before (`limit`) one of them is merged
    /// away from it. Of equal ranks the leftmost merge comes first, hence `right + 1`.
    pub(super) fn stay_apart(&self, mut left: u32, mut right: u32) -> bool {
        let mut limit = u32::MAX;
        loop {
            if self.merging.may_have(left, right) && self.merges.get(left, right).is_some_and(|merged| merged < limit) {
                return false;
            }
            if left.max(right) < BYTES {
                return true;
            }
            if left > right {
                limit = left;
                left = self.parts(left).1;
            } else {
                limit = right + 1;
                right = self.parts(right).0;
            }
        }
    }

    fn parts(&self, token: u32) -> (u32, u32) {
        let word = self.parts.get(token as usize).unwrap_or(0);
        ((word >> 32) as u32, word as u32)
    }
}
