//! Measured sizes of chunks.

use std::collections::BTreeMap;
use std::ops::Bound;

use gristmill_core::Unit;
use schemars::JsonSchema;
use serde::Serialize;

use super::round;

/// Collects sizes and gives their statistics exactly.
///
/// Counts chunks by size, so that memory grows with the number of different sizes only. n different sizes need at
/// least n²/2 units of text: below 150,000 of them in 10 GB of characters, and a few hundred in a usual run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    counts: BTreeMap<u64, u64>,
    count: u64,
    sum: u128,
    squares: u128,
}

impl Sizes {
    /// Takes the size of one chunk.
    pub fn add(&mut self, size: u64) {
        *self.counts.entry(size).or_insert(0) += 1;
        self.count += 1;
        self.sum += u128::from(size);
        // Sizes beyond 2^63 are none that occur; they must only not stop a run.
        self.squares = self.squares.saturating_add(u128::from(size) * u128::from(size));
    }

    /// Number of sizes taken.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their sum.
    pub fn total(&self) -> u64 {
        u64::try_from(self.sum).unwrap_or(u64::MAX)
    }

    /// The smallest.
    pub fn min(&self) -> Option<u64> {
        self.counts.first_key_value().map(|(size, _)| *size)
    }

    /// The greatest.
    pub fn max(&self) -> Option<u64> {
        self.counts.last_key_value().map(|(size, _)| *size)
    }

    /// Arithmetic mean.
    #[expect(clippy::cast_precision_loss, reason = "a mean is shown with two decimals")]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The middle size; the mean of the two in the middle for an even number.
    #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
    pub fn median(&self) -> Option<f64> {
        let upper = self.nth(self.count / 2)?;
        let lower = if self.count.is_multiple_of(2) { self.nth(self.count / 2 - 1)? } else { upper };
        Some((lower as f64 + upper as f64) / 2.0)
    }

    /// Standard deviation of the sizes as a whole population.
    #[expect(clippy::cast_precision_loss, reason = "a deviation is shown with two decimals")]
    pub fn standard_deviation(&self) -> Option<f64> {
        // n·Σx² − (Σx)² in whole numbers, so that nothing cancels.
        let count = u128::from(self.count);
        let spread = count.checked_mul(self.squares)?.checked_sub(self.sum.checked_mul(self.sum)?)?;
        (self.count > 0).then(|| (spread as f64).sqrt() / self.count as f64)
    }

    /// Ranges of equal width that hold all sizes, at most `bars` of them, with the number of chunks in each.
    /// The width is 1, 2 or 5 times a power of ten; the first range begins at a multiple of it.
    pub fn histogram(&self, bars: u64) -> Vec<Bar> {
        let (Some(min), Some(max)) = (self.min(), self.max()) else { return Vec::new() };
        let width = bar_width(min, max, bars.max(1));
        (min / width..=max / width)
            .map(|bar| {
                let (from, to) = (bar * width, (bar * width).saturating_add(width - 1));
                let chunks = self.counts.range((Bound::Included(from), Bound::Included(to))).map(|(_, n)| n).sum();
                Bar { from, to, chunks }
            })
            .collect()
    }

    /// The statistics in the form of the report. `tokenizer` is the name of what counted.
    pub fn report(&self, unit: Unit, tokenizer: &str) -> SizeReport {
        let two = |figure: Option<f64>| figure.map(|f| round(f, 2));
        SizeReport {
            unit: unit.name().to_owned(),
            tokenizer: tokenizer.to_owned(),
            mean: two(self.mean()),
            min: self.min(),
            max: self.max(),
            median: two(self.median()),
            standard_deviation: two(self.standard_deviation()),
            total: self.total(),
            histogram: self.histogram(12),
        }
    }

    /// The size at place `index` (from 0) of all sizes in order.
    fn nth(&self, index: u64) -> Option<u64> {
        let mut before = 0;
        self.counts.iter().find_map(|(size, n)| {
            before += n;
            (index < before).then_some(*size)
        })
    }
}

/// The least 1, 2 or 5 times a power of ten with which `min..=max` takes at most `bars` ranges.
fn bar_width(min: u64, max: u64, bars: u64) -> u64 {
    let mut power: u64 = 1;
    loop {
        for step in [1, 2, 5] {
            let width = power.saturating_mul(step);
            if max / width - min / width < bars {
                return width;
            }
        }
        power = power.saturating_mul(10);
    }
}

/// Measured sizes of the accepted chunks. Figures are null when there is no chunk.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct SizeReport {
    /// What sizes are counted in: `tokens`, `chars` or `words`.
    pub unit: String,
    /// The tokenizer's name, or the unit's.
    pub tokenizer: String,
    /// Arithmetic mean.
    pub mean: Option<f64>,
    /// Smallest.
    pub min: Option<u64>,
    /// Greatest.
    pub max: Option<u64>,
    /// Middle size.
    pub median: Option<f64>,
    /// Standard deviation of the whole population.
    pub standard_deviation: Option<f64>,
    /// Sum.
    pub total: u64,
    /// Number of chunks by range of sizes.
    pub histogram: Vec<Bar>,
}

impl SizeReport {
    /// What a figure counts, in words: `tokens (o200k_base)`, or the unit alone.
    pub fn measure(&self) -> String {
        if self.tokenizer == self.unit || self.tokenizer.is_empty() {
            self.unit.clone()
        } else {
            format!("{} ({})", self.unit, self.tokenizer)
        }
    }
}

/// The number of chunks whose size lies in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Bar {
    /// First size of the range.
    pub from: u64,
    /// Last size of the range.
    pub to: u64,
    /// Number of chunks.
    pub chunks: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(of: &[u64]) -> Sizes {
        let mut sizes = Sizes::default();
        of.iter().for_each(|size| sizes.add(*size));
        sizes
    }

    #[test]
    fn figures_of_a_textbook_example() {
        // Mean 5, population standard deviation 2, median 4.5.
        let sizes = sizes(&[2, 4, 4, 4, 5, 5, 7, 9]);
        assert_eq!((sizes.mean(), sizes.standard_deviation(), sizes.median()), (Some(5.0), Some(2.0), Some(4.5)));
        assert_eq!((sizes.min(), sizes.max(), sizes.total(), sizes.count()), (Some(2), Some(9), 40, 8));
        assert_eq!(super::tests::sizes(&[3, 1, 2]).median(), Some(2.0));
    }

    #[test]
    fn nothing_measured_gives_no_figures() {
        let none = Sizes::default();
        assert_eq!((none.mean(), none.median(), none.standard_deviation(), none.min()), (None, None, None, None));
        assert!(none.histogram(12).is_empty());
    }

    #[test]
    fn bars_hold_every_chunk_once() {
        let sizes = sizes(&[0, 80, 99, 100, 399, 600]);
        let bars = sizes.histogram(12);
        // 600 / 50 = 12 would need 13 ranges from 0, so the width is 100.
        assert_eq!(bars.iter().map(|b| b.chunks).collect::<Vec<_>>(), [3, 1, 0, 1, 0, 0, 1]);
        assert_eq!((bars[0].from, bars[0].to, bars[6].from), (0, 99, 600));
    }

    #[test]
    fn extreme_sizes_do_not_overflow() {
        let sizes = sizes(&[0, u64::MAX, u64::MAX]);
        assert_eq!(sizes.total(), u64::MAX);
        assert_eq!(sizes.histogram(12).iter().map(|b| b.chunks).sum::<u64>(), 3);
    }
}
