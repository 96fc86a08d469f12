//! The gate of `curate` and `ingest`.

use gristmill_core::Severity;
use gristmill_format::report::{DocumentReport, RunReport};

use crate::config::FailOn;

/// The first thing that is at least as bad as the gate allows, with its place, for people. A document for a person to look
/// at counts as medium.
pub fn tripped(report: &RunReport, fail_on: FailOn) -> Option<String> {
    let fails = |severity: &str| fail_on.fails(named(severity));
    let told = |code: &str, source: &str, line: Option<u64>, message: &str| {
        let place = line.map_or(source.to_owned(), |line| format!("{source}:{line}"));
        format!("`{code}` at {place}: {message}")
    };
    let finding = report.findings.iter().find(|finding| fails(&finding.severity));
    let finding = finding.map(|found| told(&found.rule, &found.source, found.line, &found.message));
    let document = |document: &DocumentReport| {
        let found = document.warnings.iter().find(|warning| fails(&warning.severity));
        let found = found.map(|found| told(&found.code, &document.source, found.line, &found.message));
        let review = document.needs_review && fail_on.fails(Severity::Medium);
        found.or_else(|| review.then(|| format!("a person should look at {}", document.source)))
    };
    finding.or_else(|| report.documents.iter().find_map(document))
}

/// True when something is at least as bad as the gate allows.
pub fn trips(report: &RunReport, fail_on: FailOn) -> bool {
    tripped(report, fail_on).is_some()
}

fn named(name: &str) -> Severity {
    let all = [Severity::High, Severity::Medium, Severity::Low, Severity::Info];
    all.into_iter().find(|severity| severity.name() == name).unwrap_or(Severity::High)
}
