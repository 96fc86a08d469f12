//! What goes into the store, and when.

use std::collections::HashMap;
use std::mem::take;
use std::time::{Duration, Instant};

use gristmill_core::{ChunkId, DocumentId, Error, Fingerprint, Point, Result, Version};

use super::{Apply, How, LOOKUP, Outgoing};
use crate::sync::document::{Open, Slot, State};

/// Documents that are committed together. Each commit waits for the disk or a service.
const COMMIT: usize = 512;

/// Chunks do not wait longer to be written, as long as others come.
const OFTEN: Duration = Duration::from_secs(1);

/// Bytes of texts and payloads that are committed together: they are held until then.
const HELD: u64 = 16 << 20;

impl Apply<'_> {
    /// A document has got vectors, or all of its chunks.
    pub(super) fn advance(&mut self, number: u64) -> Result<()> {
        let Some(open) = self.open.get_mut(&number) else { return Ok(()) };
        if !open.is_ready() {
            return self.keep(number);
        }
        let held = open.shelf.bytes();
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
        self.held += held;
        if self.ready.len() >= COMMIT || self.held >= HELD { self.settle() } else { Ok(()) }
    }

    /// Puts the vectors of a document that is not complete into the store, so that a crash does not lose them.
    pub(super) fn keep(&mut self, number: u64) -> Result<()> {
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
                slot.state = State::Kept;
            }
        }
        Ok(())
    }

    /// Keeps the vectors that documents in the making have found in the store: chunks that have them are about to go.
    pub(super) fn secure(&mut self) -> Result<()> {
        for open in self.open.values_mut().filter(|open| open.replaces()) {
            let known: Vec<usize> = (0..open.slots.len()).filter(|at| open.is_in_store(*at)).collect();
            for known in known.chunks(LOOKUP) {
                let hashes: Vec<Fingerprint> = known.iter().map(|at| open.slots[*at].hash).collect();
                let found = self.writer.vectors_by_hash(&hashes)?;
                let vectors = hashes.iter().zip(&found).filter_map(|(hash, found)| Some((*hash, found.as_deref()?)));
                self.writer.keep_vectors(&open.version, &vectors.collect::<Vec<_>>())?;
                known.iter().for_each(|at| open.slots[*at].state = State::Kept);
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
            let kept = |slot: &Slot| {
                matches!(slot.state, State::Known | State::Kept) && !open.vectors.contains_key(&slot.hash)
            };
            let hashes: Vec<Fingerprint> = slots.iter().filter(|slot| kept(slot)).map(|slot| slot.hash).collect();
            let found = if hashes.is_empty() { Vec::new() } else { self.writer.vectors_by_hash(&hashes)? };
            let found: HashMap<Fingerprint, Vec<f32>> =
                hashes.into_iter().zip(found).filter_map(|(hash, vector)| Some((hash, vector?))).collect();
            let how = |slot: &Slot| match slot.state {
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

    pub(super) fn send(&mut self, document: u64, slot: usize, how: How) {
        let Some(open) = self.open.get_mut(&document) else { return };
        let chunk = &mut open.slots[slot];
        chunk.state = State::Sent;
        self.outbox.push(Outgoing { document, slot, hash: chunk.hash, how });
    }

    /// The vector of a text that is on its way into the store and so not found there yet.
    pub(super) fn on_its_way(&self, hash: Fingerprint) -> Option<Vec<f32>> {
        self.outbox.iter().find_map(|outgoing| match &outgoing.how {
            How::Vector(vector) if outgoing.hash == hash => Some(vector.clone()),
            _ => None,
        })
    }

    /// Writes the outbox when so many chunks are in it, or when the last time is some while ago: what a service was paid for
    /// must not be lost with a run that is killed.
    pub(super) fn write_if(&mut self, enough: usize) -> Result<()> {
        let waits_long = !self.outbox.is_empty() && self.written.elapsed() >= OFTEN;
        if self.outbox.len() < enough.max(1) && !waits_long {
            return Ok(());
        }
        self.written = Instant::now();
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
    pub(super) fn settle(&mut self) -> Result<()> {
        self.write_if(1)?;
        self.held = 0;
        let ready = take(&mut self.ready);
        let documents: Vec<Open> = ready.iter().filter_map(|number| self.open.remove(number)).collect();
        let replaced = documents.iter().any(|open| open.work.points > 0);
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
        if replaced {
            self.secure()?;
        }
        self.report.deleted += self.writer.remove_stale_of(&stale)?;
        Ok(())
    }
}
