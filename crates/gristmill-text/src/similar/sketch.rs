//! What is kept of a text in memory.

use super::exact;
use super::shingles::{Whole, shingles};

/// Minima a sketch holds. With bands of [`ROWS`] they find 99.3 % of the pairs at a similarity of 0.72:
/// 1 − (1 − 0.72⁴)¹⁶.
pub(super) const MINIMA: usize = 64;
/// Minima in a band.
pub(super) const ROWS: usize = 4;
/// Bands; texts that agree in all minima of one are compared.
pub(super) const BANDS: usize = MINIMA / ROWS;
/// Shingles with the smallest hashes, by which a text is found again inside a larger one.
pub(super) const ANCHORS: usize = 4;

/// A text in 112 bytes: hashes of the whole, eight bits of each of 64 minima (MinHash), the smallest shingles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// Up to white space.
    pub(super) exact: u64,
    /// Up to white space, case, marks.
    pub(super) folded: u64,
    /// Up to numbers as well.
    pub(super) masked: u64,
    pub(super) shingles: u32,
    pub(super) anchors: [u32; ANCHORS],
    pub(super) minima: [u8; MINIMA],
}

impl Sketch {
    /// Reads a text once. Pure, so that many threads can do it.
    pub fn of(text: &str) -> Self {
        let mut minima = Minima::new();
        let mut anchors = [u32::MAX; ANCHORS];
        let Whole { plain, masked, shingles } = shingles(text, |shingle, _| {
            minima.add(shingle);
            keep_smallest(&mut anchors, anchor(shingle));
        });
        let shingles = u32::try_from(shingles).unwrap_or(u32::MAX);
        Self { exact: exact::hash(text), folded: plain, masked, shingles, anchors, minima: minima.bytes() }
    }

    /// How many shingles the text has: words less two, CJK characters less four. 0 where there is no letter, digit or
    /// symbol; such texts are never reported.
    pub fn shingles(&self) -> usize {
        self.shingles as usize
    }

    /// How many minima two sketches share.
    pub(super) fn agreement(&self, other: &Self) -> usize {
        self.minima.iter().zip(&other.minima).map(|(left, right)| usize::from(left == right)).sum()
    }

    /// The minima from band `band` on, eight of them in one number.
    pub(super) fn band(&self, band: usize) -> u64 {
        let from = band * ROWS;
        (0..2 * ROWS).fold(0, |key, n| key << 8 | u64::from(self.minima[(from + n) % MINIMA]))
    }
}

/// The bits of a shingle by which texts are anchored.
pub(super) fn anchor(shingle: u64) -> u32 {
    (shingle >> 16) as u32
}

/// Keeps the smallest different values, in order.
fn keep_smallest(kept: &mut [u32; ANCHORS], value: u32) {
    if value >= kept[ANCHORS - 1] || kept.contains(&value) {
        return;
    }
    kept[ANCHORS - 1] = value;
    kept.sort_unstable();
}

/// For each of 64 orders of all shingles, the first shingle of a text (Broder 1997). The orders come from two hashes:
/// x + i·y, scrambled by a constant.
struct Minima([i32; MINIMA]);

const LANES: usize = 8;

const SCRAMBLE: [i32; MINIMA] = {
    let mut table = [0; MINIMA];
    let mut state = 0x9e37_79b9u32;
    let mut n = 0;
    while n < MINIMA {
        // The 32-bit generator of Marsaglia's "Xorshift RNGs" (2003).
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        table[n] = state as i32;
        n += 1;
    }
    table
};

impl Minima {
    fn new() -> Self {
        Self([i32::MAX; MINIMA])
    }

    #[inline]
    fn add(&mut self, shingle: u64) {
        let (x, y) = (shingle as i32, (shingle >> 32) as i32 | 1);
        let mut lanes = [0i32; LANES];
        for (n, lane) in (0..).zip(&mut lanes) {
            *lane = x.wrapping_add(y.wrapping_mul(n));
        }
        let stride = y.wrapping_mul(LANES as i32);
        for (minima, scramble) in self.0.chunks_exact_mut(LANES).zip(SCRAMBLE.chunks_exact(LANES)) {
            for ((minimum, scramble), lane) in minima.iter_mut().zip(scramble).zip(&mut lanes) {
                *minimum = (*minimum).min(*lane ^ scramble);
                *lane = lane.wrapping_add(stride);
            }
        }
    }

    /// The top byte of each minimum after spreading its bits.
    fn bytes(&self) -> [u8; MINIMA] {
        self.0.map(|minimum| ((minimum as u32).wrapping_mul(0x9e37_79b1) >> 24) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sketch_is_small() {
        assert_eq!(size_of::<Sketch>(), 112);
    }

    #[test]
    fn agreement_estimates_the_share_of_common_shingles() {
        // 300 and 300 words, 200 of them in common and in a row: 198 of 398 shingles.
        let words = |from: usize, to: usize| (from..to).map(|n| format!("word{n} ")).collect::<String>();
        let (mut sum, runs) = (0, 40);
        for run in 0..runs {
            let from = run * 1000;
            let (left, right) = (Sketch::of(&words(from, from + 300)), Sketch::of(&words(from + 100, from + 400)));
            sum += left.agreement(&right);
        }
        let share = sum as f64 / (runs * MINIMA) as f64;
        assert!((share - 198.0 / 398.0).abs() < 0.03, "{share}");
    }

    #[test]
    fn anchors_are_the_smallest_different_values() {
        let mut kept = [u32::MAX; ANCHORS];
        for value in [9, 3, 7, 3, 8, 1, 9, 2] {
            keep_smallest(&mut kept, value);
        }
        assert_eq!(kept, [1, 2, 3, 7]);
    }
}
