//! Search: the server's nearest vectors, its words with their rareness, and both fused by the rule that all stores share.
//!
//! Each search looks at the best [`CANDIDATES`] points, so that equal scores are ordered by place among so many, and the
//! fused score takes its mean and spread over them. In a store of no more chunks than that, all of them are looked at.
//!
//! The server counts removed texts when it finds how rare a word is, until it rewrites the segment they were in: scores by
//! words move a little then.

use std::collections::HashMap;

use gristmill_core::{ChunkId, Error, ErrorKind, Hit, Query, Result, Retriever, VectorSpec};
use serde_json::{Value, json};
use uuid::Uuid;

use super::collection::{BM25, Collection, DENSE, Found, Wanted};
use super::filter::condition;
use super::scope::kind;
use super::sparse::{self, Weights};
use crate::fusion::{Spread, fuse};

/// Points that are looked at, if no more hits are wanted.
const CANDIDATES: usize = 1000;
/// Digits of BM25 that mean something: the server adds 32-bit floats in no fixed order.
const DIGITS: f64 = 1e4;

/// A point and its scores.
struct Candidate {
    point: Uuid,
    source: String,
    order: u32,
    id: ChunkId,
    score: f64,
    dense: Option<f64>,
    bm25: Option<f64>,
}

/// One search.
struct Search<'s> {
    collection: &'s Collection,
    filter: Value,
    question: Weights,
    vector: Option<&'s [f32]>,
    /// Points to ask for.
    most: usize,
    /// Hits that are wanted and there.
    least: usize,
    /// What rareness must be lowered by because the collection has texts of others.
    foreign: f64,
}

/// Refuses what no store can answer; gives the conditions of the filters.
pub(super) fn check(query: &Query<'_>, collection: &Collection) -> Result<Vec<Value>> {
    if query.retriever == Retriever::Dense && query.vector.is_none() {
        return Err(Error::usage("a dense search needs a vector of the question")
            .hint("the model may know none of its words; search with `--retriever bm25`"));
    }
    query.filters.iter().map(|filter| condition(filter, &collection.scope.names)).collect()
}

/// The best hits.
pub(super) fn search(
    collection: &Collection,
    spec: &VectorSpec,
    query: &Query<'_>,
    filters: Vec<Value>,
) -> Result<Vec<Hit>> {
    if let Some((vector, length)) = query.vector.zip(spec.dimensions).filter(|(vector, length)| vector.len() != *length)
    {
        return Err(Error::new(
            ErrorKind::Store,
            format!("the vector of the question has {} numbers, those of `{}` have {length}", vector.len(), spec.model),
        ));
    }
    if query.limit == 0 {
        return Ok(Vec::new());
    }
    let by_words = query.retriever != Retriever::Dense;
    let question = if by_words { sparse::of_question(&collection.scope.tenant, query.text) } else { Weights::new() };
    let vector = query.vector.filter(|_| query.retriever != Retriever::Bm25 && spec.dimensions.is_some());
    let mut search = Search {
        collection,
        filter: collection.scope.filter(&[kind::CHUNK], filters),
        question,
        vector,
        most: CANDIDATES,
        least: query.limit,
        foreign: 0.0,
    };
    search.prepare()?;
    let candidates = search.candidates(query.retriever == Retriever::Hybrid && query.vector.is_some())?;
    hits(collection, best(candidates, query.limit))
}

impl Search<'_> {
    /// Asks how much there is to search.
    fn prepare(&mut self) -> Result<()> {
        if self.least > CANDIDATES {
            let chunks = self.collection.count(Some(&self.filter))?;
            self.least = self.least.min(usize::try_from(chunks).unwrap_or(usize::MAX));
            self.most = self.least.max(CANDIDATES);
        }
        if !self.question.is_empty() {
            self.foreign = self.foreign_texts()?;
        }
        Ok(())
    }

    /// The server counts the texts of all tenants when it finds how rare a word is: `ln((all + 1) / (with + 0.5))`. Words
    /// have numbers by tenant, so that only `all` is too large, by the same summand for every word.
    fn foreign_texts(&self) -> Result<f64> {
        let has_words = json!({"has_vector": BM25});
        let own = self.collection.scope.filter(&[kind::CHUNK], [has_words.clone()]);
        let counted = self.collection.count(Some(&json!({"must": [has_words]})));
        match counted.and_then(|all| Ok((all, self.collection.count(Some(&own))?))) {
            Ok((all, own)) => Ok(((all as f64 + 1.0) / (own as f64 + 1.0)).ln()),
            // Servers before 1.13 cannot tell.
            Err(failure) if failure.status == 400 => Ok(0.0),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Every point that either way found, with its scores.
    fn candidates(&self, fused: bool) -> Result<Vec<Candidate>> {
        let mut found: HashMap<Uuid, Candidate> = HashMap::new();
        let [dense_full, bm25_full] = self.ask(None, [true, true], &mut found)?;
        if fused {
            // Those that one way found and the other left out only because there were so many.
            let without = |has: fn(&Candidate) -> bool| -> Vec<String> {
                found.values().filter(|one| !has(one)).map(|one| one.point.to_string()).collect()
            };
            let no_dense = if dense_full { without(|one| one.dense.is_some()) } else { Vec::new() };
            let no_bm25 = if bm25_full { without(|one| one.bm25.is_some()) } else { Vec::new() };
            for (ids, which) in [(no_dense, [true, false]), (no_bm25, [false, true])] {
                if !ids.is_empty() {
                    self.ask(Some(&ids), which, &mut found)?;
                }
            }
        }
        let mut candidates: Vec<Candidate> = found.into_values().collect();
        score(&mut candidates, fused);
        Ok(candidates)
    }

    /// Asks by vector, by words, or both, among `ids` only where they are given. Tells which gave as many as were asked for.
    fn ask(&self, ids: Option<&[String]>, which: [bool; 2], found: &mut HashMap<Uuid, Candidate>) -> Result<[bool; 2]> {
        let dense = self.vector.filter(|_| which[0]).map(|vector| self.query(&json!(vector), DENSE, ids));
        let words: Vec<u32> = self.question.keys().copied().collect();
        let bm25 = (which[1] && !words.is_empty()).then(|| {
            let ones = vec![1.0; words.len()];
            self.query(&json!({"indices": words, "values": ones}), BM25, ids)
        });
        let queries: Vec<Value> = dense.iter().chain(&bm25).cloned().collect();
        if queries.is_empty() {
            return Ok([false, false]);
        }
        let mut answers = self.collection.query(&queries, self.least)?.into_iter();
        let mut full = [false, false];
        if dense.is_some() {
            let points = answers.next().unwrap_or_default();
            full[0] = points.len() >= self.asked();
            points.iter().try_for_each(|point| self.take(point, found, |one, _| one.dense = Some(point.score)))?;
        }
        if bm25.is_some() {
            let points = answers.next().unwrap_or_default();
            full[1] = points.len() >= self.asked();
            points.iter().try_for_each(|point| self.take(point, found, |one, bm25| one.bm25 = Some(bm25)))?;
        }
        Ok(full)
    }

    /// Points that one answer has at most.
    fn asked(&self) -> usize {
        self.most.min(self.collection.scope.page())
    }

    fn query(&self, query: &Value, using: &str, ids: Option<&[String]>) -> Value {
        let mut filter = self.filter.clone();
        if let (Some(ids), Some(Value::Array(must))) = (ids, filter.get_mut("must")) {
            must.push(json!({"has_id": ids}));
        }
        let mut fields = vec!["source", "chunk_index", "chunk_id"];
        if using == BM25 && self.foreign > 0.0 {
            fields.push("text");
        }
        json!({"query": query, "using": using, "filter": filter, "limit": ids.map_or(self.most, <[String]>::len),
            "with_payload": {"include": self.collection.named(&fields)}, "with_vector": false})
    }

    fn take(
        &self,
        point: &Found,
        found: &mut HashMap<Uuid, Candidate>,
        tell: impl Fn(&mut Candidate, f64),
    ) -> Result<()> {
        let fields = self.collection.fields(point);
        let one = match found.entry(point.id) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => new.insert(Candidate {
                point: point.id,
                source: fields.text("source")?.to_owned(),
                order: fields.number("chunk_index")?,
                id: fields.chunk_id()?,
                score: 0.0,
                dense: None,
                bm25: None,
            }),
        };
        let foreign = match fields.get("text").and_then(Value::as_str).filter(|_| self.foreign > 0.0) {
            Some(text) => {
                let text = sparse::of_text(&self.collection.scope.tenant, text);
                self.foreign * sparse::shared(&self.question, &text)
            }
            None => 0.0,
        };
        tell(one, ((point.score - foreign) * DIGITS).round() / DIGITS);
        Ok(())
    }
}

/// Fills in what hits are sorted by.
fn score(candidates: &mut [Candidate], fused: bool) {
    if !fused {
        candidates.iter_mut().for_each(|one| one.score = one.dense.or(one.bm25).unwrap_or(0.0));
        return;
    }
    let dense = || candidates.iter().filter_map(|one| one.dense);
    let dense_spread = Spread::new(dense(), dense().count());
    let bm25_spread = Spread::new(candidates.iter().filter_map(|one| one.bm25), candidates.len());
    for one in candidates {
        one.score = fuse(one.dense, dense_spread, one.bm25, bm25_spread);
    }
}

fn best(mut candidates: Vec<Candidate>, limit: usize) -> Vec<Candidate> {
    candidates.sort_by(|a, b| {
        let by_place = || (&a.source, a.order, a.id).cmp(&(&b.source, b.order, b.id));
        b.score.total_cmp(&a.score).then_with(by_place)
    });
    candidates.truncate(limit);
    candidates
}

/// Reads the points of the best. One that was removed meanwhile is no hit.
fn hits(collection: &Collection, best: Vec<Candidate>) -> Result<Vec<Hit>> {
    let ids: Vec<Uuid> = best.iter().map(|one| one.point).collect();
    let found = collection.retrieve(&ids, &Wanted::payload())?;
    let found: HashMap<Uuid, &Found> = found.iter().map(|found| (found.id, found)).collect();
    let read = |one: Candidate| {
        let fields = collection.fields(found.get(&one.point)?);
        let hit = || {
            Ok(Hit {
                id: one.id,
                document: fields.document()?,
                source: one.source.clone(),
                order: one.order,
                score: one.score,
                dense: one.dense,
                bm25: one.bm25,
                text: fields.text("text")?.to_owned(),
                payload: fields.record()?,
            })
        };
        Some(hit())
    };
    best.into_iter().filter_map(read).collect()
}
