//! Figures that a comparison has to reach.

use std::str::FromStr;

use gristmill::eval::{EvalReport, Figure, Intrinsic};
use gristmill::{Error, Result};

/// `recall@2048=0.8`.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    name: Name,
    limit: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Name {
    Retrieval(Figure),
    Intrinsic(&'static str),
}

/// Figures that need no question.
const INTRINSIC: [&str; 4] = ["completeness", "coverage", "break-rate", "uniformity"];

impl FromStr for Gate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("not a figure with its limit, such as recall@2048=0.8: `{text}`");
        let (name, limit) = text.split_once('=').ok_or_else(wrong)?;
        let limit: f64 = limit.trim().parse().map_err(|_| wrong())?;
        if !(0.0..=1.0).contains(&limit) {
            return Err(format!("a figure is between 0 and 1, not: {limit}"));
        }
        let name = name.trim();
        let intrinsic = INTRINSIC.iter().find(|known| **known == name).map(|known| Name::Intrinsic(known));
        let name = intrinsic.map_or_else(|| name.parse().map(Name::Retrieval), Ok)?;
        Ok(Self { name, limit })
    }
}

impl Gate {
    /// The figure over questions that it is about.
    pub fn figure(&self) -> Option<Figure> {
        match self.name {
            Name::Retrieval(figure) => Some(figure),
            Name::Intrinsic(_) => None,
        }
    }

    /// What is to be told when the chosen setting misses it. Questions that somebody asked count, others only without them.
    pub fn missed(&self, report: &EvalReport, least: bool) -> Result<Option<String>> {
        let comparison = report.questions.as_ref().or(report.synthetic.as_ref());
        let chosen = comparison.and_then(|comparison| comparison.ranking.iter().find(|measured| measured.chosen));
        let chosen = chosen.ok_or_else(|| Error::bug("no setting was chosen"))?;
        let (name, value) = match self.name {
            Name::Retrieval(figure) => (figure.to_string(), chosen.figures.get(&figure.to_string()).map(|i| i.mean)),
            Name::Intrinsic(name) => {
                (name.to_owned(), report.settings.get(chosen.setting).map(|s| intrinsic(&s.intrinsic, name)))
            }
        };
        let value = value.ok_or_else(|| Error::bug("a figure of a gate was not measured"))?;
        let (holds, side) = if least { (value >= self.limit, "below") } else { (value <= self.limit, "above") };
        Ok((!holds).then(|| format!("{name} is {value:.3}, {side} {} ({})", self.limit, chosen.name)))
    }
}

fn intrinsic(figures: &Intrinsic, name: &str) -> f64 {
    match name {
        "completeness" => figures.completeness,
        "coverage" => figures.coverage,
        "break-rate" => figures.break_rate,
        _ => figures.uniformity,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_read() {
        let gate: Gate = "recall@2048=0.8".parse().unwrap();
        assert_eq!((gate.figure(), gate.limit), (Some(Figure::RecallWithin(2048)), 0.8));
        assert_eq!("break-rate=0.05".parse::<Gate>().unwrap().figure(), None);
        for wrong in ["recall@2048", "recal@5=0.5", "recall@5=1.5", "recall@5=x", "=0.5"] {
            assert!(wrong.parse::<Gate>().is_err(), "{wrong}");
        }
    }
}
