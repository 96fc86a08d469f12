//! Reading state and points.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use gristmill_core::{ChunkId, DocumentId, Fingerprint, StoredPoint, Tracked, Version};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};
use uuid::Uuid;

use super::collections::Collection;
use super::vector;

/// Points are counted in an index of a few bytes a point, so that the count is true whoever took points away: 0.1 µs each.
const TRACKED: &str = "SELECT id, source, source_hash, recipe, total_chunks, committed, complete,
        (SELECT count(*) FROM chunks WHERE chunks.document = documents.key)
    FROM documents WHERE collection = ?1 ORDER BY source, id";
const POINTS: &str = "SELECT chunks.id, position, content_hash, text, payload, vector
    FROM documents JOIN chunks ON chunks.document = documents.key LEFT JOIN vectors ON vectors.key = chunks.key
    WHERE documents.collection = ?1 AND documents.id = ?2 AND position BETWEEN ?3 AND ?4
    ORDER BY position, chunks.id";
/// Asks each document for it: an identity names its document but does not tell which.
const POINT: &str = "SELECT chunks.id, position, content_hash, text, payload, vector, documents.id
    FROM documents JOIN chunks ON chunks.document = documents.key LEFT JOIN vectors ON vectors.key = chunks.key
    WHERE documents.collection = ?1 AND chunks.id = ?2";
const CONTENTS: &str = "SELECT chunks.id, content_hash FROM documents JOIN chunks ON chunks.document = documents.key
    WHERE documents.collection = ?1 AND documents.id = ?2";
const VECTORS: &str = "SELECT vector FROM chunks JOIN vectors ON vectors.key = chunks.key
    WHERE collection = ?1 AND content_hash = ?2
    UNION ALL SELECT vector FROM kept WHERE collection = ?1 AND content_hash = ?2 LIMIT 1";

/// What documents declare stands in the payload of each of their points.
const ATTRIBUTES: &str = "SELECT DISTINCT declared.key
    FROM documents JOIN chunks ON chunks.document = documents.key AND position = 0,
        json_each(payload, '$.metadata.attributes') AS declared
    WHERE documents.collection = ?1 AND typeof(declared.key) = 'text'";

/// Every document with its number of points.
pub(super) fn tracked(db: &Connection, collection: &Collection) -> Result<Vec<Tracked>> {
    let mut statement = db.prepare_cached(TRACKED)?;
    let rows = statement.query_map([collection.key], |row| {
        let version = Version {
            document: DocumentId(uuid(row, 0)?),
            source: row.get(1)?,
            source_hash: fingerprint(row, 2)?,
            recipe: row.get(3)?,
            total_chunks: row.get(4)?,
        };
        Ok(Tracked { version, committed: row.get(5)?, complete: row.get(6)?, points: size(row, 7)? as u64 })
    })?;
    rows.collect()
}

/// A row of [`POINTS`] or [`POINT`].
fn stored(row: &Row<'_>) -> Result<StoredPoint> {
    Ok(StoredPoint {
        id: ChunkId(uuid(row, 0)?),
        order: row.get(1)?,
        content_hash: fingerprint(row, 2)?,
        text: text(row, 3)?,
        payload: text(row, 4)?,
        vector: stored_vector(row, 5)?,
    })
}

/// The points of a document whose position is in `orders`.
pub(super) fn points(
    db: &Connection,
    collection: &Collection,
    document: DocumentId,
    orders: &RangeInclusive<u32>,
) -> Result<Vec<StoredPoint>> {
    let mut statement = db.prepare_cached(POINTS)?;
    let which = params![collection.key, document.0.as_bytes(), orders.start(), orders.end()];
    statement.query_map(which, stored)?.collect()
}

/// A point and its document.
pub(super) fn point(
    db: &Connection,
    collection: &Collection,
    id: ChunkId,
) -> Result<Option<(DocumentId, StoredPoint)>> {
    db.prepare_cached(POINT)?
        .query_row(params![collection.key, id.0.as_bytes()], |row| Ok((DocumentId(uuid(row, 6)?), stored(row)?)))
        .optional()
}

/// Identity and hash of a document's points.
pub(super) fn contents(
    db: &Connection,
    collection: &Collection,
    document: DocumentId,
) -> Result<Vec<(ChunkId, Fingerprint)>> {
    let mut statement = db.prepare_cached(CONTENTS)?;
    let rows = statement.query_map(params![collection.key, document.0.as_bytes()], |row| {
        Ok((ChunkId(uuid(row, 0)?), fingerprint(row, 1)?))
    })?;
    rows.collect()
}

/// A vector for each hash, of the chunk or kept text that has it.
pub(super) fn vectors(
    db: &Connection,
    collection: &Collection,
    hashes: &[Fingerprint],
) -> Result<Vec<Option<Vec<f32>>>> {
    let mut statement = db.prepare_cached(VECTORS)?;
    let vector = |hash: &Fingerprint| {
        let found = statement.query_row(params![collection.key, hash.0], |row| stored_vector(row, 0));
        // One that is of no use is as good as none.
        let useful = |vector: &Vec<f32>| {
            collection.spec.dimensions == Some(vector.len()) && vector.iter().all(|number| number.is_finite())
        };
        Ok(found.optional()?.flatten().filter(useful))
    };
    hashes.iter().map(vector).collect()
}

/// Names of what documents declare.
pub(super) fn attributes(db: &Connection, collection: &Collection) -> Result<Option<BTreeSet<String>>> {
    let mut statement = db.prepare_cached(ATTRIBUTES)?;
    let names = statement.query_map([collection.key], |row| row.get(0))?;
    names.collect::<Result<_>>().map(Some)
}

/// A vector as it stands, of whatever length.
fn stored_vector(row: &Row<'_>, column: usize) -> Result<Option<Vec<f32>>> {
    Ok(row.get_ref(column)?.as_bytes_or_null()?.map(vector::decode))
}

/// A text. What a damaged disk has made of it is still read, so that it can be named and mended.
pub(super) fn text(row: &Row<'_>, column: usize) -> Result<String> {
    Ok(String::from_utf8_lossy(row.get_ref(column)?.as_bytes()?).into_owned())
}

/// A column that holds a UUID.
pub(super) fn uuid(row: &Row<'_>, column: usize) -> Result<Uuid> {
    row.get(column).map(Uuid::from_bytes)
}

fn fingerprint(row: &Row<'_>, column: usize) -> Result<Fingerprint> {
    row.get(column).map(Fingerprint)
}

/// A column that holds a count.
pub(super) fn size(row: &Row<'_>, column: usize) -> Result<usize> {
    let number: i64 = row.get(column)?;
    usize::try_from(number).map_err(|_| unexpected(column, Type::Integer))
}

/// A value that is not what we write.
pub(super) fn unexpected(column: usize, found: Type) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, found, "not a value of this program".into())
}

#[cfg(test)]
mod tests {
    use super::super::schema;
    use super::*;

    /// How SQLite goes about a statement: a line a table.
    fn plan(db: &Connection, sql: &str) -> Vec<String> {
        let mut statement = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        statement.raw_query().mapped(|row| row.get(3)).map(Result::unwrap).collect()
    }

    #[test]
    fn nothing_walks_over_all_chunks() {
        let folder = tempfile::tempdir().unwrap();
        let db = schema::open(&folder.path().join("store.db")).unwrap();
        for (sql, step) in [
            (TRACKED, "SEARCH chunks USING COVERING INDEX chunks_by_document (document=?)"),
            (POINTS, "SEARCH chunks USING INDEX chunks_by_document (document=? AND position>? AND position<?)"),
            (POINT, "SEARCH chunks USING INDEX sqlite_autoindex_chunks_1 (document=? AND id=?)"),
            (CONTENTS, "SEARCH chunks USING INDEX chunks_by_document (document=?)"),
            (VECTORS, "SEARCH chunks USING COVERING INDEX chunks_by_hash (collection=? AND content_hash=?)"),
        ] {
            let plan = plan(&db, sql);
            assert!(plan.iter().any(|line| line == step), "{sql}: {plan:#?}");
            assert!(plan.iter().all(|line| !line.starts_with("SCAN")), "{sql}: {plan:#?}");
        }
    }
}
