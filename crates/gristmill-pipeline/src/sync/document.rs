//! A document that is being written.

use std::collections::HashMap;

use gristmill_core::{ChunkId, Error, Fingerprint, Result, Version};

use super::diff::Work;
use super::loss::Doubtful;
use super::shelf::Shelf;

/// Where a chunk's vector is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nobody has looked yet.
    New,
    /// The store holds the chunk with the same text: its vector stays.
    Stored,
    /// The store holds a vector of the text, which goes when the chunk does that it belongs to.
    Known,
    /// The store keeps a vector of the text for this document.
    Kept,
    /// The text is on its way to a vector.
    Waiting,
    /// The vector is here, or there is none: the model knows nothing of the text.
    Here,
    /// It is on its way into the store, or in it.
    Sent,
    /// The text has no vector because something is wrong with it.
    Failed,
}

/// A chunk of the document.
pub struct Slot {
    pub id: ChunkId,
    pub hash: Fingerprint,
    pub tokens: usize,
    pub state: State,
}

/// A document that is being written.
pub struct Open {
    pub version: Version,
    pub work: Work,
    pub slots: Vec<Slot>,
    /// Slots that were looked at.
    pub looked: usize,
    /// Texts that are on their way to vectors.
    pub missing: usize,
    /// All chunks have come.
    pub sealed: bool,
    /// Set when it is not known yet whether it may replace what there is.
    pub doubtful: Option<Doubtful>,
    /// Why a chunk has no vector; the first one.
    pub failure: Option<Error>,
    /// What the store holds of it already.
    pub stored: HashMap<ChunkId, Fingerprint>,
    /// Vectors that have come and wait for the others.
    pub vectors: HashMap<Fingerprint, Vec<f32>>,
    pub shelf: Shelf,
}

impl Open {
    pub fn new(version: Version, work: Work, stored: HashMap<ChunkId, Fingerprint>) -> Self {
        Self {
            version,
            work,
            slots: Vec::new(),
            looked: 0,
            missing: 0,
            sealed: false,
            doubtful: None,
            failure: None,
            stored,
            vectors: HashMap::new(),
            shelf: Shelf::new(),
        }
    }

    /// Adds a chunk.
    pub fn push(&mut self, id: ChunkId, text: &str, payload: &str, tokens: usize) -> Result<()> {
        self.shelf.put(text, payload)?;
        let hash = Fingerprint::of(text.as_bytes());
        self.slots.push(Slot { id, hash, tokens, state: State::New });
        Ok(())
    }

    /// True when it replaces a version that answers: nothing of it may be written before all of it can be.
    pub fn replaces(&self) -> bool {
        self.work.answers
    }

    /// True when nothing is missing any more.
    pub fn is_ready(&self) -> bool {
        self.sealed && self.missing == 0
    }

    /// True when the vector of a chunk is in the store only, with another chunk.
    pub fn is_in_store(&self, at: usize) -> bool {
        let slot = &self.slots[at];
        slot.state == State::Known && !self.vectors.contains_key(&slot.hash)
    }

    /// Its chunks, but those that have no vector for want of a good text.
    pub fn good(&self) -> Vec<ChunkId> {
        self.slots.iter().filter(|slot| slot.state != State::Failed).map(|slot| slot.id).collect()
    }
}
