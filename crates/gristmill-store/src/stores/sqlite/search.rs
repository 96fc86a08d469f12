//! Search: an exact scan of the collection's vectors, BM25 of its index of words, and both fused.
//!
//! The lists that meet here are all sorted by key, so that they are joined in one pass.

use std::path::Path;

use gristmill_core::{ChunkId, DocumentId, Error, Hit, Query, Result, Retriever};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension};
use uuid::Uuid;

use super::collections::Collection;
use super::failure::{error, failed};
use super::filter::{self, Allowed};
use super::read::{text, unexpected, uuid};
use super::schema::keys;
use super::{index, vector};
use crate::fusion::{Spread, fuse};
use crate::words;

/// A key and the score of what found it.
pub(super) type Found = (i64, f64);

/// A point and its scores.
#[derive(Clone, Copy)]
struct Scored {
    key: i64,
    score: f64,
    dense: Option<f64>,
    bm25: Option<f64>,
}

/// Refuses what no store can answer.
pub(super) fn check(query: &Query<'_>) -> Result<()> {
    if query.retriever == Retriever::Dense && query.vector.is_none() {
        return Err(Error::usage("a dense search needs a vector of the question")
            .hint("the model may know none of its words; search with `--retriever bm25`"));
    }
    query.filters.iter().try_for_each(filter::check)
}

fn check_length(collection: &Collection, vector: Option<&[f32]>) -> Result<()> {
    let lengths = vector.map(<[f32]>::len).zip(collection.spec.dimensions);
    let Some((found, expected)) = lengths.filter(|(found, expected)| found != expected) else { return Ok(()) };
    let model = &collection.spec.model;
    Err(error(format!("the vector of the question has {found} numbers, those of `{model}` have {expected}")))
}

/// The best hits.
pub(super) fn search(db: &Connection, collection: &Collection, query: &Query<'_>, path: &Path) -> Result<Vec<Hit>> {
    check_length(collection, query.vector)?;
    let allowed = filter::allowed(db, keys(collection.key), query.filters, path)?;
    let allowed = allowed.as_deref();
    let dense = |vector| dense(db, collection, vector, allowed).map_err(failed(path));
    let bm25 = || bm25(db, collection, query.text, allowed).map_err(failed(path));
    let limit = query.limit;
    let best = match (query.retriever, query.vector) {
        (Retriever::Dense, vector) => {
            let found = dense(vector.unwrap_or_default())?;
            best(found.iter().map(|&(key, score)| Scored { key, score, dense: Some(score), bm25: None }), limit)
        }
        (Retriever::Hybrid, Some(vector)) => best(fused(&dense(vector)?, &bm25()?), limit),
        (Retriever::Bm25, _) | (Retriever::Hybrid, None) => {
            let found = bm25()?;
            best(found.iter().map(|&(key, score)| Scored { key, score, dense: None, bm25: Some(score) }), limit)
        }
    };
    hits(db, best, limit).map_err(failed(path))
}

fn dense(
    db: &Connection,
    collection: &Collection,
    query: &[f32],
    allowed: Option<&[i64]>,
) -> rusqlite::Result<Vec<Found>> {
    let mut statement =
        db.prepare_cached("SELECT key, vector FROM vectors WHERE key BETWEEN ?1 AND ?2 ORDER BY key")?;
    let mut rows = statement.query(keys(collection.key))?;
    let mut allowed = allowed.map(Allowed::new);
    let mut out = Vec::new();
    while let Some(row) = rows.next()? {
        let key = row.get(0)?;
        if allowed.as_mut().is_some_and(|allowed| !allowed.has(key)) {
            continue;
        }
        let bytes = row.get_ref(1)?.as_blob()?;
        if bytes.len() != query.len() * 4 {
            return Err(unexpected(1, Type::Blob));
        }
        out.push((key, f64::from(vector::dot(query, bytes))));
    }
    Ok(out)
}

fn bm25(db: &Connection, collection: &Collection, text: &str, allowed: Option<&[i64]>) -> rusqlite::Result<Vec<Found>> {
    let mut wanted = Vec::new();
    words::each(text, |word| wanted.push(word.to_owned()));
    wanted.sort_unstable();
    wanted.dedup();
    index::find(db, collection.key, &wanted, allowed)
}

/// Every point that either found, by key, with its fused score.
fn fused<'f>(dense: &'f [Found], bm25: &'f [Found]) -> impl Iterator<Item = Scored> + Clone + 'f {
    let spread = |found: &[Found], count| Spread::new(found.iter().map(|&(_, score)| score), count);
    let dense_spread = spread(dense, dense.len());
    let bm25_spread = spread(bm25, joined(dense, bm25).count());
    joined(dense, bm25).map(move |(key, dense, bm25)| {
        let score = fuse(dense, dense_spread, bm25, bm25_spread);
        Scored { key, score, dense, bm25 }
    })
}

/// Every key that is in either list, with its score in each.
fn joined<'f>(
    dense: &'f [Found],
    bm25: &'f [Found],
) -> impl Iterator<Item = (i64, Option<f64>, Option<f64>)> + Clone + 'f {
    let (mut dense, mut bm25) = (dense.iter().peekable(), bm25.iter().peekable());
    std::iter::from_fn(move || {
        let key = match (dense.peek(), bm25.peek()) {
            (Some((d, _)), Some((b, _))) => *d.min(b),
            (Some((key, _)), None) | (None, Some((key, _))) => *key,
            (None, None) => return None,
        };
        let d = dense.next_if(|(d, _)| *d == key).map(|(_, score)| *score);
        let b = bm25.next_if(|(b, _)| *b == key).map(|(_, score)| *score);
        Some((key, d, b))
    })
}

/// Those that may be among the best `limit`: all that score no less than the last of them, so that ties are decided
/// by what the points are, not by when they were written.
fn best(scored: impl Iterator<Item = Scored> + Clone, limit: usize) -> Vec<Scored> {
    let Some(last) = limit.checked_sub(1) else { return Vec::new() };
    let mut scores: Vec<f64> = scored.clone().map(|point| point.score).collect();
    if last >= scores.len() {
        return scored.collect();
    }
    let least = *scores.select_nth_unstable_by(last, |a, b| b.total_cmp(a)).1;
    scored.filter(|point| point.score.total_cmp(&least).is_ge()).collect()
}

/// The best `limit` of these, in order. Their texts are only read once it is known which they are. A key without a chunk
/// is what someone else has left by taking rows away.
fn hits(db: &Connection, scored: Vec<Scored>, limit: usize) -> rusqlite::Result<Vec<Hit>> {
    let mut place = db.prepare_cached(
        "SELECT source, position, chunks.id FROM chunks JOIN documents ON documents.key = document WHERE chunks.key = ?1",
    )?;
    let mut placed: Vec<((String, u32, Uuid), Scored)> = Vec::with_capacity(scored.len());
    for point in scored {
        let found = place.query_row([point.key], |row| Ok((row.get(0)?, row.get(1)?, uuid(row, 2)?))).optional()?;
        placed.extend(found.map(|place| (place, point)));
    }
    placed.sort_by(|(a_place, a), (b_place, b)| b.score.total_cmp(&a.score).then_with(|| a_place.cmp(b_place)));
    placed.truncate(limit);
    let mut content = db.prepare_cached(
        "SELECT documents.id, text, payload FROM chunks JOIN documents ON documents.key = document WHERE chunks.key = ?1",
    )?;
    let mut hit = |((source, order, id), point): ((String, u32, Uuid), Scored)| {
        content.query_row([point.key], |row| {
            let (document, text, payload) = (DocumentId(uuid(row, 0)?), text(row, 1)?, text(row, 2)?);
            let Scored { score, dense, bm25, .. } = point;
            Ok(Hit { id: ChunkId(id), document, source, order, score, dense, bm25, text, payload })
        })
    };
    placed.into_iter().map(&mut hit).collect()
}
