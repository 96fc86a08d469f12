//! One folder per kind of store.

pub(crate) mod sqlite;
