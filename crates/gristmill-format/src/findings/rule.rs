//! What is known of a rule apart from what it found.

use gristmill_core::Severity;
use schemars::JsonSchema;
use serde::Serialize;

use super::scan::{SeverityName, severity_name};

/// A rule as reports and its documentation describe it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RuleInfo {
    /// Stable name in kebab-case.
    pub name: &'static str,
    /// What a finding of it says, in a few words.
    pub title: &'static str,
    /// What it finds and why that matters, in a sentence.
    pub summary: &'static str,
    /// The severity of most of its findings.
    #[serde(serialize_with = "severity_name")]
    #[schemars(with = "SeverityName")]
    pub severity: Severity,
    /// What `fix` can do about it.
    pub repair: Repair,
    /// The whole documentation, in Markdown.
    pub docs: &'static str,
}

/// What can be done about the findings of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Repair {
    /// Nothing without a decision of a person.
    None,
    /// Something that loses no text.
    Lossless,
    /// Something that may lose text, done only when asked for.
    Unsafe,
}
