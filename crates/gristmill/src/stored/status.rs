//! What a store holds, in numbers.

use gristmill_core::{Result, Store, Tracked, VectorSpec};
use serde::Serialize;

use super::{bytes_on_disk, is_whole};
use crate::config::Settings;
use crate::open::open_store_if_there;

/// What the store of the settings holds of their project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Whose documents these are.
    pub project: String,
    /// Where they are.
    pub store: StoreAt,
    /// The model whose vectors answer; null before the first ingest.
    pub model: Option<ModelOf>,
    /// Another model, whose vectors are being made and do not answer yet; null where there is none.
    pub next: Option<ModelInMaking>,
    /// Documents.
    pub documents: u64,
    /// Their chunks.
    pub chunks: u64,
    /// Documents that are not as an ingest would leave them, by path. The next one completes them.
    pub incomplete: Vec<Incomplete>,
}

/// Where a store is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StoreAt {
    /// Its kind, such as `sqlite`.
    pub kind: String,
    /// Its file, or the address of the service.
    pub place: String,
    /// The collection, of stores that have several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    /// False when nobody has made it yet.
    pub exists: bool,
    /// Bytes on disk; null for a service.
    pub bytes: Option<u64>,
}

/// A model of vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ModelOf {
    /// Provider and model.
    pub name: String,
    /// Numbers in each vector; null until the first is stored.
    pub dimensions: Option<usize>,
}

/// A model whose vectors are being made beside those that answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ModelInMaking {
    /// The model.
    #[serde(flatten)]
    pub model: ModelOf,
    /// Documents that are complete with it.
    pub documents: u64,
    /// Chunks that are stored with it.
    pub chunks: u64,
}

/// A document that is not as an ingest would leave it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Incomplete {
    /// Its path.
    pub source: String,
    /// Chunks that are there.
    pub chunks: u64,
    /// Chunks that the version has which was written last.
    pub of: u64,
    /// True when a complete version was stored before: it answers until the new one is complete.
    pub answers: bool,
}

/// Looks into the store of the settings. A store that is not there is no error.
///
/// # Errors
/// When the store is there and cannot be read, or a service is out of reach.
pub fn status(settings: &Settings) -> Result<Status> {
    let mut status = Status { project: settings.project.clone(), store: place(settings), ..Status::default() };
    let Some(store) = open_store_if_there(settings)? else { return Ok(status) };
    status.store.exists = true;
    status.model = store.spec()?.map(model);
    status.next = next(store.as_ref())?;
    for tracked in store.tracked()? {
        status.documents += 1;
        status.chunks += tracked.points;
        status.incomplete.extend(incomplete(&tracked));
    }
    Ok(status)
}

fn place(settings: &Settings) -> StoreAt {
    let store = &settings.store;
    let is_file = store.kind == "sqlite";
    let file = || store.path.display().to_string();
    StoreAt {
        kind: store.kind.clone(),
        place: if is_file { file() } else { store.url.clone().unwrap_or_default() },
        collection: (!is_file).then(|| store.collection.clone()),
        exists: false,
        bytes: bytes_on_disk(settings),
    }
}

fn model(spec: VectorSpec) -> ModelOf {
    ModelOf { name: spec.model, dimensions: spec.dimensions }
}

fn next(store: &dyn Store) -> Result<Option<ModelInMaking>> {
    let Some((spec, shadow)) = store.shadow()? else { return Ok(None) };
    let tracked = shadow.tracked()?;
    Ok(Some(ModelInMaking {
        model: model(spec),
        documents: tracked.iter().filter(|tracked| is_whole(tracked)).count() as u64,
        chunks: tracked.iter().map(|tracked| tracked.points).sum(),
    }))
}

fn incomplete(tracked: &Tracked) -> Option<Incomplete> {
    (!is_whole(tracked)).then(|| Incomplete {
        source: tracked.version.source.clone(),
        chunks: tracked.points,
        of: tracked.version.total_chunks.into(),
        answers: tracked.committed,
    })
}
