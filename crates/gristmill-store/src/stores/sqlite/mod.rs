//! `sqlite`: one SQLite file holds documents, chunks, vectors, the index of words and the state of all tenants.
//!
//! Many processes may read while one writes. Every call is one transaction.

mod collections;
mod damage;
mod failure;
mod filter;
mod index;
mod lock;
mod open;
mod read;
mod reads;
mod schema;
mod search;
mod sweep;
mod tables;
mod vector;
mod write;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use gristmill_core::{Entry, Error, Hit, Query, Reads, Result, Store, VectorSpec, Writer};
use rusqlite::Connection;

use crate::{Build, StoreOptions};
use collections::Collection;
use failure::failed;
use reads::{Shadow, reads};
use write::SqliteWriter;

/// The line of this store in the registry.
pub(crate) const ENTRY: Entry<Build> =
    Entry { name: "sqlite", summary: "one SQLite file: vectors, full text and state; no service", item: &build };

fn build(options: &StoreOptions<'_>) -> Result<Arc<dyn Store>> {
    let path =
        options.path.ok_or_else(|| Error::config("the store `sqlite` needs a path").hint("set `[store] path`"))?;
    Ok(Arc::new(SqliteStore::open(path, options.tenant, options.create)?))
}

/// A tenant's view of a store in an SQLite file.
pub struct SqliteStore {
    path: PathBuf,
    tenant: String,
    reader: Mutex<Connection>,
}

impl SqliteStore {
    /// Opens a file, and makes it when it is absent and `create` is set. Otherwise nothing is written, and permission to
    /// read is enough; where permission to write is missing, open it anew to see what is written later.
    ///
    /// # Errors
    /// When the file cannot be opened, is not a store, or was written by another version of the program.
    pub fn open(path: &Path, tenant: &str, create: bool) -> Result<Self> {
        let reader = if create { schema::open(path) } else { open::open(path) }?;
        Ok(Self { path: path.to_owned(), tenant: tenant.to_owned(), reader: Mutex::new(reader) })
    }

    /// Runs `read` over the collection that answers, as [`Self::reading_of`].
    fn reading<T: Default>(&self, read: impl FnOnce(&Connection, &Collection) -> rusqlite::Result<T>) -> Result<T> {
        self.reading_of(|db| collections::answering(db, &self.tenant), read)
    }

    /// Runs `read` over the collection that `find` finds, and gives the default when there is none.
    fn reading_of<T: Default>(
        &self,
        find: impl FnOnce(&Connection) -> rusqlite::Result<Option<Collection>>,
        read: impl FnOnce(&Connection, &Collection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        self.looking(|db| {
            let found = find(db).map_err(failed(&self.path))?;
            found.map_or(Ok(T::default()), |collection| read(db, &collection).map_err(failed(&self.path)))
        })
    }

    /// Runs `look` in one transaction, so that it sees one state of the store.
    fn looking<T>(&self, look: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        // A panic while reading leaves nothing half done: the transaction was rolled back.
        let mut db = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = db.transaction().map_err(failed(&self.path))?;
        look(&transaction)
    }
}

reads!(SqliteStore);

impl Store for SqliteStore {
    fn tenant(&self) -> &str {
        &self.tenant
    }

    fn spec(&self) -> Result<Option<VectorSpec>> {
        self.reading(|_, collection| Ok(Some(collection.spec.clone())))
    }

    fn shadow(&self) -> Result<Option<(VectorSpec, Box<dyn Reads + Sync + '_>)>> {
        let found = self.looking(|db| collections::shadow(db, &self.tenant).map_err(failed(&self.path)))?;
        Ok(found.map(|shadow| {
            let reads: Box<dyn Reads + Sync> = Box::new(Shadow { store: self, key: shadow.key });
            (shadow.spec, reads)
        }))
    }

    fn search(&self, query: &Query<'_>) -> Result<Vec<Hit>> {
        search::check(query)?;
        self.looking(|db| match collections::answering(db, &self.tenant).map_err(failed(&self.path))? {
            Some(collection) => search::search(db, &collection, query, &self.path),
            None => Ok(Vec::new()),
        })
    }

    fn writer(&self, spec: &VectorSpec) -> Result<Box<dyn Writer + '_>> {
        Ok(Box::new(SqliteWriter::open(&self.path, &self.tenant, spec)?))
    }
}
