//! Vector stores, one folder each.
//!
//! A store joins by its folder in `stores` and its line in [`STORES`], and passes the contract suite in `tests/contract`.
#![deny(missing_docs)]

mod bm25;
mod fusion;
mod stores;
mod words;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use gristmill_core::{Entry, Error, Result, Store};

pub use stores::qdrant::{QdrantOptions, QdrantStore};
pub use stores::sqlite::SqliteStore;

/// Where a store is and whose points are meant. What a kind of store does not know it ignores.
#[derive(Clone)]
pub struct StoreOptions<'a> {
    /// The tenant all calls are bound to.
    pub tenant: &'a str,
    /// Make the store if it is absent. Otherwise an absent store is an error, and permission to read is enough.
    pub create: bool,
    /// For stores that are a file.
    pub path: Option<&'a Path>,
    /// For stores that are a service: where it answers.
    pub url: Option<&'a str>,
    /// For stores that are a service: its key.
    pub api_key: Option<&'a str>,
    /// For stores that have several: the collection.
    pub collection: &'a str,
    /// Points in one request at most.
    pub batch_size: usize,
    /// Payload fields that get an index besides those that are filtered anyway, with the kind of their values (`keyword`,
    /// `integer`, `float`, `bool`, `datetime`, `text`, `uuid`).
    pub indexes: &'a BTreeMap<String, String>,
    /// Other names for payload fields: ours, theirs.
    pub names: &'a BTreeMap<String, String>,
    /// How the store `qdrant` makes collections.
    pub qdrant: QdrantOptions,
    /// Seconds since 1970, for rights to write that expire.
    pub clock: Arc<dyn Fn() -> u64 + Send + Sync>,
}

/// Opens a store.
pub type Build = dyn Fn(&StoreOptions<'_>) -> Result<Arc<dyn Store>> + Send + Sync;

/// Every kind of store, in the order people should think of them.
pub const STORES: &[Entry<Build>] = &[stores::sqlite::ENTRY, stores::qdrant::ENTRY];

/// Opens a store of a kind.
///
/// # Errors
/// A configuration error when there is no such kind or an option is missing; a store error when it cannot be opened.
pub fn store(kind: &str, options: &StoreOptions<'_>) -> Result<Arc<dyn Store>> {
    let Some(entry) = STORES.iter().find(|entry| entry.name == kind) else {
        let names: Vec<_> = STORES.iter().map(|entry| format!("`{}`", entry.name)).collect();
        let error = Error::config(format!("unknown type of store: `{kind}`"));
        return Err(error.hint(format!("the types are {}", names.join(", "))));
    };
    (entry.item)(options)
}
