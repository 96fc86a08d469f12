//! Where no token reaches across the border of two characters.
//!
//! Bytes are merged across a border only into a token that holds the bytes on both sides of it. Few pairs of characters
//! outside ASCII lie in any token, so most runs of Chinese, say, fall into pieces of one or two characters that can be
//! counted one by one: merges within one never depend on the others.

use std::ops::RangeInclusive;

use super::filter::Filter;

/// The pairs of neighbouring characters that some token bridges.
pub(super) struct Bridges(Filter);

impl Bridges {
    /// The pairs in all tokens.
    pub(super) fn new<'a>(tokens: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut bridges = Self(Filter::new(19));
        tokens.filter(|token| !token.is_ascii()).for_each(|token| bridges.add(token));
        bridges
    }

    /// Notes the borders within `token`. At its ends a token may hold the last byte of a character or the first one
    /// alone; then every character with that byte is meant.
    fn add(&mut self, token: &[u8]) {
        for at in 1..token.len() {
            let [.., last] = token[..at] else { continue };
            let first = token[at];
            if INNER.contains(&first.into()) || (first | last) < 0x80 {
                continue;
            }
            let rights = if first >= 0x80 && at + 1 == token.len() { INNER } else { 0..=0 };
            let lefts = if last >= 0x80 && at == 1 { 0x80..=0xff } else { 0..=0 };
            for (before, after) in lefts.flat_map(|before| rights.clone().map(move |after| (before, after))) {
                self.0.add(left(token, at) | before << 8, right(token, at) | after);
            }
        }
    }

    /// The end of the first part of `text[from..]` that is sure to be merged apart from what follows.
    pub(super) fn part(&self, text: &[u8], from: usize) -> usize {
        let (mut at, mut before) = (from, 0);
        while let Some(&first) = text.get(at) {
            let next = at + length(first);
            let right = right(text, at);
            if at > from && (right >> 8 | before) >= 0x80 && !self.0.may_have(before, right) {
                return at;
            }
            before = left(text, next);
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

/// The bytes of a character after the first.
const INNER: RangeInclusive<u32> = 0x80..=0xbf;

fn pack(first: u8, second: u8) -> u32 {
    u32::from(first) << 8 | u32::from(second)
}

/// The last two bytes of the character before `at`, or its only one.
fn left(text: &[u8], at: usize) -> u32 {
    match text.get(..at) {
        Some([.., before, last]) if *last >= 0x80 => pack(*before, *last),
        Some([.., last]) => u32::from(*last),
        _ => 0,
    }
}

/// The first two bytes of the character at `at`, or its only one.
fn right(text: &[u8], at: usize) -> u32 {
    match text.get(at..) {
        Some([first, second, ..]) if *first >= 0x80 => pack(*first, *second),
        Some([first, ..]) => pack(*first, 0),
        _ => 0,
    }
}
