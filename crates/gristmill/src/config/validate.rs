//! `[validate]`: what is refused before delivery.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Task;

/// What becomes of chunks whose normalised text equals that of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Duplicates {
    /// They are refused and listed.
    Reject,
    /// They stay.
    Keep,
}

/// What is refused before delivery. Empty and oversized chunks always are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidateOptions {
    /// Chunks with the same normalised text as an earlier one. Default: `"reject"` for `curate`, else `"keep"`;
    /// an ingest compares chunks of the same document only.
    pub duplicates: Option<Duplicates>,
}

/// What is refused before delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValidateSettings {
    /// Chunks with the same normalised text as an earlier one.
    pub duplicates: Duplicates,
    /// True where only chunks of one document are compared: in an ingest, what becomes of a document must not depend on
    /// which others have changed.
    #[serde(skip)]
    pub per_document: bool,
}

impl ValidateSettings {
    pub(super) fn resolve(options: &ValidateOptions, task: Task) -> Self {
        let ValidateOptions { duplicates } = options;
        let usual = if task == Task::Curate { Duplicates::Reject } else { Duplicates::Keep };
        Self { duplicates: duplicates.unwrap_or(usual), per_document: task == Task::Ingest }
    }
}
