//! Stores opened with options for tests.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gristmill_store::{QdrantOptions, QdrantStore, StoreOptions};

/// What is opened, and a clock that stands until it is moved.
pub struct Opened {
    pub url: String,
    pub collection: String,
    pub key: Option<&'static str>,
    pub batch: usize,
    pub indexes: BTreeMap<String, String>,
    pub names: BTreeMap<String, String>,
    pub qdrant: QdrantOptions,
    pub now: Arc<AtomicU64>,
}

impl Opened {
    pub fn new(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            collection: "docs".to_owned(),
            key: None,
            batch: 256,
            indexes: BTreeMap::new(),
            names: BTreeMap::new(),
            qdrant: QdrantOptions::default(),
            now: Arc::new(AtomicU64::new(1_000_000)),
        }
    }

    /// Opens it with these options; `change` may change them.
    pub fn try_store(&self, tenant: &str, create: bool) -> gristmill_core::Result<QdrantStore> {
        let now = Arc::clone(&self.now);
        QdrantStore::open(&StoreOptions {
            tenant,
            create,
            path: None,
            url: Some(&self.url),
            api_key: self.key,
            collection: &self.collection,
            batch_size: self.batch,
            indexes: &self.indexes,
            names: &self.names,
            qdrant: self.qdrant.clone(),
            clock: Arc::new(move || now.load(Ordering::SeqCst)),
        })
    }

    pub fn store(&self, tenant: &str) -> QdrantStore {
        self.try_store(tenant, true).unwrap()
    }
}
