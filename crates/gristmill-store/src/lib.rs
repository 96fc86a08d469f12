//! Vector stores, one folder each.
//!
//! A store joins by its folder in `stores` and its line in [`STORES`], and passes the contract suite in `tests/contract`.
#![deny(missing_docs)]

mod fusion;
mod stores;
mod words;

use std::path::Path;
use std::sync::Arc;

use gristmill_core::{Entry, Error, Result, Store};

pub use stores::sqlite::SqliteStore;

/// Where a store is and whose points are meant.
#[derive(Clone, Copy, Debug)]
pub struct StoreOptions<'a> {
    /// The tenant all calls are bound to.
    pub tenant: &'a str,
    /// For stores that are a file.
    pub path: Option<&'a Path>,
    /// Make the store if it is absent. Otherwise an absent store is an error, and permission to read is enough.
    pub create: bool,
}

/// Opens a store.
pub type Build = dyn Fn(&StoreOptions<'_>) -> Result<Arc<dyn Store>> + Send + Sync;

/// Every kind of store, in the order people should think of them.
pub const STORES: &[Entry<Build>] = &[stores::sqlite::ENTRY];

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
