//! The index of words of a collection, for BM25.
//!
//! The texts of one call become a part: its words in order, each with the texts that hold it. Where there are [`FANOUT`]
//! parts of one level they become one of the next, so that a word is looked for in a few parts only, and each is written
//! anew once a level. Keys of new texts are greater than all before: the texts of each part come after those of the part
//! before. A text that goes stays in its part until that becomes part of another; till then its key is in `word_gone`.

mod block;
mod find;
mod gather;
mod part;

use std::collections::HashMap;

use rusqlite::{Connection, Result};

pub(super) use find::find;
use gather::Gathered;

use super::schema::keys;
use crate::words;

/// The tables of all collections.
pub(super) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS word_parts(
    key INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL,
    level INTEGER NOT NULL,
    count INTEGER NOT NULL,
    last INTEGER NOT NULL,
    texts BLOB NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS word_parts_by_last ON word_parts(collection, last);
CREATE TABLE IF NOT EXISTS word_blocks(
    key INTEGER PRIMARY KEY,
    part INTEGER NOT NULL,
    first BLOB NOT NULL,
    words BLOB NOT NULL,
    UNIQUE(part, first)
) STRICT;
CREATE TABLE IF NOT EXISTS word_gone(
    key INTEGER PRIMARY KEY
) STRICT;
";

/// So many parts of a level become one.
const FANOUT: usize = 8;

/// Texts that go into one part at most: their words are held in memory.
const TOGETHER: usize = 1024;

/// Adds texts, by rising keys that are greater than all before.
pub(super) fn add(db: &Connection, collection: i64, texts: impl Iterator<Item = (i64, impl AsRef<str>)>) -> Result<()> {
    let mut gathered = Gathered::default();
    for (key, text) in texts {
        gathered.add(key, text.as_ref());
        if gathered.texts.len() == TOGETHER {
            put(db, collection, &gathered)?;
            gathered.clear();
        }
    }
    put(db, collection, &gathered)
}

fn put(db: &Connection, collection: i64, gathered: &Gathered) -> Result<()> {
    if gathered.texts.is_empty() {
        return Ok(());
    }
    part::write(db, collection, gathered)?;
    for level in 0.. {
        let parts = part::rows(db, collection)?;
        let of_level: Vec<i64> = parts.iter().filter(|part| part.level == level).map(|part| part.key).collect();
        if of_level.len() < FANOUT {
            break;
        }
        merge(db, collection, level + 1, &of_level)?;
        shrink(db, collection)?;
    }
    Ok(())
}

/// Makes one part of all where more texts are gone than left.
fn shrink(db: &Connection, collection: i64) -> Result<()> {
    let parts = part::rows(db, collection)?;
    let (gone, all) = (gone(db, collection)?.len() as i64, parts.iter().map(|part| part.count).sum::<i64>());
    if gone * 2 <= all {
        return Ok(());
    }
    let level = parts.iter().map(|part| part.level).max().unwrap_or_default();
    let keys: Vec<i64> = parts.iter().map(|part| part.key).collect();
    merge(db, collection, level, &keys)
}

fn merge(db: &Connection, collection: i64, level: i64, parts: &[i64]) -> Result<()> {
    let gone = gone(db, collection)?;
    let dropped = part::merge(db, collection, level, parts, &gone)?;
    let mut statement = db.prepare_cached("DELETE FROM word_gone WHERE key = ?1")?;
    dropped.iter().try_for_each(|key| statement.execute([key]).map(drop))
}

/// Keys of texts that are gone but still in a part, in rising order.
fn gone(db: &Connection, collection: i64) -> Result<Vec<i64>> {
    let mut statement = db.prepare_cached("SELECT key FROM word_gone WHERE key BETWEEN ?1 AND ?2 ORDER BY key")?;
    statement.query_map(keys(collection), |row| row.get(0))?.collect()
}

/// Removes the words of a text.
pub(super) fn remove(db: &Connection, key: i64) -> Result<()> {
    db.prepare_cached("INSERT OR IGNORE INTO word_gone(key) VALUES(?1)")?.execute([key])?;
    Ok(())
}

/// The greatest key of a text that has been added and may still be there.
pub(super) fn last(db: &Connection, collection: i64) -> Result<Option<i64>> {
    db.prepare_cached("SELECT max(last) FROM word_parts WHERE collection = ?1")?
        .query_row([collection], |row| row.get(0))
}

/// Removes the words of texts that have no chunk.
pub(super) fn sweep(db: &Connection, collection: i64) -> Result<()> {
    let mut has_chunk = db.prepare_cached("SELECT EXISTS(SELECT 1 FROM chunks WHERE key = ?1)")?;
    for row in part::rows(db, collection)? {
        for text in part::open(db, row.key)?.texts {
            if !has_chunk.query_row([text.key], |row| row.get::<_, bool>(0))? {
                remove(db, text.key)?;
            }
        }
    }
    shrink(db, collection)
}

/// Removes the index of a collection, and blocks of no part.
pub(super) fn forget(db: &Connection, collection: i64) -> Result<()> {
    db.execute("DELETE FROM word_parts WHERE collection = ?1", [collection])?;
    db.execute("DELETE FROM word_blocks WHERE part NOT IN (SELECT key FROM word_parts)", [])?;
    db.execute("DELETE FROM word_gone WHERE key BETWEEN ?1 AND ?2", keys(collection))?;
    Ok(())
}

/// Makes the index of a collection anew from its texts.
pub(super) fn rebuild(db: &Connection, collection: i64) -> Result<()> {
    db.execute_batch(TABLES)?;
    forget(db, collection)?;
    let mut statement = db.prepare("SELECT key, text FROM chunks WHERE key BETWEEN ?1 AND ?2 ORDER BY key")?;
    let mut rows = statement.query(keys(collection))?;
    let mut texts = Vec::with_capacity(TOGETHER);
    while let Some(row) = rows.next()? {
        texts.push((row.get(0)?, super::read::text(row, 1)?));
        if texts.len() == TOGETHER {
            add(db, collection, texts.drain(..))?;
        }
    }
    add(db, collection, texts.into_iter())
}

/// What the index holds of each text, summed up, in no order.
pub(super) fn sums(db: &Connection, collection: i64) -> Result<HashMap<i64, Sum>> {
    let gone = gone(db, collection)?;
    let mut sums = HashMap::new();
    for row in part::rows(db, collection)? {
        let part = part::open(db, row.key)?;
        let mut own: Vec<Sum> = part.texts.iter().map(|text| Sum { words: 0, length: text.length }).collect();
        part::each(db, &part, |word, posting| own[posting.text as usize].add(word, posting.times))?;
        let texts = part.texts.iter().zip(own).filter(|(text, _)| gone.binary_search(&text.key).is_err());
        sums.extend(texts.map(|(text, sum)| (text.key, sum)));
    }
    Ok(sums)
}

/// A sum of the words of a text, however often each occurs, and how many they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    words: u64,
    length: u32,
}

impl Sum {
    /// That of a text.
    pub(super) fn of(text: &str) -> Self {
        let mut sum = Self { words: 0, length: 0 };
        words::each(text, |word| {
            sum.length += 1;
            sum.add(word.as_bytes(), 1);
        });
        sum
    }

    /// Adds a word: FNV-1a, mixed so that sums of other words are other numbers.
    fn add(&mut self, word: &[u8], times: u32) {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = word.iter().fold(0xcbf2_9ce4_8422_2325, step);
        let weight = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.words = self.words.wrapping_add((weight ^ (weight >> 29)).wrapping_mul(times.into()));
    }
}

#[cfg(test)]
mod tests;
