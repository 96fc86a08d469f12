//! What was found, by rule, each with its place: findings, and the warnings of documents.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use super::page::{Page, Place, code, count, number, prose};
use crate::report::{DocumentReport, Finding, RunReport, Warning};

/// Findings of one rule that are listed.
const LISTED: usize = 100;

/// The findings of a run and the warnings of its documents; what is both counts once.
pub(super) struct Found<'a> {
    kept: Vec<Cow<'a, Finding>>,
    /// All of them by rule, those that the report does not keep included.
    totals: BTreeMap<&'a str, u64>,
    /// Warnings of which the report keeps no more than their number.
    unknown: u64,
}

impl<'a> Found<'a> {
    pub(super) fn of(report: &'a RunReport) -> Self {
        let faults: HashSet<_> = report.findings.iter().map(|f| (&*f.rule, &*f.source, f.line)).collect();
        let documents: HashSet<_> = faults.iter().map(|(rule, source, _)| (*rule, *source)).collect();
        let is_finding = |source: &str, warning: &Warning| match warning.line {
            Some(_) => faults.contains(&(&*warning.code, source, warning.line)),
            // A warning that knows no line is about the document, of which the findings then tell the places.
            None => documents.contains(&(&*warning.code, source)),
        };
        let mut totals: BTreeMap<&str, u64> = report.totals.findings.iter().map(|(rule, n)| (&**rule, *n)).collect();
        let mut kept: Vec<_> = report.findings.iter().map(Cow::Borrowed).collect();
        for document in &report.documents {
            for warning in document.warnings.iter().filter(|warning| !is_finding(&document.source, warning)) {
                *totals.entry(&warning.code).or_insert(0) += 1;
                kept.push(Cow::Owned(as_finding(document, warning)));
            }
        }
        Self { kept, totals, unknown: report.documents.iter().map(|document| document.warnings_omitted).sum() }
    }

    /// Their number.
    pub(super) fn count(&self) -> u64 {
        self.totals.values().sum()
    }
}

fn as_finding(document: &DocumentReport, warning: &Warning) -> Finding {
    Finding {
        rule: warning.code.clone(),
        severity: warning.severity.clone(),
        source: document.source.clone(),
        chunk_id: None,
        index: None,
        line: warning.line,
        message: warning.message.clone(),
        help: None,
    }
}

/// All that was found: rules with the most severe first.
pub(super) fn section(page: &mut Page, found: &Found<'_>) {
    page.heading(2, "Findings");
    if found.kept.is_empty() && found.unknown == 0 {
        page.block("None. The checks of structure passed; that is not yet proof of good retrieval.");
        return;
    }
    let mut rules: BTreeMap<(usize, &str), Vec<&Finding>> = BTreeMap::new();
    for finding in &found.kept {
        rules.entry((finding.rank(), &finding.rule)).or_default().push(finding);
    }
    // A rule of several severities stands in several groups, so its count of all findings cannot stand for one of them.
    let mut groups: BTreeMap<&str, u64> = BTreeMap::new();
    rules.keys().for_each(|(_, rule)| *groups.entry(rule).or_insert(0) += 1);
    for ((_, rule), findings) in rules {
        let kept = findings.len() as u64;
        let all = found.totals.get(rule).copied().unwrap_or(kept);
        let total = if groups.get(rule) == Some(&1) { all.max(kept) } else { kept };
        group(page, rule, &findings, total);
    }
    if found.unknown > 0 {
        let warnings = count(found.unknown, "more warning");
        page.block(&format!("{warnings} of documents with very many of them: counted, not kept."));
    }
}

fn group(page: &mut Page, rule: &str, findings: &[&Finding], total: u64) {
    let Some(first) = findings.first() else { return };
    let rule = code(rule, Place::Line);
    page.heading(3, &format!("{rule}: {} ({})", number(total), prose(&first.severity, Place::Line)));
    if let Some(help) = &first.help
        && findings.iter().all(|finding| finding.help.as_ref() == Some(help))
    {
        page.block(&format!("What to do: {}.", prose(help.trim_end_matches('.'), Place::Line)));
    }
    let shown = findings.iter().take(LISTED);
    let lines = shown.map(|f| format!("- {}: {}", code(&place(f), Place::Line), prose(&f.message, Place::Line)));
    page.block(&lines.collect::<Vec<_>>().join("\n"));
    let more = total.saturating_sub(findings.len().min(LISTED) as u64);
    if more > 0 {
        page.block(&format!("… and {} more: see the JSON run report.", number(more)));
    }
}

fn place(finding: &Finding) -> String {
    let mut place = finding.source.clone();
    if let Some(line) = finding.line {
        place.push_str(&format!(":{line}"));
    }
    if let Some(index) = finding.index {
        place.push_str(&format!(" (chunk {index})"));
    }
    place
}
