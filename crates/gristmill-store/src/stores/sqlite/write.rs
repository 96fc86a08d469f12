//! The writer: its lock, its model and its transactions.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use gristmill_core::{ChunkId, DocumentId, Error, Fingerprint, Point, Result, VectorSpec, Version, Writer};
use rusqlite::{Connection, TransactionBehavior, params};

use super::failure::{error, failed};
use super::lock::WriteLock;
use super::tables::Tables;
use super::{Tenant, read, schema};

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
        let mut db = schema::open(path)?;
        let tenant = claim(&mut db, name, spec).map_err(failed(path))?;
        let lock = WriteLock::take(path, tenant.key, name)?;
        if tenant.spec != *spec && !settle(&db, tenant.key, spec).map_err(failed(path))? {
            return Err(other_model(name, &tenant.spec, spec));
        }
        Ok(Self { path: path.to_owned(), db, tenant: tenant.key, spec: spec.clone(), _lock: lock })
    }

    /// Runs `write` in one transaction. `durable`: it has reached the disk when this returns. Otherwise it reaches it
    /// together with the next durable one, never in part.
    fn writing<T>(&mut self, durable: bool, write: impl FnOnce(&Tables<'_>) -> rusqlite::Result<T>) -> Result<T> {
        let failed = failed(&self.path);
        let level = if durable { "FULL" } else { "NORMAL" };
        self.db.pragma_update(None, "synchronous", level).map_err(&failed)?;
        let db = self.db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        let tables = Tables::new(db, self.tenant);
        let value = write(&tables).map_err(&failed)?;
        tables.commit_transaction().map_err(&failed)?;
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
fn claim(db: &mut Connection, name: &str, spec: &VectorSpec) -> rusqlite::Result<Tenant> {
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
    Ok(Tenant { key, spec: spec.clone() })
}

/// Gives a tenant that holds no vectors another model; false when it holds some.
fn settle(db: &Connection, tenant: i64, spec: &VectorSpec) -> rusqlite::Result<bool> {
    let changed = db.execute(
        "UPDATE tenants SET model = ?2, dimensions = ?3 WHERE key = ?1
        AND NOT EXISTS(SELECT 1 FROM chunks JOIN vectors ON vectors.key = chunks.key WHERE chunks.tenant = ?1)
        AND NOT EXISTS(SELECT 1 FROM kept WHERE kept.tenant = ?1)",
        params![tenant, spec.model, spec.dimensions as i64],
    )?;
    Ok(changed > 0)
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
        self.writing(false, |tables| tables.remove_document(document))
    }

    fn keep_vectors(&mut self, version: &Version, vectors: &[(Fingerprint, &[f32])]) -> Result<()> {
        vectors.iter().try_for_each(|(_, vector)| self.check_vector(vector))?;
        self.writing(false, |tables| tables.keep(version, vectors))
    }
}
