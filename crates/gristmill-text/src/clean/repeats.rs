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
    folded: Vec<u8>,
}

impl Repeats {
    /// True when `paragraph` is substantive and equal to an earlier one after folding white space.
    pub(crate) fn is_repeat(&mut self, paragraph: &str) -> bool {
        if paragraph.len() < SUBSTANTIVE {
            return false;
        }
        self.fold(paragraph);
        is_substantive(&self.folded) && !self.seen.insert(half(Fingerprint::of(&self.folded)))
    }

    /// Runs of ASCII white space become one space, and go at the ends. One write a byte and no branch: most of the time
    /// that looking for repeats takes is spent here.
    fn fold(&mut self, paragraph: &str) {
        self.folded.clear();
        self.folded.resize(paragraph.len(), 0);
        let (mut len, mut after_white) = (0, true);
        for byte in paragraph.bytes() {
            let is_white = byte.is_ascii_whitespace();
            self.folded[len] = if is_white { b' ' } else { byte };
            len += usize::from(!(is_white & after_white));
            after_white = is_white;
        }
        self.folded.truncate(len - usize::from(after_white & (len > 0)));
    }
}

/// Whether it is long enough in characters, which take up to four bytes.
fn is_substantive(folded: &[u8]) -> bool {
    let begins_character = |byte: &&u8| **byte & 0xc0 != 0x80;
    folded.len() >= 4 * SUBSTANTIVE || folded.iter().filter(begins_character).count() >= SUBSTANTIVE
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
