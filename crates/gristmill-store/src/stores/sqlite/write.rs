//! The writer: its lock, its model and its transactions.

use std::path::{Path, PathBuf};

use gristmill_core::{ChunkId, DocumentId, Fingerprint, Point, Result, VectorSpec, Version, Writer};
use rusqlite::{Connection, TransactionBehavior};
use serde::de::IgnoredAny;

use super::collections::{self, Collection};
use super::failure::{error, failed};
use super::lock::WriteLock;
use super::reads::reads;
use super::tables::Tables;
use super::{damage, read, schema, sweep};

/// Holds the lock of its tenant.
pub(super) struct SqliteWriter {
    path: PathBuf,
    db: Connection,
    collection: Collection,
    is_shadow: bool,
    _lock: WriteLock,
}

impl SqliteWriter {
    pub(super) fn open(path: &Path, name: &str, spec: &VectorSpec) -> Result<Self> {
        let mut db = schema::open(path)?;
        let tenant = collections::tenant(&db, name).map_err(failed(path))?;
        let lock = WriteLock::take(path, tenant, name)?;
        let (collection, is_shadow) = claim(&mut db, tenant, spec).map_err(failed(path))?;
        Ok(Self { path: path.to_owned(), db, collection, is_shadow, _lock: lock })
    }

    fn reading<T>(&self, read: impl FnOnce(&Connection, &Collection) -> rusqlite::Result<T>) -> Result<T> {
        let failed = failed(&self.path);
        let transaction = self.db.unchecked_transaction().map_err(&failed)?;
        read(&transaction, &self.collection).map_err(&failed)
    }

    /// Runs `write` in one transaction; what it refuses leaves everything as it was. `durable`: it has reached the disk
    /// when this returns. Otherwise it reaches it together with the next durable one, never in part.
    fn writing<T>(
        &mut self,
        durable: bool,
        write: impl FnOnce(&Tables<'_>) -> rusqlite::Result<Result<T>>,
    ) -> Result<T> {
        let failed = failed(&self.path);
        let level = if durable { "FULL" } else { "NORMAL" };
        self.db.pragma_update(None, "synchronous", level).map_err(&failed)?;
        let db = self.db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        let tables = Tables::new(db, self.collection.key);
        let value = write(&tables).map_err(&failed)??;
        tables.commit_transaction().map_err(&failed)?;
        Ok(value)
    }

    /// As [`Self::writing`], after the vectors that will be written were checked. The first one settles the length of all.
    fn writing_vectors<'v>(
        &mut self,
        vectors: impl Iterator<Item = &'v [f32]>,
        write: impl FnOnce(&Tables<'_>) -> rusqlite::Result<()>,
    ) -> Result<()> {
        let length = checked(vectors, &self.collection.spec)?;
        let settled = length.filter(|_| self.collection.spec.dimensions.is_none());
        self.writing(false, |tables| {
            settled.map_or(Ok(()), |length| tables.settle_length(length))?;
            write(tables).map(Ok)
        })?;
        self.collection.spec.dimensions = length;
        Ok(())
    }
}

/// The collection to write and whether it is a shadow.
fn claim(db: &mut Connection, tenant: i64, spec: &VectorSpec) -> rusqlite::Result<(Collection, bool)> {
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let claimed = collections::for_writer(&transaction, tenant, spec)?;
    transaction.commit()?;
    Ok(claimed)
}

/// The length of all vectors, once one is known.
fn checked<'v>(vectors: impl Iterator<Item = &'v [f32]>, spec: &VectorSpec) -> Result<Option<usize>> {
    let mut length = spec.dimensions;
    for vector in vectors {
        let (model, found, expected) = (&spec.model, vector.len(), *length.get_or_insert(vector.len()));
        if found != expected {
            return Err(error(format!("a vector of `{model}` has {found} numbers instead of {expected}")));
        }
        if found == 0 {
            return Err(error(format!("a vector of `{model}` has no numbers")));
        }
        if !vector.iter().all(|x| x.is_finite()) {
            return Err(error(format!("a vector of `{model}` holds a number that is not finite")));
        }
    }
    Ok(length)
}

/// Refuses payloads that are no JSON objects.
fn check_payloads(points: &[Point<'_>]) -> Result<()> {
    let is_object = |payload: &str| payload.starts_with('{') && serde_json::from_str::<IgnoredAny>(payload).is_ok();
    match points.iter().find(|point| !is_object(point.payload)) {
        Some(point) => {
            Err(error(format!("the payload of point {} of `{}` is no JSON object", point.order, point.version.source)))
        }
        None => Ok(()),
    }
}

reads!(SqliteWriter);

impl Writer for SqliteWriter {
    fn spec(&self) -> &VectorSpec {
        &self.collection.spec
    }

    fn is_shadow(&self) -> bool {
        self.is_shadow
    }

    fn upsert(&mut self, points: &[Point<'_>]) -> Result<()> {
        check_payloads(points)?;
        self.writing_vectors(points.iter().filter_map(|point| point.vector), |tables| tables.upsert(points))
    }

    fn set_payloads(&mut self, points: &[Point<'_>]) -> Result<()> {
        check_payloads(points)?;
        self.writing(false, |tables| tables.set_payloads(points))
    }

    fn commit(&mut self, versions: &[&Version]) -> Result<()> {
        self.writing(true, |tables| tables.commit(versions))
    }

    fn remove_stale(&mut self, document: DocumentId, keep: &[ChunkId]) -> Result<u64> {
        self.remove_stale_of(&[(document, keep)])
    }

    fn remove_stale_of(&mut self, documents: &[(DocumentId, &[ChunkId])]) -> Result<u64> {
        self.writing(false, |tables| {
            let mut removed = 0;
            for (document, keep) in documents {
                removed += tables.remove_stale(*document, &keep.iter().copied().collect())?;
            }
            Ok(Ok(removed))
        })
    }

    fn remove_document(&mut self, document: DocumentId) -> Result<u64> {
        self.writing(false, |tables| tables.remove_document(document).map(Ok))
    }

    fn keep_vectors(&mut self, version: &Version, vectors: &[(Fingerprint, &[f32])]) -> Result<()> {
        let checked = vectors.iter().map(|(_, vector)| *vector);
        self.writing_vectors(checked, |tables| tables.keep(version, vectors))
    }

    fn publish(&mut self) -> Result<()> {
        if self.is_shadow {
            self.writing(true, |tables| tables.publish().map(Ok))?;
            self.is_shadow = false;
        }
        Ok(())
    }

    fn mend(&mut self) -> Result<()> {
        self.writing(true, |tables| tables.mend().map(Ok))
    }

    fn sweep(&mut self) -> Result<u64> {
        let is_shadow = self.is_shadow;
        let removed = self.writing(true, |tables| tables.sweep(is_shadow).map(Ok))?;
        sweep::shrink(&self.db).map_err(failed(&self.path))?;
        Ok(removed as u64)
    }
}
