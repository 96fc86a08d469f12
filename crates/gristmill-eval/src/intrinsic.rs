//! How whole chunks are, without any question: key items, coverage, borders, sizes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::items::{ItemKind, KeyItem, items};
use crate::ranges::{Range, Ranges};
use crate::source::Source;
use crate::whole::{Kind, Wholes};

/// A chunk as its borders are judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Where its text stands in the source, from its first to its last character: code points.
    pub places: Ranges,
    /// Size of the text that is embedded, in the unit of the limits.
    pub size: u64,
    /// Room that the limit leaves for text of the source, once what is injected is counted.
    pub room: u64,
}

/// The intrinsic figures of a setting.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Intrinsic {
    /// Key items that are whole in at least one chunk, of all.
    pub completeness: f64,
    /// Key items.
    pub items: u64,
    /// Key items by kind: whole ones, all.
    pub by_kind: BTreeMap<&'static str, [u64; 2]>,
    /// Key items that no chunk holds whole.
    pub missing: Vec<Missing>,
    /// Characters of the source that are in some chunk, of all that were not removed by declaration; white space apart.
    pub coverage: f64,
    /// Characters that are in no chunk.
    pub uncovered: u64,
    /// Chunks with a border inside a sentence, word, table row, list item or fence that would have fitted, of all.
    pub break_rate: f64,
    /// Chunks with such a border.
    pub broken: u64,
    /// Chunks whose border is inside something that fits into no chunk.
    pub forced: u64,
    /// Borders by what they break.
    pub breaks: BTreeMap<Kind, u64>,
    /// 1 less the deviation of sizes by their mean, not below 0.
    pub uniformity: f64,
    /// Chunks.
    pub chunks: u64,
}

/// A key item that no chunk holds whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// The document.
    pub source: String,
    /// Where in it, from 1.
    pub line: u64,
    /// What it is.
    pub kind: ItemKind,
    /// The item, cut where it is long.
    pub text: String,
}

/// What does not depend on how a document is cut.
pub struct Outline {
    items: Vec<(ItemKind, Range)>,
    kept: Ranges,
    wholes: Wholes,
}

impl Outline {
    /// Looks over a document.
    pub fn of(source: &Source) -> Self {
        let place = |item: KeyItem| (item.kind, source.place(item.span));
        let items = items(&source.document).into_iter().map(place).collect();
        Self { items, kept: kept(source), wholes: Wholes::of(&source.document) }
    }
}

/// Visible characters of the source that no declared edit removes or replaces.
fn kept(source: &Source) -> Ranges {
    let edits = source.document.edits.iter();
    let edited =
        Ranges::new(edits.map(|edit| (source.point(edit.at.start as usize), source.point(edit.at.end as usize))));
    let visible = source.text.chars().enumerate().filter(|(_, c)| !c.is_whitespace() && *c != '\u{feff}');
    Ranges::new(visible.map(|(at, _)| (at as u64, at as u64 + 1))).minus(&edited)
}

/// Sums over documents.
#[derive(Default)]
pub struct Tally {
    sum: Intrinsic,
    whole: u64,
    kept: u64,
    sizes: Vec<u64>,
}

/// Missing items that are listed.
const LISTED: usize = 1_000;

/// Characters shown of an item.
const SHOWN: usize = 80;

impl Tally {
    /// Adds a document with its chunks, in order. `size` counts text in the unit of the limits.
    pub fn add(&mut self, source: &Source, outline: &Outline, cuts: &[Cut], size: &dyn Fn(&str) -> usize) {
        self.items(source, outline, cuts);
        let covered = Ranges::new(cuts.iter().flat_map(|cut| cut.places.as_slice().iter().copied()));
        self.kept += outline.kept.size();
        self.sum.uncovered += outline.kept.minus(&covered).size();
        cuts.iter().for_each(|cut| self.borders(source, outline, cut, size));
        self.sizes.extend(cuts.iter().map(|cut| cut.size));
    }

    fn items(&mut self, source: &Source, outline: &Outline, cuts: &[Cut]) {
        let all: Vec<Range> = cuts.iter().flat_map(|cut| cut.places.as_slice().iter().copied()).collect();
        let index = Holding::new(all);
        for (kind, place) in &outline.items {
            let whole = index.holds(*place);
            self.whole += u64::from(whole);
            let counts = self.sum.by_kind.entry(kind.name()).or_default();
            *counts = [counts[0] + u64::from(whole), counts[1] + 1];
            self.sum.items += 1;
            if !whole && self.sum.missing.len() < LISTED {
                let text: String = source.at(*place).chars().take(SHOWN).collect();
                let line = source.line(place.0);
                self.sum.missing.push(Missing { source: source.name.clone(), line, kind: *kind, text });
            }
        }
    }

    fn borders(&mut self, source: &Source, outline: &Outline, cut: &Cut, size: &dyn Fn(&str) -> usize) {
        let places = cut.places.as_slice();
        let (Some(first), Some(last)) = (places.first(), places.last()) else { return };
        let (mut broken, mut forced) = (false, false);
        for at in [first.0, last.1] {
            for (kind, span) in broken_at(source, outline, at) {
                let fits = size(&source.document.text[span.range()]) as u64 <= cut.room;
                if fits {
                    *self.sum.breaks.entry(kind).or_insert(0) += 1;
                }
                broken |= fits;
                forced |= !fits;
            }
        }
        self.sum.broken += u64::from(broken);
        self.sum.forced += u64::from(forced && !broken);
    }

    /// The figures.
    pub fn finish(mut self) -> Intrinsic {
        let share = |part: u64, whole: u64| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
        self.sum.chunks = self.sizes.len() as u64;
        self.sum.completeness = share(self.whole, self.sum.items);
        self.sum.coverage = share(self.kept - self.sum.uncovered, self.kept);
        self.sum.break_rate = if self.sizes.is_empty() { 0.0 } else { share(self.sum.broken, self.sum.chunks) };
        self.sum.uniformity = uniformity(&self.sizes);
        self.sum
    }
}

/// What a border at a place of the source breaks.
fn broken_at<'a>(
    source: &'a Source,
    outline: &'a Outline,
    point: u64,
) -> impl Iterator<Item = (Kind, gristmill_core::Span)> + 'a {
    let byte = u32::try_from(source.byte(point)).unwrap_or(u32::MAX);
    let at = source.document.map.from_source(byte) as usize;
    let text = &source.document.text;
    outline.wholes.broken_at(text, text.floor_char_boundary(at))
}

/// 1 − σ/μ of sizes, not below 0.
pub fn uniformity(sizes: &[u64]) -> f64 {
    let count = sizes.len() as f64;
    let mean = sizes.iter().sum::<u64>() as f64 / count;
    if sizes.is_empty() || mean == 0.0 {
        return 0.0;
    }
    let variance = sizes.iter().map(|size| (*size as f64 - mean).powi(2)).sum::<f64>() / count;
    (1.0 - variance.sqrt() / mean).max(0.0)
}

/// Ranges, asked which of them holds a place whole: sorted by start, with the farthest end so far.
struct Holding {
    starts: Vec<u64>,
    ends: Vec<u64>,
}

impl Holding {
    fn new(mut ranges: Vec<Range>) -> Self {
        ranges.sort_unstable();
        let mut farthest = 0;
        let ends = ranges.iter().map(|range| {
            farthest = range.1.max(farthest);
            farthest
        });
        Self { ends: ends.collect(), starts: ranges.iter().map(|range| range.0).collect() }
    }

    /// True when one range that begins no later ends no earlier.
    fn holds(&self, place: Range) -> bool {
        let before = self.starts.partition_point(|start| *start <= place.0);
        before > 0 && self.ends[before - 1] >= place.1
    }
}

#[cfg(test)]
mod tests {
    use gristmill_core::BlockKind;

    use super::*;
    use crate::source::tests::{block, source};

    fn cut(places: &[Range], size: u64, room: u64) -> Cut {
        Cut { places: Ranges::new(places.iter().copied()), size, room }
    }

    fn measure(text: &str, of: &str, kind: BlockKind, cuts: &[Cut]) -> Intrinsic {
        let source = source(text, vec![block(text, of, kind, 0)], Vec::new());
        let mut tally = Tally::default();
        tally.add(&source, &Outline::of(&source), cuts, &|text| text.chars().count());
        tally.finish()
    }

    #[test]
    fn an_item_in_two_pieces_is_missing() {
        // 012345678901234567890123456789
        // It ran 30 days and 20 km then.
        let text = "It ran 30 days and 20 km then.";
        let found = measure(text, text, BlockKind::Paragraph, &[cut(&[(0, 9)], 9, 90), cut(&[(10, 30)], 20, 90)]);
        assert_eq!((found.items, found.completeness), (2, 0.5));
        assert_eq!(found.missing.len(), 1);
        assert_eq!((found.missing[0].text.as_str(), found.missing[0].line), ("30 days", 1));
        assert_eq!(found.by_kind["quantity"], [1, 2]);
        // The overlap mends it.
        let found = measure(text, text, BlockKind::Paragraph, &[cut(&[(0, 9)], 9, 90), cut(&[(7, 30)], 23, 90)]);
        assert_eq!(found.completeness, 1.0);
    }

    #[test]
    fn coverage_counts_visible_characters() {
        // Ten visible characters, of which the last chunk leaves out one.
        let text = "abcd efg\nhij";
        let found = measure(text, text, BlockKind::Paragraph, &[cut(&[(0, 8)], 8, 90), cut(&[(9, 11)], 2, 90)]);
        assert_eq!((found.coverage, found.uncovered), (0.9, 1));
    }

    #[test]
    fn a_border_that_had_to_be_is_no_break() {
        let text = "One stands here. Two follows it.";
        let halves = |room| [cut(&[(0, 16)], 16, room), cut(&[(17, 20)], 3, room), cut(&[(21, 32)], 11, room)];
        // The second sentence has 15 characters and is cut after `Two`: both chunks at that border are broken.
        let found = measure(text, text, BlockKind::Paragraph, &halves(15));
        assert_eq!((found.broken, found.forced, found.break_rate), (2, 0, 2.0 / 3.0));
        let found = measure(text, text, BlockKind::Paragraph, &halves(14));
        assert_eq!((found.broken, found.forced, found.break_rate), (0, 2, 0.0));
    }

    #[test]
    fn uniformity_is_one_less_the_relative_deviation() {
        assert_eq!(uniformity(&[5, 5, 5]), 1.0);
        // Mean 3, deviation √((4 + 0 + 4) / 3).
        assert!((uniformity(&[1, 3, 5]) - (1.0 - (8.0f64 / 3.0).sqrt() / 3.0)).abs() < 1e-12);
        // Mean 1, deviation 3.
        assert_eq!(uniformity(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 10]), 0.0);
        assert_eq!(uniformity(&[]), 0.0);
    }
}
