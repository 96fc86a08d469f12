//! Search: an exact scan of the collection's vectors, BM25 of its full-text table, and both fused.
//!
//! The lists that meet here are all sorted by key, so that they are joined in one pass.

use std::path::Path;

use gristmill_core::{ChunkId, DocumentId, Error, Hit, Query, Result, Retriever};
use rusqlite::types::Type;
use rusqlite::{Connection, params};

use super::collections::Collection;
use super::failure::{error, failed};
use super::filter::{self, Allowed};
use super::read::{unexpected, uuid};
use super::schema::{keys, words_table};
use super::vector;
use crate::fusion::{Spread, fuse};
use crate::words;

/// A point and its scores.
#[derive(Clone, Copy, Default)]
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
    let scored = match (query.retriever, query.vector) {
        (Retriever::Dense, vector) => dense(vector.unwrap_or_default())?,
        (Retriever::Hybrid, Some(vector)) => fused(&dense(vector)?, &bm25()?),
        (Retriever::Bm25, _) | (Retriever::Hybrid, None) => bm25()?,
    };
    hits(db, best(scored, query.limit), query.limit).map_err(failed(path))
}

fn dense(
    db: &Connection,
    collection: &Collection,
    query: &[f32],
    allowed: Option<&[i64]>,
) -> rusqlite::Result<Vec<Scored>> {
    let (first, last) = keys(collection.key);
    let mut statement =
        db.prepare_cached("SELECT key, vector FROM vectors WHERE key BETWEEN ?1 AND ?2 ORDER BY key")?;
    let mut rows = statement.query(params![first, last])?;
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
        let score = f64::from(vector::dot(query, bytes));
        out.push(Scored { key, score, dense: Some(score), bm25: None });
    }
    Ok(out)
}

fn bm25(
    db: &Connection,
    collection: &Collection,
    text: &str,
    allowed: Option<&[i64]>,
) -> rusqlite::Result<Vec<Scored>> {
    let Some(expression) = any_word(text) else { return Ok(Vec::new()) };
    let table = words_table(collection.key);
    let mut statement =
        db.prepare_cached(&format!("SELECT rowid, -bm25({table}) FROM {table} WHERE {table} MATCH ?1 ORDER BY rowid"))?;
    let mut rows = statement.query([expression])?;
    let mut allowed = allowed.map(Allowed::new);
    let mut out = Vec::new();
    while let Some(row) = rows.next()? {
        let (key, score) = (row.get(0)?, row.get(1)?);
        if allowed.as_mut().is_none_or(|allowed| allowed.has(key)) {
            out.push(Scored { key, score, dense: None, bm25: Some(score) });
        }
    }
    Ok(out)
}

/// An expression of FTS5 that holds for texts with at least one of the words.
fn any_word(text: &str) -> Option<String> {
    let mut words = Vec::new();
    words::each(text, |word| words.push(format!("\"{word}\"")));
    words.sort_unstable();
    words.dedup();
    (!words.is_empty()).then(|| words.join(" OR "))
}

/// Every point that either found, by key.
fn fused(dense: &[Scored], bm25: &[Scored]) -> Vec<Scored> {
    let mut out = Vec::with_capacity(dense.len().max(bm25.len()));
    let (mut d, mut b) = (dense.iter().peekable(), bm25.iter().peekable());
    loop {
        let key = match (d.peek(), b.peek()) {
            (Some(d), Some(b)) => d.key.min(b.key),
            (Some(one), None) | (None, Some(one)) => one.key,
            (None, None) => break,
        };
        let dense = d.next_if(|d| d.key == key).and_then(|d| d.dense);
        let bm25 = b.next_if(|b| b.key == key).and_then(|b| b.bm25);
        out.push(Scored { key, score: 0.0, dense, bm25 });
    }
    let dense_spread = Spread::new(dense.iter().map(|d| d.score), dense.len());
    let bm25_spread = Spread::new(bm25.iter().map(|b| b.score), out.len());
    for point in &mut out {
        point.score = fuse(point.dense, dense_spread, point.bm25, bm25_spread);
    }
    out
}

/// Those that may be among the best `limit`: all that score no less than the last of them, so that ties are decided
/// by what the points are, not by when they were written.
fn best(mut scored: Vec<Scored>, limit: usize) -> Vec<Scored> {
    if limit == 0 {
        return Vec::new();
    }
    if scored.len() > limit {
        let (_, last, _) = scored.select_nth_unstable_by(limit - 1, |a, b| b.score.total_cmp(&a.score));
        let least = last.score;
        scored.retain(|point| point.score >= least);
    }
    scored
}

fn hits(db: &Connection, scored: Vec<Scored>, limit: usize) -> rusqlite::Result<Vec<Hit>> {
    let mut statement = db.prepare_cached(
        "SELECT chunks.id, documents.id, source, position, text, payload
        FROM chunks JOIN documents ON documents.key = chunks.document WHERE chunks.key = ?1",
    )?;
    let mut hits = Vec::with_capacity(scored.len());
    for point in scored {
        hits.push(statement.query_row([point.key], |row| {
            Ok(Hit {
                id: ChunkId(uuid(row, 0)?),
                document: DocumentId(uuid(row, 1)?),
                source: row.get(2)?,
                order: row.get(3)?,
                score: point.score,
                dense: point.dense,
                bm25: point.bm25,
                text: row.get(4)?,
                payload: row.get(5)?,
            })
        })?);
    }
    hits.sort_by(|a, b| {
        let by_place = || (&a.source, a.order, a.id).cmp(&(&b.source, b.order, b.id));
        b.score.total_cmp(&a.score).then_with(by_place)
    });
    hits.truncate(limit);
    Ok(hits)
}
