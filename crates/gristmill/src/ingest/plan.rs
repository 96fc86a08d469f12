//! What has to be done to bring a store in step: documents listed now against documents known before.

use std::collections::{BTreeMap, HashMap, HashSet};

use gristmill_core::{DocumentId, Error, Fingerprint, Result, Tracked};
use gristmill_pipeline::Job;

use super::{IngestOptions, IngestReport};
use crate::config::Settings;
use crate::documents::Documents;

/// Grows when the code makes other chunks of the same text and settings.
const CODE_VERSION: u32 = 1;

/// What is to be done.
pub(super) struct Plan {
    /// One entry a listed document; `None` when the store has it as it is.
    pub work: Vec<Option<Work>>,
    /// Documents that are gone.
    pub gone: Vec<DocumentId>,
}

/// A document that is to be written.
pub(super) struct Work {
    pub document: DocumentId,
    pub recipe: String,
    pub change: Change,
}

/// Why a document is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    New,
    Modified,
    Moved,
}

impl Plan {
    pub fn new(
        settings: &Settings,
        documents: &Documents,
        tracked: &[Tracked],
        options: IngestOptions,
        report: &mut IngestReport,
    ) -> Result<Self> {
        let known: BTreeMap<DocumentId, &Tracked> = tracked.iter().map(|t| (t.version.document, t)).collect();
        let gone = gone(documents, tracked);
        let mut orphans: HashMap<Fingerprint, u64> = HashMap::new();
        for tracked in &gone {
            *orphans.entry(tracked.version.source_hash).or_default() += 1;
        }
        let shared = shared_recipe(settings)?;
        let mut work = Vec::with_capacity(documents.jobs.len());
        let mut moved = 0;
        for (index, job) in documents.jobs.iter().enumerate() {
            // A document that cannot be read is worked on, so that the failure is reported where all others are.
            let fingerprint = documents.fetch(index).and_then(|content| content.fingerprint()).ok();
            let recipe = recipe(&shared, job)?;
            let before = known.get(&job.id);
            if !options.rebuild && before.is_some_and(|t| is_current(t, fingerprint, &recipe)) {
                report.files.unchanged += 1;
                work.push(None);
                continue;
            }
            let orphan = fingerprint.and_then(|f| orphans.get_mut(&f)).filter(|left| **left > 0);
            let change = match (before, orphan) {
                (Some(_), _) => Change::Modified,
                (None, Some(left)) => {
                    *left -= 1;
                    moved += 1;
                    Change::Moved
                }
                (None, None) => Change::New,
            };
            work.push(Some(Work { document: job.id, recipe, change }));
        }
        report.files.deleted = (gone.len() as u64).saturating_sub(moved);
        Ok(Self { work, gone: gone.into_iter().map(|t| t.version.document).collect() })
    }
}

/// Tracked documents that the sources no longer have. What could not be looked at may still be there.
fn gone<'t>(documents: &Documents, tracked: &'t [Tracked]) -> Vec<&'t Tracked> {
    let listed: HashSet<DocumentId> = documents.jobs.iter().map(|job| job.id).collect();
    let unseen = |source: &str| {
        documents.unseen.iter().any(|u| {
            u.is_empty() || source.strip_prefix(u.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    tracked.iter().filter(|t| !listed.contains(&t.version.document) && !unseen(&t.version.source)).collect()
}

fn is_current(tracked: &Tracked, fingerprint: Option<Fingerprint>, recipe: &str) -> bool {
    let version = &tracked.version;
    tracked.complete
        && tracked.points == u64::from(version.total_chunks)
        && Some(version.source_hash) == fingerprint
        && version.recipe == recipe
}

/// Everything besides a document's bytes that shapes its points.
fn shared_recipe(settings: &Settings) -> Result<String> {
    // Rules that only report shape nothing.
    let repairs = settings.lint.fix.then_some(&settings.lint);
    let shaping = (CODE_VERSION, &settings.chunk, &settings.clean, &settings.enrich, &settings.validate, repairs);
    serde_json::to_string(&shaping).map_err(|e| Error::bug("settings cannot be written as JSON").because(e))
}

fn recipe(shared: &str, job: &Job) -> Result<String> {
    let own = serde_json::to_string(&(&job.attrs, &job.document_type, &job.created_at))
        .map_err(|e| Error::bug("facts of a path cannot be written as JSON").because(e))?;
    Ok(Fingerprint::of(format!("{shared}\n{own}").as_bytes()).tagged())
}
