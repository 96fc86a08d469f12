//! Single documents of the store.

use gristmill_core::{DocumentId, Error, Result, Tracked};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::config::Settings;
use crate::open::open_store_if_there;

/// What the store knows of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StoredDocument {
    /// Identity, a UUID.
    pub id: String,
    /// Path relative to the source's root, or URL.
    pub source: String,
    /// Hash of its bytes.
    pub source_hash: String,
    /// Chunks that are stored.
    pub chunks: u64,
    /// False when an ingest did not come to an end with it; the next one completes it.
    pub complete: bool,
}

impl From<&Tracked> for StoredDocument {
    fn from(tracked: &Tracked) -> Self {
        Self {
            id: tracked.version.document.to_string(),
            source: tracked.version.source.clone(),
            source_hash: tracked.version.source_hash.tagged(),
            chunks: tracked.points,
            complete: tracked.complete,
        }
    }
}

/// The documents of a project that are stored, by source. None where nobody has made the store yet.
///
/// # Errors
/// When the store cannot be read.
pub fn stored_documents(settings: &Settings) -> Result<Vec<StoredDocument>> {
    let Some(store) = open_store_if_there(settings)? else { return Ok(Vec::new()) };
    Ok(store.tracked()?.iter().map(StoredDocument::from).collect())
}

/// A document that is stored, found by identity or path.
///
/// # Errors
/// When the store cannot be read.
pub fn stored_document(settings: &Settings, name: &str) -> Result<Option<StoredDocument>> {
    Ok(stored_documents(settings)?.into_iter().find(|document| document.id == name || document.source == name))
}

/// A document that is stored with its chunks: those from `first` on, `most` at most, as the records that were stored.
///
/// # Errors
/// When the store cannot be read.
pub fn stored_chunks(
    settings: &Settings,
    name: &str,
    first: u32,
    most: u32,
) -> Result<Option<(StoredDocument, Vec<Value>)>> {
    let Some(store) = open_store_if_there(settings)? else { return Ok(None) };
    let named = |tracked: &&Tracked| tracked.version.source == name || tracked.version.document.to_string() == name;
    let all = store.tracked()?;
    let Some(tracked) = all.iter().find(named) else { return Ok(None) };
    let last = first.saturating_add(most.max(1) - 1);
    let points = store.points_within(tracked.version.document, first..=last)?;
    let records = points.iter().map(|point| {
        serde_json::from_str(&point.payload).map_err(|e| Error::bug("a stored record cannot be read").because(e))
    });
    Ok(Some((tracked.into(), records.collect::<Result<_>>()?)))
}

/// The identity of a document of a source.
pub fn document_id(project: &str, source_name: &str, path: &str) -> String {
    DocumentId::new(project, source_name, path).to_string()
}
