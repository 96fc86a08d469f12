//! Settings held against one another under the same questions.

use std::collections::BTreeMap;

use gristmill_eval::{Draws, FIGURES, Figure, Judge, Question, RANKED_BY, halves, mean, ranks};

use super::corpus::Corpus;
use super::groups::{Grouping, count, grouped};
use super::index::Index;
use super::report::{Comparison, Measured};
use super::worst::worst;

/// A setting with what it found: for each question the numbers of chunks, best first.
pub(super) struct Found<'a> {
    pub name: String,
    pub index: &'a Index,
    pub rankings: Vec<Vec<usize>>,
}

/// Two settings are told apart when their difference is less likely than this by chance.
const LEVEL: f64 = 0.05;

/// Holds settings against one another. `extra` are figures beyond those of every report.
pub(super) fn compare(questions: &[Question], found: &[Found<'_>], corpus: &Corpus, extra: &[Figure]) -> Comparison {
    let (grouping, groups) = grouped(questions, corpus);
    let chosen_half = halves(count(&groups));
    let parted = found.len() > 1 && count(&groups) > 1;
    let is_for_choice = |question: usize| parted && chosen_half[groups[question]];
    let (choice, rest): (Vec<usize>, Vec<usize>) = (0..questions.len()).partition(|question| is_for_choice(*question));
    let figures: Vec<Figure> = FIGURES.iter().chain(extra.iter().filter(|f| !FIGURES.contains(f))).copied().collect();
    let values: Vec<Values> = found.iter().map(|found| Values::of(questions, found, &figures)).collect();
    let chosen = chosen(&values, if parted { &choice } else { &rest });
    let draws = Draws::new(&renumbered(&groups, &rest));
    let ranked: Vec<Vec<f64>> = values.iter().map(|values| values.some(RANKED_BY, &rest)).collect();
    let ranks = ranks(&ranked, &draws, LEVEL);
    let mut ranking: Vec<Measured> = (0..found.len())
        .map(|setting| Measured {
            setting,
            name: found[setting].name.clone(),
            rank: ranks[setting].0,
            chosen: setting == chosen,
            chosen_by: parted.then(|| mean(&values[setting].some(RANKED_BY, &choice))),
            p: ranks[setting].1,
            figures: values[setting].intervals(&rest, &draws),
        })
        .collect();
    let order = RANKED_BY.to_string();
    ranking.sort_by(|a, b| b.figures[&order].mean.total_cmp(&a.figures[&order].mean).then(a.setting.cmp(&b.setting)));
    Comparison {
        asked: questions.len() as u64,
        rules: rules(questions),
        notes: notes(grouping, &groups, parted, found.len(), &ranking),
        grouping,
        groups: count(&groups) as u64,
        chosen_by: choice.len() as u64,
        measured_by: rest.len() as u64,
        worst: worst(questions, &rest, &found[chosen], corpus),
        ranking,
    }
}

/// The figures of each question.
struct Values(Vec<(Figure, Vec<f64>)>);

impl Values {
    fn of(questions: &[Question], found: &Found<'_>, figures: &[Figure]) -> Self {
        let mut out: Vec<(Figure, Vec<f64>)> = figures.iter().map(|figure| (*figure, Vec::new())).collect();
        for (question, hits) in questions.iter().zip(&found.rankings) {
            let judge = Judge::new(question, &found.index.passages);
            out.iter_mut().for_each(|(figure, values)| values.push(judge.figure(*figure, hits)));
        }
        Self(out)
    }

    /// A figure of some of the questions.
    fn some(&self, figure: Figure, of: &[usize]) -> Vec<f64> {
        let values = self.0.iter().find(|(known, _)| *known == figure).map(|(_, values)| values);
        values.map_or_else(Vec::new, |values| of.iter().map(|question| values[*question]).collect())
    }

    fn intervals(&self, of: &[usize], draws: &Draws) -> BTreeMap<String, gristmill_eval::Interval> {
        let one = |(figure, _): &(Figure, _)| (figure.to_string(), draws.interval(&self.some(*figure, of)));
        self.0.iter().map(one).collect()
    }
}

/// The setting that finds most in these questions; of equal ones the first.
fn chosen(values: &[Values], of: &[usize]) -> usize {
    let scores: Vec<f64> = values.iter().map(|values| mean(&values.some(RANKED_BY, of))).collect();
    (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a))).unwrap_or_default()
}

/// The groups of some questions, numbered anew.
fn renumbered(groups: &[usize], of: &[usize]) -> Vec<usize> {
    let mut known: Vec<usize> = of.iter().map(|question| groups[*question]).collect();
    known.sort_unstable();
    known.dedup();
    of.iter().map(|question| known.partition_point(|group| *group < groups[*question])).collect()
}

fn rules(questions: &[Question]) -> BTreeMap<String, u64> {
    let mut out = BTreeMap::new();
    for rule in questions.iter().filter_map(|question| question.rule.clone()) {
        *out.entry(rule).or_insert(0) += 1;
    }
    out
}

fn notes(grouping: Grouping, groups: &[usize], parted: bool, settings: usize, ranking: &[Measured]) -> Vec<String> {
    let mut out = Vec::new();
    let groups = count(groups);
    match grouping {
        Grouping::Document => {}
        Grouping::Section => out.push(format!(
            "fewer than 20 documents have questions: halves and intervals go by section ({groups} of them)"
        )),
        Grouping::Question => out.push(
            "too few documents and sections have questions: halves and intervals go by question, which makes intervals too \
             narrow where questions are about the same text"
                .to_owned(),
        ),
    }
    if settings > 1 && !parted {
        out.push("too few questions to set some aside: the best setting was chosen by the same questions".to_owned());
    }
    if let Some(chosen) = ranking.iter().find(|measured| measured.chosen && measured.rank > 1) {
        out.push(format!("`{}` was best on the half it was chosen by, and is not on the other", chosen.name));
    }
    out
}
