//! What differs.

use gristmill_core::{ChunkId, Damage, Damaged};
use serde::Serialize;

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
    /// The vector is of another length than the model's, holds what is no number, or is not the one stored with the text.
    WrongVector,
    /// The words under which the chunk is found are not those of its text.
    WrongWords,
    /// The vectors are of another model than the settings name.
    OtherModel,
    /// Text of the document is in none of its chunks.
    UncoveredText,
}

impl DriftKind {
    /// True when the vectors of the document cannot be trusted.
    pub(super) fn spoils_vectors(self) -> bool {
        matches!(self, Self::MissingVector | Self::WrongVector | Self::WrongText)
    }
}

impl Drift {
    pub(super) fn document(source: &str, kind: DriftKind, message: String) -> Self {
        Self { source: source.to_owned(), kind, chunk_id: None, message }
    }

    pub(super) fn chunk(source: &str, kind: DriftKind, id: ChunkId, message: impl Into<String>) -> Self {
        Self { source: source.to_owned(), kind, chunk_id: Some(id.to_string()), message: message.into() }
    }

    /// What the store itself tells.
    pub(super) fn damage(source: &str, damaged: &Damaged) -> Self {
        let (kind, message) = match damaged.what {
            Damage::Words => (DriftKind::WrongWords, "not found by its words"),
            Damage::Vector => (DriftKind::WrongVector, "a vector that was not stored with this text"),
        };
        Self::chunk(source, kind, damaged.chunk, message)
    }
}
