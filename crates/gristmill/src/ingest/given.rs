//! Documents that are at hand, such as a part of a larger set that many workers share.
//!
//! Only one run at a time writes to a store. So that workers do not wait for each other's embedding, each one embeds what
//! the store lacks before it takes its turn to write; then it does what any ingest does, with the vectors it has.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use gristmill_core::{
    ChunkId, DocumentId, Embedder, Fingerprint, Point, Reads, Result, Store, StoredPoint, Tracked, VectorSpec, Version,
    Writer,
};
use gristmill_pipeline::sync::{Apply, ApplyOptions};

use super::report::{Chunks, IngestReport};
use super::seen::SeenNow;
use super::{IngestOptions, Session};
use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::given::Given;
use crate::open::{open_embedder, open_queue, open_store, wanted};
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

/// Brings `given` into the store and removes the documents that are called `gone`; all others stay as they are. Another run
/// that writes is waited for.
///
/// # Errors
/// When two documents have one name, settings are wrong, another run writes for longer than `wait`, or the store or embedder
/// cannot be used before anything was committed. Documents that fail are in the report.
pub fn ingest_given(
    settings: &Settings,
    given: Vec<Given>,
    gone: &[String],
    wait: Duration,
    cx: &mut RunCx<'_>,
) -> Result<IngestReport> {
    let (embedder, store) = (open_embedder(settings)?, open_store(settings, true)?);
    ingest_given_into(store.as_ref(), &embedder, settings, given, gone, wait, cx)
}

/// The same with a store and an embedder of the caller's own.
///
/// # Errors
/// As for [`ingest_given`].
pub fn ingest_given_into(
    store: &dyn Store,
    embedder: &Arc<dyn Embedder>,
    settings: &Settings,
    given: Vec<Given>,
    gone: &[String],
    wait: Duration,
    cx: &mut RunCx<'_>,
) -> Result<IngestReport> {
    let identity = |name: &str| DocumentId::new(&settings.project, "", name);
    let named = given.iter().map(|given| given.name.as_str()).chain(gone.iter().map(String::as_str));
    let only: HashSet<DocumentId> = named.map(identity).collect();
    let options = IngestOptions { only: Some(only), wait, allow_empty_source: true, ..IngestOptions::default() };
    let inputs = Inputs { given: Some(given), ..Inputs::default() };
    let (inputs, options, toolkit) = (&inputs, &options, &Toolkit::new(settings)?);
    let mut session = Session { settings, inputs, options, toolkit, embedder, store, carried: HashMap::new() };
    let ahead = session.embed_ahead(cx)?;
    let mut report = session.run(cx)?;
    // What was embedded ahead is no longer new to the run that writes it.
    report.chunks.embedded += ahead.embedded;
    report.chunks.reused = report.chunks.reused.saturating_sub(ahead.upserted - ahead.reused);
    Ok(report)
}

impl Session<'_> {
    /// Embeds what the collection that will be written lacks, without the right to write.
    fn embed_ahead(&mut self, cx: &mut RunCx<'_>) -> Result<Chunks> {
        let spec = wanted(self.embedder.as_ref());
        let shadow = self.store.shadow()?;
        let reads: Option<&(dyn Reads + Sync)> = match self.store.spec()? {
            Some(there) if !there.agrees(&spec) => {
                shadow.as_ref().filter(|(there, _)| there.agrees(&spec)).map(|(_, reads)| reads.as_ref())
            }
            _ => Some(self.store),
        };
        let mut documents = Documents::list(self.settings, self.inputs)?;
        let mut tracked = reads.map_or(Ok(Vec::new()), Reads::tracked)?;
        self.options.narrow(&mut documents, &mut tracked);
        let seen = SeenNow::of(self.settings, &mut documents, true, cx.workers)?;
        let diff = self.diff(&documents, &seen, &tracked);
        documents.select(|index| diff.work[index].is_some());
        let mut gather = Gather { reads, spec, vectors: HashMap::new() };
        let mut queue = open_queue(self.embedder)?;
        let options = ApplyOptions { batch: self.settings.store.batch_size, distrust: &self.options.distrust };
        let mut apply = Apply::new(&mut gather, queue.as_mut(), options, diff.work.into_iter().flatten());
        let ran = run_over(self.settings, self.toolkit, &documents, &mut apply, cx).map(drop);
        // What fails here fails again below, where it is told; what was embedded before that is not paid for twice.
        let (applied, vectors, _) = apply.finish(ran, &[]);
        self.carried = vectors;
        self.carried.extend(gather.vectors);
        let mut report = IngestReport::default();
        report.add(&applied);
        Ok(report.chunks)
    }
}

/// Takes the place of the writer of a store: reads it, and keeps the vectors that would be written.
struct Gather<'s> {
    /// Nothing where a collection is yet to be begun.
    reads: Option<&'s (dyn Reads + Sync)>,
    spec: VectorSpec,
    vectors: HashMap<Fingerprint, Vec<f32>>,
}

impl Reads for Gather<'_> {
    fn tracked(&self) -> Result<Vec<Tracked>> {
        self.reads.map_or(Ok(Vec::new()), Reads::tracked)
    }

    fn points_within(&self, document: DocumentId, orders: RangeInclusive<u32>) -> Result<Vec<StoredPoint>> {
        self.reads.map_or(Ok(Vec::new()), |reads| reads.points_within(document, orders))
    }

    fn point(&self, id: ChunkId) -> Result<Option<(DocumentId, StoredPoint)>> {
        self.reads.map_or(Ok(None), |reads| reads.point(id))
    }

    fn contents(&self, document: DocumentId) -> Result<Vec<(ChunkId, Fingerprint)>> {
        self.reads.map_or(Ok(Vec::new()), |reads| reads.contents(document))
    }

    fn vectors_by_hash(&self, hashes: &[Fingerprint]) -> Result<Vec<Option<Vec<f32>>>> {
        self.reads.map_or(Ok(vec![None; hashes.len()]), |reads| reads.vectors_by_hash(hashes))
    }
}

impl Writer for Gather<'_> {
    fn spec(&self) -> &VectorSpec {
        &self.spec
    }

    fn is_shadow(&self) -> bool {
        false
    }

    fn upsert(&mut self, points: &[Point<'_>]) -> Result<()> {
        let vectors = points.iter().filter_map(|point| Some((point.content_hash, point.vector?.to_vec())));
        self.vectors.extend(vectors);
        Ok(())
    }

    fn set_payloads(&mut self, _: &[Point<'_>]) -> Result<()> {
        Ok(())
    }

    fn commit(&mut self, _: &[&Version]) -> Result<()> {
        Ok(())
    }

    fn remove_stale(&mut self, _: DocumentId, _: &[ChunkId]) -> Result<u64> {
        Ok(0)
    }

    fn remove_document(&mut self, _: DocumentId) -> Result<u64> {
        Ok(0)
    }

    fn keep_vectors(&mut self, _: &Version, vectors: &[(Fingerprint, &[f32])]) -> Result<()> {
        self.vectors.extend(vectors.iter().map(|(text, vector)| (*text, vector.to_vec())));
        Ok(())
    }

    fn publish(&mut self) -> Result<()> {
        Ok(())
    }

    fn sweep(&mut self) -> Result<u64> {
        Ok(0)
    }
}
