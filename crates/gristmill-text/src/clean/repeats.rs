//! Exact repeated blocks: paragraphs that say word for word what an earlier one of the same document says.

use gristmill_core::Fingerprint;
use rustc_hash::FxHashSet;

/// Paragraphs below this many characters repeat for good reasons.
pub const SUBSTANTIVE: usize = 60;

/// The substantive paragraphs of a document seen so far, 16 bytes each. Carry it along from window to window.
#[derive(Debug, Default)]
pub struct Repeats {
    /// The first half of the SHA-256 of each: what is dropped for being equal must be equal, whoever wrote it.
    seen: FxHashSet<u128>,
    folded: String,
}

impl Repeats {
    /// True when `paragraph` is substantive and equal to an earlier one after folding white space.
    pub(crate) fn is_repeat(&mut self, paragraph: &str) -> bool {
        if paragraph.len() < SUBSTANTIVE {
            return false;
        }
        self.folded.clear();
        for word in paragraph.split_ascii_whitespace() {
            self.folded.push_str(word);
            self.folded.push(' ');
        }
        let folded = self.folded.trim_end();
        // Characters take up to four bytes.
        let is_long = folded.len() >= 4 * SUBSTANTIVE || folded.chars().count() >= SUBSTANTIVE;
        is_long && !self.seen.insert(half(Fingerprint::of(folded.as_bytes())))
    }
}

fn half(hash: Fingerprint) -> u128 {
    hash.0.iter().take(16).fold(0, |half, byte| half << 8 | u128::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_does_not_matter_and_short_ones_do_not_count() {
        let long = "The valve is opened by hand before the pump is started again.";
        assert_eq!(long.chars().count(), 61);
        let mut repeats = Repeats::default();
        assert!(!repeats.is_repeat(long));
        assert!(repeats.is_repeat(&long.replacen(' ', "\n  ", 3)));
        assert!(!repeats.is_repeat(&long.replace("hand", "HAND")));
        assert!(!repeats.is_repeat(&long[..60]));
        assert!(repeats.is_repeat(&long[..60]));
        for short in [&long[..59], &"é".repeat(59), &"漢 ".repeat(29)] {
            assert!(!repeats.is_repeat(short) && !repeats.is_repeat(short), "{short}");
        }
    }
}
