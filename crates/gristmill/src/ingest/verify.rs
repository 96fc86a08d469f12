//! Compares source, state and store.

use std::collections::{HashMap, HashSet};

use gristmill_core::{ChunkId, DocumentId, Error, Fingerprint, Reads, Result, StoredPoint, Tracked, VectorSpec};
use gristmill_format::Record;
use gristmill_pipeline::sync::{Change, DiffOptions, Why, Work, diff};
use gristmill_pipeline::{Job, Sink};
use serde::Serialize;

use super::seen::SeenNow;
use super::{IngestOptions, IngestReport, ingest};
use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::open::{open_embedder, open_store, wanted};
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

/// What a comparison of source and store found.
#[derive(Debug, Default, Serialize)]
pub struct VerifyReport {
    /// Documents that the sources list.
    pub documents: u64,
    /// Chunks that were compared.
    pub chunks: u64,
    /// What differs, by document.
    pub drift: Vec<Drift>,
    /// Documents that cannot be read, and so not be compared.
    pub failures: Vec<super::IngestFailure>,
    /// What was done about it, when that was asked for.
    pub repaired: Option<IngestReport>,
}

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drift {
    /// Path of the document.
    pub source: String,
    /// What it is.
    pub kind: DriftKind,
    /// The chunk, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_id: Option<String>,
    /// In words.
    pub message: String,
}

/// Kinds of drift.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DriftKind {
    /// The store does not have the document.
    MissingDocument,
    /// The sources do not have the document.
    ExtraDocument,
    /// The document or the settings have changed since it was ingested.
    OutdatedDocument,
    /// An earlier run did not end with the document.
    IncompleteDocument,
    /// The store does not have the chunk.
    MissingChunk,
    /// The store has a chunk that the document does not give.
    ExtraChunk,
    /// The chunk in the store has another text, or a hash that is not that of its text.
    WrongText,
    /// The chunk in the store has another payload.
    WrongPayload,
    /// The chunk stands elsewhere in its document.
    WrongOrder,
    /// The chunk has no vector though the model gives one for every text.
    MissingVector,
    /// The vector is of another length than the model's, or holds what is no number.
    WrongVector,
    /// The vectors are of another model than the settings name.
    OtherModel,
    /// Text of the document is in none of its chunks.
    UncoveredText,
}

impl DriftKind {
    /// True when the vectors of the document cannot be trusted.
    fn spoils_vectors(self) -> bool {
        matches!(self, Self::MissingVector | Self::WrongVector | Self::WrongText)
    }
}

/// Compares what the sources give now with what the store holds: every document, chunk, text, payload and hash.
///
/// # Errors
/// When settings are wrong, or source or store cannot be used.
pub fn verify(settings: &Settings, inputs: &Inputs, cx: &mut RunCx<'_>) -> Result<VerifyReport> {
    let toolkit = Toolkit::new(settings)?;
    let mut documents = Documents::list(settings, inputs)?;
    let embedder = open_embedder(settings)?;
    let store = open_store(settings, false)?;
    let wanted = wanted(embedder.as_ref());
    let spec = store.spec()?;
    let tracked = store.tracked()?;
    let seen = SeenNow::of(settings, &mut documents, cx.workers)?;
    let how = DiffOptions { unseen: &documents.unseen, ..DiffOptions::default() };
    let diff = diff(&seen.list(&documents), &tracked, how);
    let mut report = VerifyReport { documents: documents.all.len() as u64, ..VerifyReport::default() };
    report.drift.extend(other_model(spec.as_ref(), &wanted));
    let late = seen
        .list(&documents)
        .iter()
        .zip(&diff.work)
        .filter(|(seen, _)| seen.fingerprint.is_some())
        .filter_map(|(seen, work)| Some((seen.source, work.as_ref()?)))
        .filter_map(|(source, work)| late(source, work))
        .collect::<Vec<_>>();
    report.drift.extend(late);
    for gone in &diff.gone {
        let message = format!("not in the source, {} in the store", chunks(gone.points));
        report.drift.push(Drift::document(&gone.source, DriftKind::ExtraDocument, message));
    }
    // What has changed since is told once and not chunk by chunk.
    // What cannot be read is worked on, so that the failure is reported where all others are.
    let unread: Vec<bool> = seen.list(&documents).iter().map(|seen| seen.fingerprint.is_none()).collect();
    documents.select(|index| unread[index] || diff.work[index].as_ref().is_none_or(is_comparable));
    let by_id: HashMap<DocumentId, &Tracked> = tracked.iter().map(|t| (t.version.document, t)).collect();
    let always = settings.embed.provider != "static";
    let mut comparison =
        Comparison { store: store.as_ref(), spec, always, tracked: by_id, current: None, drift: Vec::new(), chunks: 0 };
    let run = run_over(settings, &toolkit, &documents, &mut comparison, cx)?;
    report.chunks = comparison.chunks;
    report.drift.append(&mut comparison.drift);
    for document in &run.documents {
        if let Some(error) = &document.error {
            let failure = super::IngestFailure { source: document.source.clone(), message: error.message.clone() };
            report.failures.push(failure);
        }
        for warning in document.warnings.iter().filter(|warning| warning.code == gristmill_pipeline::UNCOVERED) {
            report.drift.push(Drift::document(&document.source, DriftKind::UncoveredText, warning.message.clone()));
        }
    }
    for unseen in &documents.unseen {
        let name = if unseen.is_empty() { "." } else { unseen };
        report.failures.push(super::IngestFailure {
            source: name.to_owned(),
            message: "could not be looked at, and so not be compared".to_owned(),
        });
    }
    report.drift.sort_by(|a, b| a.source.cmp(&b.source));
    Ok(report)
}

/// Compares, and mends what differs by an ingest of the documents it is found in.
///
/// # Errors
/// As for [`verify`] and [`ingest`].
pub fn verify_and_repair(
    settings: &Settings,
    inputs: &Inputs,
    options: &IngestOptions,
    cx: &mut RunCx<'_>,
) -> Result<VerifyReport> {
    let mut report = verify(settings, inputs, cx)?;
    if report.drift.is_empty() {
        return Ok(report);
    }
    let spoilt: HashSet<&str> =
        report.drift.iter().filter(|drift| drift.kind.spoils_vectors()).map(|drift| &*drift.source).collect();
    let broken: HashSet<&str> = report.drift.iter().map(|drift| &*drift.source).collect();
    let documents = Documents::list(settings, inputs)?;
    let among = |sources: &HashSet<&str>| {
        let jobs = documents.every_job().filter(|job| sources.contains(&*job.source));
        jobs.map(|job| job.id).collect::<HashSet<DocumentId>>()
    };
    let options = IngestOptions { again: among(&broken), distrust: among(&spoilt), ..options.clone() };
    report.repaired = Some(ingest(settings, inputs, &options, cx)?);
    Ok(report)
}

fn chunks(count: u64) -> String {
    if count == 1 { "1 chunk".to_owned() } else { format!("{count} chunks") }
}

fn other_model(spec: Option<&VectorSpec>, wanted: &VectorSpec) -> Option<Drift> {
    let spec = spec.filter(|spec| !spec.agrees(wanted))?;
    let message = format!("the vectors are of `{}`, the settings name `{}`", spec.model, wanted.model);
    Some(Drift::document("", DriftKind::OtherModel, message))
}

/// True when the store should hold what the source gives now, whatever became of it.
fn is_comparable(work: &Work) -> bool {
    matches!(work.change, Change::Modified(Why::Incomplete))
}

fn late(source: &str, work: &Work) -> Option<Drift> {
    let (kind, message) = match &work.change {
        Change::New => (DriftKind::MissingDocument, "not in the store".to_owned()),
        Change::Moved { from } | Change::Copied { from } => {
            (DriftKind::MissingDocument, format!("not in the store, which has its bytes as `{from}`"))
        }
        Change::Modified(Why::Bytes) => (DriftKind::OutdatedDocument, "has changed since it was ingested".to_owned()),
        Change::Modified(Why::Settings(stages)) => {
            let names: Vec<&str> = stages.iter().map(|stage| stage.name()).collect();
            (DriftKind::OutdatedDocument, format!("settings have changed since it was ingested: {}", names.join(", ")))
        }
        Change::Modified(Why::Incomplete) => {
            (DriftKind::IncompleteDocument, format!("not complete, {} in the store", chunks(work.points)))
        }
        Change::Modified(Why::Asked) => return None,
    };
    Some(Drift::document(source, kind, message))
}

impl Drift {
    fn document(source: &str, kind: DriftKind, message: String) -> Self {
        Self { source: source.to_owned(), kind, chunk_id: None, message }
    }

    fn chunk(source: &str, kind: DriftKind, id: ChunkId, message: impl Into<String>) -> Self {
        Self { source: source.to_owned(), kind, chunk_id: Some(id.to_string()), message: message.into() }
    }
}

/// Compares the chunks of documents with the store instead of writing them.
struct Comparison<'a> {
    store: &'a dyn Reads,
    spec: Option<VectorSpec>,
    /// The model gives a vector for every text.
    always: bool,
    tracked: HashMap<DocumentId, &'a Tracked>,
    current: Option<Current>,
    drift: Vec<Drift>,
    chunks: u64,
}

struct Current {
    document: DocumentId,
    source: String,
    /// Number of chunks that were compared.
    compared: u32,
    /// Chunks that nobody has compared yet, by order.
    expected: Vec<Expected>,
}

struct Expected {
    id: ChunkId,
    hash: Fingerprint,
    payload: String,
}

/// Chunks that are compared at a time.
const SLICE: usize = 256;

impl Comparison<'_> {
    fn compare(&mut self, last: bool) -> Result<()> {
        let Some(current) = &mut self.current else { return Ok(()) };
        let expected = std::mem::take(&mut current.expected);
        let first = current.compared;
        current.compared += u32::try_from(expected.len()).unwrap_or(u32::MAX);
        let end = if last { u32::MAX } else { current.compared.saturating_sub(1) };
        let stored = if first > end { Vec::new() } else { self.store.points_within(current.document, first..=end)? };
        self.chunks += expected.len() as u64;
        let (source, spec, always) = (current.source.clone(), self.spec.clone(), self.always);
        let mut stored: HashMap<ChunkId, StoredPoint> = stored.into_iter().map(|point| (point.id, point)).collect();
        for (order, expected) in (first..).zip(&expected) {
            let (kind, message) = match stored.remove(&expected.id) {
                None => match self.store.point(expected.id)? {
                    None => (DriftKind::MissingChunk, "not in the store".to_owned()),
                    Some((_, point)) => {
                        (DriftKind::WrongOrder, format!("stands at {} instead of {order}", point.order))
                    }
                },
                Some(point) => match differs(&point, order, expected, spec.as_ref(), always) {
                    Some(found) => found,
                    None => continue,
                },
            };
            self.drift.push(Drift::chunk(&source, kind, expected.id, message));
        }
        let mut extra: Vec<StoredPoint> = stored.into_values().collect();
        extra.sort_by_key(|point| (point.order, point.id));
        for point in extra {
            self.drift.push(Drift::chunk(&source, DriftKind::ExtraChunk, point.id, "not in the document"));
        }
        Ok(())
    }
}

fn differs(
    point: &StoredPoint,
    order: u32,
    expected: &Expected,
    spec: Option<&VectorSpec>,
    always: bool,
) -> Option<(DriftKind, String)> {
    let found = |kind, message: &str| Some((kind, message.to_owned()));
    if Fingerprint::of(point.text.as_bytes()) != expected.hash || point.content_hash != expected.hash {
        return found(DriftKind::WrongText, "another text, or a hash that is not that of its text");
    }
    if point.order != order {
        return found(DriftKind::WrongOrder, "stands elsewhere in its document");
    }
    if point.payload != expected.payload {
        return found(DriftKind::WrongPayload, "another payload");
    }
    match &point.vector {
        None if always => found(DriftKind::MissingVector, "no vector"),
        Some(vector) if spec.and_then(|spec| spec.dimensions).is_some_and(|length| length != vector.len()) => {
            found(DriftKind::WrongVector, "a vector of another length")
        }
        Some(vector) if !vector.iter().all(|x| x.is_finite()) => {
            found(DriftKind::WrongVector, "a vector that holds what is no number")
        }
        _ => None,
    }
}

impl Sink for Comparison<'_> {
    fn begin(&mut self, job: &Job, _: Fingerprint, _: usize) -> Result<()> {
        if self.tracked.contains_key(&job.id) {
            let current = Current { document: job.id, source: job.source.clone(), compared: 0, expected: Vec::new() };
            self.current = Some(current);
        }
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        let Some(current) = &mut self.current else { return Ok(()) };
        let payload = serde_json::to_string(record).map_err(|e| Error::bug("a record cannot be written").because(e))?;
        let id = record.chunk_id.parse().map_err(|e| Error::bug("a chunk id is no UUID").because(e))?;
        current.expected.push(Expected { id: ChunkId(id), hash: Fingerprint::of(record.content.as_bytes()), payload });
        if current.expected.len() >= SLICE { self.compare(false) } else { Ok(()) }
    }

    fn document(&mut self, _: &Job) -> Result<()> {
        self.compare(true)?;
        self.current = None;
        Ok(())
    }
}
