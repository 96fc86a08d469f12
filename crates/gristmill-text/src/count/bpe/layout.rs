//! How the tables of a vocabulary lie in 64-bit words: what making them (`make`, when the crate is built) and reading them
//! share. Words are stored low byte first.
//!
//! A file begins with the length of the longest token and the number of words of each section; the sections follow.

/// The sections, in their order.
pub(super) const SECTIONS: usize = 8;
/// Nodes of the tree of tokens, see [`LAST`].
pub(super) const NODES: usize = 0;
/// For each byte the token that it is alone.
pub(super) const ROOTS: usize = 1;
/// A table from the first 2, 3 or 4 bytes to nodes.
pub(super) const HEADS: usize = 2;
/// For each token the longest other one at its start (low half) and its length (high half), of length 0 if there is none.
pub(super) const SHORTER: usize = 3;
/// For each token the two it was merged from: left in the high half, right in the low one.
pub(super) const PARTS: usize = 4;
/// A table from two tokens to the one they merge into.
pub(super) const MERGES: usize = 5;
/// A filter in front of it, as most do not merge.
pub(super) const MERGING: usize = 6;
/// A filter of the pairs of neighbouring characters that some token bridges.
pub(super) const BRIDGES: usize = 7;

/// A node has in its low byte the byte that leads to it, then whether it is the last of its siblings, where its children
/// begin (0 for none) and one more than the token that ends there (0 for none). The nodes that the table of the first
/// bytes leads to come directly before their children; for them, last means that there are none.
pub(super) const LAST: u64 = 1 << 8;
pub(super) const CHILDREN: u32 = 9;
pub(super) const TOKEN: u32 = 32;

/// With how many bytes the tree below [`HEADS`] begins: those of a character, or four.
pub(super) fn depth_of_heads(first: u8) -> usize {
    if first < 0xe0 { 4 } else { 3 }
}

/// The first `length` bytes, as a key of [`HEADS`].
pub(super) fn head(bytes: &[u8], length: usize) -> Option<(u32, u32)> {
    let byte = |at: usize| bytes.get(at).map(|byte| u32::from(*byte));
    let pair = byte(0)? << 8 | byte(1)?;
    Some(match length {
        2 => (pair, 0),
        3 => (pair | 1 << 16, byte(2)?),
        _ => (pair | 1 << 17, byte(2)? << 8 | byte(3)?),
    })
}

/// A table holds pairs of numbers with the number each leads to, all of this many bits, in the place that [`find`] gives.
pub(super) const BITS: u32 = 20;
pub(super) const EMPTY: u64 = u64::MAX;

/// Two numbers as the high part of an entry.
pub(super) fn key(a: u32, b: u32) -> u64 {
    u64::from(a) << BITS | u64::from(b)
}

/// The place of `key` in a table of `size` entries, a power of two, or the free one where it belongs.
#[inline]
pub(super) fn find(key: u64, size: usize, entry: impl Fn(usize) -> Option<u64>) -> usize {
    let mut place = (key.wrapping_mul(HASH) >> (64 - size.trailing_zeros())) as usize;
    while entry(place).is_some_and(|entry| entry != EMPTY && entry >> BITS != key) {
        place = (place + 1) & (size - 1);
    }
    place
}

/// The word of a pair in a filter of `size` words, a power of two, and the two bits that it sets there.
#[inline]
pub(super) fn marks(a: u32, b: u32, size: usize) -> (usize, u64) {
    let hash = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(HASH);
    ((hash >> (64 - size.trailing_zeros())) as usize, 1 << (hash >> 38 & 63) | 1 << (hash >> 32 & 63))
}

const HASH: u64 = 0x9e37_79b9_7f4a_7c15;

/// The last two bytes of the character before `at`, or its only one.
pub(super) fn left(text: &[u8], at: usize) -> u32 {
    match text.get(..at) {
        Some([.., before, last]) if *last >= 0x80 => pack(*before, *last),
        Some([.., last]) => u32::from(*last),
        _ => 0,
    }
}

/// The first two bytes of the character at `at`, or its only one.
pub(super) fn right(text: &[u8], at: usize) -> u32 {
    match text.get(at..) {
        Some([first, second, ..]) if *first >= 0x80 => pack(*first, *second),
        Some([first, ..]) => pack(*first, 0),
        _ => 0,
    }
}

fn pack(first: u8, second: u8) -> u32 {
    u32::from(first) << 8 | u32::from(second)
}
