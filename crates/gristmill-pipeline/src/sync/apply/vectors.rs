//! Where the vectors of chunks come from: the store, or the queue.

use gristmill_core::{DocumentId, Embedded, Error, ErrorKind, Fingerprint, Result};

use super::{Apply, How, LOOKUP};
use crate::sync::document::State;

impl Apply<'_> {
    /// Looks for vectors of the next chunks that nobody has looked at.
    pub(super) fn look(&mut self) -> Result<()> {
        let number = self.current;
        let Some(open) = self.open.get_mut(&number) else { return Ok(()) };
        let fresh = open.looked..open.slots.len().min(open.looked + LOOKUP);
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

    pub(super) fn distrusts(&self, document: DocumentId) -> bool {
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
        for (&(at, hash), stored) in unknown.iter().zip(known) {
            let here = || self.carried.get(&hash).cloned().or_else(|| self.on_its_way(hash).filter(|_| trusted));
            let here = if stored.is_none() { here() } else { None };
            let Some(open) = self.open.get_mut(&number) else { return Ok(()) };
            if stored.is_some() || here.is_some() {
                self.report.reused += 1;
                open.slots[at].state = State::Known;
                if !open.replaces() {
                    let how = stored.or(here).map_or(How::Words, How::Vector);
                    self.send(number, at, how);
                } else if let Some(vector) = here {
                    // What the store has is read again when the document is written; this is not in it yet.
                    open.vectors.insert(hash, vector);
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
    pub(super) fn arrived(&mut self, came: Vec<Embedded>) -> Result<()> {
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
}
