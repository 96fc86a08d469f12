//! A vocabulary of byte pairs: its tokens, and which of them merge.
//!
//! Layout of an asset: the number of tokens (32 bits, low byte first), the 256 single bytes in order of rank, then for
//! each further token, in order of rank, the two tokens it was merged from. Each is a number of bits, lowest first: four
//! bits `k`, then three plain bits when `k` is 0, else the `k + 2` bits below the leading one. `examples/vocabulary.rs`
//! makes it.

use super::bits::Bits;
use super::bridges::Bridges;
use super::filter::Filter;
use super::table::Table;
use super::tokens::Tokens;
use super::trie::Trie;

/// Tokens below this are the single bytes.
const BYTES: u32 = 256;

/// Tokens and merges in flat tables.
pub(super) struct Vocabulary {
    /// The tokens by their bytes.
    pub(super) trie: Trie,
    /// Where characters may be parted.
    pub(super) bridges: Bridges,
    /// Bytes of the longest token.
    pub(super) longest: usize,
    /// For each token the two it was merged from.
    parts: Vec<(u32, u32)>,
    /// Two tokens to the one they merge into, and a filter in front of it, as most do not merge.
    merges: Table,
    merging: Filter,
}

impl Vocabulary {
    /// Reads an asset.
    pub(super) fn read(asset: &[u8]) -> Self {
        let (head, rest) = asset.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
        let (bytes, pairs) = rest.split_at(rest.len().min(BYTES as usize));
        let count = u32::from_le_bytes(*head);
        let mut tokens = Tokens::of_bytes(bytes);
        let mut parts = vec![(0, 0); bytes.len()];
        let (mut merges, mut merging) = (Table::for_entries(count as usize), Filter::new(20));
        let mut bits = Bits::new(pairs);
        for token in BYTES..count {
            let (left, right) = (bits.number(), bits.number());
            tokens.merge(left, right);
            parts.push((left, right));
            merges.get_or_insert(left, right, token);
            merging.add(left, right);
        }
        let all = || (0..count).map(|token| tokens.get(token));
        let longest = all().map(<[u8]>::len).max().unwrap_or(1);
        Self { trie: Trie::new(&tokens), bridges: Bridges::new(all()), longest, parts, merges, merging }
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
                left = self.parts.get(left as usize).map_or(0, |parts| parts.1);
            } else {
                limit = right + 1;
                right = self.parts.get(right as usize).map_or(0, |parts| parts.0);
            }
        }
    }
}
