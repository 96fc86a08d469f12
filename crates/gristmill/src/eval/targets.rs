//! The figures of the chosen setting beside those that are wanted.

use serde::Serialize;

use super::report::{Comparison, SettingReport};

/// A figure that is wanted.
struct Wanted {
    figure: &'static str,
    wanted: f64,
    /// True where more is better.
    least: bool,
    /// The figure that says how much any ranking of the same chunks could reach.
    best: Option<&'static str>,
    /// The figure of a setting's chunks; those of questions are looked up by name.
    of_chunks: Option<fn(&SettingReport) -> f64>,
}

const WANTED: [Wanted; 6] = [
    Wanted { figure: "precision@5", wanted: 0.60, least: true, best: Some("best-precision@5"), of_chunks: None },
    Wanted { figure: "recall@10", wanted: 0.80, least: true, best: Some("best-recall@10"), of_chunks: None },
    Wanted {
        figure: "completeness",
        wanted: 0.95,
        least: true,
        best: None,
        of_chunks: Some(|setting| setting.intrinsic.completeness),
    },
    Wanted {
        figure: "coverage",
        wanted: 1.0,
        least: true,
        best: None,
        of_chunks: Some(|setting| setting.intrinsic.coverage),
    },
    Wanted {
        figure: "break-rate",
        wanted: 0.05,
        least: false,
        best: None,
        of_chunks: Some(|setting| setting.intrinsic.break_rate),
    },
    Wanted {
        figure: "uniformity",
        wanted: 0.70,
        least: true,
        best: None,
        of_chunks: Some(|setting| setting.intrinsic.uniformity),
    },
];

/// A figure of the chosen setting beside the one that is wanted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Target {
    /// Its name.
    pub figure: &'static str,
    /// What was measured.
    pub measured: f64,
    /// What is wanted: at least this, or at most where `least` is false.
    pub wanted: f64,
    /// True where more is better.
    pub least: bool,
    /// True when it is reached.
    pub met: bool,
    /// The most that any ranking of these chunks could have; null where there is no such bound.
    pub best: Option<f64>,
}

/// The targets of the setting that was chosen by these questions.
pub(super) fn targets(comparison: &Comparison, settings: &[SettingReport]) -> Vec<Target> {
    let Some(chosen) = comparison.ranking.iter().find(|measured| measured.chosen) else { return Vec::new() };
    let mean = |name: &str| chosen.figures.get(name).map(|interval| interval.mean);
    let one = |wanted: &Wanted| {
        let measured = match wanted.of_chunks {
            Some(of_chunks) => settings.get(chosen.setting).map(of_chunks),
            None => mean(wanted.figure),
        }?;
        let met = if wanted.least { measured >= wanted.wanted } else { measured <= wanted.wanted };
        let Wanted { figure, wanted, least, best, .. } = *wanted;
        Some(Target { figure, measured, wanted, least, met, best: best.and_then(mean) })
    };
    WANTED.iter().filter_map(one).collect()
}
