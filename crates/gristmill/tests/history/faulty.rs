//! A store that stops working after some calls of its writer, as if the machine had been switched off.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gristmill_core::{
    ChunkId, DocumentId, Error, ErrorKind, Fingerprint, Hit, Point, Query, Reads, Result, Store, StoredPoint, Tracked,
    VectorSpec, Version, Writer,
};

pub struct Faulty<S> {
    inner: S,
    fuse: Arc<Fuse>,
}

/// Breaks after some calls.
struct Fuse {
    left: AtomicUsize,
    /// The last call is carried out though it fails.
    done: bool,
    broke: AtomicBool,
}

impl Fuse {
    /// Runs a call as long as the fuse holds.
    fn run<T>(&self, call: impl FnOnce() -> Result<T>) -> Result<T> {
        let failed = || Err(Error::new(ErrorKind::Store, "the machine is off"));
        if self.broke.load(Ordering::SeqCst) {
            return failed();
        }
        if self.left.load(Ordering::SeqCst) > 0 {
            self.left.fetch_sub(1, Ordering::SeqCst);
            return call();
        }
        self.broke.store(true, Ordering::SeqCst);
        if self.done {
            call()?;
        }
        failed()
    }
}

impl<S> Faulty<S> {
    pub fn new(inner: S, calls: usize, done: bool) -> Self {
        let fuse = Fuse { left: AtomicUsize::new(calls), done, broke: AtomicBool::new(false) };
        Self { inner, fuse: Arc::new(fuse) }
    }

    pub fn broke(&self) -> bool {
        self.fuse.broke.load(Ordering::SeqCst)
    }
}

impl<S: Store> Reads for Faulty<S> {
    fn tracked(&self) -> Result<Vec<Tracked>> {
        self.inner.tracked()
    }

    fn points_within(&self, document: DocumentId, orders: RangeInclusive<u32>) -> Result<Vec<StoredPoint>> {
        self.inner.points_within(document, orders)
    }

    fn point(&self, id: ChunkId) -> Result<Option<(DocumentId, StoredPoint)>> {
        self.inner.point(id)
    }

    fn contents(&self, document: DocumentId) -> Result<Vec<(ChunkId, Fingerprint)>> {
        self.inner.contents(document)
    }

    fn vectors_by_hash(&self, hashes: &[Fingerprint]) -> Result<Vec<Option<Vec<f32>>>> {
        self.inner.vectors_by_hash(hashes)
    }
}

impl<S: Store> Store for Faulty<S> {
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
        let inner = self.fuse.run(|| self.inner.writer(spec))?;
        Ok(Box::new(FaultyWriter { inner, fuse: Arc::clone(&self.fuse) }))
    }
}

struct FaultyWriter<'a> {
    inner: Box<dyn Writer + 'a>,
    fuse: Arc<Fuse>,
}

impl Reads for FaultyWriter<'_> {
    fn tracked(&self) -> Result<Vec<Tracked>> {
        self.inner.tracked()
    }

    fn points_within(&self, document: DocumentId, orders: RangeInclusive<u32>) -> Result<Vec<StoredPoint>> {
        self.inner.points_within(document, orders)
    }

    fn point(&self, id: ChunkId) -> Result<Option<(DocumentId, StoredPoint)>> {
        self.inner.point(id)
    }

    fn contents(&self, document: DocumentId) -> Result<Vec<(ChunkId, Fingerprint)>> {
        self.inner.contents(document)
    }

    fn vectors_by_hash(&self, hashes: &[Fingerprint]) -> Result<Vec<Option<Vec<f32>>>> {
        self.inner.vectors_by_hash(hashes)
    }
}

impl Writer for FaultyWriter<'_> {
    fn spec(&self) -> &VectorSpec {
        self.inner.spec()
    }

    fn is_shadow(&self) -> bool {
        self.inner.is_shadow()
    }

    fn upsert(&mut self, points: &[Point<'_>]) -> Result<()> {
        self.fuse.run(|| self.inner.upsert(points))
    }

    fn set_payloads(&mut self, points: &[Point<'_>]) -> Result<()> {
        self.fuse.run(|| self.inner.set_payloads(points))
    }

    fn commit(&mut self, versions: &[&Version]) -> Result<()> {
        self.fuse.run(|| self.inner.commit(versions))
    }

    fn remove_stale(&mut self, document: DocumentId, keep: &[ChunkId]) -> Result<u64> {
        self.fuse.run(|| self.inner.remove_stale(document, keep))
    }

    fn remove_document(&mut self, document: DocumentId) -> Result<u64> {
        self.fuse.run(|| self.inner.remove_document(document))
    }

    fn keep_vectors(&mut self, version: &Version, vectors: &[(Fingerprint, &[f32])]) -> Result<()> {
        self.fuse.run(|| self.inner.keep_vectors(version, vectors))
    }

    fn publish(&mut self) -> Result<()> {
        self.fuse.run(|| self.inner.publish())
    }

    fn sweep(&mut self) -> Result<u64> {
        self.fuse.run(|| self.inner.sweep())
    }
}
