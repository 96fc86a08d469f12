//! `sqlite`: one SQLite file holds documents, chunks, vectors, the full-text index and the state of all tenants.
//!
//! Many processes may read while one writes. Every call is one transaction.

mod failure;
mod filter;
mod lock;
mod open;
mod read;
mod schema;
mod search;
mod tables;
mod vector;
mod write;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use gristmill_core::{
    DocumentId, Entry, Error, Fingerprint, Hit, Query, Result, Store, StoredPoint, Tracked, VectorSpec, Writer,
};
use rusqlite::Connection;

use crate::{Build, StoreOptions};
use failure::failed;
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

/// A tenant that has been written to.
struct Tenant {
    key: i64,
    spec: VectorSpec,
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

    /// Runs `read` in one transaction, so that it sees one state of the store. Gives the default for a tenant that has
    /// never been written to.
    fn reading<T: Default>(&self, read: impl FnOnce(&Connection, &Tenant) -> Result<T>) -> Result<T> {
        // A panic while reading leaves nothing half done: the transaction was rolled back.
        let mut db = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = db.transaction().map_err(failed(&self.path))?;
        match read::tenant(&transaction, &self.tenant).map_err(failed(&self.path))? {
            Some(tenant) => read(&transaction, &tenant),
            None => Ok(T::default()),
        }
    }
}

impl Store for SqliteStore {
    fn tenant(&self) -> &str {
        &self.tenant
    }

    fn spec(&self) -> Result<Option<VectorSpec>> {
        self.reading(|_, tenant| Ok(Some(tenant.spec.clone())))
    }

    fn tracked(&self) -> Result<Vec<Tracked>> {
        self.reading(|db, tenant| read::tracked(db, tenant).map_err(failed(&self.path)))
    }

    fn points(&self, document: DocumentId) -> Result<Vec<StoredPoint>> {
        self.reading(|db, tenant| read::points(db, tenant, document).map_err(failed(&self.path)))
    }

    fn vectors_by_hash(&self, hashes: &[Fingerprint]) -> Result<Vec<Option<Vec<f32>>>> {
        let mut found = self.reading(|db, tenant| read::vectors(db, tenant, hashes).map_err(failed(&self.path)))?;
        found.resize(hashes.len(), None);
        Ok(found)
    }

    fn search(&self, query: &Query<'_>) -> Result<Vec<Hit>> {
        search::check(query)?;
        self.reading(|db, tenant| search::search(db, tenant, query, &self.path))
    }

    fn writer(&self, spec: &VectorSpec) -> Result<Box<dyn Writer + '_>> {
        Ok(Box::new(SqliteWriter::open(&self.path, &self.tenant, spec)?))
    }
}
