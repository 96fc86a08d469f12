//! `[lint]`: what lint may do.

use gristmill_core::Severity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Task;

/// From which severity on a finding fails the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// No finding does.
    Never,
    /// Every finding does.
    Info,
    /// Low and above.
    Low,
    /// Medium and above.
    Medium,
    /// High only.
    High,
}

impl FailOn {
    /// True when a finding of this severity fails the run.
    pub fn fails(self, severity: Severity) -> bool {
        let from = match self {
            Self::Never => return false,
            Self::Info => Severity::Info,
            Self::Low => Severity::Low,
            Self::Medium => Severity::Medium,
            Self::High => Severity::High,
        };
        severity >= from
    }
}

/// What lint may do. Inside `curate` and `ingest` it only reports, unless this says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LintOptions {
    /// Findings of this severity and above fail the run, and `ingest` writes nothing. Default: `"high"` for `scan`, else
    /// `"never"`.
    pub fail_on: Option<FailOn>,
    /// Repair what can be repaired without loss. Default: `false`.
    pub fix: Option<bool>,
    /// The rules to check: names, or `all`. Default: `["all"]`.
    pub select: Option<Vec<String>>,
    /// Rules to check besides those of `select`. Default: `[]`.
    pub extend_select: Option<Vec<String>>,
    /// Rules not to check, whatever else says so. Default: `[]`.
    pub ignore: Option<Vec<String>>,
    /// Chunks with more characters are too large, and no repair makes one. Default: `4000`.
    pub max_chars: Option<usize>,
    /// Chunks with fewer characters of prose are too small. Default: `20`.
    pub min_chars: Option<usize>,
    /// The model that is to embed the chunks, such as `text-embedding-3-small`: its limit is `max_tokens`, counted by its
    /// tokenizer. Default: none.
    pub model: Option<String>,
    /// Chunks with more tokens are too large for the model that is to embed them. Default: that of `model`, else no limit.
    pub max_tokens: Option<usize>,
    /// Counts the tokens for `max_tokens`: a name or the path of a `tokenizer.json`. Default: that of `model`, else that of
    /// `[chunk]`.
    pub tokenizer: Option<String>,
}

/// What lint may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LintSettings {
    /// From which severity on a finding fails the run.
    pub fail_on: FailOn,
    /// Repair what can be repaired without loss.
    pub fix: bool,
    /// The rules to check.
    pub select: Vec<String>,
    /// Rules to check besides.
    pub extend_select: Vec<String>,
    /// Rules not to check.
    pub ignore: Vec<String>,
    /// Chunks with more characters are too large.
    pub max_chars: usize,
    /// Chunks with fewer characters of prose are too small.
    pub min_chars: usize,
    /// The model that is to embed the chunks.
    pub model: Option<String>,
    /// Chunks with more tokens are too large for the model.
    pub max_tokens: Option<usize>,
    /// Counts the tokens.
    pub tokenizer: Option<String>,
}

impl LintSettings {
    pub(super) fn resolve(options: &LintOptions, task: Task) -> Self {
        let options = options.clone();
        let usual = if task == Task::Scan { FailOn::High } else { FailOn::Never };
        Self {
            fail_on: options.fail_on.unwrap_or(usual),
            fix: options.fix.unwrap_or(false),
            select: options.select.unwrap_or_else(|| vec![ALL.to_owned()]),
            extend_select: options.extend_select.unwrap_or_default(),
            ignore: options.ignore.unwrap_or_default(),
            max_chars: options.max_chars.unwrap_or(4_000),
            min_chars: options.min_chars.unwrap_or(20),
            model: options.model,
            max_tokens: options.max_tokens,
            tokenizer: options.tokenizer,
        }
    }
}

/// Stands for every rule.
pub const ALL: &str = "all";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_fail_from_the_named_one_on() {
        let all = [Severity::Info, Severity::Low, Severity::Medium, Severity::High];
        let failing = |on: FailOn| all.iter().filter(|s| on.fails(**s)).count();
        assert_eq!(
            [FailOn::Never, FailOn::High, FailOn::Medium, FailOn::Low, FailOn::Info].map(failing),
            [0, 1, 2, 3, 4]
        );
    }
}
