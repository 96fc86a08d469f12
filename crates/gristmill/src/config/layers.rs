//! Laying what several places say over one another.

use std::path::Path;

use gristmill_core::{Error, Result};
use serde::Serialize;
use toml::{Table, Value};

use super::{Options, Origin, Origins};

/// What one place says, and where in it each key stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    /// What it says.
    pub options: Options,
    /// Where keys stand, as far as that is known.
    pub(super) origins: Origins,
    /// Where all others stand.
    pub(super) whole: Origin,
}

impl Layer {
    /// What was said on the command line.
    pub fn flags(options: Options) -> Self {
        Self { options, origins: Origins::default(), whole: Origin::Flag }
    }

    /// Makes relative paths relative to `folder`.
    pub(super) fn rebase(&mut self, folder: &Path) {
        let Options { source, chunk, embed, store, eval, server, .. } = &mut self.options;
        source.iter_mut().flatten().for_each(|source| source.rebase(folder));
        chunk.rebase(folder);
        embed.rebase(folder);
        store.rebase(folder);
        eval.rebase(folder);
        server.rebase(folder);
    }

    fn origin(&self, key: &str) -> Origin {
        match self.origins.of(key) {
            Origin::Default => self.whole.clone(),
            origin => origin.clone(),
        }
    }
}

/// One over the other, the first on top: what is said in the end, and where each of its keys came from. Tables are joined
/// key by key; lists are taken whole. What a place says for all documents beats what a place below says for some.
pub(super) fn merge(layers: &[Layer]) -> Result<(Options, Origins)> {
    let mut merged = Table::new();
    let mut origins = Origins::default();
    for layer in layers.iter().rev() {
        let table = table_of(&layer.options)?;
        reach_types(&mut merged, &table, layer, &mut origins);
        overlay(&mut merged, table, "", layer, &mut origins);
    }
    let options = merged.try_into().map_err(|e| Error::bug("options cannot be read back").because(e))?;
    Ok((options, origins))
}

/// Options as a table of what they say.
pub(super) fn table_of(options: &impl Serialize) -> Result<Table> {
    Table::try_from(options).map_err(|e| Error::config("a setting cannot be written down").because(e))
}

/// Of these two keys of `[chunk]` the one that was said last decides how borders are found.
const BORDERS: [&str; 2] = ["sentences_per_chunk", "strategy"];

/// Lays the values of a layer's `[chunk]` over those of the types that are known below it.
fn reach_types(below: &mut Table, above: &Table, layer: &Layer, origins: &mut Origins) {
    let types = below.get_mut("chunk").and_then(|chunk| chunk.get_mut("by_type"));
    let (Some(types), Some(said)) = (types.and_then(Value::as_table_mut), above.get("chunk").and_then(Value::as_table))
    else {
        return;
    };
    for (name, own) in types.iter_mut().filter_map(|(name, own)| Some((name, own.as_table_mut()?))) {
        if BORDERS.iter().any(|key| said.contains_key(*key)) {
            BORDERS.iter().for_each(|key| drop(own.remove(*key)));
        }
        for (key, value) in said.iter().filter(|(key, _)| *key != "by_type") {
            origins.set(format!("chunk.by_type.{name}.{key}"), layer.origin(&format!("chunk.{key}")));
            own.insert(key.clone(), value.clone());
        }
    }
}

fn overlay(below: &mut Table, above: Table, at: &str, layer: &Layer, origins: &mut Origins) {
    // A secret given in one way ends one given in the other below.
    for name in above.keys() {
        below.remove(&format!("{name}_env"));
        name.strip_suffix("_env").and_then(|twin| below.remove(twin));
    }
    for (name, value) in above {
        let key = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
        if let Value::Table(table) = value {
            if let Value::Table(below) = below.entry(name).or_insert_with(|| Value::Table(Table::new())) {
                overlay(below, table, &key, layer, origins);
            }
        } else {
            origins.replace(&key, layer.origin(&key), &layer.origins);
            below.insert(name, value);
        }
    }
}
