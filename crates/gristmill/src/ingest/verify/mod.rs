//! Compares source, state and store.

mod comparison;
mod drift;

use std::collections::{HashMap, HashSet};

use gristmill_core::{DocumentId, Result, Store, Tracked, VectorSpec};
use gristmill_pipeline::sync::{Change, DiffOptions, Why, Work, diff};
use serde::Serialize;

use self::comparison::Comparison;
pub use self::drift::{Drift, DriftKind};
use super::seen::SeenNow;
use super::{IngestOptions, IngestReport, ingest};
use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::open::{open_embedder, open_store, wanted};
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

/// What a comparison of source and store found.
#[derive(Debug, Default, Serialize)]
pub struct VerifyReport {
    /// Documents that the sources list.
    pub documents: u64,
    /// Documents of them that were compared.
    pub compared: u64,
    /// Chunks that were compared.
    pub chunks: u64,
    /// What differs, by document.
    pub drift: Vec<Drift>,
    /// Documents that cannot be read, and so not be compared.
    pub failures: Vec<super::IngestFailure>,
    /// What was done about it, when that was asked for.
    pub repaired: Option<IngestReport>,
    /// What differs still after that, by a second look.
    pub left: Vec<Drift>,
}

/// Compares what the sources give now with what the store holds: every document, chunk, text, payload and hash.
///
/// # Errors
/// When settings are wrong, or source or store cannot be used.
pub fn verify(settings: &Settings, inputs: &Inputs, cx: &mut RunCx<'_>) -> Result<VerifyReport> {
    let toolkit = Toolkit::new(settings)?;
    let mut documents = Documents::list(settings, inputs)?;
    let embedder = open_embedder(settings)?;
    let store = open_store(settings, false)?;
    let wanted = wanted(embedder.as_ref());
    let spec = store.spec()?;
    let tracked = store.tracked()?;
    let seen = SeenNow::of(settings, &mut documents, true, cx.workers)?;
    let how = DiffOptions { unseen: &documents.unseen, ..DiffOptions::default() };
    let diff = diff(&seen.list(&documents), &tracked, how);
    let mut report = VerifyReport { documents: documents.all.len() as u64, ..VerifyReport::default() };
    report.drift.extend(other_model(spec.as_ref(), &wanted));
    let late = seen
        .list(&documents)
        .iter()
        .zip(&diff.work)
        .filter(|(seen, _)| seen.fingerprint.is_some())
        .filter_map(|(seen, work)| Some((seen.source, work.as_ref()?)))
        .filter_map(|(source, work)| late(source, work))
        .collect::<Vec<_>>();
    report.drift.extend(late);
    for gone in &diff.gone {
        let message = format!("not in the source, {} in the store", chunks(gone.points));
        report.drift.push(Drift::document(&gone.source, DriftKind::ExtraDocument, message));
    }
    // What has changed since is told once and not chunk by chunk.
    // What cannot be read is worked on, so that the failure is reported where all others are.
    let unread: Vec<bool> = seen.list(&documents).iter().map(|seen| seen.fingerprint.is_none()).collect();
    documents.select(|index| unread[index] || diff.work[index].as_ref().is_none_or(is_comparable));
    let by_id: HashMap<DocumentId, &Tracked> = tracked.iter().map(|t| (t.version.document, t)).collect();
    let own = (settings.embed.provider == "static").then_some(embedder.as_ref());
    let mut comparison =
        Comparison { store: store.as_ref(), spec, own, tracked: by_id, current: None, drift: Vec::new(), chunks: 0 };
    let run = run_over(settings, &toolkit, &documents, &mut comparison, cx)?;
    report.chunks = comparison.chunks;
    report.drift.append(&mut comparison.drift);
    add_damage(&mut report, store.as_ref(), &tracked)?;
    for document in &run.documents {
        if let Some(error) = &document.error {
            let failure = super::IngestFailure { source: document.source.clone(), message: error.message.clone() };
            report.failures.push(failure);
        }
        for warning in document.warnings.iter().filter(|warning| warning.code == gristmill_pipeline::UNCOVERED) {
            report.drift.push(Drift::document(&document.source, DriftKind::UncoveredText, warning.message.clone()));
        }
    }
    report.compared = report.documents - (report.failures.len() as u64).min(report.documents);
    for unseen in &documents.unseen {
        let name = if unseen.is_empty() { "." } else { unseen };
        report.failures.push(super::IngestFailure {
            source: name.to_owned(),
            message: "could not be looked at, and so not be compared".to_owned(),
        });
    }
    report.drift.sort_by(|a, b| a.source.cmp(&b.source));
    Ok(report)
}

/// Compares, and mends what differs by an ingest of the documents it is found in.
///
/// # Errors
/// As for [`verify`] and [`ingest`].
pub fn verify_and_repair(
    settings: &Settings,
    inputs: &Inputs,
    options: &IngestOptions,
    cx: &mut RunCx<'_>,
) -> Result<VerifyReport> {
    let mut report = verify(settings, inputs, cx)?;
    if report.drift.is_empty() {
        return Ok(report);
    }
    mend(settings, &report)?;
    let spoilt: HashSet<&str> =
        report.drift.iter().filter(|drift| drift.kind.spoils_vectors()).map(|drift| &*drift.source).collect();
    let broken: HashSet<&str> =
        report.drift.iter().filter(|drift| drift.kind != DriftKind::WrongWords).map(|drift| &*drift.source).collect();
    let documents = Documents::list(settings, inputs)?;
    let among = |sources: &HashSet<&str>| {
        let jobs = documents.every_job().filter(|job| sources.contains(&*job.source));
        jobs.map(|job| job.id).collect::<HashSet<DocumentId>>()
    };
    let options = IngestOptions { again: among(&broken), distrust: among(&spoilt), ..options.clone() };
    report.repaired = Some(ingest(settings, inputs, &options, cx)?);
    report.left = verify(settings, inputs, cx)?.drift;
    Ok(report)
}

/// Adds what the store tells of itself, where nothing else is said of a chunk.
fn add_damage(report: &mut VerifyReport, store: &dyn Store, tracked: &[Tracked]) -> Result<()> {
    let damaged = store.damaged()?;
    let sources: HashMap<DocumentId, &str> = tracked.iter().map(|t| (t.version.document, &*t.version.source)).collect();
    let told: HashSet<String> = report.drift.iter().filter_map(|drift| drift.chunk_id.clone()).collect();
    let drift = damaged.iter().filter(|damaged| !told.contains(&damaged.chunk.to_string()));
    report.drift.extend(
        drift.map(|damaged| Drift::damage(sources.get(&damaged.document).copied().unwrap_or_default(), damaged)),
    );
    Ok(())
}

/// Mends the words of the store: the documents have nothing to do with them.
fn mend(settings: &Settings, report: &VerifyReport) -> Result<()> {
    if report.drift.iter().all(|drift| drift.kind != DriftKind::WrongWords) {
        return Ok(());
    }
    let store = open_store(settings, true)?;
    match store.spec()? {
        Some(spec) => store.writer(&spec)?.mend(),
        None => Ok(()),
    }
}

fn chunks(count: u64) -> String {
    if count == 1 { "1 chunk".to_owned() } else { format!("{count} chunks") }
}

fn other_model(spec: Option<&VectorSpec>, wanted: &VectorSpec) -> Option<Drift> {
    let spec = spec.filter(|spec| !spec.agrees(wanted))?;
    let message = format!("the vectors are of `{}`, the settings name `{}`", spec.model, wanted.model);
    Some(Drift::document("", DriftKind::OtherModel, message))
}

/// True when the store should hold what the source gives now, whatever became of it.
fn is_comparable(work: &Work) -> bool {
    matches!(work.change, Change::Modified(Why::Incomplete))
}

fn late(source: &str, work: &Work) -> Option<Drift> {
    let (kind, message) = match &work.change {
        Change::New => (DriftKind::MissingDocument, "not in the store".to_owned()),
        Change::Moved { from } | Change::Copied { from } => {
            (DriftKind::MissingDocument, format!("not in the store, which has its bytes as `{from}`"))
        }
        Change::Modified(Why::Bytes) => (DriftKind::OutdatedDocument, "has changed since it was ingested".to_owned()),
        Change::Modified(Why::Settings(stages)) => {
            let names: Vec<&str> = stages.iter().map(|stage| stage.name()).collect();
            (DriftKind::OutdatedDocument, format!("settings have changed since it was ingested: {}", names.join(", ")))
        }
        Change::Modified(Why::Incomplete) => {
            (DriftKind::IncompleteDocument, format!("not complete, {} in the store", chunks(work.points)))
        }
        Change::Modified(Why::Asked) => return None,
    };
    Some(Drift::document(source, kind, message))
}
