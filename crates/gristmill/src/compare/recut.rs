//! Text that stands within other borders.

use gristmill_core::Result;
use gristmill_text::similar::each_shingle;
use rustc_hash::FxHashSet;

use super::mark::{Fate, Marks};
use super::side::Side;

/// Bytes of text of which all shingles are compared; of more text only every second, fourth, … of them.
const WHOLE: usize = 64 << 20;

/// Lines up to this length are compared as a whole, too: a title that is a chunk of its own is then found in the chunk that
/// it was joined to.
const SHORT_LINE: usize = 40;

/// Marks the chunks that were left alone and at least half of whose text is in chunks that were left alone on the other side.
pub(super) fn find((before, old): (&Side, &mut Marks), (after, new): (&Side, &mut Marks)) -> Result<()> {
    let left = |marks: &Marks| marks.0.iter().filter(|mark| mark.fate == Fate::Alone).map(|mark| mark.bytes).sum();
    let bytes: [usize; 2] = [left(old), left(new)];
    if bytes.contains(&0) {
        return Ok(());
    }
    let sampled = Sampled { step: (bytes.iter().sum::<usize>() / WHOLE).max(1).next_power_of_two() as u64 };
    let (in_old, in_new) = (sampled.all(before, old)?, sampled.all(after, new)?);
    let (recut_old, recut_new) = (sampled.within(before, old, &in_new)?, sampled.within(after, new, &in_old)?);
    for (marks, recut) in [(old, recut_old), (new, recut_new)] {
        let alone = marks.0.iter_mut().filter(|mark| mark.fate == Fate::Alone);
        alone.zip(recut).filter(|(_, recut)| *recut).for_each(|(mark, _)| mark.fate = Fate::Recut);
    }
    Ok(())
}

/// Shingles of which one in `step` is looked at, the same on both sides.
struct Sampled {
    step: u64,
}

impl Sampled {
    /// The shingles of all chunks that were left alone, each with its source.
    fn all(&self, side: &Side, marks: &Marks) -> Result<FxHashSet<u64>> {
        let mut all = FxHashSet::default();
        marks.each(side, &mut |mark, told| {
            if mark.fate == Fate::Alone {
                self.each(told.own, mark.source, &mut |shingle| _ = all.insert(shingle));
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// For each chunk that was left alone, in order: whether at least half of its shingles are in `other`.
    fn within(&self, side: &Side, marks: &Marks, other: &FxHashSet<u64>) -> Result<Vec<bool>> {
        let mut found = Vec::new();
        marks.each(side, &mut |mark, told| {
            if mark.fate == Fate::Alone {
                let (mut there, mut all) = (0_u64, 0_u64);
                self.each(told.own, mark.source, &mut |shingle| {
                    all += 1;
                    there += u64::from(other.contains(&shingle));
                });
                found.push(all > 0 && 2 * there >= all);
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn each(&self, text: &str, source: u32, take: &mut dyn FnMut(u64)) {
        // Odd, so that no two sources give a shingle the same value.
        let salt = u64::from(source).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut chosen = |shingle: u64| {
            if shingle.is_multiple_of(self.step) {
                take(shingle.wrapping_add(salt));
            }
        };
        each_shingle(text, &mut chosen);
        for line in text.lines().filter(|line| line.len() <= SHORT_LINE) {
            each_shingle(line, &mut chosen);
        }
    }
}
