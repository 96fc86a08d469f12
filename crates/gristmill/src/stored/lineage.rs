//! Where a stored chunk comes from.

use gristmill_core::{ChunkId, DocumentId, Error, Reads, Result, Store, StoredPoint};
use serde::Serialize;
use serde_json::Value;

use super::is_whole;
use super::present::{Present, present};
use super::status::ModelOf;
use crate::config::Settings;
use crate::documents::Inputs;
use crate::open::open_store;
use crate::own_text::own_text;
use crate::run::RunCx;

/// Where a stored chunk comes from, what stands beside it, and whether its source still gives it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lineage {
    /// Identity of the chunk.
    pub chunk_id: String,
    /// Identity of its document.
    pub document: String,
    /// Path of its document.
    pub source: String,
    /// Whose it is.
    pub project: String,
    /// The record as it was stored, with its text, place, headings, parts and hashes.
    pub record: Value,
    /// The chunk before it in the document.
    pub previous: Option<Neighbour>,
    /// The chunk after it in the document.
    pub next: Option<Neighbour>,
    /// Hashes of the settings and the code that shaped it, by stage.
    pub recipe: String,
    /// The model of its vector.
    pub model: Option<ModelOf>,
    /// False when the model knows nothing of the text, which is then found by words alone.
    pub has_vector: bool,
    /// False when the last run did not come to an end with the document.
    pub complete: bool,
    /// What the source gives now.
    pub now: Present,
}

/// A chunk beside another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Neighbour {
    /// Identity.
    pub chunk_id: String,
    /// First line of its own text that is not blank.
    pub first_line: String,
}

/// Tells where the chunk with this identity comes from. `inputs` name documents where the settings name none.
///
/// # Errors
/// When there is no store, it cannot be read, or it has no such chunk. Of a source that cannot be read this is told in
/// [`Lineage::now`].
pub fn lineage(settings: &Settings, inputs: &Inputs, chunk: &str, cx: &mut RunCx<'_>) -> Result<Lineage> {
    let id: ChunkId = chunk
        .parse()
        .map(ChunkId)
        .map_err(|cause| Error::usage(format!("not the identity of a chunk: `{chunk}`")).because(cause))?;
    let store = open_store(settings, false)?;
    let (document, point) = store.point(id)?.ok_or_else(|| unknown(settings, id))?;
    let tracked = store.tracked()?.into_iter().find(|tracked| tracked.version.document == document);
    let tracked = tracked.ok_or_else(|| unknown(settings, id))?;
    let (previous, next) = neighbours(store.as_ref(), document, &point)?;
    let now = present(settings, inputs, &tracked, &point, cx);
    Ok(Lineage {
        chunk_id: id.to_string(),
        document: document.to_string(),
        source: tracked.version.source.clone(),
        project: settings.project.clone(),
        record: record(&point),
        previous,
        next,
        model: model(store.as_ref())?,
        has_vector: point.vector.is_some(),
        complete: is_whole(&tracked),
        recipe: tracked.version.recipe,
        now,
    })
}

fn unknown(settings: &Settings, id: ChunkId) -> Error {
    Error::input(format!("project `{}` has no such chunk: {id}", settings.project))
        .hint("`gristmill search QUESTION --format json` and `gristmill export` show identities")
}

fn model(store: &dyn Store) -> Result<Option<ModelOf>> {
    Ok(store.spec()?.map(|spec| ModelOf { name: spec.model, dimensions: spec.dimensions }))
}

fn record(point: &StoredPoint) -> Value {
    serde_json::from_str(&point.payload).unwrap_or(Value::Null)
}

fn neighbours(
    reads: &dyn Reads,
    document: DocumentId,
    point: &StoredPoint,
) -> Result<(Option<Neighbour>, Option<Neighbour>)> {
    let orders = point.order.saturating_sub(1)..=point.order.saturating_add(1);
    let around = reads.points_within(document, orders)?;
    let at = |wanted: Option<u32>| around.iter().find(|other| Some(other.order) == wanted).map(neighbour);
    Ok((at(point.order.checked_sub(1)), at(point.order.checked_add(1))))
}

fn neighbour(point: &StoredPoint) -> Neighbour {
    let record = record(point);
    let first =
        own_text(&point.text, record["metadata"].get("parts")).lines().map(str::trim).find(|line| !line.is_empty());
    Neighbour { chunk_id: point.id.to_string(), first_line: first.unwrap_or_default().to_owned() }
}

impl Lineage {
    /// The chunk's own text: the content of its record without what is injected or repeated.
    pub fn own_text(&self) -> &str {
        let content = self.record["content"].as_str().unwrap_or_default();
        own_text(content, self.record["metadata"].get("parts"))
    }
}
