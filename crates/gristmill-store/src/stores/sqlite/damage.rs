//! Words and vectors that do not agree with the texts they belong to: what a damaged disk or another program leaves.
//!
//! The index keeps no text. So its words are walked over once and summed up by chunk, in no order, and the sums compared
//! with those of the texts.

use std::collections::HashMap;

use gristmill_core::{ChunkId, Damage, Damaged, DocumentId, Fingerprint};
use rusqlite::{Connection, ErrorCode, Result, Row};

use super::collections::Collection;
use super::failure::is_broken;
use super::index::{self, Sum};
use super::schema::keys;
use super::{read, vector};

/// Every chunk that is not found as it should be, by document and place in the file.
pub(super) fn damaged(db: &Connection, collection: &Collection) -> Result<Vec<Damaged>> {
    let words = indexed(db, collection.key)?;
    let mut statement = db.prepare(
        "SELECT chunks.key, text, content_hash, vector, seal, chunks.id, documents.id
        FROM chunks JOIN documents ON documents.key = chunks.document LEFT JOIN vectors ON vectors.key = chunks.key
        WHERE chunks.key BETWEEN ?1 AND ?2 ORDER BY chunks.key",
    )?;
    let mut rows = statement.query(keys(collection.key))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let other_words = words.get(&row.get(0)?) != Some(&Sum::of(&read::text(row, 1)?));
        let wrong = [(Damage::Words, other_words), (Damage::Vector, is_of_another(row)?)];
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

/// What the index holds of each text; nothing where it is not there or cannot be read.
fn indexed(db: &Connection, collection: i64) -> Result<HashMap<i64, Sum>> {
    match index::sums(db, collection) {
        Err(cause) if is_damage(&cause) => Ok(HashMap::new()),
        sums => sums,
    }
}

fn is_damage(cause: &rusqlite::Error) -> bool {
    matches!(cause.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt)) || is_broken(cause)
}

/// Makes the index anew, where a text is not found by its words.
pub(super) fn mend(db: &Connection, collection: i64) -> Result<()> {
    let words = indexed(db, collection)?;
    let mut texts = db.prepare("SELECT key, text FROM chunks WHERE key BETWEEN ?1 AND ?2")?;
    let mut rows = texts.query(keys(collection))?;
    while let Some(row) = rows.next()? {
        if words.get(&row.get(0)?) != Some(&Sum::of(&read::text(row, 1)?)) {
            drop(rows);
            return index::rebuild(db, collection);
        }
    }
    Ok(())
}
