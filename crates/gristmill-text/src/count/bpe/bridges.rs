//! Where no token reaches across the border of two characters.
//!
//! Bytes are merged across a border only into a token that holds the bytes on both sides of it. Few pairs of characters
//! outside ASCII lie in any token, so most runs of Chinese, say, fall into pieces of one or two characters that can be
//! counted one by one: merges within one never depend on the others.

/// Bits of the filter, a power of two.
const BITS: usize = 1 << 18;

/// The pairs of neighbouring characters that some token bridges, as a filter of hashes: may answer yes for others.
pub(super) struct Bridges {
    bits: Vec<u64>,
}

impl Default for Bridges {
    fn default() -> Self {
        Self { bits: vec![0; BITS / 64] }
    }
}

impl Bridges {
    /// Notes the borders within `token`. At its ends a token may hold the last byte of a character or the first one
    /// alone; then every character with that byte is meant.
    pub(super) fn add(&mut self, token: &[u8]) {
        for at in 1..token.len() {
            let [.., last] = token[..at] else { continue };
            let first = token[at];
            if is_inner(first) || (first | last) < 0x80 {
                continue;
            }
            let lead = at + 1 == token.len() && first >= 0x80;
            let right = if lead { pack(first, 0xff) } else { right(token, at) };
            if at == 1 && last >= 0x80 {
                (0x80..=0xff).for_each(|before| self.set(pack(before, last), right));
            } else {
                self.set(left(token, at), right);
            }
        }
    }

    /// Whether a token may hold bytes of both the characters around `at` of `text`, of which one is not ASCII.
    pub(super) fn join(&self, text: &[u8], at: usize) -> bool {
        let left = left(text, at);
        let right = right(text, at);
        self.get(left, right) || self.get(left, right | 0xff)
    }

    fn set(&mut self, left: u32, right: u32) {
        let bit = hash(left, right);
        if let Some(word) = self.bits.get_mut(bit / 64) {
            *word |= 1 << (bit % 64);
        }
    }

    fn get(&self, left: u32, right: u32) -> bool {
        let bit = hash(left, right);
        self.bits.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }
}

fn is_inner(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

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

fn hash(left: u32, right: u32) -> usize {
    let mixed = u64::from(left << 16 | right).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 46) as usize
}
