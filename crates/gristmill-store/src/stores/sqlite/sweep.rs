//! Removing what no run needs any more.

use rusqlite::{Connection, ErrorCode, Result};

use super::schema::keys;
use super::{collections, index};

/// Free space below this many bytes is left for later writes.
const WORTH_FREEING: i64 = 1 << 20;

/// Removes the other collection of a writer's tenant if that one is a shadow, vectors that are kept without need, and rows
/// that belong to nothing. Gives the number of points and vectors.
pub(super) fn sweep(db: &Connection, collection: i64, is_shadow: bool) -> Result<usize> {
    let shadow = if is_shadow { None } else { collections::beside(db, collection)? };
    let mut removed = shadow.map_or(Ok(0), |shadow| collections::remove(db, shadow))?;
    removed += db.execute(
        "DELETE FROM kept WHERE collection = ?1 AND document NOT IN (
            SELECT key FROM documents WHERE collection = ?1 AND NOT complete
        )",
        [collection],
    )?;
    removed += orphans(db, collection)?;
    Ok(removed)
}

/// Removes what someone else has left by taking rows away: points of no document, vectors and words of no point.
fn orphans(db: &Connection, collection: i64) -> Result<usize> {
    let [first, last] = keys(collection);
    let points = db.execute(
        "DELETE FROM chunks WHERE key BETWEEN ?1 AND ?2 AND document NOT IN (
            SELECT key FROM documents WHERE collection = ?3
        )",
        [first, last, collection],
    )?;
    let lost = "BETWEEN ?1 AND ?2 AND NOT EXISTS(SELECT 1 FROM chunks WHERE chunks.key =";
    let vectors = db.execute(&format!("DELETE FROM vectors WHERE key {lost} vectors.key)"), [first, last])?;
    index::sweep(db, collection)?;
    Ok(points.max(vectors))
}

/// Gives space back to the system when more is free than used. Where others read or write all the time, a later one does.
pub(super) fn shrink(db: &Connection) -> Result<()> {
    let pragma = |name| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (free, pages) = (pragma("freelist_count")?, pragma("page_count")?);
    if free * pragma("page_size")? < WORTH_FREEING || free <= pages / 2 {
        return Ok(());
    }
    match db.execute_batch("VACUUM") {
        Err(cause) if cause.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(()),
        Err(cause) => Err(cause),
        Ok(()) => db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())),
    }
}
