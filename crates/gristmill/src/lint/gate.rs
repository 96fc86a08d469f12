//! The gate of `curate` and `ingest`.

use gristmill_core::Severity;
use gristmill_format::report::{DocumentReport, RunReport};

use crate::config::FailOn;

/// The first finding that is at least as bad as the gate allows, with its place, for people.
pub fn tripped(report: &RunReport, fail_on: FailOn) -> Option<String> {
    let severity = |name: &str| {
        let all = [Severity::High, Severity::Medium, Severity::Low, Severity::Info];
        all.into_iter().find(|severity| severity.name() == name).unwrap_or(Severity::High)
    };
    let place = |source: &str, line: Option<u64>| line.map_or(source.to_owned(), |line| format!("{source}:{line}"));
    let finding = report.findings.iter().find(|finding| fail_on.fails(severity(&finding.severity)));
    let finding = finding.map(|f| format!("`{}` at {}: {}", f.rule, place(&f.source, f.line), f.message));
    let warning = || {
        let warned = |document: &DocumentReport| {
            let found = document.warnings.iter().find(|warning| fail_on.fails(severity(&warning.severity)))?;
            Some(format!("`{}` at {}: {}", found.code, place(&document.source, found.line), found.message))
        };
        report.documents.iter().find_map(warned)
    };
    finding.or_else(warning)
}

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
