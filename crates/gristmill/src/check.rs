//! Trying settings without reading a document.

use gristmill_core::{Error, Result};
use gristmill_source::SOURCES;
use gristmill_store::STORES;

use crate::config::{Settings, SourceSettings, StoreSettings};
use crate::eval::load_questions;
use crate::lint::{open_chunks, selected};
use crate::open::{open_embedder, open_store_if_there};
use crate::toolkit::Toolkit;

/// Looks whether everything that settings name is there: strategies, tokenizers, patterns, the folders of sources,
/// rules, questions, the embedder and the kind of store. Nothing is written and no service is asked.
///
/// # Errors
/// The first thing that is not there.
pub fn check(settings: &Settings) -> Result<()> {
    Toolkit::new(settings)?;
    settings.source.iter().enumerate().try_for_each(|(index, source)| open(settings, source, index))?;
    open_embedder(settings)?;
    selected(&settings.lint)?;
    settings.eval.questions.as_deref().map(load_questions).transpose()?;
    open_store(settings)
}

fn open_store(settings: &Settings) -> Result<()> {
    let StoreSettings { kind, path, .. } = &settings.store;
    if kind == "sqlite" && path.is_dir() {
        let message = format!("`store.path` is a folder, not a file: {}", path.display());
        return Err(settings.origins.blame("store.path", message));
    }
    if kind == "qdrant" && settings.store.url.is_none() {
        return Err(settings.origins.blame("store.type", "a store of type `qdrant` needs `store.url`"));
    }
    if kind == "sqlite" {
        let blame = |error: Error| settings.origins.blame("store.path", error.chain());
        return open_store_if_there(settings).map(drop).map_err(blame);
    }
    if STORES.iter().any(|entry| entry.name == kind) {
        return Ok(());
    }
    let known: Vec<&str> = STORES.iter().map(|entry| entry.name).collect();
    Err(settings.origins.blame("store.type", format!("unknown type of store (known are {}): {kind}", known.join(", "))))
}

fn open(settings: &Settings, source: &SourceSettings, index: usize) -> Result<()> {
    source.path_rule()?;
    if source.is_chunks() {
        return open_chunks(&source.path).map(drop);
    }
    let Some(entry) = SOURCES.iter().find(|entry| entry.name == source.kind) else {
        let message = format!("this version cannot read sources of the type: {}", source.kind);
        return Err(settings.origins.blame(&format!("source[{index}].type"), message));
    };
    let key = if source.is_remote() { format!("source[{index}]") } else { format!("source[{index}].path") };
    let blame = |error: Error| settings.origins.blame(&key, error.chain());
    let spec = source.spec(&settings.root, &settings.root, &settings.world.env).map_err(blame)?;
    (entry.item)(&spec).map(drop).map_err(blame)
}
