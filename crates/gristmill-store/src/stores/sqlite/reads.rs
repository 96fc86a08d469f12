//! [`Reads`] for everything that looks at one collection.

use gristmill_core::Result;
use rusqlite::Connection;

use super::collections::{self, Collection};
use super::{SqliteStore, damage, read};

/// Implements [`gristmill_core::Reads`] for a type whose `reading` runs a function over its collection in one transaction,
/// and gives the default where there is none.
macro_rules! reads {
    ($reader:ty) => {
        impl gristmill_core::Reads for $reader {
            fn tracked(&self) -> Result<Vec<gristmill_core::Tracked>> {
                self.reading(read::tracked)
            }

            fn points_within(
                &self,
                document: gristmill_core::DocumentId,
                orders: std::ops::RangeInclusive<u32>,
            ) -> Result<Vec<gristmill_core::StoredPoint>> {
                self.reading(|db, collection| read::points(db, collection, document, &orders))
            }

            fn point(
                &self,
                id: gristmill_core::ChunkId,
            ) -> Result<Option<(gristmill_core::DocumentId, gristmill_core::StoredPoint)>> {
                self.reading(|db, collection| read::point(db, collection, id))
            }

            fn contents(
                &self,
                document: gristmill_core::DocumentId,
            ) -> Result<Vec<(gristmill_core::ChunkId, gristmill_core::Fingerprint)>> {
                self.reading(|db, collection| read::contents(db, collection, document))
            }

            fn vectors_by_hash(&self, hashes: &[gristmill_core::Fingerprint]) -> Result<Vec<Option<Vec<f32>>>> {
                let mut found = self.reading(|db, collection| read::vectors(db, collection, hashes))?;
                found.resize(hashes.len(), None);
                Ok(found)
            }

            fn attributes(&self) -> Result<Option<std::collections::BTreeSet<String>>> {
                self.reading(read::attributes)
            }

            fn damaged(&self) -> Result<Vec<gristmill_core::Damaged>> {
                self.reading(damage::damaged)
            }
        }
    };
}
pub(super) use reads;

/// A collection that does not answer yet. It stays the same when it begins to answer; it is empty when it is gone.
pub(super) struct Shadow<'s> {
    pub(super) store: &'s SqliteStore,
    pub(super) key: i64,
}

impl Shadow<'_> {
    fn reading<T: Default>(&self, read: impl FnOnce(&Connection, &Collection) -> rusqlite::Result<T>) -> Result<T> {
        self.store.reading_of(|db| collections::of_key(db, self.key), read)
    }
}

reads!(Shadow<'_>);
