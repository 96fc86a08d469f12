//! Borders of extended grapheme clusters.

use unicode_segmentation::GraphemeCursor;

use super::chars::floor_char;

/// How far to look back. A longer cluster does not occur in text meant to be read; it is cut at a character.
const LOOK_BACK: usize = 8 * 1024;

/// The last border of an extended grapheme cluster (UAX 29, Indic conjuncts unbroken) at or before `at`.
///
/// Looks back at most 8 KiB, so that no text makes repeated calls quadratic: a cluster longer than that is cut at
/// a character, and in a longer run of flags the pairs are counted from there.
pub fn floor_grapheme(text: &str, at: usize) -> usize {
    let at = floor_char(text, at.min(text.len()));
    let from = floor_char(text, at.saturating_sub(LOOK_BACK));
    let found = floor_from(text, from, at);
    if found == from && from > 0 { at } else { found }
}

/// The same when `from` is known to be a border: exact, and nothing before `from` is looked at.
pub(super) fn floor_from(text: &str, from: usize, at: usize) -> usize {
    let mut at = at;
    while at > from && !is_border(text, from, at) {
        at = floor_char(text, at - 1);
    }
    at.max(from)
}

/// Whether `at` is a border, given that `from` is one.
pub(super) fn is_border(text: &str, from: usize, at: usize) -> bool {
    if at <= from || at >= text.len() {
        return true;
    }
    let bytes = text.as_bytes();
    if let (Some(&a), Some(&b)) = (bytes.get(at - 1), bytes.get(at))
        && a < 0x80
        && b < 0x80
    {
        return !(a == b'\r' && b == b'\n');
    }
    let Some(rest) = text.get(from..) else { return true };
    GraphemeCursor::new(at - from, rest.len(), true).is_boundary(rest, 0).unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_segmentation::UnicodeSegmentation;

    fn reference(text: &str, at: usize) -> usize {
        let starts = text.grapheme_indices(true).map(|(i, _)| i).chain([text.len()]);
        starts.take_while(|&i| i <= at).last().unwrap_or(0)
    }

    #[test]
    fn agrees_with_whole_text_segmentation() {
        for text in ["", "abc", "e\u{301}\u{302}x", "a\r\nb", "👨‍👩‍👧‍👦🇩🇪🇫🇷👍🏽z", "क्षत्रिय हिन्दी", "각\u{1100}\u{1161}", "กำที่"]
        {
            for at in 0..=text.len() {
                assert_eq!(floor_grapheme(text, at), reference(text, at), "{text:?} at {at}");
            }
        }
    }

    #[test]
    fn indic_conjunct_is_one_cluster() {
        // GB9c: ka, virama, ssa.
        let text = "क्ष";
        assert_eq!(floor_grapheme(text, 6), 0);
    }

    #[test]
    fn past_the_end_is_the_end() {
        assert_eq!(floor_grapheme("ab", 9), 2);
    }

    #[test]
    fn endless_cluster_is_cut_at_a_character() {
        let text = format!("a{}", "\u{301}".repeat(40_000));
        assert_eq!(floor_grapheme(&text, 70_002), 70_001);
        assert_eq!(floor_grapheme(&text, 101), 0);
    }
}
