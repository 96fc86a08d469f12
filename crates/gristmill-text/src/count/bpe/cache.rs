//! Counts of pieces seen before: exact, of fixed size, one for each thread.

use super::merge::{self, Scratch};
use super::vocabulary::Vocabulary;

/// Pieces of up to this many bytes have places of one word, those of up to 16 more of two.
const SHORT: usize = 15;
const LONG: usize = SHORT + 16;
/// Places: 2 to this power.
const SHORT_BITS: u32 = 16;
const LONG_BITS: u32 = 13;

/// The last piece at each place with its count. The last word holds up to 15 bytes, then their number in the low half of
/// the last byte and the count in the high half; 0 is free. Before it, a long piece has a word of its first 16 bytes.
pub(super) struct Cache {
    short: Vec<u128>,
    long: Vec<(u128, u128)>,
    scratch: Scratch,
}

impl Cache {
    /// An empty cache.
    pub(super) fn new() -> Self {
        Self { short: vec![0; 1 << SHORT_BITS], long: vec![(0, 0); 1 << LONG_BITS], scratch: Scratch::default() }
    }

    /// The number of tokens of `text[start..end]`.
    #[inline]
    pub(super) fn count(&mut self, vocabulary: &Vocabulary, text: &[u8], start: usize, end: usize) -> usize {
        if end - start > SHORT {
            return self.count_long(vocabulary, text, start, end);
        }
        let key = key(text, start, end);
        let place = (hash(key) >> (64 - SHORT_BITS)) as usize;
        let held = self.short.get(place).copied().unwrap_or_default();
        if held << 4 >> 4 == key {
            return (held >> 124) as usize;
        }
        let count = self.count_parts(vocabulary, text, start, end);
        if let Some(held) = self.short.get_mut(place) {
            *held = key | (count as u128) << 124;
        }
        count
    }

    fn count_long(&mut self, vocabulary: &Vocabulary, text: &[u8], start: usize, end: usize) -> usize {
        if end - start > LONG {
            return self.count_parts(vocabulary, text, start, end);
        }
        let head = text.get(start..).and_then(|rest| rest.first_chunk()).map_or(0, |head| u128::from_le_bytes(*head));
        let key = key(text, start + 16, end);
        let place = (hash(head ^ key.rotate_left(56)) >> (64 - LONG_BITS)) as usize;
        let held = self.long.get(place).copied().unwrap_or_default();
        let known = (held.1 >> 124) as usize;
        if known > 0 && held.0 == head && held.1 << 4 >> 4 == key {
            return known;
        }
        let count = self.count_parts(vocabulary, text, start, end);
        if let Some(held) = self.long.get_mut(place).filter(|_| count < 16) {
            *held = (head, key | (count as u128) << 124);
        }
        count
    }

    /// Counts part by part where the piece falls apart.
    #[inline(never)]
    fn count_parts(&mut self, vocabulary: &Vocabulary, text: &[u8], start: usize, end: usize) -> usize {
        let piece = text.get(..end).unwrap_or_default();
        let (mut total, mut from) = (0, start);
        loop {
            let to = vocabulary.bridges.part(piece, from);
            let part = piece.get(from..to).unwrap_or_default();
            if part.len() == end - start {
                total += merge::count(vocabulary, part, &mut self.scratch);
            } else {
                total += self.count(vocabulary, text, from, to);
            }
            if to >= end {
                return total;
            }
            from = to;
        }
    }
}

/// Bytes and length of `text[start..end]`, at most [`SHORT`].
#[inline]
fn key(text: &[u8], start: usize, end: usize) -> u128 {
    let length = end - start;
    let bytes = match text.get(start..).and_then(|rest| rest.first_chunk::<16>()) {
        Some(bytes) => *bytes,
        None => padded(text.get(start..end).unwrap_or_default()),
    };
    u128::from_le_bytes(bytes) & MASKS[length & 15] | (length as u128) << 120
}

/// The low bytes of a given number.
const MASKS: [u128; 16] = {
    let mut masks = [0; 16];
    let mut length = 1;
    while length < 16 {
        masks[length] = u128::MAX >> (128 - 8 * length);
        length += 1;
    }
    masks
};

#[cold]
fn padded(piece: &[u8]) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(piece).for_each(|(to, from)| *to = *from);
    bytes
}

#[inline]
fn hash(key: u128) -> u64 {
    (key as u64 ^ ((key >> 64) as u64).rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_every_length_are_known_again_and_never_taken_for_others() {
        let vocabulary = Vocabulary::open(include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.tables")));
        let mut cache = Cache::new();
        let texts = [[0; 40], *b"the quick brown fox jumps over lazy dogs", [b'q'; 40], [b'='; 40]];
        for _ in 0..2 {
            for text in texts {
                for end in 1..=text.len() {
                    let alone = merge::count(&vocabulary, &text[..end], &mut Scratch::default());
                    assert_eq!(cache.count(&vocabulary, &text, 0, end), alone, "{end} of {text:?}");
                }
            }
        }
    }
}
