//! Where no token reaches across the border of two characters.
//!
//! Bytes are merged across a border only into a token that holds the bytes on both sides of it. Few pairs of characters
//! outside ASCII lie in any token, so most runs of Chinese, say, fall into pieces of one or two characters that can be
//! counted one by one: merges within one never depend on the others.

use super::layout;
use super::table::Filter;

/// The pairs of neighbouring characters that some token bridges.
pub(super) struct Bridges(pub(super) Filter);

impl Bridges {
    /// The end of the first part of `text[from..]` that is sure to be merged apart from what follows.
    pub(super) fn part(&self, text: &[u8], from: usize) -> usize {
        let (mut at, mut before) = (from, 0);
        while let Some(&first) = text.get(at) {
            let next = at + length(first);
            let right = layout::right(text, at);
            if at > from && (right >> 8 | before) >= 0x80 && !self.0.may_have(before, right) {
                return at;
            }
            before = layout::left(text, next);
            at = next;
        }
        text.len()
    }
}

/// The length of the character that begins with `first`.
fn length(first: u8) -> usize {
    match first {
        0..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    }
}
