//! How unlike neighbours are between which a topic ends.

use gristmill_core::Threshold;

/// The similarity below which a topic ends in a document whose neighbours are so `alike`. Below any similarity when there is
/// nothing to reckon with.
pub(super) fn least(threshold: Threshold, alike: &[f32]) -> f32 {
    let mut known: Vec<f32> = alike.iter().copied().filter(|alike| alike.is_finite()).collect();
    match threshold {
        Threshold::Absolute(least) => least,
        _ if known.is_empty() => f32::NEG_INFINITY,
        Threshold::Percentile(share) => {
            known.sort_unstable_by(f32::total_cmp);
            percentile(&known, share)
        }
        Threshold::Deviations(count) => below_mean(&known, count),
    }
}

/// The value below which `share` percent of `sorted` lie, on the line between the two values next to it.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "within the list"
)]
fn percentile(sorted: &[f32], share: f32) -> f32 {
    let last = sorted.len() - 1;
    let place = f64::from(share.clamp(0.0, 100.0)) / 100.0 * last as f64;
    let below = (place.floor() as usize).min(last);
    let (low, high) = (f64::from(sorted[below]), f64::from(sorted[(below + 1).min(last)]));
    (low + (high - low) * (place - below as f64)) as f32
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "similarities have few digits")]
fn below_mean(known: &[f32], deviations: f32) -> f32 {
    let count = known.len() as f64;
    let mean = known.iter().copied().map(f64::from).sum::<f64>() / count;
    let variance = known.iter().map(|alike| (f64::from(*alike) - mean).powi(2)).sum::<f64>() / count;
    (mean - f64::from(deviations) * variance.sqrt()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALIKE: [f32; 5] = [0.9, 0.1, f32::NAN, 0.5, 0.5];

    fn near(a: f32, b: f32) -> bool {
        (a - b).abs() < 1e-6
    }

    #[test]
    fn each_way_has_its_own_reckoning() {
        assert!(near(least(Threshold::default(), &ALIKE), 0.5));
        // Sorted: 0.1, 0.5, 0.5, 0.9; a tenth of the way is 0.3 between the first two.
        assert!(near(least(Threshold::Percentile(10.0), &ALIKE), 0.1 + 0.4 * 0.3));
        assert!(near(least(Threshold::Percentile(100.0), &ALIKE), 0.9));
        // Mean 0.5, variance (0.16 + 0.16) / 4 = 0.08.
        assert!(near(least(Threshold::Deviations(1.0), &ALIKE), 0.5 - 0.08f32.sqrt()));
    }

    #[test]
    fn nothing_known_ends_nothing() {
        for threshold in [Threshold::Percentile(50.0), Threshold::Deviations(0.0)] {
            assert!(least(threshold, &[f32::NAN]) == f32::NEG_INFINITY && least(threshold, &[]) == f32::NEG_INFINITY);
        }
    }
}
