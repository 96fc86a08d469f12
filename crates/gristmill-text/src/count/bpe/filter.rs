//! A set of hashes that may answer yes for others, small enough to stay near the processor.

/// One bit for each hash.
pub(super) struct Filter {
    bits: Vec<u64>,
    shift: u32,
}

impl Filter {
    /// An empty set of two to the power of `bits` bits.
    pub(super) fn new(bits: u32) -> Self {
        Self { bits: vec![0; 1 << (bits - 6)], shift: 64 - bits }
    }

    /// Adds a pair.
    pub(super) fn add(&mut self, a: u32, b: u32) {
        let bit = self.bit(a, b);
        if let Some(word) = self.bits.get_mut(bit / 64) {
            *word |= 1 << (bit % 64);
        }
    }

    /// Whether a pair may have been added.
    pub(super) fn may_have(&self, a: u32, b: u32) -> bool {
        let bit = self.bit(a, b);
        self.bits.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    fn bit(&self, a: u32, b: u32) -> usize {
        ((u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
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
