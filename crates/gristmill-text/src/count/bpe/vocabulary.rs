//! A vocabulary of byte pairs: its tokens as a tree of bytes, and which tokens merge into which.
//!
//! Layout of an asset: the number of tokens (32 bits, low byte first), the 256 single bytes in order of rank, then for
//! each further token, in order of rank, the two tokens it was merged from. Each is a number of bits, lowest first: four
//! bits `k`, then three plain bits when `k` is 0, else the `k + 2` bits below the leading one. `examples/vocabulary.rs`
//! makes it.

use super::bits::Bits;
use super::bridges::Bridges;
use super::table::Table;

/// Tokens below this are the single bytes.
const BYTES: u32 = 256;

/// Tokens and merges in flat tables.
pub(super) struct Vocabulary {
    /// Nodes of the tree and bytes to nodes. The node where a token ends has its number, all others have greater ones.
    tree: Table,
    /// The tokens that are one byte.
    roots: [u32; 256],
    /// Number of tokens.
    count: u32,
    /// For each token the two it was merged from.
    parts: Vec<(u32, u32)>,
    /// Two tokens to the one they merge into.
    merges: Table,
    /// Bytes of the longest token.
    longest: usize,
    /// Where characters may be parted.
    bridges: Bridges,
}

impl Vocabulary {
    /// Reads an asset.
    pub(super) fn read(asset: &[u8]) -> Self {
        let (head, rest) = asset.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
        let (bytes, pairs) = rest.split_at(rest.len().min(BYTES as usize));
        let count = u32::from_le_bytes(*head);
        let mut tokens = Tokens { bytes: bytes.to_vec(), starts: (0..=BYTES).collect() };
        let mut parts = vec![(0, 0); BYTES as usize];
        let mut merges = Table::for_entries(count as usize);
        let mut bits = Bits::new(pairs);
        for token in BYTES..count {
            let (left, right) = (bits.number(), bits.number());
            tokens.merge(left, right);
            parts.push((left, right));
            merges.get_or_insert(left, right, token);
        }
        let mut vocabulary = Self {
            tree: Table::for_entries(count as usize * 9 / 4),
            roots: [0; 256],
            count,
            parts,
            merges,
            longest: 1,
            bridges: Bridges::default(),
        };
        vocabulary.plant(&tokens);
        vocabulary
    }

    /// Puts all tokens into the tree, the short ones first, so that a node is made for a token before any that passes it.
    fn plant(&mut self, tokens: &Tokens) {
        for (token, byte) in (0..).zip(tokens.get(0..BYTES)) {
            if let Some(root) = self.roots.get_mut(usize::from(*byte)) {
                *root = token;
            }
        }
        let mut fresh = self.count;
        for token in tokens.by_length() {
            let Some(&(left, right)) = self.parts.get(token as usize).filter(|_| token >= BYTES) else { continue };
            let Some((last, way)) = tokens.get(right..right + 1).split_last() else { continue };
            let mut node = left;
            for byte in way {
                let next = self.tree.get_or_insert(node, (*byte).into(), fresh);
                fresh += u32::from(next == fresh);
                node = next;
            }
            self.tree.get_or_insert(node, (*last).into(), token);
            let bytes = tokens.get(token..token + 1);
            self.longest = self.longest.max(bytes.len());
            self.bridges.add(bytes);
        }
    }

    /// Bytes of the longest token.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Where characters may be parted.
    pub(super) fn bridges(&self) -> &Bridges {
        &self.bridges
    }

    /// The tokens that begin at `at`, shortest first, with their ends.
    pub(super) fn tokens_at<'a>(&'a self, piece: &'a [u8], at: usize) -> impl Iterator<Item = (u32, usize)> + 'a {
        let mut rest = (at + 1..).zip(piece.get(at..).unwrap_or_default());
        let first = rest.next().and_then(|(end, byte)| Some((*self.roots.get(usize::from(*byte))?, end)));
        let further = rest.scan(first.map_or(0, |first| first.0), |node, (end, byte)| {
            *node = self.tree.get(*node, u32::from(*byte))?;
            Some((*node, end))
        });
        first.into_iter().chain(further).filter(|(node, _)| *node < self.count)
    }

    /// Whether `left` and `right` stay two tokens when the bytes of both are encoded together.
    ///
    /// Runs the merging backwards: at any time one token lies left of the border and one right of it, and undoing the
    /// later of the two goes back in time. The border falls if those two merge before (`limit`) one of them is merged
    /// away from it. Of equal ranks the leftmost merge comes first, hence `right + 1`.
    pub(super) fn stay_apart(&self, mut left: u32, mut right: u32) -> bool {
        let mut limit = u32::MAX;
        loop {
            if self.merges.get(left, right).is_some_and(|merged| merged < limit) {
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

/// The bytes of all tokens, one after the other, and where each begins.
struct Tokens {
    bytes: Vec<u8>,
    starts: Vec<u32>,
}

impl Tokens {
    /// The bytes of a range of tokens.
    fn get(&self, range: std::ops::Range<u32>) -> &[u8] {
        let bound = |token: u32| self.starts.get(token as usize).map_or(0, |start| *start as usize);
        self.bytes.get(bound(range.start)..bound(range.end)).unwrap_or_default()
    }

    /// Adds the token of the bytes of `left` and `right`.
    fn merge(&mut self, left: u32, right: u32) {
        for token in [left, right] {
            let bound = |token: u32| self.starts.get(token as usize).map_or(0, |start| *start as usize);
            self.bytes.extend_from_within(bound(token)..bound(token + 1));
        }
        self.starts.push(self.bytes.len() as u32);
    }

    /// All tokens, the shortest first.
    fn by_length(&self) -> Vec<u32> {
        let mut groups = vec![Vec::new(); 8];
        for (token, bounds) in (0..).zip(self.starts.windows(2)) {
            let length = bounds.last().zip(bounds.first()).map_or(0, |(end, start)| (end - start) as usize);
            if groups.len() <= length {
                groups.resize(length + 1, Vec::new());
            }
            if let Some(group) = groups.get_mut(length) {
                group.push(token);
            }
        }
        groups.concat()
    }
}
