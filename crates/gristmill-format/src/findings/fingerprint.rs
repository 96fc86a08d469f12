//! What recognises a finding in a later run.

use std::ops::Range;

use gristmill_core::Fingerprint;

use crate::normalized_hash;

/// Code points on each side of a place that belong to its fingerprint.
const CONTEXT: usize = 40;

/// Hexadecimal digits of a fingerprint: 128 bits.
const DIGITS: usize = 32;

/// Names a finding by its rule, its source and the text it is about, so that edits elsewhere do not change the name.
///
/// White space and letter case of `text` do not count, see [`normalized_hash`]. Findings of equal text have equal
/// names; a [`Baseline`](super::Baseline) counts them.
pub fn fingerprint(rule: &str, source: &str, text: &str) -> String {
    let text = normalized_hash(text, &mut Vec::new());
    let mut name = Fingerprint::of(format!("{rule}\u{1f}{source}\u{1f}{text}").as_bytes()).to_string();
    name.truncate(DIGITS);
    name
}

/// The part of a chunk that a finding at `place` (bytes) is about: the place and 40 code points on each side.
pub fn around(text: &str, place: Range<usize>) -> &str {
    let start = text.floor_char_boundary(place.start);
    let end = text.ceil_char_boundary(place.end).max(start);
    let from = text[..start].char_indices().rev().nth(CONTEXT - 1).map_or(0, |(at, _)| at);
    let to = text[end..].char_indices().nth(CONTEXT).map_or(text.len(), |(at, _)| end + at);
    &text[from..to]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_elsewhere_keep_the_name() {
        let name = |text: &str| fingerprint("tiny-chunk", "a.md", text);
        assert_eq!(name("See  the\nTABLE."), name("see the table. "));
        assert_ne!(name("See the table."), name("See the tables."));
        assert_ne!(name("x"), fingerprint("tiny-chunk", "b.md", "x"));
        assert_ne!(name("x"), fingerprint("empty-chunk", "a.md", "x"));
        assert_eq!(name("x").len(), DIGITS);
    }

    #[test]
    fn the_text_around_a_place_is_cut_at_code_points() {
        let text = format!("{}가나{}", "é".repeat(100), "ü".repeat(100));
        let wanted = format!("{}가나{}", "é".repeat(40), "ü".repeat(40));
        assert_eq!(around(&text, 200..206), wanted);
        assert_eq!(around(&text, 201..205), wanted, "within characters");
        assert_eq!(around("abc", 1..2), "abc");
        assert_eq!(around("abc", 7..9), "abc");
        assert_eq!(around("", 0..usize::MAX), "");
    }
}
