//! Words and vectors that do not agree with the texts they belong to: what a damaged disk or another program leaves.
//!
//! The full-text table keeps no text. So its words are walked over once and summed up by chunk, in no order, and the sums
//! compared with those of the texts.

use std::collections::HashMap;

use gristmill_core::{ChunkId, Damage, Damaged, DocumentId, Fingerprint};
use rusqlite::{Connection, ErrorCode, Result, Row};

use super::collections::Collection;
use super::schema::{as_text, create_words, has_seals, keys, words_table};
use super::{read, vector};
use crate::words;

/// Every chunk that is not found as it should be, by document and place in the file.
pub(super) fn damaged(db: &Connection, collection: &Collection) -> Result<Vec<Damaged>> {
    let words = Words::of(db, collection.key)?;
    let seal = if has_seals(db)? { "seal" } else { "NULL" };
    let mut statement = db.prepare(&format!(
        "SELECT chunks.key, text, content_hash, vector, {seal}, chunks.id, documents.id
        FROM chunks JOIN documents ON documents.key = chunks.document LEFT JOIN vectors ON vectors.key = chunks.key
        WHERE chunks.key BETWEEN ?1 AND ?2 ORDER BY chunks.key"
    ))?;
    let (first, last) = keys(collection.key);
    let mut rows = statement.query([first, last])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let wrong =
            [(Damage::Words, !words.agree(row.get(0)?, &read::text(row, 1)?)), (Damage::Vector, is_of_another(row)?)];
        for (what, _) in wrong.into_iter().filter(|(_, wrong)| *wrong) {
            let (chunk, document) = (ChunkId(read::uuid(row, 5)?), DocumentId(read::uuid(row, 6)?));
            found.push(Damaged { document, chunk, what });
        }
    }
    Ok(found)
}

/// True when the vector is not the one that was stored with the text. Vectors without a seal are older than seals.
fn is_of_another(row: &Row<'_>) -> Result<bool> {
    let Some(seal) = row.get::<_, Option<i64>>(4)? else { return Ok(false) };
    let hash = Fingerprint(row.get(2)?);
    Ok(row.get_ref(3)?.as_bytes_or_null()?.is_some_and(|bytes| vector::seal(hash, bytes) != seal))
}

/// What the full-text table of a collection holds: a sum of the words by key.
struct Words(HashMap<i64, u64>);

impl Words {
    /// A table that is not there or cannot be read holds nothing.
    fn of(db: &Connection, collection: i64) -> Result<Self> {
        let table = words_table(collection);
        if !db.table_exists(None, table.as_str())? {
            return Ok(Self(HashMap::new()));
        }
        match Self::read(db, &table) {
            Err(cause) if cause.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => Ok(Self(HashMap::new())),
            read => read,
        }
    }

    fn read(db: &Connection, table: &str) -> Result<Self> {
        let mut sums: HashMap<i64, u64> = HashMap::new();
        // A row of its own says how long each text is; without it, the text is not found.
        let mut sized = db.prepare(&format!("SELECT id FROM {table}_docsize"))?;
        let mut rows = sized.query([])?;
        while let Some(row) = rows.next()? {
            sums.insert(row.get(0)?, 0);
        }
        db.execute_batch(&format!(
            "DROP TABLE IF EXISTS temp.seen; CREATE VIRTUAL TABLE temp.seen USING fts5vocab(main, {table}, instance)"
        ))?;
        let mut seen = db.prepare("SELECT doc, term, offset FROM temp.seen")?;
        let mut rows = seen.query([])?;
        while let Some(row) = rows.next()? {
            if let Some(sum) = sums.get_mut(&row.get(0)?) {
                *sum = sum.wrapping_add(weight(row.get_ref(1)?.as_bytes()?, row.get(2)?));
            }
        }
        drop(rows);
        drop(seen);
        db.execute_batch("DROP TABLE temp.seen")?;
        Ok(Self(sums))
    }

    /// True when the words of the key are those of the text, each in its place.
    fn agree(&self, key: i64, text: &str) -> bool {
        let (mut sum, mut place) = (0u64, 0i64);
        words::each(text, |word| {
            sum = sum.wrapping_add(weight(word.as_bytes(), place));
            place += 1;
        });
        self.0.get(&key) == Some(&sum)
    }
}

/// What a word in a place adds to a sum: FNV-1a, mixed so that sums of other words are other numbers.
fn weight(word: &[u8], place: i64) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = place.to_le_bytes().iter().chain(word).fold(0xcbf2_9ce4_8422_2325, step);
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Makes the full-text table anew, where a text is not found by its words.
pub(super) fn mend(db: &Connection, collection: i64) -> Result<()> {
    let table = words_table(collection);
    let words = Words::of(db, collection)?;
    let mut texts = db.prepare("SELECT key, text FROM chunks WHERE key BETWEEN ?1 AND ?2 ORDER BY key")?;
    let (first, last) = keys(collection);
    let mut rows = texts.query([first, last])?;
    let mut whole = true;
    while let Some(row) = rows.next()? {
        whole &= words.agree(row.get(0)?, &read::text(row, 1)?);
    }
    drop(rows);
    if whole {
        return Ok(());
    }
    db.execute_batch(&format!("DROP TABLE IF EXISTS {table}"))?;
    create_words(db, collection)?;
    let mut insert = db.prepare(&format!("INSERT INTO {table}(rowid, words) VALUES(?1, ?2)"))?;
    let mut rows = texts.query([first, last])?;
    while let Some(row) = rows.next()? {
        insert.execute((row.get::<_, i64>(0)?, as_text(&words::indexed(&read::text(row, 1)?))))?;
    }
    Ok(())
}
