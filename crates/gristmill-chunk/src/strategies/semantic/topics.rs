//! From similarities to topics of the right sizes.

use std::ops::Range;

use gristmill_core::{Limits, Measured};

/// The sentences of a document, and how alike neighbours are.
pub(super) struct Topics<'a> {
    /// Where each sentence begins.
    pub starts: &'a [u32],
    /// How alike each is to the next; not a number where that is not known.
    pub alike: &'a [f32],
    pub measured: &'a dyn Measured,
    /// The end of the document's text.
    pub end: usize,
}

impl Topics<'_> {
    /// Where the topics begin that end where neighbours are less alike than `least`, brought to size.
    pub(super) fn find(&self, least: f32, limits: &Limits) -> Vec<u32> {
        let mut topics = Vec::new();
        let mut first = 0;
        for next in 1..=self.starts.len() {
            if next == self.starts.len() || self.alike[next - 1] < least {
                self.open(first..next, limits, &mut topics);
                first = next;
            }
        }
        self.join(&topics, limits).iter().map(|topic| self.starts[topic.start]).collect()
    }

    /// Adds the sentences of a topic, in as many pieces as the limit needs.
    fn open(&self, topic: Range<usize>, limits: &Limits, out: &mut Vec<Range<usize>>) {
        let mut waiting = vec![topic];
        while let Some(topic) = waiting.pop() {
            match self.cut(&topic, limits) {
                Some(at) => waiting.extend([at..topic.end, topic.start..at]),
                None => out.push(topic),
            }
        }
    }

    /// Where a topic larger than the limit is cut: between its least similar neighbours that leave enough on both sides,
    /// the first of them.
    fn cut(&self, topic: &Range<usize>, limits: &Limits) -> Option<usize> {
        if self.size(topic) <= limits.max {
            return None;
        }
        let leaves_enough =
            |at: &usize| self.size(&(topic.start..*at)) >= limits.min && self.size(&(*at..topic.end)) >= limits.min;
        let inner = (topic.start + 1..topic.end).filter(leaves_enough);
        inner.min_by(|a, b| self.between(*a).total_cmp(&self.between(*b)))
    }

    /// Joins what is smaller than the least size with the more similar of its neighbours, where the two fit one chunk.
    fn join(&self, topics: &[Range<usize>], limits: &Limits) -> Vec<Range<usize>> {
        let mut joined: Vec<Range<usize>> = Vec::with_capacity(topics.len());
        let mut begun = None;
        for (index, topic) in topics.iter().enumerate() {
            let topic = begun.take().unwrap_or(topic.start)..topic.end;
            let small = self.size(&topic) < limits.min;
            let fits = |range: &Range<usize>| small && self.size(range) <= limits.max;
            let before = joined.last().map(|last| last.start..topic.end).filter(fits);
            let after = topics.get(index + 1).map(|next| topic.start..next.end).filter(fits);
            match (before, after) {
                (None, Some(_)) => begun = Some(topic.start),
                (Some(_), Some(_)) if self.between(topic.end) > self.between(topic.start) => begun = Some(topic.start),
                (Some(both), _) => {
                    joined.pop();
                    joined.push(both);
                }
                (None, None) => joined.push(topic),
            }
        }
        joined
    }

    /// How alike the sentence `at` is to the one before it; unknown neighbours are as alike as can be.
    fn between(&self, at: usize) -> f32 {
        Some(self.alike[at - 1]).filter(|alike| alike.is_finite()).unwrap_or(1.0)
    }

    fn size(&self, topic: &Range<usize>) -> usize {
        let end = self.starts.get(topic.end).map_or(self.end, |end| *end as usize);
        self.measured.size(self.starts[topic.start] as usize..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apart::tests::Bytes;

    /// Topics of sentences of ten bytes each.
    fn find(alike: &[f32], min: usize, max: usize) -> Vec<u32> {
        let starts: Vec<u32> = (0..=alike.len()).map(|n| u32::try_from(n * 10).expect("small")).collect();
        let topics = Topics { starts: &starts, alike, measured: &Bytes, end: starts.len() * 10 };
        topics.find(0.5, &Limits { target: max, max, min, overlap: 0 })
    }

    #[test]
    fn topics_end_where_neighbours_are_unlike() {
        assert_eq!(find(&[0.9, 0.2, 0.9, 0.5, 0.4], 0, 100), [0, 20, 50]);
        assert_eq!(find(&[], 0, 100), [0]);
    }

    #[test]
    fn what_is_too_large_is_cut_where_it_is_least_alike() {
        // Forty bytes: 0.6 is the least that leaves twenty on both sides, though 0.55 is less.
        assert_eq!(find(&[0.55, 0.6, 0.7], 20, 30), [0, 20]);
        assert_eq!(find(&[0.55, 0.6, 0.7], 0, 30), [0, 10]);
    }

    #[test]
    fn what_is_too_small_joins_the_more_similar_neighbour() {
        assert_eq!(find(&[0.9, 0.2, 0.4, 0.9], 20, 100), [0, 20]);
        assert_eq!(find(&[0.9, 0.4, 0.2, 0.9], 20, 100), [0, 30]);
        // With the second it would be above the limit.
        assert_eq!(find(&[0.9, 0.2, 0.4, 0.9, 0.9], 20, 30), [0, 30]);
        // It fits neither.
        assert_eq!(find(&[0.9, 0.2, 0.4, 0.9], 20, 20), [0, 20, 30]);
    }

    #[test]
    fn unknown_neighbours_stay_together() {
        assert_eq!(find(&[f32::NAN, 0.1, f32::NAN], 0, 100), [0, 20]);
    }

    #[test]
    fn small_ones_at_both_ends_join_inwards() {
        assert_eq!(find(&[0.1, 0.9, 0.1], 20, 100), [0]);
        assert_eq!(find(&[0.1, 0.9, 0.1, 0.9, 0.1], 20, 100), [0, 30]);
    }
}
