//! A vocabulary of byte pairs: its tokens as a tree of bytes, and which tokens merge into which.
//!
//! Layout of an asset: the number of tokens (32 bits, low byte first), the 256 single bytes in order of rank, then for
//! each further token, in order of rank, the two tokens it was merged from. Each is a number of bits, lowest first: four
//! bits `k`, then three plain bits when `k` is 0, else the `k + 2` bits below the leading one. `examples/vocabulary.rs`
//! makes it.

use super::table::Table;

/// Tokens below this are the single bytes.
const BYTES: u32 = 256;
/// No token.
const NONE: u32 = u32::MAX;

/// Tokens and merges in flat tables.
pub(super) struct Vocabulary {
    tree: Table,
    /// For each node the token that ends there, or [`NONE`].
    tokens: Vec<u32>,
    /// For each token the two it was merged from.
    parts: Vec<(u32, u32)>,
    /// Two tokens to the one they merge into.
    merges: Table,
    /// Bytes of the longest token.
    longest: usize,
}

impl Vocabulary {
    /// Reads an asset. A damaged one gives fewer tokens, never a panic; a test reads those that are built in.
    pub(super) fn read(asset: &[u8]) -> Self {
        let (head, rest) = asset.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
        let (bytes, pairs) = rest.split_at(rest.len().min(BYTES as usize));
        let count = u32::from_le_bytes(*head);
        let mut build = Build::new(count as usize, bytes);
        let mut bits = Bits { bytes: pairs, held: 0, have: 0 };
        for token in BYTES..count {
            let (left, right) = (bits.number(), bits.number());
            if left >= token || right >= token {
                break;
            }
            build.merge(token, left, right);
        }
        build.vocabulary
    }

    /// Bytes of the longest token.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// The node of the single byte `byte`.
    pub(super) fn root(byte: u8) -> u32 {
        u32::from(byte)
    }

    /// The node after `node` along `byte`.
    pub(super) fn step(&self, node: u32, byte: u8) -> Option<u32> {
        self.tree.get(node, byte.into())
    }

    /// The token that ends at `node`.
    pub(super) fn token(&self, node: u32) -> Option<u32> {
        self.tokens.get(node as usize).copied().filter(|token| *token != NONE)
    }

    /// Whether `left` and `right` stay two tokens when the bytes of both are encoded together.
    ///
    /// Runs the merging backwards: at any time one token lies left of the border and one right of it, and undoing the
    /// later of the two goes back in time. The border falls if those two merge before (`limit`) one of them is merged
    /// away from it. Of equal ranks the leftmost merge comes first, hence `right + 1`.
    pub(super) fn stay_apart(&self, mut left: u32, mut right: u32) -> bool {
        let mut limit = NONE;
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

/// What is needed while the tables grow.
struct Build {
    vocabulary: Vocabulary,
    /// The node of each token.
    nodes: Vec<u32>,
    /// The bytes of all tokens, and where each begins.
    bytes: Vec<u8>,
    starts: Vec<u32>,
}

impl Build {
    fn new(count: usize, bytes: &[u8]) -> Self {
        let mut tokens = vec![NONE; BYTES as usize];
        for (token, byte) in (0..).zip(bytes) {
            if let Some(slot) = tokens.get_mut(usize::from(*byte)) {
                *slot = token;
            }
        }
        Self {
            vocabulary: Vocabulary {
                tree: Table::for_entries(count * 9 / 4),
                tokens,
                parts: vec![(0, 0); BYTES as usize],
                merges: Table::for_entries(count),
                longest: 1,
            },
            nodes: bytes.iter().map(|byte| Vocabulary::root(*byte)).collect(),
            bytes: bytes.to_vec(),
            starts: (0..=bytes.len() as u32).collect(),
        }
    }

    fn merge(&mut self, token: u32, left: u32, right: u32) {
        let range = |of: u32| {
            let bound = |at: u32| self.starts.get(at as usize).map_or(0, |start| *start as usize);
            bound(of)..bound(of + 1)
        };
        let (left_bytes, right_bytes) = (range(left), range(right));
        let mut node = self.nodes.get(left as usize).copied().unwrap_or_default();
        for at in right_bytes.clone() {
            let byte = self.bytes.get(at).copied().unwrap_or_default();
            let fresh = self.vocabulary.tokens.len() as u32;
            let next = self.vocabulary.tree.get_or_insert(node, byte.into(), fresh);
            if next == fresh {
                self.vocabulary.tokens.push(NONE);
            }
            node = next;
        }
        if let Some(slot) = self.vocabulary.tokens.get_mut(node as usize) {
            *slot = token;
        }
        let length = left_bytes.len() + right_bytes.len();
        self.vocabulary.longest = self.vocabulary.longest.max(length);
        self.nodes.push(node);
        self.bytes.extend_from_within(left_bytes);
        self.bytes.extend_from_within(right_bytes);
        self.starts.push(self.bytes.len() as u32);
        self.vocabulary.parts.push((left, right));
        self.vocabulary.merges.get_or_insert(left, right, token);
    }
}

/// Numbers out of a stream of bits.
struct Bits<'a> {
    bytes: &'a [u8],
    held: u64,
    have: u32,
}

impl Bits<'_> {
    fn number(&mut self) -> u32 {
        match self.take(4) {
            0 => self.take(3),
            k => 1 << (k + 2) | self.take(k + 2),
        }
    }

    /// The next `count` bits, below 32; zeros after the end.
    fn take(&mut self, count: u32) -> u32 {
        while self.have < count {
            let (byte, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
            self.bytes = rest;
            self.held |= u64::from(*byte) << self.have;
            self.have += 8;
        }
        let value = (self.held & ((1 << count) - 1)) as u32;
        self.held >>= count;
        self.have -= count;
        value
    }
}
