//! Takes out of a store what no run needs any more.

use gristmill_core::{Result, Store, VectorSpec};
use serde::Serialize;

use super::bytes_on_disk;
use crate::config::Settings;
use crate::open::{open_embedder, open_store_if_there, wanted};

/// What was taken out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GcReport {
    /// False when nobody has made the store yet.
    pub exists: bool,
    /// Points and vectors that went.
    pub removed: u64,
    /// The model whose vectors had been begun and are no longer wanted; they are among what went.
    pub abandoned: Option<String>,
    /// The model whose vectors are being made for the settings at hand; they stayed.
    pub in_making: Option<String>,
    /// Bytes on disk before; null for a service, and where there is no store.
    pub bytes_before: Option<u64>,
    /// Bytes on disk after.
    pub bytes_after: Option<u64>,
}

/// Removes vectors that were begun for a model that the settings no longer name, vectors that were kept for documents that
/// are complete or gone, and what belongs to nothing; gives space back where much is free. What answers is not touched.
///
/// # Errors
/// When another run is writing, or the store cannot be written.
pub fn gc(settings: &Settings) -> Result<GcReport> {
    let mut report = GcReport { bytes_before: bytes_on_disk(settings), ..GcReport::default() };
    let Some(store) = open_store_if_there(settings)? else { return Ok(report) };
    report.exists = true;
    if let Some(spec) = collection_to_sweep(settings, store.as_ref(), &mut report)? {
        report.removed = store.writer(&spec)?.sweep()?;
    }
    report.bytes_after = bytes_on_disk(settings);
    Ok(report)
}

/// The collection whose writer sweeps: it leaves itself and the one that answers.
fn collection_to_sweep(settings: &Settings, store: &dyn Store, report: &mut GcReport) -> Result<Option<VectorSpec>> {
    let Some((shadow, _)) = store.shadow()? else { return store.spec() };
    if shadow.agrees(&wanted(open_embedder(settings)?.as_ref())) {
        report.in_making = Some(shadow.model.clone());
        return Ok(Some(shadow));
    }
    report.abandoned = Some(shadow.model);
    store.spec()
}
