//! Every figure, counted by hand; and all of them against a slow, plain reading of their definitions.

use std::collections::BTreeSet;

use gristmill_eval::{FIGURES, Figure, Judge, Passage, Passages, Question, Ranges};

fn passage(document: usize, ranges: &[(u64, u64)], tokens: u64, characters: u64) -> Passage {
    Passage { document, ranges: Ranges::new(ranges.iter().copied()), tokens, characters }
}

fn question(spans: &[(u64, u64)]) -> Question {
    Question { spans: spans.to_vec(), ..Question::default() }
}

/// A document of 100 characters in four chunks of 30, 30, 30 and 10, the second with an overlap of 10; and another
/// document in one chunk of 50. Each chunk has a heading of 5 characters before it.
fn index() -> Passages {
    Passages::new(vec![
        passage(0, &[(0, 30)], 10, 35),
        passage(0, &[(20, 60)], 14, 45),
        passage(0, &[(60, 90)], 10, 35),
        passage(0, &[(90, 100)], 4, 15),
        passage(1, &[(0, 50)], 17, 55),
    ])
}

#[track_caller]
fn holds(spans: &[(u64, u64)], hits: &[usize], figure: &str, expected: f64) {
    let index = index();
    let figure: Figure = figure.parse().unwrap();
    let found = Judge::new(&question(spans), &index).figure(figure, hits);
    assert!((found - expected).abs() < 1e-12, "{figure} is {found}, not {expected}");
}

/// Evidence of 8 characters: 4 at 26..30, in the first two chunks, and 4 at 58..62, half of it in each of two.
const TWO: &[(u64, u64)] = &[(26, 30), (58, 62)];

#[test]
fn precision_counts_relevant_hits() {
    // Chunks 0, 1 and 2 hold at least half of a span; 3 and 4 hold none.
    holds(TWO, &[4, 0, 3, 2, 1], "precision@5", 3.0 / 5.0);
    holds(TWO, &[4, 0, 3, 2, 1], "precision@2", 1.0 / 2.0);
    // Two hits, and still five are asked for.
    holds(TWO, &[0, 1], "precision@5", 2.0 / 5.0);
    holds(TWO, &[], "best-precision@5", 3.0 / 5.0);
    holds(TWO, &[], "best-precision@2", 1.0);
}

#[test]
fn recall_counts_relevant_chunks() {
    holds(TWO, &[4, 0, 3], "recall@10", 1.0 / 3.0);
    holds(TWO, &[2, 1, 0], "recall@2", 2.0 / 3.0);
    holds(TWO, &[], "best-recall@2", 2.0 / 3.0);
    holds(TWO, &[], "best-recall@10", 1.0);
}

#[test]
fn less_than_half_of_a_span_is_not_relevant() {
    // 10 characters: 1 in chunk 2, 9 in chunk 1; then 20 of which neither 89..90 nor 90..100 … the last holds 10.
    holds(&[(51, 61)], &[2, 1], "mrr", 1.0 / 2.0);
    holds(&[(80, 100)], &[3], "precision@5", 1.0 / 5.0);
    holds(&[(79, 100)], &[3], "precision@5", 0.0);
}

#[test]
fn mrr_is_one_by_the_rank_of_the_first_relevant_hit() {
    holds(TWO, &[4, 3, 2], "mrr", 1.0 / 3.0);
    holds(TWO, &[4, 3], "mrr", 0.0);
}

#[test]
fn evidence_recall_counts_each_character_once() {
    // Chunk 0 has 26..30, chunk 1 has it again and 58..60.
    holds(TWO, &[0], "evidence-recall@5", 4.0 / 8.0);
    holds(TWO, &[0, 1], "evidence-recall@5", 6.0 / 8.0);
    holds(TWO, &[0, 1, 2], "evidence-recall@2", 6.0 / 8.0);
}

#[test]
fn token_precision_and_iou_go_by_the_embedded_text() {
    // 6 characters found among 35 + 45 + 55; 2 not found.
    holds(TWO, &[0, 1, 4], "token-precision@5", 6.0 / 135.0);
    holds(TWO, &[0, 1, 4], "iou@5", 6.0 / 137.0);
    holds(TWO, &[], "token-precision@5", 0.0);
    holds(TWO, &[], "iou@5", 0.0);
}

#[test]
fn precision_omega_is_that_of_all_touching_chunks() {
    // Chunks 0, 1 and 2 touch: 0..90, 8 of it evidence.
    holds(TWO, &[], "precision-omega", 8.0 / 90.0);
    // Evidence beyond every chunk counts below: 95..105 touches chunk 3 only.
    holds(&[(95, 105)], &[], "precision-omega", 5.0 / 15.0);
}

#[test]
fn recall_within_a_budget_ends_before_the_hit_that_breaks_it() {
    // Tokens 17, 10, 14: 17 + 10 fit into 512 of course, so the budgets here are written out.
    let index = index();
    let judge = Judge::new(&question(TWO), &index);
    for (budget, expected) in [(16, 0.0), (17, 0.0), (26, 0.0), (27, 0.5), (40, 0.5), (41, 0.75)] {
        assert_eq!(judge.figure(Figure::RecallWithin(budget), &[4, 0, 1]), expected, "{budget}");
    }
    // A later, smaller hit does not slip in.
    assert_eq!(judge.figure(Figure::RecallWithin(16), &[4, 0]), 0.0);
}

#[test]
fn ndcg_goes_by_new_evidence() {
    // Best order: chunk 1 (26..30, 58..60: 6), chunk 2 (2); here chunk 0 (4), then 1 (2 new), then 2 (2).
    let log = |n: f64| n.log2();
    let ideal = 6.0 + 2.0 / log(3.0);
    holds(TWO, &[0, 1, 2], "ndcg@10", (4.0 + 2.0 / log(3.0) + 2.0 / log(4.0)) / ideal);
    holds(TWO, &[1, 4, 2], "ndcg@10", (6.0 + 2.0 / log(4.0)) / ideal);
    holds(TWO, &[1, 2], "ndcg@10", 1.0);
    holds(TWO, &[1, 2], "ndcg@1", 1.0);
}

/// A set of characters of documents, one by one.
type Characters = BTreeSet<(usize, u64)>;

fn characters(document: usize, ranges: &[(u64, u64)]) -> Characters {
    ranges.iter().flat_map(|&(start, end)| start..end).map(|at| (document, at)).collect()
}

/// The definitions, read word for word over single characters.
struct Plain {
    chunks: Vec<(Characters, u64, u64)>,
    spans: Vec<Characters>,
    evidence: Characters,
}

impl Plain {
    fn new(index: &Passages, question: &Question) -> Self {
        let chunk = |p: &Passage| (characters(p.document, p.ranges.as_slice()), p.tokens, p.characters);
        let spans: Vec<Characters> =
            question.spans.iter().map(|span| characters(question.document, &[*span])).collect();
        let evidence = spans.iter().flatten().copied().collect();
        Self { chunks: index.all().iter().map(chunk).collect(), spans, evidence }
    }

    fn relevant(&self, hit: usize) -> bool {
        let half = |span: &Characters| 2 * span.intersection(&self.chunks[hit].0).count() >= span.len();
        self.spans.iter().any(half)
    }

    fn united(&self, hits: impl IntoIterator<Item = usize>) -> Characters {
        hits.into_iter().flat_map(|hit| self.chunks[hit].0.iter().copied()).collect()
    }

    fn found(&self, hits: &[usize]) -> f64 {
        self.evidence.intersection(&self.united(hits.iter().copied())).count() as f64
    }

    fn figure(&self, figure: Figure, hits: &[usize]) -> f64 {
        let k_of = |k: usize| hits.iter().copied().take(k).collect::<Vec<_>>();
        let every = 0..self.chunks.len();
        let relevant = every.clone().filter(|hit| self.relevant(*hit)).count() as f64;
        let hit = |k: usize| k_of(k).into_iter().filter(|hit| self.relevant(*hit)).count() as f64;
        let length = |k: usize| k_of(k).into_iter().map(|hit| self.chunks[hit].2).sum::<u64>() as f64;
        let or_zero = |part: f64, whole: f64| if whole == 0.0 { 0.0 } else { part / whole };
        let all = self.evidence.len() as f64;
        match figure {
            Figure::Precision(k) => hit(k) / k as f64,
            Figure::BestPrecision(k) => relevant.min(k as f64) / k as f64,
            Figure::Recall(k) => or_zero(hit(k), relevant),
            Figure::BestRecall(k) => or_zero(relevant.min(k as f64), relevant),
            Figure::Mrr => (1..=hits.len()).find(|n| self.relevant(hits[n - 1])).map_or(0.0, |n| 1.0 / n as f64),
            Figure::EvidenceRecall(k) => self.found(&k_of(k)) / all,
            Figure::TokenPrecision(k) => or_zero(self.found(&k_of(k)), length(k)),
            Figure::Iou(k) => self.found(&k_of(k)) / (length(k) + all - self.found(&k_of(k))),
            Figure::PrecisionOmega => {
                let touching = self.united(every.filter(|hit| !self.chunks[*hit].0.is_disjoint(&self.evidence)));
                self.evidence.intersection(&touching).count() as f64 / self.evidence.union(&touching).count() as f64
            }
            Figure::RecallWithin(budget) => {
                let fits = |n: &usize| hits[..*n].iter().map(|hit| self.chunks[*hit].1).sum::<u64>() <= budget;
                let most = (0..=hits.len()).take_while(fits).last().unwrap_or(0);
                self.found(&hits[..most]) / all
            }
            Figure::Ndcg(k) => {
                let mut ideal = Vec::new();
                while ideal.len() < k.min(self.chunks.len()) {
                    let with = |next: &usize| self.found(&[&ideal[..], &[*next]].concat()) as u64;
                    ideal.push(every.clone().filter(|hit| !ideal.contains(hit)).max_by_key(with).unwrap());
                }
                or_zero(self.dcg(&k_of(k)), self.dcg(&ideal)).min(1.0)
            }
        }
    }

    fn dcg(&self, hits: &[usize]) -> f64 {
        let gain = |n: usize| self.found(&hits[..n]) - self.found(&hits[..n - 1]);
        (1..=hits.len()).map(|n| gain(n) / (n as f64 + 1.0).log2()).sum()
    }
}

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn range(&mut self) -> (u64, u64) {
        let start = self.below(190);
        (start, start + 1 + self.below(30))
    }

    fn index(&mut self) -> Passages {
        let one = |numbers: &mut Self| {
            let ranges: Vec<_> = (0..1 + numbers.below(2)).map(|_| numbers.range()).collect();
            let tokens = 50 + numbers.below(300);
            passage(usize::try_from(numbers.below(2)).unwrap(), &ranges, tokens, 10 + numbers.below(60))
        };
        Passages::new((0..12).map(|_| one(self)).collect())
    }

    fn ranking(&mut self, of: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (0..of).collect();
        let keep = usize::try_from(self.below(of as u64 + 1)).unwrap();
        (0..keep).map(|_| left.swap_remove(usize::try_from(self.below(left.len() as u64)).unwrap())).collect()
    }
}

#[test]
fn every_figure_is_that_of_its_plain_definition() {
    let mut numbers = Numbers(7);
    for round in 0..100 {
        let index = numbers.index();
        let spans: Vec<_> = (0..1 + numbers.below(3)).map(|_| numbers.range()).collect();
        let question = question(&spans);
        let hits = numbers.ranking(index.all().len());
        let (judge, plain) = (Judge::new(&question, &index), Plain::new(&index, &question));
        for figure in FIGURES {
            let (found, expected) = (judge.figure(*figure, &hits), plain.figure(*figure, &hits));
            assert!((found - expected).abs() < 1e-9, "round {round}: {figure} is {found}, not {expected}");
        }
    }
}
