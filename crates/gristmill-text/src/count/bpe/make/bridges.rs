//! The pairs of neighbouring characters that some token bridges.

use std::ops::RangeInclusive;

use super::hashed::Filter;
use super::layout::{left, right};

/// The bytes of a character after the first.
const INNER: RangeInclusive<u32> = 0x80..=0xbf;

/// The pairs in all tokens.
pub(super) fn of<'a>(tokens: impl Iterator<Item = &'a [u8]>) -> Filter {
    let mut bridges = Filter::new(19);
    tokens.filter(|token| !token.is_ascii()).for_each(|token| add(token, &mut bridges));
    bridges
}

/// Notes the borders within `token`. At its ends a token may hold the last byte of a character or the first one alone;
/// then every character with that byte is meant.
fn add(token: &[u8], bridges: &mut Filter) {
    for at in 1..token.len() {
        let [.., last] = token[..at] else { continue };
        let first = token[at];
        if INNER.contains(&first.into()) || (first | last) < 0x80 {
            continue;
        }
        let rights = if first >= 0x80 && at + 1 == token.len() { INNER } else { 0..=0 };
        let lefts = if last >= 0x80 && at == 1 { 0x80..=0xff } else { 0..=0 };
        for (before, after) in lefts.flat_map(|before| rights.clone().map(move |after| (before, after))) {
            bridges.add(left(token, at) | before << 8, right(token, at) | after);
        }
    }
}
