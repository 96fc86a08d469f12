//! Candidates for near-duplicates: texts that agree in a band of minima (locality-sensitive hashing).

use super::sketch::{BANDS, MINIMA, Sketch};

/// Earlier and later texts of its bucket that a text is compared with, by sketch, in each band.
const WINDOW: usize = 8;
/// Candidates kept for a text, those most alike.
const KEPT: usize = 8;

/// The earlier texts each text is to be compared with.
pub(super) struct Candidates {
    /// `KEPT` slots a text: agreement and one more than the position, 0 for none.
    slots: Vec<(u8, u32)>,
}

impl Candidates {
    /// Finds them among the sketches at the positions `chosen`, which rise. Time: the number of texts × `BANDS` ×
    /// (`WINDOW` + sorting).
    pub(super) fn among(sketches: &[Sketch], chosen: &[u32], ratio: f64) -> Self {
        let mut found = Self { slots: vec![(0, 0); sketches.len() * KEPT] };
        let least = least_agreement(ratio);
        let mut order: Vec<(u64, u32)> = Vec::with_capacity(chosen.len());
        for band in 0..BANDS {
            order.clear();
            order.extend(chosen.iter().filter_map(|at| Some((sketches.get(*at as usize)?.band(band), *at))));
            order.sort_unstable();
            for bucket in order.chunk_by(|left, right| left.0 >> 32 == right.0 >> 32) {
                found.compare(sketches, bucket, least);
            }
        }
        found
    }

    /// Compares each text of a bucket with its neighbours. In a crowded bucket these agree in the next band as well.
    fn compare(&mut self, sketches: &[Sketch], bucket: &[(u64, u32)], least: usize) {
        for (n, (_, at)) in bucket.iter().enumerate().skip(1) {
            let first = std::iter::once(0).filter(|_| n > WINDOW);
            for other in first.chain(n.saturating_sub(WINDOW)..n) {
                let Some((_, other)) = bucket.get(other) else { continue };
                let (earlier, later) = (*at.min(other), *at.max(other));
                self.offer(sketches, earlier, later, least);
            }
        }
    }

    fn offer(&mut self, sketches: &[Sketch], earlier: u32, later: u32, least: usize) {
        let (Some(one), Some(two)) = (sketches.get(earlier as usize), sketches.get(later as usize)) else { return };
        let agreement = one.agreement(two);
        if agreement < least || one.masked == two.masked {
            return;
        }
        let from = later as usize * KEPT;
        let Some(slots) = self.slots.get_mut(from..from + KEPT) else { return };
        let entry = (agreement as u8, earlier + 1);
        if slots.contains(&entry) {
            return;
        }
        // Rising, so that the first is the one to give way.
        let rank = |(agreement, at): (u8, u32)| (agreement, u32::MAX - at);
        if let Some(weakest) = slots.first_mut().filter(|weakest| weakest.1 == 0 || rank(**weakest) < rank(entry)) {
            *weakest = entry;
            slots.sort_unstable_by_key(|slot| if slot.1 == 0 { (0, 0) } else { rank(*slot) });
        }
    }

    /// The candidates of the text at `at`, in rising order.
    pub(super) fn of(&self, at: u32) -> Vec<u32> {
        let from = at as usize * KEPT;
        let slots = self.slots.get(from..from + KEPT).unwrap_or_default();
        let mut found: Vec<u32> = slots.iter().filter_map(|(_, other)| other.checked_sub(1)).collect();
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
