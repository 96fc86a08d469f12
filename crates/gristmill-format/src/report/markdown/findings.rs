//! The findings, by rule, each with its place.

use std::collections::BTreeMap;

use super::page::{Page, Place, code, number, prose};
use crate::report::{Finding, RunReport};

/// Findings of one rule that are listed.
const LISTED: usize = 100;

/// All findings: rules with the most severe first.
pub(super) fn section(page: &mut Page, report: &RunReport) {
    page.heading(2, "Findings");
    if report.findings.is_empty() {
        page.block("None. The checks of structure passed; that is not yet proof of good retrieval.");
        return;
    }
    let mut rules: BTreeMap<(usize, &str), Vec<&Finding>> = BTreeMap::new();
    for finding in &report.findings {
        rules.entry((finding.rank(), &finding.rule)).or_default().push(finding);
    }
    // A rule of several severities stands in several groups, so its count of all findings cannot stand for one of them.
    let mut groups: BTreeMap<&str, u64> = BTreeMap::new();
    rules.keys().for_each(|(_, rule)| *groups.entry(rule).or_insert(0) += 1);
    for ((_, rule), findings) in rules {
        let kept = findings.len() as u64;
        let all = report.totals.findings.get(rule).copied().unwrap_or(kept);
        let total = if groups.get(rule) == Some(&1) { all.max(kept) } else { kept };
        group(page, rule, &findings, total);
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
