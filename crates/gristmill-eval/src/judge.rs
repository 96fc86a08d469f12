//! A ranking held against the evidence of a question.

use crate::{Figure, Passage, Question, Ranges};

/// Chunks by the document they are of, so that a question looks at its own only.
pub struct Passages {
    all: Vec<Passage>,
    by_document: Vec<Vec<usize>>,
}

impl Passages {
    /// Takes the chunks of an index.
    pub fn new(all: Vec<Passage>) -> Self {
        let documents = all.iter().map(|passage| passage.document + 1).max().unwrap_or_default();
        let mut by_document = vec![Vec::new(); documents];
        for (index, passage) in all.iter().enumerate() {
            by_document[passage.document].push(index);
        }
        Self { all, by_document }
    }

    /// All chunks.
    pub fn all(&self) -> &[Passage] {
        &self.all
    }

    /// The chunks of a document.
    fn of(&self, document: usize) -> impl Iterator<Item = (usize, &Passage)> {
        self.by_document.get(document).into_iter().flatten().map(move |&index| (index, &self.all[index]))
    }
}

/// A question with what the chunks hold of its evidence.
pub struct Judge<'a> {
    passages: &'a Passages,
    evidence: Ranges,
    /// The chunks that touch the evidence: index, what they hold of it, and whether they are relevant.
    touching: Vec<(usize, Ranges, bool)>,
}

impl<'a> Judge<'a> {
    /// Looks for the evidence of a question in chunks.
    pub fn new(question: &Question, passages: &'a Passages) -> Self {
        let evidence = Ranges::new(question.spans.iter().copied());
        let mut touching = Vec::new();
        for (index, passage) in passages.of(question.document) {
            let held = passage.ranges.intersection(&evidence);
            if !held.is_empty() {
                touching.push((index, held, is_relevant(passage, question)));
            }
        }
        Self { passages, evidence, touching }
    }

    /// True when a chunk covers at least half of one span of the evidence.
    pub fn is_relevant(&self, index: usize) -> bool {
        self.touch(index).is_some_and(|(.., relevant)| *relevant)
    }

    /// The chunks that hold some of the evidence, by their index.
    pub fn touching(&self) -> impl Iterator<Item = usize> {
        self.touching.iter().map(|(index, ..)| *index)
    }

    /// A figure of a ranking: indices of chunks, the best first.
    pub fn figure(&self, figure: Figure, hits: &[usize]) -> f64 {
        let first = |k: usize| &hits[..hits.len().min(k)];
        match figure {
            Figure::Precision(k) => ratio(self.relevant(first(k)), k),
            Figure::BestPrecision(k) => ratio(self.all_relevant().min(k), k),
            Figure::Recall(k) => ratio(self.relevant(first(k)), self.all_relevant()),
            Figure::BestRecall(k) => ratio(self.all_relevant().min(k), self.all_relevant()),
            Figure::Mrr => hits.iter().position(|hit| self.is_relevant(*hit)).map_or(0.0, |at| ratio(1, at + 1)),
            Figure::EvidenceRecall(k) => self.evidence_recall(first(k)),
            Figure::TokenPrecision(k) => share(self.found(first(k)), self.length(first(k))),
            Figure::Iou(k) => {
                let found = self.found(first(k));
                share(found, self.length(first(k)) + self.evidence.size() - found)
            }
            Figure::PrecisionOmega => self.precision_omega(),
            Figure::RecallWithin(budget) => self.evidence_recall(self.within(hits, budget)),
            Figure::Ndcg(k) => self.ndcg(first(k), k),
        }
    }

    fn touch(&self, index: usize) -> Option<&(usize, Ranges, bool)> {
        self.touching.binary_search_by_key(&index, |(index, ..)| *index).ok().map(|at| &self.touching[at])
    }

    fn relevant(&self, hits: &[usize]) -> usize {
        hits.iter().filter(|hit| self.is_relevant(**hit)).count()
    }

    fn all_relevant(&self) -> usize {
        self.touching.iter().filter(|(.., relevant)| *relevant).count()
    }

    /// |E ∩ U|.
    fn found(&self, hits: &[usize]) -> u64 {
        let held = hits.iter().filter_map(|hit| self.touch(*hit));
        Ranges::new(held.flat_map(|(_, held, _)| held.as_slice().iter().copied())).size()
    }

    fn length(&self, hits: &[usize]) -> u64 {
        hits.iter().map(|hit| self.passages.all[*hit].characters).sum()
    }

    fn evidence_recall(&self, hits: &[usize]) -> f64 {
        share(self.found(hits), self.evidence.size())
    }

    /// The hits by rank, up to the first with which they are more than `budget` tokens.
    fn within<'h>(&self, hits: &'h [usize], budget: u64) -> &'h [usize] {
        let mut sum = 0;
        let fits = |hit: &&usize| {
            sum += self.passages.all[**hit].tokens;
            sum <= budget
        };
        &hits[..hits.iter().take_while(fits).count()]
    }

    fn precision_omega(&self) -> f64 {
        let whole = self.touching.iter().flat_map(|(index, ..)| self.passages.all[*index].ranges.as_slice());
        let touching = Ranges::new(whole.copied());
        share(self.evidence.intersection(&touching).size(), self.evidence.union(&touching).size())
    }

    fn ndcg(&self, hits: &[usize], k: usize) -> f64 {
        let mut seen = Ranges::default();
        let mut sum = 0.0;
        for (rank, hit) in hits.iter().enumerate() {
            if let Some((_, held, _)) = self.touch(*hit) {
                sum += gain(held, &seen) / discount(rank);
                seen = seen.union(held);
            }
        }
        let ideal = self.ideal(k);
        // The ideal is found greedily: where chunks overlap in odd ways, another order may pass it by a little.
        if ideal > 0.0 { (sum / ideal).min(1.0) } else { 0.0 }
    }

    /// Discounted gain of the order that takes the most new evidence at each step.
    fn ideal(&self, k: usize) -> f64 {
        let mut seen = Ranges::default();
        let mut sum = 0.0;
        for rank in 0..k.min(self.touching.len()) {
            let most = self.touching.iter().map(|(_, held, _)| held).max_by_key(|held| held.minus(&seen).size());
            let Some(held) = most else { break };
            sum += gain(held, &seen) / discount(rank);
            seen = seen.union(held);
        }
        sum
    }
}

fn is_relevant(passage: &Passage, question: &Question) -> bool {
    question.spans.iter().any(|&span| {
        let held = passage.ranges.intersection(&Ranges::new([span])).size();
        held > 0 && held * 2 >= span.1.saturating_sub(span.0)
    })
}

fn gain(held: &Ranges, seen: &Ranges) -> f64 {
    held.minus(seen).size() as f64
}

fn discount(rank: usize) -> f64 {
    (rank as f64 + 2.0).log2()
}

fn ratio(part: usize, whole: usize) -> f64 {
    share(part as u64, whole as u64)
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
