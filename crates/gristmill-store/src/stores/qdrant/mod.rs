//! `qdrant`: a Qdrant server or cluster, over its REST interface.
//!
//! A collection holds the points of several tenants and may hold those of other programs, which are never read, counted
//! or changed. Per document there is one point without a vector, its mark; per tenant one that tells which collections it
//! has (see `control`). The identity of a point is made of tenant and chunk, so that writing it twice is writing it once.
//!
//! A call that takes several requests is not one transaction: when it fails midway, what it has written stays, as after a
//! crash, and the mark of the document says that it is not complete.

mod api;
mod collection;
mod control;
mod filter;
mod layout;
mod lease;
mod marks;
mod place;
mod point;
mod process;
mod publish;
mod read;
mod scope;
mod search;
mod sparse;
mod sweep;
mod write;

use std::ops::RangeInclusive;
use std::sync::Arc;

use gristmill_core::{
    ChunkId, DocumentId, Entry, Error, ErrorKind, Fingerprint, Hit, Query, Reads, Result, Store, StoredPoint, Tracked,
    VectorSpec, Writer,
};

use crate::{Build, StoreOptions};
use collection::Collection;
use control::Control;
use scope::Scope;
use write::QdrantWriter;

/// The line of this store in the registry.
pub(crate) const ENTRY: Entry<Build> =
    Entry { name: "qdrant", summary: "a Qdrant server or cluster, over REST", item: &build };

fn build(options: &StoreOptions<'_>) -> Result<Arc<dyn Store>> {
    Ok(Arc::new(QdrantStore::open(options)?))
}

/// How collections are made. Those that are there stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QdrantOptions {
    /// Number of shards; the server's default without one.
    pub shard_number: Option<u32>,
    /// Copies of each shard; the server's default without one.
    pub replication_factor: Option<u32>,
    /// Vectors and words are read from the disk instead of being held in memory.
    pub on_disk: bool,
    /// Search goes over vectors of 8-bit numbers, which are held in memory.
    pub quantization: bool,
}

/// A tenant's view of a collection on a Qdrant server.
pub struct QdrantStore {
    base: Collection,
}

impl QdrantStore {
    /// Opens a collection. It is made by the first writer.
    ///
    /// # Errors
    /// When an option is missing or wrong; without `create` when there is no such collection.
    pub fn open(options: &StoreOptions<'_>) -> Result<Self> {
        let scope = Arc::new(Scope::new(options)?);
        let base = Collection::new(&scope, options.collection);
        if !options.create && !base.exists()? {
            return Err(Error::new(ErrorKind::Store, format!("there is no store: `{}`", options.collection))
                .hint("run `gristmill ingest` first"));
        }
        Ok(Self { base })
    }

    /// The collection that answers now. A run may let another one answer at any time.
    fn answering(&self) -> Result<Option<(Collection, VectorSpec)>> {
        let control = Control::read(&self.base)?;
        Ok(control
            .map(|control| (Collection::new(&self.base.scope, control.answering.collection), control.answering.spec)))
    }

    fn reading<T: Default>(&self, read: impl FnOnce(&Collection) -> Result<T>) -> Result<T> {
        self.answering()?.map_or(Ok(T::default()), |(collection, _)| read(&collection))
    }
}

impl Reads for QdrantStore {
    fn tracked(&self) -> Result<Vec<Tracked>> {
        self.reading(Reads::tracked)
    }

    fn points_within(&self, document: DocumentId, orders: RangeInclusive<u32>) -> Result<Vec<StoredPoint>> {
        self.reading(|collection| collection.points_within(document, orders))
    }

    fn point(&self, id: ChunkId) -> Result<Option<(DocumentId, StoredPoint)>> {
        self.reading(|collection| collection.point(id))
    }

    fn contents(&self, document: DocumentId) -> Result<Vec<(ChunkId, Fingerprint)>> {
        self.reading(|collection| collection.contents(document))
    }

    fn vectors_by_hash(&self, hashes: &[Fingerprint]) -> Result<Vec<Option<Vec<f32>>>> {
        let mut found = self.reading(|collection| collection.vectors_by_hash(hashes))?;
        found.resize(hashes.len(), None);
        Ok(found)
    }
}

impl Store for QdrantStore {
    fn tenant(&self) -> &str {
        &self.base.scope.tenant
    }

    fn spec(&self) -> Result<Option<VectorSpec>> {
        Ok(self.answering()?.map(|(_, spec)| spec))
    }

    fn shadow(&self) -> Result<Option<(VectorSpec, Box<dyn Reads + Sync + '_>)>> {
        let shadow = Control::read(&self.base)?.and_then(|control| control.shadow);
        Ok(shadow.map(|shadow| {
            let reads: Box<dyn Reads + Sync> = Box::new(Collection::new(&self.base.scope, shadow.collection));
            (shadow.spec, reads)
        }))
    }

    fn search(&self, query: &Query<'_>) -> Result<Vec<Hit>> {
        let filters = search::check(query, &self.base)?;
        match self.answering()? {
            Some((collection, spec)) => search::search(&collection, &spec, query, filters),
            None => Ok(Vec::new()),
        }
    }

    fn writer(&self, spec: &VectorSpec) -> Result<Box<dyn Writer + '_>> {
        Ok(Box::new(QdrantWriter::open(&self.base.scope, spec)?))
    }
}
