//! Keeps a store in step with its sources.

use std::collections::{BTreeMap, HashMap, HashSet};

use gristmill_core::{
    ChunkId, DocumentId, Embedder, Error, ErrorKind, Fingerprint, Point, Purpose, Result, Store, Tracked, VectorSpec,
    Version, Writer,
};
use gristmill_format::{Record, RunReport};
use gristmill_pipeline::{Job, Sink, Worked};
use serde::Serialize;

use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::open::{open_embedder, open_store};
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

/// Grows when the code makes other chunks of the same text and settings.
const CODE_VERSION: u32 = 1;

/// Texts embedded at a time.
const BATCH: usize = 256;

/// What an ingest did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IngestReport {
    /// Documents, by what became of them.
    pub files: Files,
    /// Chunks, by what was done.
    pub chunks: Chunks,
    /// Documents that failed; they are tried again next time.
    pub failures: Vec<IngestFailure>,
    /// What was read and cut.
    pub run: RunReport,
}

/// Documents by what became of them.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Files {
    /// Not in the store before.
    pub new: u64,
    /// In the store, with other bytes or settings.
    pub modified: u64,
    /// The bytes of a document that is gone, under another path.
    pub moved: u64,
    /// As they are in the store.
    pub unchanged: u64,
    /// Gone from the source, and so from the store.
    pub deleted: u64,
    /// Not read or not stored.
    pub failed: u64,
}

/// Chunks by what was done.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Chunks {
    /// Sent to the embedder.
    pub embedded: u64,
    /// Stored with a vector that was known.
    pub reused: u64,
    /// Written.
    pub upserted: u64,
    /// Removed.
    pub deleted: u64,
}

/// A document that failed.
#[derive(Clone, Debug, Serialize)]
pub struct IngestFailure {
    /// Its path.
    pub source: String,
    /// Why.
    pub message: String,
}

/// What may be overridden for one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct IngestOptions {
    /// Writes every document anew; vectors of known texts are still reused.
    pub rebuild: bool,
    /// Takes a source without documents for an emptied one.
    pub allow_empty_source: bool,
}

/// Brings the store in step with the sources: new and changed documents are cut, embedded and stored, gone ones removed.
///
/// # Errors
/// When settings are wrong, a guard trips, or the store or embedder cannot be used. Documents that fail are in the report.
pub fn ingest(
    settings: &Settings,
    inputs: &Inputs,
    options: IngestOptions,
    cx: &mut RunCx<'_>,
) -> Result<IngestReport> {
    let toolkit = Toolkit::new(settings)?;
    let mut documents = Documents::list(settings, inputs)?;
    let embedder = open_embedder(settings)?;
    let store = open_store(settings, true)?;
    let tracked = store.tracked()?;
    guard_empty(&documents, &tracked, options)?;
    let mut report = IngestReport::default();
    let plan = Plan::new(settings, &documents, &tracked, options, &mut report)?;
    documents.select(|index| plan.work[index].is_some());
    let work: HashMap<DocumentId, Work> = plan.work.into_iter().flatten().map(|work| (work.document, work)).collect();
    let spec = VectorSpec { model: embedder.name().to_owned(), dimensions: embedder.dimensions() };
    let writer = store.writer(&spec)?;
    let mut sink =
        ToStore { store: store.as_ref(), writer, embedder: embedder.as_ref(), work, waiting: Vec::new(), report };
    let run = run_over(settings, &toolkit, &documents, &mut sink, cx)?;
    let ToStore { mut writer, mut report, .. } = sink;
    for id in plan.gone {
        report.chunks.deleted += writer.remove_document(id)?;
    }
    for document in &run.documents {
        if let Some(error) = &document.error {
            report.failures.push(IngestFailure { source: document.source.clone(), message: error.message.clone() });
        }
    }
    report.files.failed = report.failures.len() as u64;
    report.run = run;
    Ok(report)
}

/// An empty source is not a deleted source.
fn guard_empty(documents: &Documents, tracked: &[Tracked], options: IngestOptions) -> Result<()> {
    if documents.jobs.is_empty() && !tracked.is_empty() && !options.allow_empty_source {
        let message = format!("the source holds no document, the store holds {}: nothing was removed", tracked.len());
        return Err(Error::new(ErrorKind::Guard, message)
            .hint("if the source is meant to be empty, run with `--allow-empty-source`"));
    }
    Ok(())
}

/// What is to be done.
struct Plan {
    /// One entry a listed document; `None` when the store has it as it is.
    work: Vec<Option<Work>>,
    /// Documents that are gone.
    gone: Vec<DocumentId>,
}

/// A document that is to be written.
struct Work {
    document: DocumentId,
    recipe: String,
    change: Change,
}

/// Why a document is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    New,
    Modified,
    Moved,
}

impl Plan {
    fn new(
        settings: &Settings,
        documents: &Documents,
        tracked: &[Tracked],
        options: IngestOptions,
        report: &mut IngestReport,
    ) -> Result<Self> {
        let known: BTreeMap<DocumentId, &Tracked> = tracked.iter().map(|t| (t.version.document, t)).collect();
        let gone = gone(documents, tracked);
        let mut orphans: HashMap<Fingerprint, u64> = HashMap::new();
        for tracked in &gone {
            *orphans.entry(tracked.version.source_hash).or_default() += 1;
        }
        let shared = shared_recipe(settings)?;
        let mut work = Vec::with_capacity(documents.jobs.len());
        let mut moved = 0;
        for (index, job) in documents.jobs.iter().enumerate() {
            // A document that cannot be read is worked on, so that the failure is reported where all others are.
            let fingerprint = documents.fetch(index).and_then(|content| content.fingerprint()).ok();
            let recipe = recipe(&shared, job)?;
            let before = known.get(&job.id);
            if !options.rebuild && before.is_some_and(|t| is_current(t, fingerprint, &recipe)) {
                report.files.unchanged += 1;
                work.push(None);
                continue;
            }
            let orphan = fingerprint.and_then(|f| orphans.get_mut(&f)).filter(|left| **left > 0);
            let change = match (before, orphan) {
                (Some(_), _) => Change::Modified,
                (None, Some(left)) => {
                    *left -= 1;
                    moved += 1;
                    Change::Moved
                }
                (None, None) => Change::New,
            };
            work.push(Some(Work { document: job.id, recipe, change }));
        }
        report.files.deleted = (gone.len() as u64).saturating_sub(moved);
        Ok(Self { work, gone: gone.into_iter().map(|t| t.version.document).collect() })
    }
}

/// Tracked documents that the sources no longer have. What could not be looked at may still be there.
fn gone<'t>(documents: &Documents, tracked: &'t [Tracked]) -> Vec<&'t Tracked> {
    let listed: HashSet<DocumentId> = documents.jobs.iter().map(|job| job.id).collect();
    let unseen = |source: &str| {
        documents.unseen.iter().any(|u| {
            u.is_empty() || source.strip_prefix(u.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    tracked.iter().filter(|t| !listed.contains(&t.version.document) && !unseen(&t.version.source)).collect()
}

fn is_current(tracked: &Tracked, fingerprint: Option<Fingerprint>, recipe: &str) -> bool {
    let version = &tracked.version;
    tracked.complete
        && tracked.points == u64::from(version.total_chunks)
        && Some(version.source_hash) == fingerprint
        && version.recipe == recipe
}

/// Everything besides a document's bytes that shapes its points.
fn shared_recipe(settings: &Settings) -> Result<String> {
    let shaping = (CODE_VERSION, &settings.chunk, &settings.clean, &settings.enrich, &settings.validate);
    serde_json::to_string(&shaping).map_err(|e| Error::bug("settings cannot be written as JSON").because(e))
}

fn recipe(shared: &str, job: &Job) -> Result<String> {
    let own = serde_json::to_string(&(&job.attrs, &job.document_type, &job.created_at))
        .map_err(|e| Error::bug("facts of a path cannot be written as JSON").because(e))?;
    Ok(Fingerprint::of(format!("{shared}\n{own}").as_bytes()).tagged())
}

/// A chunk that waits for the rest of its document.
struct Waiting {
    id: ChunkId,
    text: String,
    content_hash: Fingerprint,
    payload: String,
}

struct ToStore<'a> {
    store: &'a dyn Store,
    writer: Box<dyn Writer + 'a>,
    embedder: &'a dyn Embedder,
    work: HashMap<DocumentId, Work>,
    waiting: Vec<Waiting>,
    report: IngestReport,
}

impl Sink for ToStore<'_> {
    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        let payload = serde_json::to_string(record).map_err(|e| Error::bug("a record cannot be written").because(e))?;
        let id = record.chunk_id.parse().map_err(|e| Error::bug("a chunk id is no UUID").because(e))?;
        let text = record.content.clone().into_owned();
        let content_hash = Fingerprint::of(text.as_bytes());
        self.waiting.push(Waiting { id: ChunkId(id), text, content_hash, payload });
        Ok(())
    }

    /// Embed, upsert, commit, remove what is stale: a crash between any two leaves extra points, never missing ones.
    fn document(&mut self, job: &Job, worked: &Worked) -> Result<()> {
        let chunks = std::mem::take(&mut self.waiting);
        let work =
            self.work.remove(&job.id).ok_or_else(|| Error::bug("a document was worked on that was not planned"))?;
        let version = Version {
            document: job.id,
            source: job.source.clone(),
            source_hash: worked.fingerprint,
            recipe: work.recipe,
            total_chunks: u32::try_from(chunks.len()).unwrap_or(u32::MAX),
        };
        for (n, batch) in chunks.chunks(BATCH).enumerate() {
            self.upsert(&version, batch, n * BATCH)?;
        }
        self.writer.commit(&[&version])?;
        match work.change {
            Change::New => self.report.files.new += 1,
            Change::Modified => self.report.files.modified += 1,
            Change::Moved => self.report.files.moved += 1,
        }
        let keep: Vec<ChunkId> = chunks.iter().map(|chunk| chunk.id).collect();
        self.report.chunks.deleted += self.writer.remove_stale(job.id, &keep)?;
        Ok(())
    }
}

impl ToStore<'_> {
    fn upsert(&mut self, version: &Version, batch: &[Waiting], first: usize) -> Result<()> {
        let vectors = self.vectors(batch)?;
        let points: Vec<Point<'_>> = batch
            .iter()
            .zip(&vectors)
            .enumerate()
            .map(|(n, (chunk, vector))| Point {
                id: chunk.id,
                version,
                order: u32::try_from(first + n).unwrap_or(u32::MAX),
                content_hash: chunk.content_hash,
                text: &chunk.text,
                payload: &chunk.payload,
                vector: (!vector.is_empty()).then_some(vector.as_slice()),
            })
            .collect();
        self.report.chunks.upserted += points.len() as u64;
        self.writer.upsert(&points)
    }

    /// A vector for each chunk: a known one, else a new one. Equal texts are embedded once.
    fn vectors(&mut self, batch: &[Waiting]) -> Result<Vec<Vec<f32>>> {
        let hashes: Vec<Fingerprint> = batch.iter().map(|chunk| chunk.content_hash).collect();
        let known = self.store.vectors_by_hash(&hashes)?;
        let mut wanted: Vec<usize> = (0..batch.len()).filter(|&n| known[n].is_none()).collect();
        let mut first = HashMap::new();
        wanted.retain(|&n| *first.entry(hashes[n]).or_insert(n) == n);
        let texts: Vec<&str> = wanted.iter().map(|&n| batch[n].text.as_str()).collect();
        let made = if texts.is_empty() { Vec::new() } else { self.embedder.embed(&texts, Purpose::Passage)? };
        if made.len() != texts.len() {
            let message = format!("the embedder gave {} vectors for {} texts", made.len(), texts.len());
            return Err(Error::new(ErrorKind::Remote, message));
        }
        self.report.chunks.embedded += made.len() as u64;
        self.report.chunks.reused += (batch.len() - made.len()) as u64;
        let made: HashMap<Fingerprint, Vec<f32>> = wanted.iter().map(|&n| hashes[n]).zip(made).collect();
        let vector = |(hash, known): (&Fingerprint, Option<Vec<f32>>)| known.or_else(|| made.get(hash).cloned());
        Ok(hashes.iter().zip(known).map(|pair| vector(pair).unwrap_or_default()).collect())
    }
}
