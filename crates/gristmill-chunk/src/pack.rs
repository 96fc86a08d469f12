//! Chooses the cuts: the cheapest way to cover all units, found by dynamic programming over the borders.
//!
//! The cost of a way is the sum over its chunks of
//! - a size term: `((target − s) / target)²` below the target and `0.6 · ((s − target) / (max − target))²` above it, and
//!   1 and more below `min`, where `s` is the size of the chunk with what is injected;
//! - the cost of the border at its start ([`crate::border::Level::cost`]);
//! - a mixing term for every heading inside it, so that sections share a chunk only when they are small.
//!
//! No chunk above `max` is ever considered, unless one unit alone is larger, and none over a border that keeps texts apart.

use gristmill_core::Limits;

use crate::border::Level;

/// Sizes and borders of the units, in order. All vectors but `close` have one entry a unit; `close` and `level` speak of
/// the border before unit `j` and have one more entry, for the end of the text.
#[derive(Debug, Default)]
pub struct Units {
    /// Size of the text from the first unit's start to this one's start.
    pub starts: Vec<u32>,
    /// Size of the text from the first unit's start to this one's end, without white space after it.
    pub ends: Vec<u32>,
    /// Size of what must be put in front of a chunk that begins here.
    pub open: Vec<u32>,
    /// Size of what is put in front of it where it fits.
    pub context: Vec<u32>,
    /// Size of the least of it: the title that governs the text.
    pub least: Vec<u32>,
    /// Size of what must be put behind a chunk that ends before unit `j`.
    pub close: Vec<u32>,
    /// What ends before unit `j`.
    pub level: Vec<Level>,
}

/// What a chunk costs that is one unit too large for the limit: it is never chosen where another way exists.
const OVERSIZED: f32 = 1.0e6;

/// What it costs to leave out the outer titles of a chunk's path.
const SHORTENED: f32 = 0.25;

/// What it costs to leave out the whole path.
const UNTITLED: f32 = 1.2;

/// Gives the index of the first unit of each chunk.
pub fn pack(units: &Units, limits: &Limits) -> Vec<usize> {
    let count = units.starts.len();
    let mut best = vec![f32::INFINITY; count + 1];
    let mut from = vec![0u32; count + 1];
    best[0] = 0.0;
    for first in 0..count {
        reach_from(first, units, limits, &mut best, &mut from);
    }
    let mut chunks = Vec::new();
    let mut at = count;
    while at > 0 {
        at = from[at] as usize;
        chunks.push(at);
    }
    chunks.reverse();
    chunks
}

fn reach_from(first: usize, units: &Units, limits: &Limits, best: &mut [f32], from: &mut [u32]) {
    let count = units.starts.len();
    let (open, context) = (units.open[first], (units.context[first], units.least[first]));
    let mut mixing = 0.0;
    for next in first + 1..=count {
        let needed = open + (units.ends[next - 1] - units.starts[first]) + units.close[next];
        if next > first + 1 {
            if units.level[next - 1] == Level::Apart {
                break;
            }
            mixing += mixing_cost(units, first, next - 1);
            if needed as usize > limits.max {
                // A closing line can make one end too large and a later one not; the body alone never shrinks.
                if (needed - units.close[next]) as usize > limits.max {
                    break;
                }
                continue;
            }
        }
        let border = if next == count { 0.0 } else { units.level[next].cost() };
        let cost = best[first] + size_cost(needed, context, limits) + border + mixing;
        if cost < best[next] {
            best[next] = cost;
            from[next] = u32::try_from(first).unwrap_or(u32::MAX);
        }
    }
}

/// Gives the index of the first unit of each chunk, when every chunk takes as many units as fit. A last chunk below the
/// least size takes units from the one before it.
pub fn fill(units: &Units, limits: &Limits) -> Vec<usize> {
    let count = units.starts.len();
    let mut chunks = Vec::new();
    let mut first = 0;
    while first < count {
        chunks.push(first);
        let fits = |next: &usize| units.needed(first, *next) + units.context[first] as usize <= limits.max;
        first = (first + 2..=count).take_while(fits).last().unwrap_or(first + 1);
    }
    while let [.., before, last] = chunks[..]
        && units.needed(last, count) < limits.min
        && last - before > 1
        && units.needed(last - 1, count) <= limits.max
    {
        chunks.pop();
        chunks.push(last - 1);
    }
    chunks
}

impl Units {
    /// Size of the chunk of the units `first..next` with what must go around it.
    fn needed(&self, first: usize, next: usize) -> usize {
        (self.open[first] + (self.ends[next - 1] - self.starts[first]) + self.close[next]) as usize
    }
}

/// What it costs that the border before unit `inner` lies inside a chunk.
fn mixing_cost(units: &Units, first: usize, inner: usize) -> f32 {
    let Level::Heading(level) = units.level[inner] else { return 0.0 };
    match units.level[first] {
        // A section together with the sections inside it.
        Level::Heading(own) if own < level => 0.03,
        // Neighbours.
        Level::Heading(own) if own == level => 0.06,
        Level::Heading(_) => 0.16,
        // The rest of one section and the beginning of the next.
        _ => 0.14,
    }
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^24")]
fn size_cost(needed: u32, context: (u32, u32), limits: &Limits) -> f32 {
    let (full, least) = ((needed + context.0) as usize, (needed + context.1) as usize);
    let (size, shortened) = match () {
        () if full <= limits.max => (full, 0.0),
        () if least <= limits.max => (limits.max, SHORTENED),
        () => (limits.max, UNTITLED),
    };
    if needed as usize > limits.max {
        return OVERSIZED + (needed as usize - limits.max) as f32;
    }
    let (target, max) = (limits.target as f32, limits.max as f32);
    let size_f = size as f32;
    let below = if size < limits.min { 0.5 + 0.5 * (1.0 - size_f / limits.min as f32) } else { 0.0 };
    let off = if size_f <= target {
        ((target - size_f) / target).powi(2)
    } else {
        0.6 * ((size_f - target) / (max - target)).powi(2)
    };
    off + below + shortened
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(sizes: &[u32], levels: &[Level]) -> Units {
        let mut units = Units::default();
        let mut at = 0;
        for size in sizes {
            units.starts.push(at);
            at += size;
            units.ends.push(at);
            units.open.push(0);
            units.context.push(0);
            units.least.push(0);
        }
        units.close = vec![0; sizes.len() + 1];
        units.level = levels.to_vec();
        units.level.push(Level::Block);
        units
    }

    const LIMITS: Limits = Limits { target: 100, max: 150, min: 20, overlap: 0 };

    #[test]
    fn sizes_come_out_even() {
        let units = units(&[50; 6], &[Level::Block; 6]);
        assert_eq!(pack(&units, &LIMITS), [0, 2, 4]);
    }

    #[test]
    fn a_heading_is_preferred_to_an_even_size() {
        let levels = [Level::Heading(1), Level::Block, Level::Heading(2), Level::Block, Level::Block];
        let units = units(&[40, 40, 40, 40, 40], &levels);
        assert_eq!(pack(&units, &LIMITS), [0, 2]);
    }

    #[test]
    fn the_limit_holds_and_an_oversized_unit_stands_alone() {
        let units = units(&[100, 100, 400, 30], &[Level::Block; 4]);
        assert_eq!(pack(&units, &LIMITS), [0, 1, 2, 3]);
    }

    #[test]
    fn filling_takes_what_fits_and_leaves_no_orphan() {
        let units = units(&[50, 50, 50, 50, 50, 10], &[Level::Block; 6]);
        // 150 fits exactly; 110 is left, which is above the least size.
        assert_eq!(fill(&units, &LIMITS), [0, 3]);
        let units = super::tests::units(&[50, 50, 50, 10], &[Level::Block; 4]);
        assert_eq!(fill(&units, &LIMITS), [0, 2]);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert!(pack(&units(&[], &[]), &LIMITS).is_empty());
        assert!(fill(&units(&[], &[]), &LIMITS).is_empty());
    }
}
