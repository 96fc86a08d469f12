//! The trait at which vector stores meet: points of documents, the marks that make them valid, and search over them.
//!
//! A run writes a document in this order: [`Writer::upsert`] (as often as needed), [`Writer::commit`],
//! [`Writer::remove_stale`]. Nothing is marked done before it is durable. A crash between any two calls leaves extra
//! points, never missing ones, and a document that is not [`Tracked::complete`]; writing it once more heals it.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde_json::Value;

use crate::stored::{ASKED_ONE_BY_ONE, Damaged, attributes_of};
use crate::{ChunkId, DocumentId, Fingerprint, Result};

/// The model whose vectors a collection holds. Vectors of different models never meet in one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorSpec {
    /// Provider and model: [`crate::Embedder::name`].
    pub model: String,
    /// Numbers in each vector; `None` until the first vector tells.
    pub dimensions: Option<usize>,
}

impl VectorSpec {
    /// True when vectors of both may be searched together: one model, and the same length as far as it is known.
    pub fn agrees(&self, other: &Self) -> bool {
        let lengths = self.dimensions.zip(other.dimensions);
        self.model == other.model && lengths.is_none_or(|(one, other)| one == other)
    }
}

/// One version of a document. Equal versions have equal points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Identity of the document.
    pub document: DocumentId,
    /// Path relative to the source's root, with `/`, or a URL.
    pub source: String,
    /// Hash of the raw bytes.
    pub source_hash: Fingerprint,
    /// What shaped the points: settings and code versions of every stage. The store only keeps it.
    pub recipe: String,
    /// Number of points the version has.
    pub total_chunks: u32,
}

/// What a store knows of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracked {
    /// The version committed last; without a commit, the version written last.
    pub version: Version,
    /// True when a version was committed, now or before: searches are answered from it.
    pub committed: bool,
    /// True when the version was committed, its stale points were removed, and nothing was written since.
    pub complete: bool,
    /// Points of the document that are in the store now. Differs from `version.total_chunks` when someone else has
    /// taken points away.
    pub points: u64,
}

/// A chunk on its way into a store.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// Identity. A point with the same identity is replaced.
    pub id: ChunkId,
    /// The version of the document it belongs to.
    pub version: &'a Version,
    /// Index of the chunk in its document, from 0.
    pub order: u32,
    /// Hash of `text`; vectors are reused by it.
    pub content_hash: Fingerprint,
    /// Exactly the text that was embedded; the words that are searched.
    pub text: &'a str,
    /// The outward record as a JSON object.
    pub payload: &'a str,
    /// A vector of the writer's model. `None` when the model knows nothing of the text: it is found by words alone.
    pub vector: Option<&'a [f32]>,
}

/// A point as the store holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPoint {
    /// Identity.
    pub id: ChunkId,
    /// Index of the chunk in its document, from 0.
    pub order: u32,
    /// Hash of `text`.
    pub content_hash: Fingerprint,
    /// The text that was embedded.
    pub text: String,
    /// The outward record as a JSON object, byte for byte as it was written.
    pub payload: String,
    /// Its vector, if it has one.
    pub vector: Option<Vec<f32>>,
}

/// How hits are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retriever {
    /// By the cosine of vectors.
    Dense,
    /// By words (Okapi BM25).
    Bm25,
    /// By both, fused.
    Hybrid,
}

impl Retriever {
    /// The name used in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Bm25 => "bm25",
            Self::Hybrid => "hybrid",
        }
    }
}

/// Keeps the points whose payload has this value.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// Name of a payload field; names of nested objects are joined by `.`.
    pub field: String,
    /// A string, number or boolean. Equal to the field, or to one element of it when the field is a list.
    pub value: Value,
}

/// What to search for.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The question.
    pub text: &'a str,
    /// Its vector, by the tenant's model. Without one, a hybrid search goes by words alone.
    pub vector: Option<&'a [f32]>,
    /// How to search.
    pub retriever: Retriever,
    /// Hits at most.
    pub limit: usize,
    /// All of them must hold.
    pub filters: &'a [Filter],
}

/// A point that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Identity of the chunk.
    pub id: ChunkId,
    /// Identity of its document.
    pub document: DocumentId,
    /// Source of its document.
    pub source: String,
    /// Index of the chunk in its document, from 0.
    pub order: u32,
    /// What hits are sorted by, higher is better: cosine, BM25, or the fused score.
    pub score: f64,
    /// Cosine to the query, where vectors were searched and both have one.
    pub dense: Option<f64>,
    /// BM25, where words were searched and at least one is shared.
    pub bm25: Option<f64>,
    /// The text that was embedded.
    pub text: String,
    /// The outward record as a JSON object.
    pub payload: String,
}

/// What can be read of one collection: the documents of a tenant under one model.
pub trait Reads {
    /// Every document that has points or a commit mark, by source. Costs time by documents, not by text.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn tracked(&self) -> Result<Vec<Tracked>>;

    /// The points of a document whose order is in `orders`, by order, then identity; empty for an unknown document.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn points_within(&self, document: DocumentId, orders: RangeInclusive<u32>) -> Result<Vec<StoredPoint>>;

    /// All points of a document by order, then identity; empty for an unknown one.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn points(&self, document: DocumentId) -> Result<Vec<StoredPoint>> {
        self.points_within(document, 0..=u32::MAX)
    }

    /// A point and the document it belongs to.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn point(&self, id: ChunkId) -> Result<Option<(DocumentId, StoredPoint)>>;

    /// The texts that a document's points hold, as hashes, without reading them. In no order.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn contents(&self, document: DocumentId) -> Result<Vec<(ChunkId, Fingerprint)>>;

    /// For each hash, in order, a vector of the text with this hash, from any document.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn vectors_by_hash(&self, hashes: &[Fingerprint]) -> Result<Vec<Option<Vec<f32>>>>;

    /// Names of what documents declare: the keys of `metadata.attributes` in the payload of their first points. `None` when a
    /// store would have to ask for each of too many documents.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn attributes(&self) -> Result<Option<BTreeSet<String>>> {
        let tracked = self.tracked()?;
        if tracked.len() > ASKED_ONE_BY_ONE {
            return Ok(None);
        }
        let mut names = BTreeSet::new();
        for tracked in tracked {
            let points = self.points_within(tracked.version.document, 0..=0)?;
            points.iter().for_each(|point| names.extend(attributes_of(&point.payload)));
        }
        Ok(Some(names))
    }

    /// What a store keeps beside its points to find them, and that does not agree with them. A store whose service keeps
    /// that by itself has nothing to tell.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn damaged(&self) -> Result<Vec<Damaged>> {
        Ok(Vec::new())
    }
}

/// A vector store, seen by one tenant. No call reads, changes or counts points of another. What it reads and searches is
/// the tenant's collection that answers. While another model's vectors are being made they grow in a second collection
/// beside it, the shadow, which takes its place when [`Writer::publish`] is called.
pub trait Store: Reads + Send + Sync {
    /// The tenant all calls are bound to.
    fn tenant(&self) -> &str;

    /// The model of the collection that answers; `None` before the first write.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn spec(&self) -> Result<Option<VectorSpec>>;

    /// The collection that is being made for another model and does not answer yet, with its model.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn shadow(&self) -> Result<Option<(VectorSpec, Box<dyn Reads + Sync + '_>)>>;

    /// The best hits, best first. Equal scores are ordered by source, then order.
    ///
    /// # Errors
    /// When the store cannot be read, the vector is of another length than the tenant's, a dense search has no
    /// vector, or a filter cannot be understood.
    fn search(&self, query: &Query<'_>) -> Result<Vec<Hit>>;

    /// Takes the right to write, until the writer is dropped or its process ends. Writes to the collection that answers
    /// when `spec` agrees with it or when it holds no vector yet (its model is then settled anew); else to the shadow,
    /// which is begun anew when it is of a third model.
    ///
    /// # Errors
    /// When another run is writing.
    fn writer(&self, spec: &VectorSpec) -> Result<Box<dyn Writer + '_>>;
}

/// The one writer of a tenant. It reads the collection that it writes.
pub trait Writer: Reads + Send {
    /// The model, with the length of its vectors once it is known.
    fn spec(&self) -> &VectorSpec;

    /// True when the collection does not answer yet.
    fn is_shadow(&self) -> bool;

    /// Adds points or replaces those with the same identity, all or none. Points of several documents may be mixed.
    /// The first vector settles the length of all.
    ///
    /// # Errors
    /// When a vector has the wrong length or a number that is not finite, a payload is not a JSON object, or the store
    /// cannot be written.
    fn upsert(&mut self, points: &[Point<'_>]) -> Result<()>;

    /// Replaces order and payload of points whose text is in the store already, as [`Reads::contents`] tells; their vectors
    /// stay as they are, whatever `vector` says. Otherwise as [`Writer::upsert`].
    ///
    /// # Errors
    /// As for [`Writer::upsert`].
    fn set_payloads(&mut self, points: &[Point<'_>]) -> Result<()>;

    /// Marks versions as the present ones of their documents, all or none. All their points must have been written.
    ///
    /// # Errors
    /// When the store holds fewer points of a document than its version has, or cannot be written.
    fn commit(&mut self, versions: &[&Version]) -> Result<()>;

    /// Removes every point of the document but `keep`, and the vectors kept for it; gives the number of points.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn remove_stale(&mut self, document: DocumentId, keep: &[ChunkId]) -> Result<u64>;

    /// [`Writer::remove_stale`] for many documents, in one go where a store can.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn remove_stale_of(&mut self, documents: &[(DocumentId, &[ChunkId])]) -> Result<u64> {
        documents.iter().try_fold(0, |sum, (document, keep)| Ok(sum + self.remove_stale(*document, keep)?))
    }

    /// Removes the document, its points and the vectors kept for it; gives the number of points.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn remove_document(&mut self, document: DocumentId) -> Result<u64>;

    /// Keeps vectors of texts that are not searched yet: those of a new version that is not completed while an
    /// old one answers. [`Reads::vectors_by_hash`] finds them, so that no text is embedded twice.
    ///
    /// # Errors
    /// As for [`Writer::upsert`].
    fn keep_vectors(&mut self, version: &Version, vectors: &[(Fingerprint, &[f32])]) -> Result<()>;

    /// Lets a shadow answer from now on, and removes the collection that answered before. Does nothing when this
    /// collection answers already.
    ///
    /// # Errors
    /// When the store cannot be written; then the old one answers.
    fn publish(&mut self) -> Result<()>;

    /// Removes what no run needs any more: shadows of other models than this writer's, vectors kept for documents that are
    /// complete or gone, and space that is no longer used. Gives the number of vectors and points.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn sweep(&mut self) -> Result<u64>;

    /// Puts right what [`Reads::damaged`] tells of, as far as the points themselves say how it should be: words, not vectors.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn mend(&mut self) -> Result<()> {
        Ok(())
    }
}
