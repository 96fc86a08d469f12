//! What the sources list now, with what shapes the points of each document.

use gristmill_core::{Fingerprint, Result};
use gristmill_pipeline::sync::{Recipe, Seen, Stage};
use gristmill_pipeline::{Job, Pick, ordered};

use crate::config::Settings;
use crate::documents::Documents;
use crate::ready::Ready;
use crate::run::pick;

/// Grow when the code of a stage makes other records of the same text and settings.
const READ: u32 = 1;
const CLEAN: u32 = 1;
const CHUNK: u32 = 1;
const ENRICH: u32 = 1;
/// Bytes by which the reader is chosen.
const HEAD: usize = 64 * 1024;

const READY: &str = "chunks 1";

/// Bytes and recipes of the listed documents.
pub(crate) struct SeenNow {
    fingerprints: Vec<Option<Fingerprint>>,
    recipes: Vec<String>,
}

impl SeenNow {
    /// Hashes all documents; files that no reader takes are left out of them.
    ///
    /// # Errors
    /// Never for what is in a document: one that cannot be read has no hash.
    pub fn of(settings: &Settings, documents: &mut Documents, workers: usize) -> Result<Self> {
        let (mut fingerprints, mut reasons) = (Vec::with_capacity(documents.jobs.len()), Vec::new());
        let look = |index: usize| -> (Option<Fingerprint>, Option<String>) {
            let Ok(content) = documents.fetch(index) else { return (None, None) };
            let head = content.window(0, HEAD);
            let pick = head.map(|head| pick(&documents.jobs[index].source, &head));
            match pick {
                Ok(Pick::Skip(reason)) if documents.reader.is_none() => (None, Some(reason.into_owned())),
                Ok(_) => (content.fingerprint().ok(), None),
                Err(_) => (None, None),
            }
        };
        ordered(documents.jobs.len(), workers, look, |_, found| {
            let (fingerprint, reason) = found?;
            if reason.is_none() {
                fingerprints.push(fingerprint);
            }
            reasons.push(reason);
            Ok(())
        })?;
        documents.pass_over(&reasons);
        let shared = shared_recipe(settings)?;
        let mut recipes =
            documents.jobs.iter().map(|job| recipe(settings, &shared, job)).collect::<Result<Vec<_>>>()?;
        let ready = Recipe::default().with(Stage::Read, &READY)?;
        for (job, fingerprint) in documents.ready.iter().flat_map(Ready::jobs) {
            fingerprints.push(Some(fingerprint));
            recipes.push(recipe(settings, &ready, job)?);
        }
        Ok(Self { fingerprints, recipes })
    }

    /// One entry a document, in their order.
    pub fn list<'a>(&'a self, documents: &'a Documents) -> Vec<Seen<'a>> {
        let both = self.fingerprints.iter().zip(&self.recipes);
        let seen = |(job, (fingerprint, recipe)): (&'a Job, (&Option<Fingerprint>, &'a String))| Seen {
            document: job.id,
            source: &job.source,
            fingerprint: *fingerprint,
            recipe,
        };
        documents.every_job().zip(both).map(seen).collect()
    }
}

/// The stages that work alike on all documents.
fn shared_recipe(settings: &Settings) -> Result<Recipe> {
    // Rules that only report shape nothing.
    let repairs = settings.lint.fix.then_some(&settings.lint);
    Recipe::default()
        .with(Stage::Read, &READ)?
        .with(Stage::Clean, &(CLEAN, &settings.clean))?
        .with(Stage::Chunk, &(CHUNK, &settings.chunk, &settings.validate, repairs))
}

fn recipe(settings: &Settings, shared: &Recipe, job: &Job) -> Result<String> {
    let facts = (ENRICH, &settings.enrich, &job.attrs, &job.document_type, &job.created_at);
    Ok(shared.clone().with(Stage::Enrich, &facts)?.text())
}
