//! Chunks out of a store, to read them elsewhere or to feed another store.

use std::io::Write;

use gristmill_core::{DocumentId, Error, ErrorKind, Reads, Result, StoredPoint, Tracked};
use gristmill_format::{Beside, PayloadNames, PointFields, PointWriter, point_writer, to_payload};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::config::Settings;
use crate::open::open_store;

/// What is exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// One of [`crate::format::FORMATS`].
    pub format: String,
    /// Puts identity, vector and payload of the point beside each record, so that another store can take it.
    pub with_vectors: bool,
}

/// What was exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// Documents.
    pub documents: u64,
    /// Chunks.
    pub chunks: u64,
}

/// Points that are held at a time.
const SLICE: u32 = 512;

/// Writes every chunk of the project that is stored, by source, then by order. Records are those that were stored; they
/// can be read back as any file of chunks.
///
/// # Errors
/// When there is no store, it cannot be read, or the output cannot be written.
pub fn export(
    settings: &Settings,
    options: &ExportOptions,
    out: Box<dyn Write + Send>,
    progress: &mut dyn FnMut(usize, usize, &str),
) -> Result<Exported> {
    let names = PayloadNames::new(&settings.store.payload_names)?;
    let store = open_store(settings, false)?;
    let dimensions = store.spec()?.and_then(|spec| spec.dimensions);
    let beside = if options.with_vectors { Beside::Point { dimensions } } else { Beside::Nothing };
    let mut outlet = Outlet {
        writer: point_writer(&options.format, out, beside)?,
        names: options.with_vectors.then_some(names),
        project: &settings.project,
        done: Exported::default(),
    };
    let tracked = store.tracked()?;
    for (index, document) in tracked.iter().enumerate() {
        each_point(store.as_ref(), document, &mut |point| outlet.point(document, point))?;
        progress(index + 1, tracked.len(), &document.version.source);
    }
    outlet.done.documents = tracked.len() as u64;
    outlet.writer.finish()?;
    Ok(outlet.done)
}

/// Where chunks go.
struct Outlet<'a> {
    writer: Box<dyn PointWriter>,
    /// Names of the payload's fields, where payloads are wanted.
    names: Option<PayloadNames>,
    project: &'a str,
    done: Exported,
}

impl Outlet<'_> {
    fn point(&mut self, tracked: &Tracked, point: &StoredPoint) -> Result<()> {
        self.done.chunks += 1;
        let Some(names) = &self.names else { return self.writer.write(&point.payload, None) };
        let own = own_fields(self.project, tracked);
        let payload = to_payload(&point.payload, own, names)?;
        let id = point.id.to_string();
        let fields = PointFields { id: &id, vector: point.vector.as_deref(), payload: &payload };
        self.writer.write(&point.payload, Some(&fields))
    }
}

/// Fields of a payload that say whose point it is and what shaped it.
fn own_fields(project: &str, tracked: &Tracked) -> Map<String, Value> {
    let version = &tracked.version;
    let fields = [
        ("tenant", project.to_owned()),
        ("parent_doc_id", version.document.to_string()),
        ("recipe", version.recipe.clone()),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
}

/// Calls `take` with the points of a document by order, a slice of them in memory at a time.
pub(crate) fn each_point(
    reads: &dyn Reads,
    tracked: &Tracked,
    take: &mut dyn FnMut(&StoredPoint) -> Result<()>,
) -> Result<()> {
    let document: DocumentId = tracked.version.document;
    let mut seen = 0;
    let mut give = |orders| -> Result<()> {
        let points = reads.points_within(document, orders)?;
        seen += points.len() as u64;
        points.iter().try_for_each(&mut *take)
    };
    let total = tracked.version.total_chunks.max(1);
    for first in (0..total).step_by(SLICE as usize) {
        give(first..=first.saturating_add(SLICE - 1).min(total - 1))?;
    }
    // What an unfinished run left of a longer version.
    if total < u32::MAX {
        give(total..=u32::MAX)?;
    }
    if seen < tracked.points {
        let source = &tracked.version.source;
        let message = format!("the store was changed while it was read: `{source}`");
        return Err(Error::new(ErrorKind::Store, message).hint("try again when no ingest is running"));
    }
    Ok(())
}
