//! Where the chosen setting finds least, shown over the source.

use gristmill_eval::{Figure, Judge, Question, RANKED_BY, Range, Ranges, Source};

use super::compare::Found;
use super::corpus::Corpus;
use super::report::{HitTold, Piece, Worst};

/// Questions that are listed.
const LISTED: usize = 50;

/// Hits that are shown of each.
const HITS: usize = 3;

/// Characters of the source shown around evidence.
const AROUND: u64 = 300;

/// Characters shown of a hit.
const SHOWN: usize = 200;

/// The questions with the least found, the worst first.
pub(super) fn worst(questions: &[Question], of: &[usize], found: &Found<'_>, corpus: &Corpus) -> Vec<Worst> {
    let judged = |&at: &usize| {
        let judge = Judge::new(&questions[at], &found.index.passages);
        let hits = &found.rankings[at];
        (at, judge.figure(RANKED_BY, hits), judge.figure(Figure::Mrr, hits))
    };
    let mut all: Vec<(usize, f64, f64)> = of.iter().map(judged).filter(|(_, found, _)| *found < 1.0).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)).then(a.0.cmp(&b.0)));
    all.iter()
        .take(LISTED)
        .map(|&(at, share, _)| told(&questions[at], share, &found.rankings[at], found, corpus))
        .collect()
}

fn told(question: &Question, share: f64, hits: &[usize], found: &Found<'_>, corpus: &Corpus) -> Worst {
    let source = &corpus.sources[question.document];
    let judge = Judge::new(question, &found.index.passages);
    let passages = found.index.passages.all();
    let hit = |&number: &usize| {
        let passage = &passages[number];
        let source = &corpus.sources[passage.document];
        let place = passage.ranges.as_slice().first().copied().unwrap_or_default();
        HitTold {
            source: source.name.clone(),
            line: source.line(place.0),
            tokens: passage.tokens,
            relevant: judge.is_relevant(number),
            text: source.at(place).chars().take(SHOWN).collect(),
        }
    };
    let own = passages.iter().filter(|passage| passage.document == question.document);
    let borders: Vec<u64> = own.filter_map(|passage| passage.ranges.as_slice().first().map(|range| range.0)).collect();
    Worst {
        id: question.id.clone(),
        question: question.text.clone(),
        source: source.name.clone(),
        line: question.spans.first().map_or(1, |span| source.line(span.0)),
        rank: hits.iter().position(|number| judge.is_relevant(*number)).map(|at| at + 1),
        found: share,
        around: around(source, &question.spans, &borders),
        hits: hits.iter().take(HITS).map(hit).collect(),
    }
}

/// The source around the first span of the evidence, in pieces at evidence and borders.
fn around(source: &Source, spans: &[Range], borders: &[u64]) -> Vec<Piece> {
    let Some(first) = spans.first() else { return Vec::new() };
    let window = (first.0.saturating_sub(AROUND), (first.1.min(first.0 + 4 * AROUND) + AROUND).min(source.size()));
    let evidence = Ranges::new(spans.iter().copied());
    let inside = |at: &u64| window.0 < *at && *at < window.1;
    let mut ends: Vec<u64> = evidence.as_slice().iter().flat_map(|range| [range.0, range.1]).collect();
    ends.extend(borders);
    ends.retain(inside);
    ends.extend([window.0, window.1]);
    ends.sort_unstable();
    ends.dedup();
    let piece = |pair: &[u64]| Piece {
        text: source.at((pair[0], pair[1])).to_owned(),
        evidence: evidence.covers((pair[0], pair[1])),
        border: borders.contains(&pair[0]),
    };
    ends.windows(2).map(piece).collect()
}
