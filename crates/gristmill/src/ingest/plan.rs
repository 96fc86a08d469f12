//! What an ingest would do.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use gristmill_core::{ChunkId, DocumentId, EmbedLimits, Error, ErrorKind, Fingerprint, Reads, Result, VectorSpec};
use gristmill_format::Record;
use gristmill_pipeline::sync::{Change, Diff, Doubtful, Gone, Work};
use gristmill_pipeline::{Arrival, Job, Sink};
use serde::{Deserialize, Serialize};

use super::report::Files;
use super::seen::SeenNow;
use crate::config::Settings;
use crate::documents::Documents;

/// Version of the form in which plans are saved.
const VERSION: u32 = 1;

/// What an ingest would do: per document and in total.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Version of this form.
    pub version: u32,
    /// Whose documents these are.
    pub project: String,
    /// The model of the vectors.
    pub model: String,
    /// True when vectors of another model answer now: all documents are embedded beside them, which then take over.
    pub new_model: bool,
    /// Every document is written anew.
    #[serde(default)]
    pub rebuild: bool,
    /// Every text is embedded anew.
    #[serde(default)]
    pub recreate: bool,
    /// Paths that alone were looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub select: Option<BTreeSet<String>>,
    /// Documents that would be written or removed, by path. Those that stay as they are are only counted.
    pub documents: Vec<PlannedDocument>,
    /// Files and folders that could not be looked at, the source itself as the empty text: what the store has of them is kept.
    #[serde(default)]
    pub unseen: Vec<String>,
    /// Selected paths at which there is no document, neither in the sources nor in the store.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<String>,
    /// Documents by what would become of them.
    pub files: Files,
    /// The sums.
    pub totals: PlannedChunks,
    /// What embedding would cost in dollars; `None` when the price of the model is not known.
    pub cost: Option<f64>,
    /// Requests to the embedding service; 0 for a model inside the program.
    pub requests: u64,
}

/// What would become of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedDocument {
    /// Path relative to the source's root.
    pub source: String,
    /// Identity, a UUID.
    pub document: String,
    /// What is done with it.
    pub change: PlannedChange,
    /// Why, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Hash of its bytes and what shapes its points: the plan holds for these alone.
    pub fingerprint: String,
    /// Its chunks.
    #[serde(flatten)]
    pub chunks: PlannedChunks,
}

/// What is done with a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlannedChange {
    /// It is not in the store.
    New,
    /// It is written anew.
    Modified,
    /// Its bytes are in the store under a path that is gone.
    Moved,
    /// Its bytes are in the store under another path.
    Copied,
    /// It is removed.
    Deleted,
    /// It could not be read.
    Failed,
}

/// What would be done with chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedChunks {
    /// Texts to embed.
    pub embed: u64,
    /// Tokens of these texts.
    pub tokens: u64,
    /// Chunks whose vector is known.
    pub reuse: u64,
    /// Chunks to remove.
    pub delete: u64,
}

impl PlannedChunks {
    fn add(&mut self, other: &Self) {
        self.embed += other.embed;
        self.tokens += other.tokens;
        self.reuse += other.reuse;
        self.delete += other.delete;
    }
}

impl Plan {
    /// True when the store is in step.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// A plan with its documents, and no chunks counted yet.
    pub(super) fn of(
        settings: &Settings,
        documents: &Documents,
        seen: &SeenNow,
        diff: &Diff,
        spec: &VectorSpec,
    ) -> Self {
        let mut plan =
            Self { version: VERSION, project: settings.project.clone(), model: spec.model.clone(), ..Self::default() };
        for (seen, work) in seen.list(documents).iter().zip(&diff.work) {
            let Some(work) = work else {
                plan.files.unchanged += 1;
                continue;
            };
            plan.files.count(&work.change);
            let fingerprint = seen.fingerprint.map_or_else(|| "unreadable".to_owned(), |hash| hash.tagged());
            plan.documents.push(PlannedDocument {
                source: seen.source.to_owned(),
                document: work.document.to_string(),
                change: change(work),
                reason: reason(&work.change),
                fingerprint: format!("{fingerprint} {}", seen.recipe),
                chunks: PlannedChunks::default(),
            });
        }
        for gone in &diff.gone {
            plan.files.deleted += u64::from(!gone.moved);
            plan.documents.push(deleted(gone));
        }
        plan
    }

    /// Adds what was counted of the chunks, and the sums.
    pub(super) fn count(
        &mut self,
        counted: &BTreeMap<DocumentId, PlannedChunks>,
        failed: &HashSet<String>,
        refused: &BTreeMap<String, String>,
    ) {
        let counted: HashMap<String, &PlannedChunks> =
            counted.iter().map(|(document, chunks)| (document.to_string(), chunks)).collect();
        for document in &mut self.documents {
            if let Some(chunks) = counted.get(&document.document).filter(|_| document.change != PlannedChange::Deleted)
            {
                document.chunks = **chunks;
            }
            let reason = refused.get(&document.source);
            if (reason.is_some() || failed.contains(&document.source)) && document.change != PlannedChange::Deleted {
                self.files.uncount(document.change);
                document.change = PlannedChange::Failed;
                document.reason = reason.cloned();
                self.files.failed += 1;
            }
            self.totals.add(&document.chunks);
        }
    }

    /// Fails when what would be done now is not what this saved plan says.
    pub(super) fn ensure_fits(&self, now: &Self) -> Result<()> {
        let refuse = |what: String| {
            Err(Error::new(ErrorKind::Guard, format!("the plan no longer fits: {what}"))
                .hint("make a new plan: `gristmill plan --out FILE`, or `POST /v1/plans`"))
        };
        if self.version != VERSION {
            return refuse(format!("it has version {}, this program writes {VERSION}", self.version));
        }
        if self.project != now.project || self.model != now.model || self.new_model != now.new_model {
            return refuse(format!("it is for project `{}` and model `{}`", self.project, self.model));
        }
        let planned: HashMap<(&str, bool), &PlannedDocument> =
            self.documents.iter().map(|document| (document.key(), document)).collect();
        for document in &now.documents {
            match planned.get(&document.key()) {
                Some(known) if known.fingerprint == document.fingerprint => {}
                Some(_) => return refuse(format!("`{}` has changed since", document.source)),
                None => return refuse(format!("it does not know of `{}`", document.source)),
            }
        }
        let present: HashSet<(&str, bool)> = now.documents.iter().map(PlannedDocument::key).collect();
        match self.documents.iter().find(|document| !present.contains(&document.key())) {
            Some(document) => refuse(format!("nothing is to be done with `{}` any more", document.source)),
            None => Ok(()),
        }
    }
}

impl PlannedDocument {
    fn key(&self) -> (&str, bool) {
        (&self.document, self.change == PlannedChange::Deleted)
    }
}

fn change(work: &Work) -> PlannedChange {
    match work.change {
        Change::New => PlannedChange::New,
        Change::Modified(_) => PlannedChange::Modified,
        Change::Moved { .. } => PlannedChange::Moved,
        Change::Copied { .. } => PlannedChange::Copied,
    }
}

/// Why a document is written, in words.
fn reason(change: &Change) -> Option<String> {
    use gristmill_pipeline::sync::Why;
    match change {
        Change::New | Change::Modified(Why::Bytes) => None,
        Change::Modified(Why::Settings(stages)) => {
            let names: Vec<&str> = stages.iter().map(|stage| stage.name()).collect();
            Some(format!("settings: {}", names.join(", ")))
        }
        Change::Modified(Why::Incomplete) => Some("not complete in the store".to_owned()),
        Change::Modified(Why::Asked) => Some("asked for".to_owned()),
        Change::Moved { from } | Change::Copied { from } => Some(format!("from {from}")),
    }
}

fn deleted(gone: &Gone) -> PlannedDocument {
    PlannedDocument {
        source: gone.source.clone(),
        document: gone.document.to_string(),
        change: PlannedChange::Deleted,
        reason: gone.moved.then(|| "moved".to_owned()),
        fingerprint: String::new(),
        chunks: PlannedChunks { delete: gone.points, ..PlannedChunks::default() },
    }
}

/// Counts the chunks of documents instead of writing them.
pub(super) struct Counter<'a> {
    /// The collection that would be written; `None` when there is none yet.
    store: Option<&'a dyn Reads>,
    work: HashMap<DocumentId, Work>,
    /// Texts that would be embedded.
    asked: HashSet<Fingerprint>,
    current: Option<Current>,
    limits: EmbedLimits,
    /// Texts and tokens of the request that is being filled.
    request: (usize, usize),
    /// No vector that is there is taken.
    anew: bool,
    pub requests: u64,
    pub counted: BTreeMap<DocumentId, PlannedChunks>,
    /// Documents that could not all be read and may not replace what there is, by path, with the reason.
    pub refused: BTreeMap<String, String>,
}

struct Current {
    document: DocumentId,
    doubtful: Option<Doubtful>,
    stored: HashMap<ChunkId, Fingerprint>,
    kept: u64,
    chunks: PlannedChunks,
    /// Texts that nobody has looked up yet, with their tokens.
    unknown: Vec<(Fingerprint, u64)>,
}

/// Texts that are looked up at a time.
const LOOKUP: usize = 256;

impl<'a> Counter<'a> {
    pub fn new(store: Option<&'a dyn Reads>, work: impl IntoIterator<Item = Work>, limits: EmbedLimits) -> Self {
        Self {
            store,
            work: work.into_iter().map(|work| (work.document, work)).collect(),
            asked: HashSet::new(),
            current: None,
            limits,
            request: (0, 0),
            anew: false,
            requests: 0,
            counted: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    /// Takes no vector that is there.
    pub fn anew(self, anew: bool) -> Self {
        Self { anew, ..self }
    }

    fn look(&mut self) -> Result<()> {
        let Some(current) = &mut self.current else { return Ok(()) };
        let unknown = std::mem::take(&mut current.unknown);
        let hashes: Vec<Fingerprint> = unknown.iter().map(|(hash, _)| *hash).collect();
        let mut found = Vec::with_capacity(hashes.len());
        for hashes in hashes.chunks(LOOKUP) {
            match self.store.filter(|_| !self.anew) {
                Some(store) => found.extend(store.vectors_by_hash(hashes)?),
                None => found.resize(found.len() + hashes.len(), None),
            }
        }
        for ((hash, tokens), found) in unknown.into_iter().zip(found) {
            if found.is_some() || !self.asked.insert(hash) {
                current.chunks.reuse += 1;
                continue;
            }
            current.chunks.embed += 1;
            current.chunks.tokens += tokens;
            let tokens = usize::try_from(tokens).unwrap_or(usize::MAX);
            let (texts, sum) = self.request;
            if texts == 0 || texts + 1 > self.limits.inputs || sum.saturating_add(tokens) > self.limits.tokens {
                self.requests += 1;
                self.request = (1, tokens);
            } else {
                self.request = (texts + 1, sum + tokens);
            }
        }
        Ok(())
    }
}

impl Sink for Counter<'_> {
    fn begin(&mut self, job: &Job, arrival: &Arrival<'_>) -> Result<()> {
        let work = self.work.get(&job.id);
        let doubtful = work.and_then(|work| Doubtful::of(work, arrival));
        let known = self.store.filter(|_| work.is_some_and(|work| work.points > 0));
        let stored: HashMap<ChunkId, Fingerprint> = match known {
            Some(store) => store.contents(job.id)?.into_iter().collect(),
            None => HashMap::new(),
        };
        let (chunks, unknown) = (PlannedChunks::default(), Vec::new());
        self.current = Some(Current { document: job.id, doubtful, stored, kept: 0, chunks, unknown });
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        let Some(current) = &mut self.current else { return Err(Error::bug("a record without its document")) };
        let id = record.chunk_id.parse().map_err(|e| Error::bug("a chunk id is no UUID").because(e))?;
        let hash = Fingerprint::of(record.content.as_bytes());
        let stored = current.stored.get(&ChunkId(id));
        current.kept += u64::from(stored.is_some());
        if stored == Some(&hash) && !self.anew {
            current.chunks.reuse += 1;
        } else {
            current.unknown.push((hash, record.token_count));
        }
        if let Some(doubtful) = &mut current.doubtful {
            doubtful.add(record);
            return Ok(());
        }
        if current.unknown.len() >= LOOKUP { self.look() } else { Ok(()) }
    }

    fn skipped(&mut self, job: &Job) -> Result<()> {
        let delete = self.work.get(&job.id).map_or(0, |work| work.points);
        self.counted.insert(job.id, PlannedChunks { delete, ..PlannedChunks::default() });
        Ok(())
    }

    fn document(&mut self, job: &Job) -> Result<()> {
        let doubtful = self.current.as_ref().and_then(|current| current.doubtful.as_ref());
        if let Some((doubtful, store)) = doubtful.zip(self.store)
            && let Some(work) = self.work.get(&job.id)
            && let Some(error) = doubtful.loss(work, &job.source, store)?
        {
            self.refused.insert(job.source.clone(), error.to_string());
            self.current = None;
            return Ok(());
        }
        self.look()?;
        if let Some(mut current) = self.current.take() {
            current.chunks.delete = current.stored.len() as u64 - current.kept;
            self.counted.insert(current.document, current.chunks);
        }
        Ok(())
    }
}
