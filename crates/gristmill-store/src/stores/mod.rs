//! One folder per kind of store.

pub(crate) mod qdrant;
pub(crate) mod sqlite;
