//! Chunks of documents beside those of the store.

use std::collections::HashMap;

use gristmill_core::{
    ChunkId, DocumentId, Embedder, Error, Fingerprint, Purpose, Reads, Result, StoredPoint, Tracked, VectorSpec,
};
use gristmill_format::Record;
use gristmill_pipeline::{Arrival, Job, Sink};

use super::{Drift, DriftKind};

/// Compares the chunks of documents with the store instead of writing them.
pub(super) struct Comparison<'a> {
    pub store: &'a dyn Reads,
    pub spec: Option<VectorSpec>,
    /// The model, where it runs inside the program: it gives no vector for a text of which it knows nothing, and is asked
    /// whether that is so. Others give one for every text.
    pub own: Option<&'a dyn Embedder>,
    pub tracked: HashMap<DocumentId, &'a Tracked>,
    pub current: Option<Current>,
    pub drift: Vec<Drift>,
    pub chunks: u64,
}

pub(super) struct Current {
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
        let (source, spec, own) = (current.source.clone(), self.spec.clone(), self.own);
        let mut stored: HashMap<ChunkId, StoredPoint> = stored.into_iter().map(|point| (point.id, point)).collect();
        for (order, expected) in (first..).zip(&expected) {
            let (kind, message) = match stored.remove(&expected.id) {
                None => match self.store.point(expected.id)? {
                    None => (DriftKind::MissingChunk, "not in the store".to_owned()),
                    Some((_, point)) => {
                        (DriftKind::WrongOrder, format!("stands at {} instead of {order}", point.order))
                    }
                },
                Some(point) => match differs(&point, order, expected, spec.as_ref(), own)? {
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
    own: Option<&dyn Embedder>,
) -> Result<Option<(DriftKind, String)>> {
    let found = |kind, message: &str| Ok(Some((kind, message.to_owned())));
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
        None if gives_vector(own, &point.text)? => found(DriftKind::MissingVector, "no vector"),
        Some(vector) if spec.and_then(|spec| spec.dimensions).is_some_and(|length| length != vector.len()) => {
            found(DriftKind::WrongVector, "a vector of another length")
        }
        Some(vector) if !vector.iter().all(|x| x.is_finite()) => {
            found(DriftKind::WrongVector, "a vector that holds what is no number")
        }
        _ => Ok(None),
    }
}

fn gives_vector(own: Option<&dyn Embedder>, text: &str) -> Result<bool> {
    let Some(own) = own else { return Ok(true) };
    let made = own.embed(&[text], Purpose::Passage).map_err(Error::from)?;
    Ok(made.first().is_some_and(|vector| !vector.is_empty()))
}

impl Sink for Comparison<'_> {
    fn begin(&mut self, job: &Job, _: &Arrival<'_>) -> Result<()> {
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
