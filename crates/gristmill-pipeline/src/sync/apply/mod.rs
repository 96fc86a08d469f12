//! Writes documents into a store.
//!
//! Chunks come document by document. Those whose text is in the store take its vector; the others are handed to the
//! queue, and what it gives back is in the store before more is asked for. A new document is written as its vectors come.
//! One that replaces a version that answers is written when all of its vectors are there; until then they are kept.

mod vectors;
mod write;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::mem::take;
use std::time::Instant;

use gristmill_core::{ChunkId, DocumentId, EmbedQueue, Error, ErrorKind, Fingerprint, Result, Version, Writer};
use gristmill_format::Record;

use super::diff::{Change, Gone, Work};
use super::document::Open;
use super::loss::Doubtful;
use crate::run::{Arrival, Sink};
use crate::stages::Job;

/// Chunks that are looked up at a time.
const LOOKUP: usize = 256;

/// Settings of an [`Apply`].
#[derive(Clone, Copy, Debug)]
pub struct ApplyOptions<'a> {
    /// Points that are written together.
    pub batch: usize,
    /// Documents whose vectors in the store are not trusted: every text of theirs is embedded anew.
    pub distrust: &'a HashSet<DocumentId>,
}

/// What was done.
#[derive(Debug, Default)]
pub struct Applied {
    /// Documents that were committed and what they were.
    pub done: Vec<(DocumentId, Change)>,
    /// Documents that are no longer in the store because no reader takes them now.
    pub dropped: u64,
    /// Documents that are gone from the sources, and did not only move.
    pub removed: u64,
    /// Documents that were not committed, by path, with the reason.
    pub failures: Vec<(String, Error)>,
    /// Texts that were embedded.
    pub embedded: u64,
    /// Chunks that were stored with a vector that was known.
    pub reused: u64,
    /// Chunks that were written.
    pub upserted: u64,
    /// Chunks that were removed.
    pub deleted: u64,
    /// Set when the model gives vectors of another length than the collection has; then nothing more was written.
    pub other_length: Option<usize>,
}

/// Writes documents. It is the sink of a run; [`Apply::finish`] ends it.
pub struct Apply<'a> {
    writer: &'a mut dyn Writer,
    queue: &'a mut dyn EmbedQueue,
    options: ApplyOptions<'a>,
    work: HashMap<DocumentId, Work>,
    /// Documents that are not committed yet, in the order in which they came.
    open: BTreeMap<u64, Open>,
    /// The number of the document whose chunks come now.
    current: u64,
    /// Texts on their way to vectors, by the key under which they were handed in.
    asked: HashMap<u64, Fingerprint>,
    next_key: u64,
    /// Who waits for the vector of a text.
    waiting: HashMap<Fingerprint, Vec<(u64, usize)>>,
    /// Texts that have no vector, with the reason.
    refused: HashMap<Fingerprint, String>,
    /// Vectors that came before the collection could take them.
    carried: HashMap<Fingerprint, Vec<f32>>,
    /// Chunks that are to be written.
    outbox: Vec<Outgoing>,
    /// When chunks were written last.
    written: Instant,
    /// Documents whose chunks are all written or in the outbox.
    ready: Vec<u64>,
    /// Bytes of their texts and payloads.
    held: u64,
    report: Applied,
}

/// A chunk that is to be written.
struct Outgoing {
    document: u64,
    slot: usize,
    hash: Fingerprint,
    how: How,
}

enum How {
    /// With this vector.
    Vector(Vec<f32>),
    /// Without one.
    Words,
    /// With the one it has in the store.
    Payload,
}

impl<'a> Apply<'a> {
    /// Writes `work` by `writer`, with vectors that `queue` makes.
    pub fn new(
        writer: &'a mut dyn Writer,
        queue: &'a mut dyn EmbedQueue,
        options: ApplyOptions<'a>,
        work: impl IntoIterator<Item = Work>,
    ) -> Self {
        Self {
            writer,
            queue,
            options,
            work: work.into_iter().map(|work| (work.document, work)).collect(),
            open: BTreeMap::new(),
            current: 0,
            asked: HashMap::new(),
            next_key: 0,
            waiting: HashMap::new(),
            refused: HashMap::new(),
            carried: HashMap::new(),
            outbox: Vec::new(),
            written: Instant::now(),
            ready: Vec::new(),
            held: 0,
            report: Applied::default(),
        }
    }

    /// The same with vectors that an earlier attempt was given.
    #[must_use]
    pub fn carrying(mut self, vectors: HashMap<Fingerprint, Vec<f32>>) -> Self {
        self.carried = vectors;
        self
    }

    /// Waits for all vectors, writes what can be written, and removes what is gone. `ran` is what the run over the
    /// documents gave: when it failed, what is complete is still committed, and nothing is removed.
    ///
    /// # Errors
    /// The first error of the run, the queue or the store. The report is given with it.
    pub fn finish(mut self, ran: Result<()>, gone: &[Gone]) -> (Applied, HashMap<Fingerprint, Vec<f32>>, Result<()>) {
        let outcome = ran.and_then(|()| self.drain());
        let store_works = !matches!(&outcome, Err(error) if error.kind() == ErrorKind::Store);
        let settled = if store_works && self.report.other_length.is_none() { self.settle() } else { Ok(()) };
        let removed = outcome.and(settled).and_then(|()| self.remove(gone));
        let open = take(&mut self.open);
        if let Err(error) = &removed {
            // What stopped the run stopped these, too.
            let why = |open: Open| (open.version.source, Error::new(error.kind(), format!("not finished: {error}")));
            self.report.failures.extend(open.into_values().map(why));
        }
        (self.report, self.carried, removed)
    }

    /// Waits for all vectors.
    fn drain(&mut self) -> Result<()> {
        loop {
            let came = self.queue.take(true)?;
            if came.is_empty() {
                return Ok(());
            }
            self.arrived(came)?;
        }
    }

    /// Removes documents that are gone, but those whose bytes are only in a document that failed.
    fn remove(&mut self, gone: &[Gone]) -> Result<()> {
        let done: HashSet<DocumentId> = self.report.done.iter().map(|(document, _)| *document).collect();
        let unfinished = |work: &Work| !done.contains(&work.document);
        let needed: HashSet<DocumentId> =
            self.work.values().filter(|work| unfinished(work)).filter_map(|work| work.moved_from).collect();
        for gone in gone.iter().filter(|gone| !needed.contains(&gone.document)) {
            self.report.deleted += self.writer.remove_document(gone.document)?;
            self.report.removed += u64::from(!gone.moved);
        }
        Ok(())
    }
}

impl Sink for Apply<'_> {
    fn begin(&mut self, job: &Job, arrival: &Arrival<'_>) -> Result<()> {
        let work = self.work.get(&job.id).cloned();
        let work = work.ok_or_else(|| Error::bug("a document was worked on that was not planned"))?;
        let stored = if work.points > 0 && !self.distrusts(job.id) {
            self.writer.contents(job.id)?.into_iter().collect()
        } else {
            HashMap::new()
        };
        let version = Version {
            document: job.id,
            source: job.source.clone(),
            source_hash: arrival.fingerprint,
            recipe: work.recipe.clone(),
            total_chunks: u32::try_from(arrival.chunks).unwrap_or(u32::MAX),
        };
        self.current += 1;
        let mut open = Open::new(version, work, stored);
        open.doubtful = Doubtful::of(&open.work, arrival);
        self.open.insert(self.current, open);
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        let payload = serde_json::to_string(record).map_err(|e| Error::bug("a record cannot be written").because(e))?;
        let id = record.chunk_id.parse().map_err(|e| Error::bug("a chunk id is no UUID").because(e))?;
        let open = self.open.get_mut(&self.current).ok_or_else(|| Error::bug("a record without its document"))?;
        let tokens = usize::try_from(record.token_count).unwrap_or(usize::MAX);
        open.push(ChunkId(id), &record.content, &payload, tokens)?;
        if let Some(doubtful) = &mut open.doubtful {
            doubtful.add(record);
            return Ok(());
        }
        if open.slots.len() - open.looked >= LOOKUP { self.look() } else { Ok(()) }
    }

    /// A first ingest would not have it: what an earlier version left goes.
    fn skipped(&mut self, job: &Job) -> Result<()> {
        if self.work.get(&job.id).is_some_and(|work| work.points > 0 || work.answers) {
            self.secure()?;
            self.report.deleted += self.writer.remove_document(job.id)?;
            self.report.dropped += 1;
        }
        Ok(())
    }

    fn document(&mut self, _: &Job) -> Result<()> {
        let Some(open) = self.open.get(&self.current) else { return Ok(()) };
        if let Some(doubtful) = &open.doubtful
            && let Some(error) = doubtful.loss(&open.work, &open.version.source, &*self.writer)?
        {
            self.report.failures.push((open.version.source.clone(), error));
            self.open.remove(&self.current);
            return Ok(());
        }
        while self.open.get(&self.current).is_some_and(|open| open.looked < open.slots.len()) {
            self.look()?;
        }
        let Some(open) = self.open.get_mut(&self.current) else { return Ok(()) };
        open.sealed = true;
        if open.is_ready() { self.advance(self.current) } else { Ok(()) }
    }
}
