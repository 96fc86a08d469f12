//! Reading state and points.

use gristmill_core::{ChunkId, DocumentId, Fingerprint, StoredPoint, Tracked, VectorSpec, Version};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};
use uuid::Uuid;

use super::{Tenant, vector};

/// The tenant of this name.
pub(super) fn tenant(db: &Connection, name: &str) -> Result<Option<Tenant>> {
    db.prepare_cached("SELECT key, model, dimensions FROM tenants WHERE name = ?1")?
        .query_row([name], |row| {
            let spec = VectorSpec { model: row.get(1)?, dimensions: size(row, 2)? };
            Ok(Tenant { key: row.get(0)?, spec })
        })
        .optional()
}

/// Every document with its number of points.
pub(super) fn tracked(db: &Connection, tenant: &Tenant) -> Result<Vec<Tracked>> {
    let mut statement = db.prepare_cached(
        "SELECT id, source, source_hash, recipe, total_chunks, complete,
            (SELECT count(*) FROM chunks WHERE chunks.document = documents.key)
        FROM documents WHERE tenant = ?1 ORDER BY source, id",
    )?;
    let rows = statement.query_map([tenant.key], |row| {
        let version = Version {
            document: DocumentId(uuid(row, 0)?),
            source: row.get(1)?,
            source_hash: fingerprint(row, 2)?,
            recipe: row.get(3)?,
            total_chunks: row.get(4)?,
        };
        Ok(Tracked { version, complete: row.get(5)?, points: size(row, 6)? as u64 })
    })?;
    rows.collect()
}

/// The points of a document.
pub(super) fn points(db: &Connection, tenant: &Tenant, document: DocumentId) -> Result<Vec<StoredPoint>> {
    let mut statement = db.prepare_cached(
        "SELECT chunks.id, position, content_hash, text, payload, vector
        FROM documents JOIN chunks ON chunks.document = documents.key LEFT JOIN vectors ON vectors.key = chunks.key
        WHERE documents.tenant = ?1 AND documents.id = ?2 ORDER BY position, chunks.id",
    )?;
    let rows = statement.query_map(params![tenant.key, document.0.as_bytes()], |row| {
        Ok(StoredPoint {
            id: ChunkId(uuid(row, 0)?),
            order: row.get(1)?,
            content_hash: fingerprint(row, 2)?,
            text: row.get(3)?,
            payload: row.get(4)?,
            vector: stored_vector(row, 5, tenant)?,
        })
    })?;
    rows.collect()
}

/// A vector for each hash, of the chunk or kept text that has it.
pub(super) fn vectors(db: &Connection, tenant: &Tenant, hashes: &[Fingerprint]) -> Result<Vec<Option<Vec<f32>>>> {
    let mut statement = db.prepare_cached(
        "SELECT vector FROM chunks JOIN vectors ON vectors.key = chunks.key WHERE tenant = ?1 AND content_hash = ?2
        UNION ALL SELECT vector FROM kept WHERE tenant = ?1 AND content_hash = ?2 LIMIT 1",
    )?;
    hashes
        .iter()
        .map(|hash| {
            let found =
                statement.query_row(params![tenant.key, hash.0], |row| stored_vector(row, 0, tenant)).optional()?;
            Ok(found.flatten())
        })
        .collect()
}

fn stored_vector(row: &Row<'_>, column: usize, tenant: &Tenant) -> Result<Option<Vec<f32>>> {
    let Some(bytes) = row.get_ref(column)?.as_blob_or_null()? else { return Ok(None) };
    vector::decode(bytes, tenant.spec.dimensions).map(Some).ok_or_else(|| unexpected(column, Type::Blob))
}

/// A column that holds a UUID.
pub(super) fn uuid(row: &Row<'_>, column: usize) -> Result<Uuid> {
    row.get(column).map(Uuid::from_bytes)
}

fn fingerprint(row: &Row<'_>, column: usize) -> Result<Fingerprint> {
    row.get(column).map(Fingerprint)
}

fn size(row: &Row<'_>, column: usize) -> Result<usize> {
    let number: i64 = row.get(column)?;
    usize::try_from(number).map_err(|_| unexpected(column, Type::Integer))
}

/// A value that is not what we write.
pub(super) fn unexpected(column: usize, found: Type) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, found, "not a value of this program".into())
}
