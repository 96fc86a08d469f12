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
}

/// What lint may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LintSettings {
    /// From which severity on a finding fails the run.
    pub fail_on: FailOn,
    /// Repair what can be repaired without loss.
    pub fix: bool,
}

impl LintSettings {
    pub(super) fn resolve(options: &LintOptions, task: Task) -> Self {
        let LintOptions { fail_on, fix } = options;
        let usual = if task == Task::Scan { FailOn::High } else { FailOn::Never };
        Self { fail_on: fail_on.unwrap_or(usual), fix: fix.unwrap_or(false) }
    }
}

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
