//! Parts of the index as they lie in the tables, and how several become one.

use std::cmp::Ordering;
use std::mem::take;
use std::ops::Range;

use rusqlite::{Connection, Result, Rows, params};

use super::block::{Block, Posting, Text, Words, broken, decode_postings, decode_texts, encode_postings, encode_texts};
use super::gather::Gathered;

pub(super) const ROWS: &str = "SELECT key, level, count FROM word_parts WHERE collection = ?1 ORDER BY last";
/// The block in which a word lies if it is in the part.
pub(super) const BLOCK_OF: &str =
    "SELECT words FROM word_blocks WHERE part = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1";
const BLOCKS: &str = "SELECT first, words FROM word_blocks WHERE part = ?1 ORDER BY first";

/// A part.
pub(super) struct Part {
    pub(super) key: i64,
    /// By rising keys, all greater than those of the part before.
    pub(super) texts: Vec<Text>,
}

/// A part without its texts.
pub(super) struct Row {
    pub(super) key: i64,
    pub(super) level: i64,
    pub(super) count: i64,
}

/// The parts of a collection, the oldest texts first.
pub(super) fn rows(db: &Connection, collection: i64) -> Result<Vec<Row>> {
    let mut statement = db.prepare_cached(ROWS)?;
    let rows = statement
        .query_map([collection], |row| Ok(Row { key: row.get(0)?, level: row.get(1)?, count: row.get(2)? }))?;
    rows.collect()
}

/// Reads what texts a part has.
pub(super) fn open(db: &Connection, key: i64) -> Result<Part> {
    let texts = db
        .prepare_cached("SELECT texts FROM word_parts WHERE key = ?1")?
        .query_row([key], |row| decode_texts(row.get_ref(0)?.as_blob()?))?;
    Ok(Part { key, texts })
}

/// Removes a part.
pub(super) fn remove(db: &Connection, key: i64) -> Result<()> {
    db.prepare_cached("DELETE FROM word_blocks WHERE part = ?1")?.execute([key])?;
    db.prepare_cached("DELETE FROM word_parts WHERE key = ?1")?.execute([key])?;
    Ok(())
}

/// Calls `posting` with each posting of a word.
pub(super) fn postings(db: &Connection, part: &Part, word: &[u8], posting: impl FnMut(Posting)) -> Result<()> {
    let mut statement = db.prepare_cached(BLOCK_OF)?;
    let mut rows = statement.query(params![part.key, word])?;
    let Some(row) = rows.next()? else { return Ok(()) };
    let block = row.get_ref(0)?.as_blob()?;
    let mut words = Words::default();
    while let Some(postings) = words.next(block)? {
        match (*words.word).cmp(word) {
            Ordering::Less => {}
            Ordering::Equal => return decode_postings(&block[postings], part.texts.len(), posting),
            Ordering::Greater => break,
        }
    }
    Ok(())
}

/// Calls `posting` with each word of a part and each of its postings.
pub(super) fn each(db: &Connection, part: &Part, mut posting: impl FnMut(&[u8], Posting)) -> Result<()> {
    let mut statement = db.prepare_cached(BLOCKS)?;
    let mut cursor = Cursor::new(statement.query([part.key])?);
    while let Some(word) = cursor.advance()? {
        decode_postings(&cursor.block[word], part.texts.len(), |found| posting(&cursor.words.word, found))?;
    }
    Ok(())
}

/// Writes a part.
struct Writer<'d> {
    db: &'d Connection,
    part: i64,
    block: Block,
    postings: Vec<u8>,
}

impl<'d> Writer<'d> {
    fn new(db: &'d Connection, collection: i64, level: i64, texts: &[Text]) -> Result<Self> {
        let last = texts.last().map_or(0, |text| text.key);
        let sql = "INSERT INTO word_parts(collection, level, count, last, texts) VALUES(?1, ?2, ?3, ?4, ?5)";
        let bytes = encode_texts(texts.iter().copied());
        db.prepare_cached(sql)?.execute(params![collection, level, texts.len() as i64, last, bytes])?;
        Ok(Self { db, part: db.last_insert_rowid(), block: Block::default(), postings: Vec::new() })
    }

    /// Adds a word that comes after those before.
    fn word(&mut self, word: &[u8], postings: impl Iterator<Item = Posting>) -> Result<()> {
        if self.block.is_full() {
            self.close()?;
        }
        self.postings.clear();
        encode_postings(postings, &mut self.postings);
        self.block.push(word, &self.postings);
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        if !self.block.bytes.is_empty() {
            let sql = "INSERT INTO word_blocks(part, first, words) VALUES(?1, ?2, ?3)";
            self.db.prepare_cached(sql)?.execute(params![self.part, self.block.first, self.block.bytes])?;
            self.block.clear();
        }
        Ok(())
    }
}

/// Adds a part of new texts.
pub(super) fn write(db: &Connection, collection: i64, gathered: &Gathered) -> Result<()> {
    let mut writer = Writer::new(db, collection, 0, &gathered.texts)?;
    gathered.each(|word, postings| writer.word(word, postings.iter().copied()))?;
    writer.close()
}

/// Makes one part of several that lie side by side, without the texts whose keys are in `gone`, which is in rising order.
/// Gives the keys of those that were in one of them.
pub(super) fn merge(db: &Connection, collection: i64, level: i64, keys: &[i64], gone: &[i64]) -> Result<Vec<i64>> {
    let parts = keys.iter().map(|key| open(db, *key)).collect::<Result<Vec<_>>>()?;
    let all = parts.iter().flat_map(|part| &part.texts);
    let (texts, dropped): (Vec<Text>, Vec<Text>) = all.partition(|text| gone.binary_search(&text.key).is_err());
    let mut next = 0;
    let mut places = Vec::with_capacity(parts.len());
    for part in &parts {
        places.push(Places::of(&part.texts, gone, next));
        next = places.last().map_or(next, |places: &Places| places.end);
    }
    if !texts.is_empty() {
        let mut writer = Writer::new(db, collection, level, &texts)?;
        join(db, keys, &places, |word, postings| writer.word(word, postings.iter().copied()))?;
        writer.close()?;
    }
    keys.iter().try_for_each(|key| remove(db, *key))?;
    Ok(dropped.iter().map(|text| text.key).collect())
}

/// Where the texts of a part come to lie in the one that it goes into.
struct Places {
    first: u32,
    end: u32,
    count: usize,
    /// For each text; `None` for one that goes. Empty where none does.
    each: Vec<Option<u32>>,
}

impl Places {
    fn of(texts: &[Text], gone: &[i64], first: u32) -> Self {
        let (mut end, mut each) = (first, Vec::with_capacity(texts.len()));
        for text in texts {
            let stays = gone.binary_search(&text.key).is_err();
            each.push(stays.then_some(end));
            end += u32::from(stays);
        }
        if end as usize == first as usize + texts.len() {
            each = Vec::new();
        }
        Self { first, end, count: texts.len(), each }
    }

    fn of_text(&self, text: u32) -> Option<u32> {
        self.each.get(text as usize).copied().unwrap_or(Some(self.first + text))
    }
}

/// Calls `word` with each word of several parts, in order, and its postings in all of them.
fn join(
    db: &Connection,
    keys: &[i64],
    places: &[Places],
    mut word: impl FnMut(&[u8], &[Posting]) -> Result<()>,
) -> Result<()> {
    let mut statements = keys.iter().map(|_| db.prepare(BLOCKS)).collect::<Result<Vec<_>>>()?;
    let mut cursors = Vec::with_capacity(keys.len());
    for ((statement, key), places) in statements.iter_mut().zip(keys).zip(places) {
        let mut cursor = Cursor::new(statement.query([key])?);
        if let Some(postings) = cursor.advance()? {
            cursors.push((cursor, postings, places));
        }
    }
    let (mut least, mut postings) = (Vec::new(), Vec::new());
    while let Some(first) = cursors.iter().map(|(cursor, _, _)| &cursor.words.word).min() {
        least.clone_from(first);
        postings.clear();
        let mut ended = false;
        for (cursor, bytes, places) in &mut cursors {
            if cursor.words.word != least {
                continue;
            }
            decode_postings(&cursor.block[bytes.clone()], places.count, |posting| {
                postings.extend(places.of_text(posting.text).map(|text| Posting { text, ..posting }));
            })?;
            match cursor.advance()? {
                Some(next) => *bytes = next,
                None => (ended, *bytes) = (true, 0..0),
            }
        }
        if ended {
            cursors.retain(|(cursor, _, _)| !cursor.ended);
        }
        if !postings.is_empty() {
            word(&least, &postings)?;
        }
    }
    Ok(())
}

/// Walks over the words of a part.
struct Cursor<'s> {
    rows: Rows<'s>,
    block: Vec<u8>,
    words: Words,
    ended: bool,
}

impl<'s> Cursor<'s> {
    fn new(rows: Rows<'s>) -> Self {
        Self { rows, block: Vec::new(), words: Words::default(), ended: false }
    }

    /// Goes to the next word; gives where in the block its postings lie.
    fn advance(&mut self) -> Result<Option<Range<usize>>> {
        if let Some(postings) = self.words.next(&self.block)? {
            return Ok(Some(postings));
        }
        let Some(row) = self.rows.next()? else {
            self.ended = true;
            return Ok(None);
        };
        self.block.clear();
        self.block.extend_from_slice(row.get_ref(1)?.as_blob()?);
        let before = take(&mut self.words).word;
        let postings = self.words.next(&self.block)?;
        let is_next = self.words.word > before && row.get_ref(0)?.as_blob()? == self.words.word;
        postings.filter(|_| is_next).ok_or_else(broken).map(Some)
    }
}
