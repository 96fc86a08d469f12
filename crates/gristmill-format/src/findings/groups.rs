//! Findings by rule.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use gristmill_core::Severity;

use super::{Finding, RuleInfo};

/// The findings of one rule, in the order of the report.
pub(super) struct Group<'a> {
    pub(super) rule: &'a str,
    pub(super) title: &'a str,
    /// The highest of its findings.
    pub(super) severity: Severity,
    pub(super) findings: Vec<&'a Finding>,
}

/// All findings by rule: the most severe rules first, then by name.
pub(super) fn groups(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut rules: BTreeMap<&str, Group<'_>> = BTreeMap::new();
    for finding in findings {
        let Finding { rule, title, severity, .. } = finding;
        let new = || Group { rule, title, severity: *severity, findings: Vec::new() };
        let group = rules.entry(rule).or_insert_with(new);
        group.severity = group.severity.max(*severity);
        group.findings.push(finding);
    }
    let mut groups: Vec<_> = rules.into_values().collect();
    groups.sort_by_key(|group| Reverse(group.severity));
    groups
}

/// Counts by rule with the rules' titles, the most frequent first, then by name.
pub(super) fn counts<'a>(
    by_rule: &'a BTreeMap<std::borrow::Cow<'static, str>, u64>,
    findings: &'a [Finding],
    rules: &'a [RuleInfo],
) -> Vec<(u64, &'a str, &'a str)> {
    let mut titles: HashMap<&str, &str> = findings.iter().map(|finding| (&*finding.rule, &*finding.title)).collect();
    titles.extend(rules.iter().map(|rule| (rule.name, rule.title)));
    let titled = by_rule.iter().map(|(rule, n)| (*n, &**rule, titles.get(&**rule).copied().unwrap_or_default()));
    let mut counts: Vec<_> = titled.collect();
    counts.sort_by_key(|(n, ..)| Reverse(*n));
    counts
}
