//! Writes documents into a store.
//!
//! Chunks come document by document. Those whose text is in the store take its vector; the others are handed to the
//! queue, and what it gives back is in the store before more is asked for. A new document is written as its vectors come.
//! One that replaces a version that answers is written when all of its vectors are there; until then they are kept.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::mem::take;

use gristmill_core::{
    ChunkId, DocumentId, EmbedQueue, Embedded, Error, ErrorKind, Fingerprint, Point, Result, Version, Writer,
};
use gristmill_format::Record;

use super::diff::{Change, Gone, Work};
use super::document::{Open, State};
use crate::run::Sink;
use crate::stages::Job;

/// Chunks that are looked up at a time.
const LOOKUP: usize = 256;

/// Documents that are committed together. Each commit waits for the disk or a service.
const COMMIT: usize = 64;

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
    /// Documents whose chunks are all written or in the outbox.
    ready: Vec<u64>,
    report: Applied,
}

/// A chunk that is to be written.
struct Outgoing {
    document: u64,
    slot: usize,
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
            ready: Vec::new(),
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

    /// Looks for vectors of the chunks that came last.
    fn look(&mut self) -> Result<()> {
        let number = self.current;
        let Some(open) = self.open.get_mut(&number) else { return Ok(()) };
        let fresh = open.looked..open.slots.len();
        open.looked = fresh.end;
        let mut unknown = Vec::new();
        let mut stored = Vec::new();
        for at in fresh {
            let slot = &mut open.slots[at];
            if open.stored.get(&slot.id) == Some(&slot.hash) {
                slot.state = State::Stored;
                stored.push(at);
            } else {
                unknown.push((at, slot.hash));
            }
        }
        if !open.replaces() {
            stored.into_iter().for_each(|at| self.send(number, at, How::Payload));
        }
        self.ask(number, &unknown)?;
        self.write_if(self.options.batch)?;
        let came = self.queue.take(false)?;
        self.arrived(came)
    }

    fn distrusts(&self, document: DocumentId) -> bool {
        self.options.distrust.contains(&document)
    }

    /// Takes vectors that the store has, and hands in the texts it has none of.
    fn ask(&mut self, number: u64, unknown: &[(usize, Fingerprint)]) -> Result<()> {
        let hashes: Vec<Fingerprint> = unknown.iter().map(|(_, hash)| *hash).collect();
        let trusted = self.open.get(&number).is_some_and(|open| !self.distrusts(open.version.document));
        let known = if hashes.is_empty() || !trusted {
            vec![None; hashes.len()]
        } else {
            self.writer.vectors_by_hash(&hashes)?
        };
        for (&(at, hash), known) in unknown.iter().zip(known) {
            let known = known.or_else(|| self.carried.get(&hash).cloned());
            let Some(open) = self.open.get_mut(&number) else { return Ok(()) };
            if let Some(vector) = known {
                self.report.reused += 1;
                open.slots[at].state = State::Known;
                if open.replaces() {
                    // It is read again when the document is written; vectors that were carried are not in the store.
                    if self.carried.contains_key(&hash) {
                        open.vectors.insert(hash, vector);
                    }
                } else {
                    self.send(number, at, How::Vector(vector));
                }
            } else if let Some(reason) = self.refused.get(&hash) {
                open.slots[at].state = State::Failed;
                open.failure.get_or_insert_with(|| Error::input(reason.clone()));
            } else {
                open.slots[at].state = State::Waiting;
                open.missing += 1;
                let waiting = self.waiting.entry(hash).or_default();
                waiting.push((number, at));
                if waiting.len() == 1 {
                    let (text, _) = open.shelf.get(at)?;
                    self.asked.insert(self.next_key, hash);
                    self.queue.push(self.next_key, &text, open.slots[at].tokens);
                    self.next_key += 1;
                }
            }
        }
        Ok(())
    }

    /// Takes in what the queue gave.
    fn arrived(&mut self, came: Vec<Embedded>) -> Result<()> {
        let mut touched: Vec<u64> = Vec::new();
        let mut wrong = None;
        for embedded in came {
            let Some(hash) = self.asked.remove(&embedded.key) else { continue };
            let waiting = self.waiting.remove(&hash).unwrap_or_default();
            self.report.embedded += u64::from(embedded.vector.as_ref().is_ok_and(|vector| !vector.is_empty()));
            self.report.reused += (waiting.len() as u64).saturating_sub(1);
            if let Ok(vector) = &embedded.vector
                && !vector.is_empty()
                && self.writer.spec().dimensions.is_some_and(|length| length != vector.len())
            {
                wrong = Some(vector.len());
                self.carried.insert(hash, vector.clone());
                continue;
            }
            for (number, at) in waiting {
                self.give(number, at, hash, &embedded.vector);
                touched.push(number);
            }
            if let Err(error) = embedded.vector {
                self.refused.insert(hash, error.chain());
            }
        }
        if let Some(length) = wrong {
            return self.stop_for(length);
        }
        touched.sort_unstable();
        touched.dedup();
        touched.into_iter().try_for_each(|number| self.advance(number))?;
        self.write_if(self.options.batch)
    }

    /// The model gives vectors of another length: what is on its way is waited for, so that it is not paid for again.
    fn stop_for(&mut self, length: usize) -> Result<()> {
        self.report.other_length = Some(length);
        while let Ok(more) = self.queue.take(true) {
            if more.is_empty() {
                break;
            }
            for embedded in more {
                let hash = self.asked.remove(&embedded.key);
                self.carried.extend(hash.zip(embedded.vector.ok().filter(|vector| !vector.is_empty())));
            }
        }
        let held = self.writer.spec().dimensions.unwrap_or_default();
        let message = format!("the model gives vectors of {length} numbers, the collection has vectors of {held}");
        Err(Error::new(ErrorKind::Config, message))
    }

    /// Gives a vector to a chunk that waits for it.
    fn give(&mut self, number: u64, at: usize, hash: Fingerprint, vector: &Result<Vec<f32>>) {
        let Some(open) = self.open.get_mut(&number) else { return };
        open.missing -= 1;
        match vector {
            Err(error) => {
                open.slots[at].state = State::Failed;
                open.failure.get_or_insert_with(|| Error::input(error.chain()));
            }
            Ok(vector) if open.replaces() => {
                open.slots[at].state = State::Here;
                if !vector.is_empty() {
                    open.vectors.insert(hash, vector.clone());
                }
            }
            Ok(vector) => {
                let how = if vector.is_empty() { How::Words } else { How::Vector(vector.clone()) };
                self.send(number, at, how);
            }
        }
    }

    /// A document has got vectors, or all of its chunks.
    fn advance(&mut self, number: u64) -> Result<()> {
        let Some(open) = self.open.get_mut(&number) else { return Ok(()) };
        if !open.is_ready() {
            return self.keep(number);
        }
        if !open.replaces() {
            self.ready.push(number);
        } else if let Some(error) = open.failure.take() {
            // The old version stays; what was paid for is kept.
            let source = open.version.source.clone();
            self.keep(number)?;
            self.open.remove(&number);
            self.report.failures.push((source, error));
        } else {
            self.send_all(number)?;
            self.ready.push(number);
        }
        if self.ready.len() >= COMMIT { self.settle() } else { Ok(()) }
    }

    /// Puts the vectors of a document that is not complete into the store, so that a crash does not lose them.
    fn keep(&mut self, number: u64) -> Result<()> {
        let Some(open) = self.open.get_mut(&number) else { return Ok(()) };
        // By its hash the store might give the vector back that is not trusted.
        if !open.replaces() || open.vectors.is_empty() || self.options.distrust.contains(&open.version.document) {
            return Ok(());
        }
        let vectors = take(&mut open.vectors);
        let kept: Vec<(Fingerprint, &[f32])> =
            vectors.iter().map(|(hash, vector)| (*hash, vector.as_slice())).collect();
        self.writer.keep_vectors(&open.version, &kept)?;
        for slot in &mut open.slots {
            if slot.state == State::Here && vectors.contains_key(&slot.hash) {
                slot.state = State::Known;
            }
        }
        Ok(())
    }

    /// Sends all chunks of a document that replaces another version.
    fn send_all(&mut self, number: u64) -> Result<()> {
        let Some(open) = self.open.get(&number) else { return Ok(()) };
        let chunks = open.slots.len();
        for first in (0..chunks).step_by(LOOKUP) {
            let Some(open) = self.open.get(&number) else { return Ok(()) };
            let slots = &open.slots[first..chunks.min(first + LOOKUP)];
            let kept =
                |slot: &super::document::Slot| slot.state == State::Known && !open.vectors.contains_key(&slot.hash);
            let hashes: Vec<Fingerprint> = slots.iter().filter(|slot| kept(slot)).map(|slot| slot.hash).collect();
            let found = if hashes.is_empty() { Vec::new() } else { self.writer.vectors_by_hash(&hashes)? };
            let found: HashMap<Fingerprint, Vec<f32>> =
                hashes.into_iter().zip(found).filter_map(|(hash, vector)| Some((hash, vector?))).collect();
            let how = |slot: &super::document::Slot| match slot.state {
                State::Stored => How::Payload,
                _ => open
                    .vectors
                    .get(&slot.hash)
                    .or_else(|| found.get(&slot.hash))
                    .map_or(How::Words, |vector| How::Vector(vector.clone())),
            };
            let sent: Vec<How> = slots.iter().map(how).collect();
            sent.into_iter().enumerate().for_each(|(n, how)| self.send(number, first + n, how));
            self.write_if(self.options.batch)?;
        }
        Ok(())
    }

    fn send(&mut self, document: u64, slot: usize, how: How) {
        if let Some(open) = self.open.get_mut(&document) {
            open.slots[slot].state = State::Sent;
        }
        self.outbox.push(Outgoing { document, slot, how });
    }

    /// Writes the outbox when so many chunks are in it.
    fn write_if(&mut self, enough: usize) -> Result<()> {
        if self.outbox.len() < enough.max(1) {
            return Ok(());
        }
        let outbox = take(&mut self.outbox);
        outbox.chunks(self.options.batch.max(1)).try_for_each(|batch| self.write(batch))
    }

    fn write(&mut self, batch: &[Outgoing]) -> Result<()> {
        let mut texts = Vec::with_capacity(batch.len());
        for outgoing in batch {
            let open = self.open.get_mut(&outgoing.document);
            let open = open.ok_or_else(|| Error::bug("a chunk of a document that is no longer open"))?;
            texts.push(open.shelf.get(outgoing.slot)?);
        }
        let (mut points, mut payloads) = (Vec::new(), Vec::new());
        for (outgoing, (text, payload)) in batch.iter().zip(&texts) {
            let Some(open) = self.open.get(&outgoing.document) else { continue };
            let slot = &open.slots[outgoing.slot];
            let point = Point {
                id: slot.id,
                version: &open.version,
                order: u32::try_from(outgoing.slot).unwrap_or(u32::MAX),
                content_hash: slot.hash,
                text,
                payload,
                vector: if let How::Vector(vector) = &outgoing.how { Some(vector) } else { None },
            };
            if matches!(outgoing.how, How::Payload) { payloads.push(point) } else { points.push(point) }
        }
        self.report.upserted += batch.len() as u64;
        self.report.reused += payloads.len() as u64;
        if !points.is_empty() {
            self.writer.upsert(&points)?;
        }
        if payloads.is_empty() { Ok(()) } else { self.writer.set_payloads(&payloads) }
    }

    /// Commits the documents whose chunks are all there, and removes what is stale of them.
    fn settle(&mut self) -> Result<()> {
        self.write_if(1)?;
        let ready = take(&mut self.ready);
        let documents: Vec<Open> = ready.iter().filter_map(|number| self.open.remove(number)).collect();
        let whole = documents.iter().filter(|open| open.failure.is_none());
        let versions: Vec<&Version> = whole.map(|open| &open.version).collect();
        if !versions.is_empty() {
            self.writer.commit(&versions)?;
        }
        let keep: Vec<(DocumentId, Vec<ChunkId>)> =
            documents.iter().map(|open| (open.version.document, open.good())).collect();
        let stale: Vec<(DocumentId, &[ChunkId])> = keep.iter().map(|(id, keep)| (*id, keep.as_slice())).collect();
        // Committed now, whatever happens to what is stale.
        for open in documents {
            match open.failure {
                Some(error) => self.report.failures.push((open.version.source, error)),
                None => self.report.done.push((open.version.document, open.work.change)),
            }
        }
        self.report.deleted += self.writer.remove_stale_of(&stale)?;
        Ok(())
    }
}

impl Sink for Apply<'_> {
    fn begin(&mut self, job: &Job, fingerprint: Fingerprint, chunks: usize) -> Result<()> {
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
            source_hash: fingerprint,
            recipe: work.recipe.clone(),
            total_chunks: u32::try_from(chunks).unwrap_or(u32::MAX),
        };
        self.current += 1;
        self.open.insert(self.current, Open::new(version, work, stored));
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        let payload = serde_json::to_string(record).map_err(|e| Error::bug("a record cannot be written").because(e))?;
        let id = record.chunk_id.parse().map_err(|e| Error::bug("a chunk id is no UUID").because(e))?;
        let open = self.open.get_mut(&self.current).ok_or_else(|| Error::bug("a record without its document"))?;
        let tokens = usize::try_from(record.token_count).unwrap_or(usize::MAX);
        open.push(ChunkId(id), &record.content, &payload, tokens)?;
        if open.slots.len() - open.looked >= LOOKUP { self.look() } else { Ok(()) }
    }

    /// A first ingest would not have it: what an earlier version left goes.
    fn skipped(&mut self, job: &Job) -> Result<()> {
        if self.work.get(&job.id).is_some_and(|work| work.points > 0 || work.answers) {
            self.report.deleted += self.writer.remove_document(job.id)?;
            self.report.dropped += 1;
        }
        Ok(())
    }

    fn document(&mut self, _: &Job) -> Result<()> {
        self.look()?;
        let Some(open) = self.open.get_mut(&self.current) else { return Ok(()) };
        open.sealed = true;
        if open.is_ready() { self.advance(self.current) } else { Ok(()) }
    }
}
