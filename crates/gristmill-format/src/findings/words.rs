//! Sentences that several formats share.

use super::{Finding, FixReport, ScanReport};
use crate::report::page::{count, number};

/// What was scanned: `12 chunks of 3 sources scanned`.
pub(super) fn scanned(report: &ScanReport) -> String {
    let sources = if report.sources > 1 { format!(" of {} sources", number(report.sources)) } else { String::new() };
    format!("{}{sources} scanned", count(report.chunks, "chunk"))
}

/// What was found: `2 findings: 1 high, 1 low · 1 fixable`.
pub(super) fn total(report: &ScanReport) -> String {
    counted(report, "")
}

/// What is found after a repair: `2 findings left: 1 high, 1 low`.
pub(super) fn left(report: &ScanReport) -> String {
    counted(report, " left")
}

fn counted(report: &ScanReport, left: &str) -> String {
    let summary = &report.summary;
    let found = summary.total();
    let mut out = if found == 0 { "no findings".to_owned() } else { count(found, "finding") };
    out.push_str(left);
    let counts = summary.by_severity.pairs().into_iter().filter(|(_, n)| *n > 0);
    let counts: Vec<_> = counts.map(|(severity, n)| format!("{} {}", number(n), severity.name())).collect();
    if !counts.is_empty() {
        out.push_str(&format!(": {}", counts.join(", ")));
    }
    for (n, what) in
        [(summary.fixable, "fixable"), (summary.baseline, "in the baseline"), (summary.hidden, "not listed")]
    {
        if n > 0 {
            out.push_str(&format!(" · {} {what}", number(n)));
        }
    }
    out
}

/// What a repair did: `3 repairs: 12 chunks became 10 (1 merged, 1 removed)`.
pub(super) fn repaired(report: &FixReport) -> String {
    let (before, after) = (report.chunks_before, report.chunks_after);
    let repairs = count(report.repairs(), "repair");
    if report.repairs() == 0 {
        return format!("nothing to repair in {}", count(before, "chunk"));
    }
    let ways = [(report.merged, "merged"), (report.removed, "removed"), (report.split, "split")];
    let ways: Vec<_> =
        ways.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", number(n))).collect();
    let verb = if report.dry_run { "would become" } else { "became" };
    let ways = if ways.is_empty() { String::new() } else { format!(" ({})", ways.join(", ")) };
    format!("{repairs}: {} {verb} {}{ways}", count(before, "chunk"), number(after))
}

/// Where the repaired chunks are; nothing when there was nothing to write.
pub(super) fn written(report: &FixReport) -> Option<String> {
    match &report.output {
        Some(output) => Some(format!("written to `{output}`")),
        None if report.dry_run => Some("dry run: nothing was written".to_owned()),
        None => None,
    }
}

/// What can be done about a finding, a sentence each.
pub(super) fn advice(finding: &Finding) -> Vec<String> {
    let repair = match (&finding.repair, finding.fixable) {
        (Some(repair), true) => Some(format!("fixable: {repair}")),
        (Some(repair), false) => Some(format!("repair: {repair}")),
        (None, true) => Some("fixable".to_owned()),
        (None, false) => None,
    };
    repair.into_iter().chain(finding.help.iter().map(|help| format!("help: {help}"))).collect()
}
