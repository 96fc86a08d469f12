//! One folder per provider.

pub(crate) mod static_table;
