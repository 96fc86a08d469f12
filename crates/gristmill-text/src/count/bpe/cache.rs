//! Counts of pieces seen before: exact, of fixed size, one for each thread.

use super::merge::{self, Scratch};
use super::vocabulary::Vocabulary;

/// Pieces of up to this many bytes are kept.
const LONGEST: usize = 15;
/// Places: 2 to this power.
const BITS: u32 = 16;

/// The last piece at each place with its count. A place holds the bytes, then the length in the low half of the last
/// byte and the count, which is no greater, in the high half; 0 is free.
pub(super) struct Cache {
    places: Vec<u128>,
    scratch: Scratch,
}

impl Cache {
    /// An empty cache.
    pub(super) fn new() -> Self {
        Self { places: vec![0; 1 << BITS], scratch: Scratch::default() }
    }

    /// The number of tokens of `text[start..end]`.
    #[inline]
    pub(super) fn count(&mut self, vocabulary: &Vocabulary, text: &[u8], start: usize, end: usize) -> usize {
        if end - start > LONGEST {
            return self.count_parts(vocabulary, text, start, end);
        }
        let key = key(text, start, end);
        let place = place(key);
        let held = self.places.get(place).copied().unwrap_or_default();
        if held << 4 >> 4 == key {
            return (held >> 124) as usize;
        }
        let count = self.count_parts(vocabulary, text, start, end);
        if let Some(held) = self.places.get_mut(place) {
            *held = key | (count as u128) << 124;
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
            if part.len() > LONGEST || part.len() == end - start {
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

/// Bytes and length of `text[start..end]`, at most [`LONGEST`].
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
fn place(key: u128) -> usize {
    let mixed = (key as u64 ^ ((key >> 64) as u64).rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - BITS)) as usize
}
