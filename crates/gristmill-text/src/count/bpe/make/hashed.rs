//! Hash tables and filters, while they are filled.

use super::layout::{self, EMPTY};

/// Pairs of small numbers to small numbers.
pub(super) struct Table(Vec<u64>);

impl Table {
    /// Room for `count` entries, at most four fifths full.
    pub(super) fn for_entries(count: usize) -> Self {
        Self(vec![EMPTY; (count * 5 / 4).next_power_of_two().max(2)])
    }

    /// Lets a pair lead to `value`, if it leads nowhere yet.
    pub(super) fn insert(&mut self, a: u32, b: u32, value: u32) {
        let key = layout::key(a, b);
        let place = layout::find(key, self.0.len(), |place| self.0.get(place).copied());
        if let Some(entry) = self.0.get_mut(place).filter(|entry| **entry == EMPTY) {
            *entry = key << layout::BITS | u64::from(value);
        }
    }

    pub(super) fn into_words(self) -> Vec<u64> {
        self.0
    }
}

/// A set of pairs that may answer yes for others.
pub(super) struct Filter(Vec<u64>);

impl Filter {
    /// An empty set of two to the power of `bits` bits.
    pub(super) fn new(bits: u32) -> Self {
        Self(vec![0; 1 << (bits - 6)])
    }

    /// Adds a pair.
    pub(super) fn add(&mut self, a: u32, b: u32) {
        let (word, mask) = layout::marks(a, b, self.0.len());
        if let Some(word) = self.0.get_mut(word) {
            *word |= mask;
        }
    }

    pub(super) fn into_words(self) -> Vec<u64> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::table::{self, Words};
    use super::*;

    fn stored(words: &[u64]) -> Words {
        let bytes: Vec<u8> = words.iter().copied().flat_map(u64::to_le_bytes).collect();
        Words::new(bytes.leak())
    }

    #[test]
    fn a_pair_keeps_its_first_value() {
        let mut table = Table::for_entries(1000);
        for n in 0..1000 {
            table.insert(n, n + 1, n + 2);
        }
        table.insert(5, 6, 99);
        let table = table::Table(stored(&table.into_words()));
        assert!((0..1000).all(|n| table.get(n, n + 1) == Some(n + 2)));
        assert_eq!(table.get(1000, 999), None);
    }

    #[test]
    fn what_was_added_to_a_filter_is_found_and_most_else_is_not() {
        let mut filter = Filter::new(12);
        (0..200).for_each(|n| filter.add(n, n + 1));
        let filter = table::Filter(stored(&filter.into_words()));
        assert!((0..200).all(|n| filter.may_have(n, n + 1)));
        assert!((0..200).filter(|n| filter.may_have(n + 1, *n)).count() < 40);
    }
}
