//! A store and an embedder behind a gate.

use std::ops::RangeInclusive;
use std::sync::Arc;

use gristmill_core::{
    ChunkId, DocumentId, EmbedError, EmbedLimits, Embedder, Fingerprint, Hit, Point, Purpose, Query, Reads, Remedy,
    Result, Store, StoredPoint, Tracked, VectorSpec, Version, Writer,
};

use super::gate::{Gate, Sign};
use super::job::Stage;

/// A store that a closed gate keeps from being written.
pub(super) struct GuardedStore {
    pub inner: Arc<dyn Store>,
    pub gate: Arc<Gate>,
}

struct GuardedWriter<'a> {
    inner: Box<dyn Writer + 'a>,
    gate: &'a Gate,
}

/// An embedder that a closed gate keeps from being asked.
pub(super) struct GuardedEmbedder {
    pub inner: Arc<dyn Embedder>,
    pub gate: Arc<Gate>,
}

macro_rules! reads {
    ($type:ty) => {
        impl Reads for $type {
            fn tracked(&self) -> Result<Vec<Tracked>> {
                self.gate.pass(None)?;
                self.inner.tracked()
            }

            fn points_within(&self, document: DocumentId, orders: RangeInclusive<u32>) -> Result<Vec<StoredPoint>> {
                self.gate.pass(None)?;
                self.inner.points_within(document, orders)
            }

            fn point(&self, id: ChunkId) -> Result<Option<(DocumentId, StoredPoint)>> {
                self.inner.point(id)
            }

            fn contents(&self, document: DocumentId) -> Result<Vec<(ChunkId, Fingerprint)>> {
                self.gate.pass(None)?;
                self.inner.contents(document)
            }

            fn vectors_by_hash(&self, hashes: &[Fingerprint]) -> Result<Vec<Option<Vec<f32>>>> {
                self.gate.pass(None)?;
                self.inner.vectors_by_hash(hashes)
            }
        }
    };
}

reads!(GuardedStore);
reads!(GuardedWriter<'_>);

impl Store for GuardedStore {
    fn tenant(&self) -> &str {
        self.inner.tenant()
    }

    fn spec(&self) -> Result<Option<VectorSpec>> {
        self.inner.spec()
    }

    fn shadow(&self) -> Result<Option<(VectorSpec, Box<dyn Reads + Sync + '_>)>> {
        self.inner.shadow()
    }

    fn search(&self, query: &Query<'_>) -> Result<Vec<Hit>> {
        self.inner.search(query)
    }

    fn writer(&self, spec: &VectorSpec) -> Result<Box<dyn Writer + '_>> {
        self.gate.pass(None)?;
        Ok(Box::new(GuardedWriter { inner: self.inner.writer(spec)?, gate: &self.gate }))
    }
}

const WRITE: Option<Sign> = Some(Sign::At(Stage::Write));
const DELETE: Option<Sign> = Some(Sign::At(Stage::Delete));

impl Writer for GuardedWriter<'_> {
    fn spec(&self) -> &VectorSpec {
        self.inner.spec()
    }

    fn is_shadow(&self) -> bool {
        self.inner.is_shadow()
    }

    fn upsert(&mut self, points: &[Point<'_>]) -> Result<()> {
        self.gate.pass(WRITE)?;
        self.inner.upsert(points)?;
        self.gate.show(Sign::Written(points.len() as u64));
        Ok(())
    }

    fn set_payloads(&mut self, points: &[Point<'_>]) -> Result<()> {
        self.gate.pass(WRITE)?;
        self.inner.set_payloads(points)?;
        self.gate.show(Sign::Written(points.len() as u64));
        Ok(())
    }

    fn commit(&mut self, versions: &[&Version]) -> Result<()> {
        self.gate.pass(WRITE)?;
        self.inner.commit(versions)
    }

    fn remove_stale(&mut self, document: DocumentId, keep: &[ChunkId]) -> Result<u64> {
        self.gate.pass(DELETE)?;
        self.inner.remove_stale(document, keep)
    }

    fn remove_stale_of(&mut self, documents: &[(DocumentId, &[ChunkId])]) -> Result<u64> {
        self.gate.pass(DELETE)?;
        self.inner.remove_stale_of(documents)
    }

    fn remove_document(&mut self, document: DocumentId) -> Result<u64> {
        self.gate.pass(DELETE)?;
        self.inner.remove_document(document)
    }

    fn keep_vectors(&mut self, version: &Version, vectors: &[(Fingerprint, &[f32])]) -> Result<()> {
        self.gate.pass(WRITE)?;
        self.inner.keep_vectors(version, vectors)
    }

    fn publish(&mut self) -> Result<()> {
        self.gate.pass(WRITE)?;
        self.inner.publish()
    }

    fn sweep(&mut self) -> Result<u64> {
        self.gate.pass(DELETE)?;
        self.inner.sweep()
    }
}

impl Embedder for GuardedEmbedder {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn dimensions(&self) -> Option<usize> {
        self.inner.dimensions()
    }

    fn limits(&self) -> EmbedLimits {
        self.inner.limits()
    }

    fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.gate.pass(Some(Sign::At(Stage::Embed))).map_err(|error| EmbedError::new(Remedy::Nothing, error))?;
        let answer = self.inner.embed(texts, purpose);
        match &answer {
            Ok(vectors) => self.gate.show(Sign::Embedded(vectors.len() as u64)),
            Err(EmbedError { remedy: Remedy::Again(pause), .. }) => self.gate.show(Sign::Pause(*pause)),
            Err(_) => {}
        }
        answer
    }
}
