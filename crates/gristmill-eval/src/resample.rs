//! How sure a figure is: questions are drawn anew, document by document, many times.
//!
//! Questions about one document stand or fall together, so whole documents are drawn (a cluster bootstrap). The draws are the
//! same for all settings, so that two settings are compared on the same questions.

/// How often questions are drawn.
pub const RESAMPLES: usize = 2_000;

/// Where the draws begin: the same numbers in every run.
const SEED: u64 = 0x6772_6973_746d_696c;

/// A mean and the range in which 95 of 100 draws have theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Interval {
    /// Mean over all questions.
    pub mean: f64,
    /// 2.5 of 100 draws are below.
    pub low: f64,
    /// 2.5 of 100 draws are above.
    pub high: f64,
}

/// Draws of groups of questions.
pub struct Draws {
    /// The group of each question.
    groups: Vec<usize>,
    /// For each draw, how often each group is in it.
    times: Vec<Vec<u32>>,
}

impl Draws {
    /// `groups` names the group of each question, from 0.
    pub fn new(groups: &[usize]) -> Self {
        let count = groups.iter().max().map_or(0, |most| most + 1);
        let mut numbers = Numbers(SEED);
        let one = |_| {
            let mut times = vec![0; count];
            (0..count).for_each(|_| times[numbers.below(count)] += 1);
            times
        };
        Self { groups: groups.to_vec(), times: (0..RESAMPLES).map(one).collect() }
    }

    /// The mean of each draw. A draw without a question (its groups have none) is left out.
    pub fn means(&self, values: &[f64]) -> Vec<f64> {
        let count = self.times.first().map_or(0, Vec::len);
        let (mut sums, mut sizes) = (vec![0.0; count], vec![0u32; count]);
        for (value, group) in values.iter().zip(&self.groups) {
            sums[*group] += value;
            sizes[*group] += 1;
        }
        let mean = |times: &Vec<u32>| {
            let sum: f64 = times.iter().zip(&sums).map(|(times, sum)| f64::from(*times) * sum).sum();
            let size: u32 = times.iter().zip(&sizes).map(|(times, size)| times * size).sum();
            (size > 0).then(|| sum / f64::from(size))
        };
        self.times.iter().filter_map(mean).collect()
    }

    /// Mean and interval of the values of the questions.
    pub fn interval(&self, values: &[f64]) -> Interval {
        let mut means = self.means(values);
        means.sort_by(f64::total_cmp);
        let all = mean(values);
        Interval {
            mean: all,
            low: quantile(&means, 0.025).unwrap_or(all),
            high: quantile(&means, 0.975).unwrap_or(all),
        }
    }

    /// How likely a difference such as that between `a` and `b` is where there is none: twice the share of draws on the
    /// rarer side of zero, each side counted with one draw more than there is.
    pub fn p_value(&self, a: &[f64], b: &[f64]) -> f64 {
        let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        if differences.iter().all(|difference| *difference == 0.0) {
            return 1.0;
        }
        let means = self.means(&differences);
        let side = |holds: &dyn Fn(f64) -> bool| means.iter().filter(|mean| holds(**mean)).count() + 1;
        // What is zero but for rounding counts on both sides.
        let rarer = side(&|mean| mean <= 1e-12).min(side(&|mean| mean >= -1e-12));
        (2.0 * rarer as f64 / (means.len() + 1) as f64).min(1.0)
    }
}

/// The mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The value below which a share of sorted values is, between neighbours in proportion.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let at = share * (sorted.len().checked_sub(1)?) as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    Some(low + (high - low) * at.fract())
}

/// Holm's correction: the p values as they are when all of these comparisons were made at once.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut out = vec![1.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (before, index) in order.iter().enumerate() {
        least = least.max(p_values[*index] * (p_values.len() - before) as f64).min(1.0);
        out[*index] = least;
    }
    out
}

/// A rank for each setting, from 1, and the corrected p value of its comparison with the best of its round.
///
/// `values` holds the figure of each question under each setting. The best is compared with all others; it shares its rank
/// with those it cannot be told apart from. Among the rest, the same is done again.
pub fn ranks(values: &[Vec<f64>], draws: &Draws, level: f64) -> Vec<(usize, f64)> {
    let mut out = vec![(1, 1.0); values.len()];
    let mut left: Vec<usize> = (0..values.len()).collect();
    left.sort_by(|a, b| mean(&values[*b]).total_cmp(&mean(&values[*a])).then(a.cmp(b)));
    let mut rank = 1;
    while let Some((&best, others)) = left.split_first() {
        let raw: Vec<f64> = others.iter().map(|other| draws.p_value(&values[best], &values[*other])).collect();
        let judged: Vec<(usize, f64)> = others.iter().copied().zip(holm(&raw)).collect();
        out[best].0 = rank;
        let (worse, alike): (Vec<_>, Vec<_>) = judged.into_iter().partition(|(_, p)| *p < level);
        alike.iter().for_each(|(other, p)| out[*other] = (rank, if rank == 1 { *p } else { out[*other].1 }));
        // What is told of a setting is how it compares with the best of all.
        if rank == 1 {
            worse.iter().for_each(|(other, p)| out[*other].1 = *p);
        }
        rank += alike.len() + 1;
        left = worse.into_iter().map(|(other, _)| other).collect();
    }
    out
}

/// Divides groups into two halves, the same way in every run: true for the half by which settings are chosen.
pub fn halves(groups: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..groups).collect();
    let mut numbers = Numbers(SEED);
    for last in (1..groups).rev() {
        order.swap(last, numbers.below(last + 1));
    }
    let mut out = vec![false; groups];
    order[..groups / 2].iter().for_each(|group| out[*group] = true);
    out
}

/// Numbers that look random (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        let wide = u128::from(self.next()) * limit as u128;
        usize::try_from(wide >> 64).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_published_generator() {
        // The first outputs of SplitMix64 from the seed 1234567.
        let mut numbers = Numbers(1_234_567);
        assert_eq!(numbers.next(), 6_457_827_717_110_365_317);
        assert_eq!(numbers.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn a_figure_that_never_varies_is_sure() {
        let draws = Draws::new(&[0, 0, 1, 2]);
        assert_eq!(draws.interval(&[0.5; 4]), Interval { mean: 0.5, low: 0.5, high: 0.5 });
    }

    #[test]
    fn the_interval_is_that_of_the_normal_distribution_where_there_are_many_groups() {
        // 400 questions, one a document, half of them 1: the mean has a deviation of 0.5 / 20 = 0.025.
        let values: Vec<f64> = (0..400).map(|n| f64::from(n % 2)).collect();
        let draws = Draws::new(&(0..400).collect::<Vec<_>>());
        let Interval { mean, low, high } = draws.interval(&values);
        assert_eq!(mean, 0.5);
        assert!((low - (0.5 - 1.96 * 0.025)).abs() < 0.006 && (high - (0.5 + 1.96 * 0.025)).abs() < 0.006);
        // The same questions in 20 documents that are all right or all wrong: a deviation of 0.5 / √20 = 0.112; means are
        // twentieths, so that both ends are off by up to half of one.
        let groups: Vec<usize> = (0..400).map(|n| n / 20).collect();
        let values: Vec<f64> = (0..400).map(|n| f64::from(n / 20 % 2)).collect();
        let wide = Draws::new(&groups).interval(&values);
        assert!((wide.high - wide.low - 2.0 * 1.96 * 0.112).abs() < 0.07, "{wide:?}");
    }

    #[test]
    fn documents_weigh_by_their_questions() {
        // Every draw of two groups of 3 and 1 questions is one of: both (mean 3/4), the first twice (1), the second twice (0).
        let draws = Draws::new(&[0, 0, 0, 1]);
        let mut means = draws.means(&[1.0, 1.0, 1.0, 0.0]);
        means.sort_by(f64::total_cmp);
        means.dedup();
        assert_eq!(means, [0.0, 0.75, 1.0]);
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.5), Some(3.0));
        assert_eq!(quantile(&[0.0, 10.0], 0.025), Some(0.25));
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn holm_multiplies_by_the_comparisons_that_are_left() {
        // Sorted .01 .03 .04 → .03, .06, and .04 · 1 raised to .06.
        let corrected = holm(&[0.04, 0.01, 0.03]);
        for (found, expected) in corrected.iter().zip([0.06, 0.03, 0.06]) {
            assert!((found - expected).abs() < 1e-12, "{corrected:?}");
        }
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn p_is_small_for_a_difference_on_every_question_and_one_for_none() {
        let draws = Draws::new(&(0..30).collect::<Vec<_>>());
        let (low, high) = (vec![0.2; 30], vec![0.4; 30]);
        assert!((draws.p_value(&high, &low) - 2.0 / 2001.0).abs() < 1e-12);
        assert_eq!(draws.p_value(&low, &low), 1.0);
        // As often better as worse, by as much.
        let mixed: Vec<f64> = (0..30).map(|n| if n % 2 == 0 { 0.1 } else { 0.3 }).collect();
        assert!(draws.p_value(&mixed, &low) > 0.5);
    }

    #[test]
    fn settings_that_cannot_be_told_apart_share_a_rank() {
        let draws = Draws::new(&(0..40).collect::<Vec<_>>());
        let noise =
            |base: f64, even: f64| (0..40).map(|n| if n % 2 == 0 { base + even } else { base - even }).collect();
        let values: Vec<Vec<f64>> = vec![noise(0.3, 0.0), noise(0.8, 0.01), noise(0.8, -0.01), noise(0.3, 0.01)];
        let ranks: Vec<usize> = ranks(&values, &draws, 0.05).iter().map(|(rank, _)| *rank).collect();
        assert_eq!(ranks, [3, 1, 1, 3]);
    }

    #[test]
    fn halves_are_halves() {
        for groups in [0, 1, 2, 7, 60] {
            let chosen = halves(groups);
            assert_eq!((chosen.len(), chosen.iter().filter(|half| **half).count()), (groups, groups / 2));
        }
        assert_eq!(halves(9), halves(9));
    }
}
