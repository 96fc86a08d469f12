//! BM25 of the texts of a collection, ranked as by SQLite's `bm25()`.

use rusqlite::{Connection, Result};

use super::gone;
use super::part::{Part, open, postings, rows};
use crate::bm25::{B, K1};
use crate::stores::sqlite::filter::Allowed;
use crate::stores::sqlite::search::Found;

/// What a word is worth at least that is in more than half of the texts.
const LEAST_WEIGHT: f64 = 1e-6;

/// The texts that hold at least one of the words, which are all different, by rising keys.
pub(in crate::stores::sqlite) fn find(
    db: &Connection,
    collection: i64,
    words: &[String],
    allowed: Option<&[i64]>,
) -> Result<Vec<Found>> {
    let mut parts = Vec::new();
    let gone = gone(db, collection)?;
    for row in rows(db, collection)? {
        parts.push(Scores::of(open(db, row.key)?, &gone));
    }
    let count: usize = parts.iter().map(|part| part.count).sum();
    let length: u64 = parts.iter().map(|part| part.length).sum();
    let mean = length as f64 / count as f64;
    for word in words {
        let mut holding = 0;
        for part in &mut parts {
            holding += part.look(db, word)?;
        }
        let weight = ((count as f64 - holding as f64 + 0.5) / (holding as f64 + 0.5)).ln().max(LEAST_WEIGHT);
        parts.iter_mut().for_each(|part| part.score(weight, mean));
    }
    let mut allowed = allowed.map(Allowed::new);
    let found = parts.iter().flat_map(|part| part.part.texts.iter().zip(&part.scores));
    let found = found.filter(|(_, score)| **score > 0.0).map(|(text, score)| (text.key, *score));
    Ok(found.filter(|(key, _)| allowed.as_mut().is_none_or(|allowed| allowed.has(*key))).collect())
}

/// A part and the scores of its texts.
struct Scores {
    part: Part,
    /// Texts that are not gone, and the number of their words.
    count: usize,
    length: u64,
    is_gone: Vec<bool>,
    scores: Vec<f64>,
    /// Texts that hold the word that is looked for, and how often.
    holding: Vec<(u32, u32)>,
}

impl Scores {
    fn of(part: Part, gone: &[i64]) -> Self {
        let is_gone: Vec<bool> = part.texts.iter().map(|text| gone.binary_search(&text.key).is_ok()).collect();
        let left = || part.texts.iter().zip(&is_gone).filter(|(_, gone)| !**gone).map(|(text, _)| text);
        let (count, length) = (left().count(), left().map(|text| u64::from(text.length)).sum());
        let scores = vec![0.0; part.texts.len()];
        Self { part, count, length, is_gone, scores, holding: Vec::new() }
    }

    /// Looks for a word; gives the number of texts that hold it.
    fn look(&mut self, db: &Connection, word: &str) -> Result<usize> {
        self.holding.clear();
        postings(db, &self.part, word.as_bytes(), |posting| {
            if !self.is_gone[posting.text as usize] {
                self.holding.push((posting.text, posting.times));
            }
        })?;
        Ok(self.holding.len())
    }

    /// Adds what the word that was looked for is worth.
    fn score(&mut self, weight: f64, mean: f64) {
        for &(text, times) in &self.holding {
            let (times, length) = (f64::from(times), f64::from(self.part.texts[text as usize].length));
            self.scores[text as usize] += weight * (times * (K1 + 1.0)) / (times + K1 * (1.0 - B + B * length / mean));
        }
    }
}
