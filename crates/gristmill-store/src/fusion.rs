//! One score from two: standard scores of cosine and BM25 over the searched points, weighted and added.

/// Share of the dense score. Below one half: static vectors alone find less than words do on questions whose words
/// stand in the text, and more where they do not.
pub(crate) const DENSE_WEIGHT: f64 = 0.4;

/// Mean and standard deviation of a score over the searched points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    mean: f64,
    deviation: f64,
}

impl Spread {
    /// Of `scores`; the rest of `count` points score 0.
    pub(crate) fn new(scores: impl Iterator<Item = f64> + Clone, count: usize) -> Self {
        let n = count.max(1) as f64;
        let mean = scores.clone().sum::<f64>() / n;
        let (given, squares) = scores.fold((0usize, 0.0), |(given, sum), s| (given + 1, sum + (s - mean).powi(2)));
        let rest = count.saturating_sub(given) as f64;
        Self { mean, deviation: ((squares + rest * mean * mean) / n).sqrt() }
    }

    /// The standard score; 0 where all scores are the same.
    pub(crate) fn standard(self, score: f64) -> f64 {
        // Below this the differences are rounding errors.
        if self.deviation > 1e-9 { (score - self.mean) / self.deviation } else { 0.0 }
    }
}

/// The fused score. A point without a vector is neither raised nor lowered by the vectors of others.
pub(crate) fn fuse(dense: Option<f64>, dense_spread: Spread, bm25: Option<f64>, bm25_spread: Spread) -> f64 {
    let dense = dense.map_or(0.0, |score| dense_spread.standard(score));
    DENSE_WEIGHT * dense + (1.0 - DENSE_WEIGHT) * bm25_spread.standard(bm25.unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_counts_points_without_a_score_as_zero() {
        // 4, 0, 0, 0: mean 1, variance (9 + 1 + 1 + 1) / 4 = 3.
        let spread = Spread::new([4.0].into_iter(), 4);
        assert_eq!(spread, Spread { mean: 1.0, deviation: 3f64.sqrt() });
        assert_eq!(spread.standard(4.0), 3.0 / 3f64.sqrt());
    }

    #[test]
    fn equal_scores_decide_nothing() {
        let same = Spread::new([0.3, 0.3, 0.3].into_iter(), 3);
        assert_eq!(same.standard(0.3), 0.0);
        let none = Spread::new([].into_iter(), 0);
        assert_eq!(fuse(Some(0.3), same, None, none), 0.0);
    }

    #[test]
    fn words_outweigh_vectors() {
        let spread = Spread { mean: 0.0, deviation: 1.0 };
        assert!(fuse(Some(0.0), spread, Some(1.0), spread) > fuse(Some(1.0), spread, Some(0.0), spread));
        assert!(fuse(Some(1.0), spread, Some(1.0), spread) > fuse(None, spread, Some(1.0), spread));
    }
}
