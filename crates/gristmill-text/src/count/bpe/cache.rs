//! Counts of pieces seen before: exact, of fixed size, one for each thread.

use super::merge::{self, Scratch};
use super::vocabulary::Vocabulary;

/// Pieces of up to this many bytes are kept.
const LONGEST: usize = 15;
/// Places, a power of two.
const PLACES: usize = 1 << 14;

/// The last piece at each place with its count. A place holds the bytes, then the length in the low half of the last
/// byte and the count, which is no greater, in the high half; 0 is free.
pub(super) struct Cache {
    places: Vec<u128>,
    scratch: Scratch,
}

impl Cache {
    /// An empty cache.
    pub(super) fn new() -> Self {
        Self { places: vec![0; PLACES], scratch: Scratch::default() }
    }

    /// The number of tokens of `text[start..end]`.
    pub(super) fn count(&mut self, vocabulary: &Vocabulary, text: &[u8], start: usize, end: usize) -> usize {
        let piece = text.get(start..end).unwrap_or_default();
        if piece.len() > LONGEST {
            return merge::count(vocabulary, piece, &mut self.scratch);
        }
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(piece).for_each(|(to, from)| *to = *from);
        let key = u128::from_le_bytes(bytes) | (piece.len() as u128) << 120;
        let place = hash(key) & (PLACES - 1);
        let held = self.places.get(place).copied().unwrap_or_default();
        if held << 4 >> 4 == key {
            return (held >> 124) as usize;
        }
        let count = merge::count(vocabulary, piece, &mut self.scratch);
        if let Some(held) = self.places.get_mut(place) {
            *held = key | (count as u128) << 124;
        }
        count
    }
}

fn hash(key: u128) -> usize {
    let mixed = (key as u64 ^ ((key >> 64) as u64).rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as usize
}
