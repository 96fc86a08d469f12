//! Documents cut as one setting says, in a store of their own.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gristmill_core::{
    ChunkId, DocumentId, Embedder, Error, ErrorKind, Fingerprint, PartKind, Point, Query, Result, Retriever, Store,
    Unit, Version,
};
use gristmill_eval::{Cut, Intrinsic, Outline, Passage, Passages, Ranges, Source, Tally};
use gristmill_format::{PartRecord, Record};
use gristmill_pipeline::{Arrival, Job, Sink};
use gristmill_store::{QdrantOptions, StoreOptions, store};

use super::EvalProgress;
use super::corpus::Corpus;
use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::open::{open_queue, wanted};
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

/// Vectors that several settings share, by the text they are of. One setting embeds at a time, so that no text is
/// embedded twice.
pub(super) type Vectors = Mutex<HashMap<Fingerprint, Arc<Vec<f32>>>>;

/// What all settings of a comparison have in common.
pub(super) struct Shared<'a> {
    pub corpus: &'a Corpus,
    pub outlines: Vec<Outline>,
    /// None where only words are searched.
    pub embedder: Option<&'a Arc<dyn Embedder>>,
    pub vectors: Vectors,
    /// The largest number of tokens that a figure looks at.
    pub budget: u64,
    /// Documents that were cut, over all settings.
    pub done: AtomicUsize,
    /// Documents to cut, over all settings.
    pub all: usize,
    pub progress: Option<&'a EvalProgress<'a>>,
}

impl Shared<'_> {
    /// Another document was cut.
    fn tick(&self, path: &str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.progress.into_iter().for_each(|progress| progress(done, self.all.max(done), path));
    }
}

/// Documents cut as one setting says.
pub(super) struct Index {
    pub passages: Passages,
    pub intrinsic: Intrinsic,
    pub cost: Cost,
    store: Arc<dyn Store>,
    numbers: HashMap<ChunkId, usize>,
    depth: usize,
    /// The folder that holds the store.
    _folder: tempfile::TempDir,
}

/// What a setting costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Cost {
    /// Chunks.
    pub chunks: u64,
    /// Tokens of the texts that are embedded.
    pub tokens: u64,
    /// Bytes of a store of these chunks, with vectors and words.
    pub index_bytes: u64,
}

/// Hits that are looked at; more where many small ones fit into the largest budget.
const DEPTH: usize = 100;

impl Index {
    /// Cuts, embeds and stores.
    pub fn build(settings: &Settings, inputs: &Inputs, shared: &Shared<'_>) -> Result<Self> {
        let Shared { corpus, outlines, embedder, vectors, .. } = shared;
        let toolkit = Toolkit::new(settings)?;
        let mut cuts = Cuts { settings, corpus, toolkit: &toolkit, current: None, taken: Vec::new() };
        let mut cx = RunCx { workers: 1, inspect: false, lint: false, progress: &mut |_, _, path| shared.tick(path) };
        run_over(settings, &toolkit, &Documents::list(settings, inputs)?, &mut cuts, &mut cx)?;
        let taken = cuts.taken;
        if taken.is_empty() {
            return Err(Error::input("the documents have no chunks"));
        }
        let folder = tempfile::tempdir().map_err(|e| Error::new(ErrorKind::Store, "no temporary folder").because(e))?;
        let path = folder.path().join("store.db");
        let store = filled(&path, &taken, *embedder, vectors)?;
        let intrinsic = intrinsic(&taken, corpus, outlines, &toolkit);
        let tokens = taken.iter().map(|taken| taken.passage.tokens).sum();
        let index_bytes = bytes_of(folder.path());
        Ok(Self {
            cost: Cost { chunks: taken.len() as u64, tokens, index_bytes },
            depth: depth(&taken, shared.budget),
            numbers: taken.iter().enumerate().map(|(number, taken)| (taken.id, number)).collect(),
            passages: Passages::new(taken.into_iter().map(|taken| taken.passage).collect()),
            intrinsic,
            store,
            _folder: folder,
        })
    }

    /// The numbers of the best chunks for a question, best first.
    pub fn search(&self, text: &str, vector: Option<&[f32]>, retriever: Retriever) -> Result<Vec<usize>> {
        if retriever == Retriever::Dense && vector.is_none() {
            return Ok(Vec::new());
        }
        let hits = self.store.search(&Query { text, vector, retriever, limit: self.depth, filters: &[] })?;
        Ok(hits.iter().filter_map(|hit| self.numbers.get(&hit.id).copied()).collect())
    }
}

/// As many hits as may fit into a budget of tokens: those that are smallest.
fn depth(taken: &[Taken], budget: u64) -> usize {
    let mut sizes: Vec<u64> = taken.iter().map(|taken| taken.passage.tokens).collect();
    sizes.sort_unstable();
    let mut sum = 0;
    let fit = sizes.iter().take_while(|size| {
        sum += **size;
        sum <= budget
    });
    fit.count().max(DEPTH).min(taken.len())
}

fn bytes_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}

/// A chunk on its way into the store.
struct Taken {
    id: ChunkId,
    document: DocumentId,
    content: String,
    passage: Passage,
    cut: Cut,
}

struct Cuts<'a> {
    settings: &'a Settings,
    corpus: &'a Corpus,
    toolkit: &'a Toolkit,
    /// The document that records come from.
    current: Option<(DocumentId, usize)>,
    taken: Vec<Taken>,
}

impl Sink for Cuts<'_> {
    fn begin(&mut self, job: &Job, _: &Arrival<'_>) -> Result<()> {
        self.current = self.corpus.index.get(&job.id).map(|index| (job.id, *index));
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        // A document that could not be read before may be there now: nobody asks about it.
        let Some((document, index)) = self.current else { return Ok(()) };
        let id = record.chunk_id.parse().map(ChunkId);
        let id = id.map_err(|error| Error::bug("an identity is no UUID").because(error))?;
        let ranges = ranges(&record.metadata.parts, &self.corpus.sources[index]);
        let content = record.content.clone().into_owned();
        let characters = content.chars().count() as u64;
        let room = self.room(&content, record);
        self.taken.push(Taken {
            id,
            document,
            cut: Cut { places: ranges.clone(), size: record.token_count, room },
            passage: Passage { document: index, ranges, tokens: record.token_count, characters },
            content,
        });
        Ok(())
    }
}

impl Cuts<'_> {
    /// What the limit leaves when the injected parts are counted.
    fn room(&self, content: &str, record: &Record<'_>) -> u64 {
        let max = self.settings.chunk.for_type(record.metadata.document_type.as_deref()).max;
        let injected = record.metadata.parts.iter().filter(|part| part.origin.is_none());
        let sizer = self.toolkit.cutting(record.metadata.document_type.as_deref()).sizer;
        let size = |part: &PartRecord| sizer.size(&piece(content, part));
        max.saturating_sub(injected.map(size).sum()) as u64
    }
}

fn piece(content: &str, part: &PartRecord) -> String {
    let at = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    content.chars().skip(at(part.start)).take(at(part.end).saturating_sub(at(part.start))).collect()
}

/// Where body and overlap stand, as one range where only white space is between them.
fn ranges(parts: &[PartRecord], source: &Source) -> Ranges {
    let of = |kind| parts.iter().find(|part| part.kind == kind).and_then(|part| part.origin);
    let body = of(PartKind::Body).map(|[start, end]| (start, end));
    let overlap = of(PartKind::Overlap).map(|[start, end]| (start, end));
    let between = overlap.zip(body).map(|(overlap, body)| (overlap.1, body.0));
    let blank = between.filter(|gap| gap.0 <= gap.1 && source.at(*gap).trim().is_empty());
    Ranges::new(body.into_iter().chain(overlap).chain(blank))
}

fn intrinsic(taken: &[Taken], corpus: &Corpus, outlines: &[Outline], toolkit: &Toolkit) -> Intrinsic {
    let mut tally = Tally::default();
    for (index, source) in corpus.sources.iter().enumerate() {
        let cuts = taken.iter().filter(|taken| taken.passage.document == index).map(|taken| taken.cut.clone());
        let sizer = toolkit.cutting(corpus.kinds[index].as_deref()).sizer;
        tally.add(source, &outlines[index], &cuts.collect::<Vec<_>>(), &|text| sizer.size(text));
    }
    tally.finish()
}

/// Points written at a time.
const BATCH: usize = 512;

/// A store with these chunks.
fn filled(
    path: &Path,
    taken: &[Taken],
    embedder: Option<&Arc<dyn Embedder>>,
    vectors: &Vectors,
) -> Result<Arc<dyn Store>> {
    let store = opened(path)?;
    let hashes: Vec<Fingerprint> = taken.iter().map(|taken| Fingerprint::of(taken.content.as_bytes())).collect();
    let known = embedder.map(|embedder| embed(taken, &hashes, embedder, vectors)).transpose()?;
    let spec = embedder.map_or_else(words_alone, |embedder| wanted(embedder.as_ref()));
    let versions = versions(taken);
    let points: Vec<Point<'_>> = taken
        .iter()
        .zip(&hashes)
        .enumerate()
        .filter_map(|(number, (taken, hash))| {
            Some(Point {
                id: taken.id,
                version: versions.get(&taken.document)?,
                order: u32::try_from(number).unwrap_or(u32::MAX),
                content_hash: *hash,
                text: &taken.content,
                payload: "{}",
                vector: known.as_ref().and_then(|known| known[number].as_deref()).map(Vec::as_slice),
            })
        })
        .collect();
    {
        let mut writer = store.writer(&spec)?;
        points.chunks(BATCH).try_for_each(|batch| writer.upsert(batch))?;
        writer.commit(&versions.values().collect::<Vec<_>>())?;
    }
    Ok(store)
}

/// The model of a store that is searched by words alone.
fn words_alone() -> gristmill_core::VectorSpec {
    gristmill_core::VectorSpec { model: "none".to_owned(), dimensions: None }
}

fn opened(path: &Path) -> Result<Arc<dyn Store>> {
    let none = std::collections::BTreeMap::new();
    store(
        "sqlite",
        &StoreOptions {
            tenant: "eval",
            create: true,
            path: Some(path),
            url: None,
            api_key: None,
            collection: "eval",
            batch_size: BATCH,
            indexes: &none,
            names: &none,
            qdrant: QdrantOptions::default(),
            clock: Arc::new(|| 0),
        },
    )
}

fn versions(taken: &[Taken]) -> HashMap<DocumentId, Version> {
    let mut out: HashMap<DocumentId, Version> = HashMap::new();
    for taken in taken {
        let version = out.entry(taken.document).or_insert_with(|| Version {
            document: taken.document,
            source: taken.document.to_string(),
            source_hash: Fingerprint::of(b""),
            recipe: String::new(),
            total_chunks: 0,
        });
        version.total_chunks += 1;
    }
    out
}

/// The vector of each text; those that other settings made already are not made again.
fn embed(
    taken: &[Taken],
    hashes: &[Fingerprint],
    embedder: &Arc<dyn Embedder>,
    vectors: &Vectors,
) -> Result<Vec<Option<Arc<Vec<f32>>>>> {
    let mut vectors = vectors.lock().unwrap_or_else(PoisonError::into_inner);
    let mut queue = open_queue(embedder)?;
    for (number, (taken, hash)) in taken.iter().zip(hashes).enumerate() {
        if !vectors.contains_key(hash) {
            queue.push(number as u64, &taken.content, usize::try_from(taken.passage.tokens).unwrap_or(usize::MAX));
        }
    }
    loop {
        let come = queue.take(true)?;
        if come.is_empty() {
            break;
        }
        for embedded in come {
            let number = usize::try_from(embedded.key).unwrap_or(usize::MAX);
            let Some(hash) = hashes.get(number) else { continue };
            vectors.insert(*hash, Arc::new(embedded.vector?));
        }
    }
    Ok(hashes.iter().map(|hash| vectors.get(hash).filter(|vector| !vector.is_empty()).cloned()).collect())
}

/// The size that a count of tokens is in.
pub(super) fn unit(settings: &Settings) -> &'static str {
    Unit::from(settings.chunk.unit).name()
}
