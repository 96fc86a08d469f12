//! The gate of `curate` and `ingest`.

use gristmill_core::Severity;
use gristmill_format::report::{DocumentReport, RunReport};

use crate::config::FailOn;

/// True when something is at least as bad as the gate allows. A document for a person to look at counts as medium.
pub fn trips(report: &RunReport, fail_on: FailOn) -> bool {
    let severity = |name: &str| {
        let all = [Severity::High, Severity::Medium, Severity::Low, Severity::Info];
        all.into_iter().find(|severity| severity.name() == name).unwrap_or(Severity::High)
    };
    let document = |document: &DocumentReport| {
        let warned = document.warnings.iter().any(|warning| fail_on.fails(severity(&warning.severity)));
        warned || (document.needs_review && fail_on.fails(Severity::Medium))
    };
    report.documents.iter().any(document)
        || report.findings.iter().any(|finding| fail_on.fails(severity(&finding.severity)))
}
