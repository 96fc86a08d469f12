//! A hash table of pairs of small numbers to small numbers, eight bytes a place.

/// Bits of each of the three numbers.
const BITS: u32 = 20;
const MASK: u64 = (1 << BITS) - 1;
const EMPTY: u64 = u64::MAX;

/// Pairs `(a, b)` to values; all below 2^20.
pub(super) struct Table {
    places: Vec<u64>,
    shift: u32,
}

impl Table {
    /// Room for `count` entries, at most four fifths full.
    pub(super) fn for_entries(count: usize) -> Self {
        let size = (count * 5 / 4).next_power_of_two().max(2);
        Self { places: vec![EMPTY; size], shift: 64 - size.trailing_zeros() }
    }

    /// The value of a pair.
    pub(super) fn get(&self, a: u32, b: u32) -> Option<u32> {
        let key = key(a, b);
        let entry = *self.places.get(self.find(key))?;
        (entry >> BITS == key).then_some((entry & MASK) as u32)
    }

    /// The value of a pair, which becomes `value` if it had none.
    pub(super) fn get_or_insert(&mut self, a: u32, b: u32, value: u32) -> u32 {
        let key = key(a, b);
        let place = self.find(key);
        let Some(entry) = self.places.get_mut(place) else { return value };
        if *entry == EMPTY {
            *entry = key << BITS | u64::from(value);
        }
        (*entry & MASK) as u32
    }

    /// The place of `key`, or the free one where it belongs.
    fn find(&self, key: u64) -> usize {
        let mut place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.places.get(place).is_some_and(|entry| *entry != EMPTY && entry >> BITS != key) {
            place = (place + 1) & (self.places.len() - 1);
        }
        place
    }
}

fn key(a: u32, b: u32) -> u64 {
    u64::from(a) << BITS | u64::from(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_keeps_its_first_value() {
        let mut table = Table::for_entries(1000);
        for n in 0..1000 {
            assert_eq!(table.get_or_insert(n, n + 1, n + 2), n + 2);
        }
        assert_eq!(table.get_or_insert(5, 6, 99), 7);
        assert_eq!((table.get(999, 1000), table.get(1000, 999)), (Some(1001), None));
    }
}
