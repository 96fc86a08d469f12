//! What shapes the points of a document besides its bytes, stage by stage.

use std::fmt::Write;

use gristmill_core::{Error, Fingerprint, Result};
use serde::Serialize;

/// A stage whose settings and code shape points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Bytes to text.
    Read,
    /// Cleaning.
    Clean,
    /// Cutting, and the repairs that follow it.
    Chunk,
    /// Facts that are written into records.
    Enrich,
}

impl Stage {
    const ALL: [Self; 4] = [Self::Read, Self::Clean, Self::Chunk, Self::Enrich];

    /// The name used in recipes and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Clean => "clean",
            Self::Chunk => "chunk",
            Self::Enrich => "enrich",
        }
    }
}

/// Hashes of the settings and the code of each stage. The model is no part of it: each model has a collection of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipe(Vec<(Stage, String)>);

/// Digits of a hash that are kept: 64 bits tell settings apart.
const DIGITS: usize = 16;

impl Recipe {
    /// The same with a stage and all that shapes its work.
    ///
    /// # Errors
    /// When `shaping` cannot be written as JSON.
    pub fn with(mut self, stage: Stage, shaping: &impl Serialize) -> Result<Self> {
        let text = serde_json::to_string(shaping).map_err(|e| Error::bug("settings cannot be written").because(e))?;
        let mut hash = Fingerprint::of(text.as_bytes()).to_string();
        hash.truncate(DIGITS);
        self.0.push((stage, hash));
        Ok(self)
    }

    /// As it is kept in the store: `read:0123456789abcdef chunk:…`.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (stage, hash) in &self.0 {
            let gap = if out.is_empty() { "" } else { " " };
            // Writing to a string cannot fail.
            let _ = write!(out, "{gap}{}:{hash}", stage.name());
        }
        out
    }

    /// The stages of which two recipes, as they are kept, differ.
    pub fn differing(one: &str, other: &str) -> Vec<Stage> {
        let part = |recipe: &str, stage: Stage| {
            let parts = recipe.split(' ').filter_map(|part| part.split_once(':'));
            parts.filter(|(name, _)| *name == stage.name()).map(|(_, hash)| hash.to_owned()).next()
        };
        Stage::ALL.into_iter().filter(|stage| part(one, *stage) != part(other, *stage)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_which_stages_differ() {
        let recipe = |max: u32, copy: &str| {
            let recipe = Recipe::default().with(Stage::Read, &1).unwrap();
            recipe.with(Stage::Chunk, &max).unwrap().with(Stage::Enrich, &copy).unwrap().text()
        };
        assert_eq!(Recipe::differing(&recipe(300, "a"), &recipe(300, "a")), []);
        assert_eq!(Recipe::differing(&recipe(300, "a"), &recipe(400, "a")), [Stage::Chunk]);
        assert_eq!(Recipe::differing(&recipe(300, "a"), &recipe(400, "b")), [Stage::Chunk, Stage::Enrich]);
        assert_eq!(
            Recipe::differing("of another program", &recipe(1, "a")),
            [Stage::Read, Stage::Chunk, Stage::Enrich]
        );
    }
}
