//! Candidates for near-duplicates: texts that agree in a band of minima (locality-sensitive hashing).

use super::index::Entry;
use super::sketch::{BANDS, MINIMA};

/// Earlier and later texts of its bucket that a text is compared with, by sketch, in each band.
const WINDOW: usize = 8;
/// Candidates kept for a text, those most alike.
const KEPT: usize = 8;

/// The earlier texts each text is to be compared with.
pub(super) struct Candidates<'a> {
    entries: &'a [Entry],
    /// `KEPT` slots a text: one more than the position of another, 0 for none. Those most alike come last.
    slots: Vec<u32>,
    least: usize,
}

impl<'a> Candidates<'a> {
    /// Finds them among the texts at the positions `chosen`, which rise. Time: the number of texts × `BANDS` ×
    /// (`WINDOW` + sorting).
    pub(super) fn among(entries: &'a [Entry], chosen: &[u32], ratio: f64) -> Self {
        let slots = vec![0; entries.len() * KEPT];
        let mut found = Self { entries, slots, least: least_agreement(ratio) };
        let mut order: Vec<(u64, u32)> = Vec::with_capacity(chosen.len());
        for band in 0..BANDS {
            order.clear();
            order.extend(chosen.iter().filter_map(|at| Some((entries.get(*at as usize)?.sketch.band(band), *at))));
            order.sort_unstable();
            for bucket in order.chunk_by(|left, right| left.0 >> 32 == right.0 >> 32) {
                found.compare(bucket);
            }
        }
        found
    }

    /// Compares each text of a bucket with its neighbours. In a crowded bucket these agree in the next band as well.
    fn compare(&mut self, bucket: &[(u64, u32)]) {
        for (n, (_, at)) in bucket.iter().enumerate().skip(1) {
            let first = std::iter::once(0).filter(|_| n > WINDOW);
            for other in first.chain(n.saturating_sub(WINDOW)..n) {
                if let Some((_, other)) = bucket.get(other) {
                    self.offer(*at.min(other), *at.max(other));
                }
            }
        }
    }

    fn offer(&mut self, earlier: u32, later: u32) {
        let agreement = self.agreement(earlier, later);
        if agreement < self.least {
            return;
        }
        let from = later as usize * KEPT;
        let slots = self.slots.get(from..from + KEPT).unwrap_or_default();
        if slots.contains(&(earlier + 1)) {
            return;
        }
        let place = slots.iter().take_while(|slot| self.is_weaker(**slot, later, agreement, earlier)).count();
        if let Some(slots) = self.slots.get_mut(from..from + place)
            && let Some(last) = slots.len().checked_sub(1)
        {
            slots.rotate_left(1);
            slots[last] = earlier + 1;
        }
    }

    /// Whether what is in a slot gives way to `earlier`: it is less like `later`, or as much and farther on.
    fn is_weaker(&self, slot: u32, later: u32, agreement: usize, earlier: u32) -> bool {
        slot.checked_sub(1).is_none_or(|other| {
            let held = self.agreement(other, later);
            held < agreement || (held == agreement && other > earlier)
        })
    }

    /// How many minima agree; none where only numbers differ.
    fn agreement(&self, one: u32, other: u32) -> usize {
        match (self.entries.get(one as usize), self.entries.get(other as usize)) {
            (Some(one), Some(other)) if one.sketch.masked != other.sketch.masked => one.sketch.agreement(&other.sketch),
            _ => 0,
        }
    }

    /// The candidates of the text at `at`, in rising order.
    pub(super) fn of(&self, at: u32) -> Vec<u32> {
        let from = at as usize * KEPT;
        let slots = self.slots.get(from..from + KEPT).unwrap_or_default();
        let mut found: Vec<u32> = slots.iter().filter_map(|other| other.checked_sub(1)).collect();
        found.sort_unstable();
        found
    }
}

/// The agreement that a pair at `ratio` has all but surely: the mean less 3.3 deviations.
fn least_agreement(ratio: f64) -> usize {
    let minima = MINIMA as f64;
    let deviation = (minima * ratio * (1.0 - ratio)).sqrt();
    (minima * ratio - 3.3 * deviation).max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_agreement_follows_the_ratio() {
        assert_eq!(least_agreement(0.72), 34);
        assert_eq!(least_agreement(1.0), 64);
        assert_eq!(least_agreement(0.0), 1);
    }
}
