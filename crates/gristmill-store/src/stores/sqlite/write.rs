//! The writer: points, commit marks, removals.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use gristmill_core::{ChunkId, DocumentId, Error, Fingerprint, Point, Result, VectorSpec, Version, Writer};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use uuid::Uuid;

use super::failure::{error, failed};
use super::lock::WriteLock;
use super::schema::{self, TENANT_SHIFT};
use super::{read, vector};
use crate::words;

/// Holds the lock of its tenant.
pub(super) struct SqliteWriter {
    path: PathBuf,
    db: Connection,
    tenant: i64,
    spec: VectorSpec,
    _lock: WriteLock,
}

impl SqliteWriter {
    pub(super) fn open(path: &Path, name: &str, spec: &VectorSpec) -> Result<Self> {
        let mut db = schema::open(path, true)?;
        let tenant = claim(&mut db, name, spec).map_err(failed(path))?;
        let lock = WriteLock::take(path, tenant.key, name)?;
        if tenant.spec != *spec {
            return Err(other_model(name, &tenant.spec, spec));
        }
        Ok(Self { path: path.to_owned(), db, tenant: tenant.key, spec: tenant.spec, _lock: lock })
    }

    /// Runs `write` in one transaction. `durable`: it has reached the disk when this returns. Otherwise it reaches it
    /// together with the next durable one, never in part.
    fn writing<T>(&mut self, durable: bool, write: impl FnOnce(&Tables<'_>) -> rusqlite::Result<T>) -> Result<T> {
        let failed = failed(&self.path);
        let level = if durable { "FULL" } else { "NORMAL" };
        self.db.pragma_update(None, "synchronous", level).map_err(&failed)?;
        let db = self.db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        let tables = Tables { words: schema::words_table(self.tenant), tenant: self.tenant, db };
        let value = write(&tables).map_err(&failed)?;
        tables.db.commit().map_err(&failed)?;
        Ok(value)
    }

    fn check_vector(&self, vector: &[f32]) -> Result<()> {
        if vector.len() != self.spec.dimensions {
            return Err(error(format!(
                "a vector of `{}` has {} numbers instead of {}",
                self.spec.model,
                vector.len(),
                self.spec.dimensions
            )));
        }
        if vector.iter().all(|x| x.is_finite()) {
            return Ok(());
        }
        Err(error(format!("a vector of `{}` holds a number that is not finite", self.spec.model)))
    }
}

/// The tenant of this name, made if it is new.
fn claim(db: &mut Connection, name: &str, spec: &VectorSpec) -> rusqlite::Result<super::Tenant> {
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if let Some(tenant) = read::tenant(&transaction, name)? {
        return Ok(tenant);
    }
    transaction.execute(
        "INSERT INTO tenants(name, model, dimensions) VALUES(?1, ?2, ?3)",
        params![name, spec.model, spec.dimensions as i64],
    )?;
    let key = transaction.last_insert_rowid();
    schema::create_words(&transaction, key)?;
    transaction.commit()?;
    Ok(super::Tenant { key, spec: spec.clone() })
}

fn other_model(name: &str, holds: &VectorSpec, wanted: &VectorSpec) -> Error {
    error(format!(
        "project `{name}` holds vectors of `{}` ({} dimensions), not of `{}` ({})",
        holds.model, holds.dimensions, wanted.model, wanted.dimensions
    ))
    .hint("set `[embed]` back, or name another `project` or another file in `[store] path`")
}

impl Writer for SqliteWriter {
    fn upsert(&mut self, points: &[Point<'_>]) -> Result<()> {
        points.iter().filter_map(|point| point.vector).try_for_each(|vector| self.check_vector(vector))?;
        self.writing(false, |tables| tables.upsert(points))
    }

    fn commit(&mut self, versions: &[&Version]) -> Result<()> {
        let short = self.writing(true, |tables| tables.commit(versions))?;
        match short {
            None => Ok(()),
            Some((version, found)) => Err(Error::bug(format!(
                "`{}` has {found} points in the store instead of {}",
                version.source, version.total_chunks
            ))),
        }
    }

    fn remove_stale(&mut self, document: DocumentId, keep: &[ChunkId]) -> Result<u64> {
        let keep: HashSet<ChunkId> = keep.iter().copied().collect();
        self.writing(false, |tables| tables.remove_stale(document, &keep))
    }

    fn remove_document(&mut self, document: DocumentId) -> Result<u64> {
        self.writing(true, |tables| tables.remove_document(document))
    }

    fn keep_vectors(&mut self, version: &Version, vectors: &[(Fingerprint, &[f32])]) -> Result<()> {
        vectors.iter().try_for_each(|(_, vector)| self.check_vector(vector))?;
        self.writing(false, |tables| tables.keep(version, vectors))
    }
}

/// The tables of one tenant within a transaction.
struct Tables<'d> {
    db: Transaction<'d>,
    tenant: i64,
    words: String,
}

impl Tables<'_> {
    fn upsert(&self, points: &[Point<'_>]) -> rusqlite::Result<()> {
        let mut documents: HashMap<Uuid, i64> = HashMap::new();
        let mut next = self.next_key()?;
        for point in points {
            let id = point.version.document.0;
            let document = match documents.get(&id) {
                Some(&key) => key,
                None => *documents.entry(id).or_insert(self.open_document(point.version)?),
            };
            next += i64::from(self.put(point, document, next)?);
        }
        Ok(())
    }

    /// The first key that no chunk of the tenant has used.
    fn next_key(&self) -> rusqlite::Result<i64> {
        let first = self.tenant << TENANT_SHIFT;
        let last: Option<i64> = self.db.query_row(
            "SELECT max(key) FROM chunks WHERE key BETWEEN ?1 AND ?2",
            params![first, first | ((1 << TENANT_SHIFT) - 1)],
            |row| row.get(0),
        )?;
        Ok(last.unwrap_or(first) + 1)
    }

    /// The key of a document, which is no longer complete.
    fn open_document(&self, version: &Version) -> rusqlite::Result<i64> {
        // Before the first commit the newest version is shown; afterwards the committed one, until the next commit.
        self.db
            .prepare_cached(
                "INSERT INTO documents(tenant, id, source, source_hash, recipe, total_chunks, committed, complete)
                VALUES(?1, ?2, ?3, ?4, ?5, ?6, 0, 0)
                ON CONFLICT(tenant, id) DO UPDATE SET complete = 0,
                    source = iif(committed, source, excluded.source),
                    source_hash = iif(committed, source_hash, excluded.source_hash),
                    recipe = iif(committed, recipe, excluded.recipe),
                    total_chunks = iif(committed, total_chunks, excluded.total_chunks)
                RETURNING key",
            )?
            .query_row(
                params![
                    self.tenant,
                    version.document.0.as_bytes(),
                    version.source,
                    version.source_hash.0,
                    version.recipe,
                    version.total_chunks
                ],
                |row| row.get(0),
            )
    }

    /// Adds or replaces a point; true when `key` was used.
    fn put(&self, point: &Point<'_>, document: i64, key: i64) -> rusqlite::Result<bool> {
        let known: Option<(i64, bool)> = self
            .db
            .prepare_cached("SELECT key, text = ?3 FROM chunks WHERE tenant = ?1 AND id = ?2")?
            .query_row(params![self.tenant, point.id.0.as_bytes(), point.text], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let used = known.map_or(key, |(key, _)| key);
        self.db
            .prepare_cached(
                "INSERT INTO chunks(key, tenant, id, document, position, content_hash, payload, text)
                VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                ON CONFLICT(key) DO UPDATE SET document = excluded.document, position = excluded.position,
                    content_hash = excluded.content_hash, payload = excluded.payload, text = excluded.text",
            )?
            .execute(params![
                used,
                self.tenant,
                point.id.0.as_bytes(),
                document,
                point.order,
                point.content_hash.0,
                point.payload,
                point.text
            ])?;
        self.put_vector(used, point.vector)?;
        if known.is_none_or(|(_, same_text)| !same_text) {
            self.put_words(used, point.text)?;
        }
        Ok(known.is_none())
    }

    fn put_vector(&self, key: i64, vector: Option<&[f32]>) -> rusqlite::Result<()> {
        match vector {
            Some(vector) => self
                .db
                .prepare_cached("INSERT OR REPLACE INTO vectors(key, vector) VALUES(?1, ?2)")?
                .execute(params![key, vector::encode(vector)])?,
            None => self.db.prepare_cached("DELETE FROM vectors WHERE key = ?1")?.execute([key])?,
        };
        Ok(())
    }

    fn put_words(&self, key: i64, text: &str) -> rusqlite::Result<()> {
        self.db
            .prepare_cached(&format!("INSERT OR REPLACE INTO {}(rowid, words) VALUES(?1, ?2)", self.words))?
            .execute(params![key, words::indexed(text)])?;
        Ok(())
    }

    /// Marks the versions, unless one lacks points: that one is given with the number it has, and nothing is written.
    fn commit<'v>(&self, versions: &[&'v Version]) -> rusqlite::Result<Option<(&'v Version, i64)>> {
        for &version in versions {
            let found = self.count(version.document)?;
            if found < i64::from(version.total_chunks) {
                return Ok(Some((version, found)));
            }
        }
        for version in versions {
            self.open_document(version)?;
            self.db
                .prepare_cached(
                    "UPDATE documents SET source = ?3, source_hash = ?4, recipe = ?5, total_chunks = ?6, committed = 1
                    WHERE tenant = ?1 AND id = ?2",
                )?
                .execute(params![
                    self.tenant,
                    version.document.0.as_bytes(),
                    version.source,
                    version.source_hash.0,
                    version.recipe,
                    version.total_chunks
                ])?;
        }
        Ok(None)
    }

    /// Number of a document's points.
    fn count(&self, id: DocumentId) -> rusqlite::Result<i64> {
        self.db
            .prepare_cached(
                "SELECT count(*) FROM documents JOIN chunks ON chunks.document = documents.key
                WHERE documents.tenant = ?1 AND documents.id = ?2",
            )?
            .query_row(params![self.tenant, id.0.as_bytes()], |row| row.get(0))
    }

    fn document(&self, id: DocumentId) -> rusqlite::Result<Option<i64>> {
        self.db
            .prepare_cached("SELECT key FROM documents WHERE tenant = ?1 AND id = ?2")?
            .query_row(params![self.tenant, id.0.as_bytes()], |row| row.get(0))
            .optional()
    }

    fn remove_stale(&self, id: DocumentId, keep: &HashSet<ChunkId>) -> rusqlite::Result<u64> {
        let Some(document) = self.document(id)? else { return Ok(0) };
        let removed = self.remove_points(document, keep)?;
        self.db.prepare_cached("UPDATE documents SET complete = committed WHERE key = ?1")?.execute([document])?;
        Ok(removed)
    }

    fn remove_document(&self, id: DocumentId) -> rusqlite::Result<u64> {
        let Some(document) = self.document(id)? else { return Ok(0) };
        let removed = self.remove_points(document, &HashSet::new())?;
        self.db.prepare_cached("DELETE FROM documents WHERE key = ?1")?.execute([document])?;
        Ok(removed)
    }

    fn remove_points(&self, document: i64, keep: &HashSet<ChunkId>) -> rusqlite::Result<u64> {
        let mut statement = self.db.prepare_cached("SELECT key, id FROM chunks WHERE document = ?1")?;
        let points =
            statement.query_map([document], |row| Ok((row.get::<_, i64>(0)?, ChunkId(read::uuid(row, 1)?))))?;
        let points = points.collect::<rusqlite::Result<Vec<_>>>()?;
        let stale: Vec<i64> = points.into_iter().filter(|(_, id)| !keep.contains(id)).map(|(key, _)| key).collect();
        let mut words = self.db.prepare_cached(&format!("DELETE FROM {} WHERE rowid = ?1", self.words))?;
        let mut vectors = self.db.prepare_cached("DELETE FROM vectors WHERE key = ?1")?;
        let mut chunks = self.db.prepare_cached("DELETE FROM chunks WHERE key = ?1")?;
        for key in &stale {
            words.execute([key])?;
            vectors.execute([key])?;
            chunks.execute([key])?;
        }
        self.db.prepare_cached("DELETE FROM kept WHERE document = ?1")?.execute([document])?;
        Ok(stale.len() as u64)
    }

    fn keep(&self, version: &Version, vectors: &[(Fingerprint, &[f32])]) -> rusqlite::Result<()> {
        let document = self.open_document(version)?;
        let mut statement = self.db.prepare_cached(
            "INSERT OR REPLACE INTO kept(tenant, content_hash, document, vector) VALUES(?1, ?2, ?3, ?4)",
        )?;
        for (hash, vector) in vectors {
            statement.execute(params![self.tenant, hash.0, document, vector::encode(vector)])?;
        }
        Ok(())
    }
}
