//! A hash table of pairs of small numbers to small numbers, and a filter of pairs, both made before.

use super::layout;

/// Numbers of 64 bits, low byte first.
#[derive(Clone, Copy, Default)]
pub(super) struct Words(&'static [[u8; 8]]);

impl Words {
    /// The words in `bytes`.
    pub(super) fn new(bytes: &'static [u8]) -> Self {
        Self(bytes.as_chunks().0)
    }

    /// The word at `at`.
    #[inline]
    pub(super) fn get(self, at: usize) -> Option<u64> {
        self.0.get(at).map(|word| u64::from_le_bytes(*word))
    }

    /// The first `length` words; they are taken off.
    pub(super) fn take(&mut self, length: usize) -> Self {
        let (taken, left) = self.0.split_at(length.min(self.0.len()));
        self.0 = left;
        Self(taken)
    }
}

/// Pairs `(a, b)` to values; all below 2^20.
pub(super) struct Table(pub(super) Words);

impl Table {
    /// The value of a pair.
    pub(super) fn get(&self, a: u32, b: u32) -> Option<u32> {
        let key = layout::key(a, b);
        let place = layout::find(key, self.0.0.len(), |place| self.0.get(place));
        let entry = self.0.get(place)?;
        (entry >> layout::BITS == key).then_some((entry & ((1 << layout::BITS) - 1)) as u32)
    }
}

/// A set of pairs that may answer yes for others, small enough to stay near the processor.
pub(super) struct Filter(pub(super) Words);

impl Filter {
    /// Whether a pair may have been added.
    #[inline]
    pub(super) fn may_have(&self, a: u32, b: u32) -> bool {
        let (word, mask) = layout::marks(a, b, self.0.0.len());
        self.0.get(word).is_some_and(|word| word & mask == mask)
    }
}
