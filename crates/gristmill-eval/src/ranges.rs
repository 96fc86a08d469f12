//! Sets of characters of one document, as ranges.

/// A half-open range of code points.
pub type Range = (u64, u64);

/// A set of characters: ranges in order, neither empty nor touching.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<Range>);

impl Ranges {
    /// The union of ranges in any order.
    pub fn new(ranges: impl IntoIterator<Item = Range>) -> Self {
        let mut sorted: Vec<Range> = ranges.into_iter().filter(|(start, end)| start < end).collect();
        sorted.sort_unstable();
        let mut out: Vec<Range> = Vec::with_capacity(sorted.len());
        for (start, end) in sorted {
            match out.last_mut().filter(|last| start <= last.1) {
                Some(last) => last.1 = last.1.max(end),
                None => out.push((start, end)),
            }
        }
        Self(out)
    }

    /// The ranges, in order.
    pub fn as_slice(&self) -> &[Range] {
        &self.0
    }

    /// Number of characters.
    pub fn size(&self) -> u64 {
        self.0.iter().map(|(start, end)| end - start).sum()
    }

    /// True for no character at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The characters of either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self::new(self.0.iter().chain(&other.0).copied())
    }

    /// The characters of both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let mut out = Vec::new();
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (self.0.get(i), other.0.get(j)) {
            let (start, end) = (a.0.max(b.0), a.1.min(b.1));
            if start < end {
                out.push((start, end));
            }
            if a.1 <= b.1 { i += 1 } else { j += 1 }
        }
        Self(out)
    }

    /// The characters of this set that are not in the other.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        let mut out = Vec::new();
        let mut j = 0;
        for &(mut start, end) in &self.0 {
            while other.0.get(j).is_some_and(|taken| taken.1 <= start) {
                j += 1;
            }
            let mut k = j;
            while let Some(taken) = other.0.get(k).filter(|taken| taken.0 < end) {
                if start < taken.0 {
                    out.push((start, taken.0));
                }
                start = start.max(taken.1);
                k += 1;
            }
            if start < end {
                out.push((start, end));
            }
        }
        Self(out)
    }

    /// True when all of `range` is in the set.
    pub fn covers(&self, range: Range) -> bool {
        let after = self.0.partition_point(|r| r.0 <= range.0);
        range.0 >= range.1 || after.checked_sub(1).is_some_and(|i| range.1 <= self.0[i].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ranges: &[Range]) -> Ranges {
        Ranges::new(ranges.iter().copied())
    }

    #[test]
    fn ranges_that_touch_become_one() {
        assert_eq!(set(&[(5, 8), (1, 3), (3, 5), (9, 9)]).as_slice(), [(1, 8)]);
        assert_eq!(set(&[(0, 10), (2, 3), (11, 12)]).size(), 11);
    }

    #[test]
    fn sets_meet_and_part() {
        let (a, b) = (set(&[(0, 4), (6, 10)]), set(&[(2, 7), (9, 12)]));
        assert_eq!(a.intersection(&b).as_slice(), [(2, 4), (6, 7), (9, 10)]);
        assert_eq!(a.minus(&b).as_slice(), [(0, 2), (7, 9)]);
        assert_eq!(b.minus(&a).as_slice(), [(4, 6), (10, 12)]);
        assert_eq!(a.union(&b).as_slice(), [(0, 12)]);
        assert!(set(&[(0, 9)]).minus(&set(&[(0, 9)])).is_empty());
    }

    #[test]
    fn a_range_is_covered_only_whole() {
        let a = set(&[(0, 4), (6, 10)]);
        assert!(a.covers((1, 4)) && a.covers((6, 10)) && a.covers((5, 5)));
        assert!(!a.covers((3, 7)) && !a.covers((10, 11)) && !a.covers((4, 6)));
    }
}
