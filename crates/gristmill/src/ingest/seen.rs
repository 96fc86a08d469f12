//! What the sources list now, with what shapes the points of each document.

use gristmill_core::{Fingerprint, Result};
use gristmill_pipeline::sync::{Recipe, Seen, Stage};
use gristmill_pipeline::{Job, Pick, ordered};
use serde::Serialize;

use crate::config::Settings;
use crate::documents::Documents;
use crate::readers::{pick, shaping};
use crate::ready::Ready;

/// Grow when the code of a stage makes other records of the same text and settings.
const READ: u32 = 1;
const CLEAN: u32 = 1;
const CHUNK: u32 = 1;
const ENRICH: u32 = 2;
/// Bytes by which the reader is chosen.
const HEAD: usize = 64 * 1024;

/// Documents that one thread looks at before it hands over: to hand over takes as long as to look at a small one.
const TOGETHER: usize = 32;

const READY: &str = "chunks 1";

/// Bytes and recipes of the listed documents.
pub(crate) struct SeenNow {
    fingerprints: Vec<Option<Fingerprint>>,
    recipes: Vec<String>,
}

impl SeenNow {
    /// Looks at all documents; files that no reader takes are left out of them. They are hashed when they are to be
    /// compared with others.
    ///
    /// # Errors
    /// Never for what is in a document: one that cannot be read has no hash.
    pub fn of(settings: &Settings, documents: &mut Documents, compared: bool, workers: usize) -> Result<Self> {
        let count = documents.jobs.len();
        let mut looks = Vec::with_capacity(count);
        let some = |number: usize| {
            let first = number * TOGETHER;
            (first..count.min(first + TOGETHER)).map(|at| look(documents, at, compared)).collect::<Vec<_>>()
        };
        ordered(count.div_ceil(TOGETHER), workers, some, |_, found| {
            looks.extend(found?);
            Ok(())
        })?;
        let reasons: Vec<Option<String>> = looks.iter_mut().map(|look| look.passed_over.take()).collect();
        let mut kept = reasons.iter().map(Option::is_none);
        looks.retain(|_| kept.next().unwrap_or_default());
        documents.pass_over(&reasons);
        let shared = SharedRecipes::of(settings)?;
        let mut fingerprints: Vec<_> = looks.iter().map(|look| look.fingerprint).collect();
        let of = |(job, look): (&Job, &Look)| recipe(settings, shared.of_reader(look.reader), job);
        let mut recipes = documents.jobs.iter().zip(&looks).map(of).collect::<Result<Vec<_>>>()?;
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

/// What is seen of a document before it is read.
#[derive(Default)]
struct Look {
    fingerprint: Option<Fingerprint>,
    /// The name of its reader.
    reader: &'static str,
    /// Why no reader takes it.
    passed_over: Option<String>,
}

fn look(documents: &Documents, index: usize, compared: bool) -> Look {
    let Ok(content) = documents.fetch(index) else { return Look::default() };
    let head = content.window(0, HEAD);
    let pick =
        head.map(|head| documents.reader.map_or_else(|| pick(&documents.jobs[index].source, &head), Pick::Reader));
    match pick {
        Ok(Pick::Skip(reason)) => Look { passed_over: Some(reason.into_owned()), ..Look::default() },
        Ok(Pick::Reader(reader)) => {
            let fingerprint = if compared { content.fingerprint().ok() } else { None };
            Look { fingerprint, reader: reader.name(), passed_over: None }
        }
        Err(_) => Look::default(),
    }
}

/// The stages that work alike on all documents of a kind.
struct SharedRecipes {
    usual: Recipe,
    /// Of a reader that has settings of its own.
    own: Option<(&'static str, Recipe)>,
}

impl SharedRecipes {
    fn of(settings: &Settings) -> Result<Self> {
        let own = match shaping(settings) {
            Some((reader, shaping)) => Some((reader, shared_recipe(settings, Some(shaping))?)),
            None => None,
        };
        Ok(Self { usual: shared_recipe(settings, None::<()>)?, own })
    }

    fn of_reader(&self, reader: &str) -> &Recipe {
        self.own.as_ref().filter(|(name, _)| *name == reader).map_or(&self.usual, |(_, recipe)| recipe)
    }
}

fn shared_recipe(settings: &Settings, reading: Option<impl Serialize>) -> Result<Recipe> {
    // Rules that only report shape nothing.
    let repairs = settings.lint.fix.then_some(&settings.lint);
    let recipe = match reading {
        Some(reading) => Recipe::default().with(Stage::Read, &(READ, reading)),
        None => Recipe::default().with(Stage::Read, &READ),
    };
    recipe?
        .with(Stage::Clean, &(CLEAN, &settings.clean))?
        .with(Stage::Chunk, &(CHUNK, &settings.chunk, &settings.validate, repairs))
}

fn recipe(settings: &Settings, shared: &Recipe, job: &Job) -> Result<String> {
    let facts = (ENRICH, &settings.enrich, &job.attrs, &job.document_type, &job.created_at);
    Ok(shared.clone().with(Stage::Enrich, &facts)?.text())
}
