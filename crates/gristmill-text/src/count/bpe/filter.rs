//! A set of hashes that may answer yes for others, small enough to stay near the processor.

/// Two bits of one word for each hash.
pub(super) struct Filter {
    words: Vec<u64>,
    shift: u32,
}

impl Filter {
    /// An empty set of two to the power of `bits` bits.
    pub(super) fn new(bits: u32) -> Self {
        Self { words: vec![0; 1 << (bits - 6)], shift: 64 - (bits - 6) }
    }

    /// Adds a pair.
    pub(super) fn add(&mut self, a: u32, b: u32) {
        let (word, mask) = self.place(a, b);
        if let Some(word) = self.words.get_mut(word) {
            *word |= mask;
        }
    }

    /// Whether a pair may have been added.
    #[inline]
    pub(super) fn may_have(&self, a: u32, b: u32) -> bool {
        let (word, mask) = self.place(a, b);
        self.words.get(word).is_some_and(|word| word & mask == mask)
    }

    #[inline]
    fn place(&self, a: u32, b: u32) -> (usize, u64) {
        let hash = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((hash >> self.shift) as usize, 1 << (hash >> 38 & 63) | 1 << (hash >> 32 & 63))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_found_and_most_else_is_not() {
        let mut filter = Filter::new(12);
        (0..200).for_each(|n| filter.add(n, n + 1));
        assert!((0..200).all(|n| filter.may_have(n, n + 1)));
        assert!((0..200).filter(|n| filter.may_have(n + 1, *n)).count() < 40);
    }
}
