//! Shingles: hashes of runs of units.

use super::units::{Kind, Unit, mix, step, units};

/// Units in a shingle that ends with a unit of this kind: three words; five characters of Chinese, Japanese or Korean;
/// eight letters of Thai, Lao, Khmer or Myanmar. That is about as much text each time.
fn length(kind: Kind) -> usize {
    match kind {
        Kind::Word => 3,
        Kind::Cjk => 5,
        Kind::Dense => 8,
    }
}

const LONGEST: usize = 8;
const RING: usize = 16;
/// Odd, so that no power of it loses bits.
const BASE: u64 = 0xd6e8_feb8_6659_fd93;

const POWERS: [u64; LONGEST + 1] = {
    let mut powers = [1u64; LONGEST + 1];
    let mut n = 1;
    while n <= LONGEST {
        powers[n] = powers[n - 1].wrapping_mul(BASE);
        n += 1;
    }
    powers
};

/// A polynomial hash of all units so far, from which that of the last few follows.
struct Rolling {
    hash: u64,
    earlier: [u64; RING],
}

impl Rolling {
    fn new() -> Self {
        Self { hash: 0, earlier: [0; RING] }
    }

    /// `count` units came before this one.
    fn push(&mut self, count: usize, unit: u64) {
        self.earlier[count % RING] = self.hash;
        self.hash = self.hash.wrapping_mul(BASE).wrapping_add(unit);
    }

    /// The hash of the last `length` of `count` units.
    fn last(&self, count: usize, length: usize) -> u64 {
        let before = self.earlier[count.wrapping_sub(length) % RING];
        mix(self.hash.wrapping_sub(before.wrapping_mul(POWERS[length])))
    }
}

/// A text as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole {
    /// Hash of all units.
    pub(super) plain: u64,
    /// Hash of all units with their numbers masked.
    pub(super) masked: u64,
    /// How many shingles there are; none in a text without letters, digits and symbols.
    pub(super) shingles: usize,
}

/// Calls `each` with the shingles of `text`, plain and masked. A text too short for one is a shingle by itself.
pub(super) fn shingles(text: &str, mut each: impl FnMut(u64, u64)) -> Whole {
    let (mut plain, mut masked) = (Rolling::new(), Rolling::new());
    let mut whole = Whole { plain: 0, masked: 0, shingles: 0 };
    let mut count = 0;
    units(text, |unit: Unit| {
        plain.push(count, unit.plain);
        masked.push(count, unit.masked);
        whole.plain = step(whole.plain, unit.plain);
        whole.masked = step(whole.masked, unit.masked);
        count += 1;
        let length = length(unit.kind);
        if count >= length {
            whole.shingles += 1;
            each(plain.last(count, length), masked.last(count, length));
        }
    });
    if whole.shingles == 0 && count > 0 {
        whole.shingles = 1;
        let length = count.min(LONGEST);
        each(plain.last(count, length), masked.last(count, length));
    }
    whole
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn set(text: &str) -> BTreeSet<u64> {
        let mut out = BTreeSet::new();
        shingles(text, |plain, _| _ = out.insert(plain));
        out
    }

    #[test]
    fn shingles_are_runs_of_units_wherever_they_stand() {
        assert_eq!(set("one two three four").len(), 2);
        assert!(set("one two three").is_subset(&set("zero one two three four")));
        assert_eq!(set("允许访问的用户").len(), 3);
        assert!(set("许访问的用").is_subset(&set("允许访问的用户")));
        // Fourteen letters, two of them with a mark.
        assert_eq!(set("ภาษาไทยไม่มีวรรค").len(), 14 - 7);
        assert!(set("two three one").is_disjoint(&set("one two three")));
    }

    #[test]
    fn short_texts_are_one_shingle_and_empty_ones_none() {
        assert_eq!(set("one two").len(), 1);
        assert_ne!(set("one two"), set("two one"));
        assert_ne!(set("允许"), set("禁止"));
        assert_eq!(shingles(" -- | ** ", |_, _| ()).shingles, 0);
    }
}
