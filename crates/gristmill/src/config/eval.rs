//! `[eval]`: what `eval` measures.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `eval` measures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalOptions {
    /// A file of questions with evidence, relative to this file. Default: none; questions are then made by rule.
    pub questions: Option<PathBuf>,
    /// Strategies to compare. Default: the one of `[chunk]`. Example: `strategies = ["markdown", "recursive"]`.
    pub strategies: Option<Vec<String>>,
}

/// What `eval` measures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EvalSettings {
    /// A file of questions with evidence.
    pub questions: Option<PathBuf>,
    /// Strategies to compare.
    pub strategies: Vec<String>,
}

impl EvalOptions {
    pub(super) fn rebase(&mut self, folder: &Path) {
        if let Some(path) = &mut self.questions {
            *path = folder.join(&path);
        }
    }
}

impl EvalSettings {
    pub(super) fn resolve(options: &EvalOptions, strategy: &str) -> Self {
        let EvalOptions { questions, strategies } = options.clone();
        Self { questions, strategies: strategies.unwrap_or_else(|| vec![strategy.to_owned()]) }
    }
}
