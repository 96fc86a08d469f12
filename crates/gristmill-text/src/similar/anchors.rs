//! Candidates for containment: texts whose smallest shingles are found inside another.

use super::index::Entry;
use super::shingles::shingles;
use super::sketch::{ANCHORS, anchor};
use super::verify::LEAST_INNER;

/// Texts that may share an anchor; more are the same boiler-plate.
const POPULAR: usize = 16;
/// Anchors to be found in a text that may hold another: at 90 % of the shingles, all but 0.4 % have two of four.
const LEAST_FOUND: usize = 2;
/// The filter has so many more bits than the directory: 8 to 16 bits for an anchor.
const SEEN_BITS: u32 = 3;
/// Odd, so that different anchors stay different.
const SPREAD: u32 = 0x9e37_79b1;

/// The anchors of many texts, to be looked up. Sorted, with a directory by their top bits.
pub(super) struct Anchors {
    entries: Vec<(u32, u32)>,
    /// A bit for each value of some more of the top bits, so that most look-ups end here.
    seen: Vec<u64>,
    /// Where the entries of each value of the top bits begin.
    starts: Vec<u32>,
    shift: u32,
    seen_shift: u32,
}

impl Anchors {
    /// Of the texts at the positions `chosen`, as far as they are large enough to be found inside others.
    pub(super) fn of(texts: &[Entry], chosen: &[u32]) -> Self {
        let mut entries = Vec::with_capacity(chosen.len() * ANCHORS);
        for at in chosen.iter().copied() {
            let Some(sketch) = texts.get(at as usize).map(|text| &text.sketch) else { continue };
            if sketch.shingles() < LEAST_INNER {
                continue;
            }
            let anchors = sketch.anchors.iter().filter(|anchor| **anchor != u32::MAX);
            entries.extend(anchors.map(|anchor| (anchor.wrapping_mul(SPREAD), at)));
        }
        entries.sort_unstable();
        drop_popular(&mut entries);
        let bits = (entries.len().max(16).ilog2() + 1).min(26);
        let (shift, seen_shift) = (32 - bits, 32 - bits - SEEN_BITS);
        let mut seen = vec![0u64; 1 << (bits + SEEN_BITS - 6)];
        let mut starts = vec![0u32; (1 << bits) + 1];
        for (spread, _) in &entries {
            starts[(spread >> shift) as usize + 1] += 1;
            let bit = spread >> seen_shift;
            seen[bit as usize / 64] |= 1 << (bit % 64);
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Self { entries, seen, starts, shift, seen_shift }
    }

    /// The positions of the texts that may be inside `text`, in rising order.
    pub(super) fn inside(&self, text: &str) -> Vec<u32> {
        let mut values: Vec<u32> = Vec::with_capacity(text.len() / 4);
        shingles(text, |shingle, _| values.push(anchor(shingle).wrapping_mul(SPREAD)));
        values.retain(|value| self.may_hold(*value));
        let mut hits: Vec<(u32, u32)> = Vec::new();
        for value in values {
            let of_value = self.slot(value).iter().filter(|entry| entry.0 == value);
            hits.extend(of_value.map(|entry| (entry.1, entry.0)));
        }
        hits.sort_unstable();
        hits.dedup();
        let per_text = hits.chunk_by(|left, right| left.0 == right.0);
        per_text.filter(|hits| hits.len() >= LEAST_FOUND).filter_map(|hits| Some(hits.first()?.0)).collect()
    }

    fn may_hold(&self, value: u32) -> bool {
        let bit = value >> self.seen_shift;
        self.seen.get(bit as usize / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    fn slot(&self, value: u32) -> &[(u32, u32)] {
        let slot = (value >> self.shift) as usize;
        let start = self.starts.get(slot).copied().unwrap_or_default() as usize;
        let end = self.starts.get(slot + 1).copied().unwrap_or_default() as usize;
        self.entries.get(start..end).unwrap_or_default()
    }
}

fn drop_popular(entries: &mut Vec<(u32, u32)>) {
    let mut kept = 0;
    let mut from = 0;
    while let Some(first) = entries.get(from).map(|entry| entry.0) {
        let count = entries[from..].iter().take_while(|entry| entry.0 == first).count();
        if count <= POPULAR {
            entries.copy_within(from..from + count, kept);
            kept += count;
        }
        from += count;
    }
    entries.truncate(kept);
}

const _: () = assert!(LEAST_FOUND <= ANCHORS);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similar::Sketch;

    fn words(from: usize, to: usize) -> String {
        (from..to).map(|n| format!("word{n} ")).collect()
    }

    #[test]
    fn a_text_is_found_inside_a_much_larger_one() {
        let texts = [words(0, 30), words(1000, 1100), words(5000, 5010)];
        let texts: Vec<Entry> = texts.iter().map(|text| Entry { id: 0, sketch: Sketch::of(text) }).collect();
        let anchors = Anchors::of(&texts, &[0, 1, 2]);
        let large = format!("{} {} {}", words(20_000, 21_000), words(0, 30), words(1000, 1200));
        assert_eq!(anchors.inside(&large), [0, 1]);
        assert!(anchors.inside(&words(5000, 6000)).is_empty(), "ten words are too few");
        assert!(Anchors::of(&[], &[]).inside(&large).is_empty());
    }

    #[test]
    fn anchors_of_many_texts_are_no_anchors() {
        let mut entries: Vec<(u32, u32)> = (0..17).map(|at| (5, at)).chain((0..16).map(|at| (7, at))).collect();
        drop_popular(&mut entries);
        assert_eq!(entries, (0..16).map(|at| (7, at)).collect::<Vec<_>>());
    }
}
