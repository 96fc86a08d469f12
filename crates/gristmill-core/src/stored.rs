//! What is told of the points that a store holds.

use serde_json::Value;

use crate::{ChunkId, DocumentId};

/// A point that a search does not find as it should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// Its document.
    pub document: DocumentId,
    /// Its identity.
    pub chunk: ChunkId,
    /// What is wrong.
    pub what: Damage,
}

/// What does not agree with a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    /// The words under which it is found are not those of its text.
    Words,
    /// The vector is not the one that was stored with its text.
    Vector,
}

/// Documents that a search asks for one by one at most.
pub(crate) const ASKED_ONE_BY_ONE: usize = 1000;

/// Names of what the document of a payload declares.
pub(crate) fn attributes_of(payload: &str) -> Vec<String> {
    let parsed: Value = serde_json::from_str(payload).unwrap_or_default();
    let attributes = parsed.pointer("/metadata/attributes").and_then(Value::as_object);
    attributes.map(|attributes| attributes.keys().cloned().collect()).unwrap_or_default()
}
