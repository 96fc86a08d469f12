//! The text form, for people at a terminal.

mod finding;
mod paint;
mod snippet;

use std::io::{self, Write};

use self::paint::Paint;
use super::groups::{Group, counts, groups};
use super::repairs::repairs;
use super::{FixReport, RuleInfo, ScanReport, Shown, visible, words};
use crate::report::page::number;

/// Findings of one rule that are shown unless all are asked for.
const LISTED: usize = 10;

/// What was found.
pub(super) fn scan(report: &ScanReport, rules: &[RuleInfo], shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let paint = Paint { colour: shown.colour };
    if report.summary.total() == 0 {
        return writeln!(out, "{}: {}", words::scanned(report), words::total(report));
    }
    writeln!(out, "{}\n", words::scanned(report))?;
    if shown.statistics {
        statistics(report, rules, paint, out)?;
    } else {
        listing(report, shown, paint, out)?;
    }
    writeln!(out, "{}", paint.bold(&words::total(report)))?;
    match &shown.command {
        Some(command) if report.summary.fixable > 0 => {
            writeln!(out, "run `{}` to repair, or add `--dry-run --diff` to preview", visible(command))
        }
        _ => Ok(()),
    }
}

/// What was done, and what is left.
pub(super) fn fix(report: &FixReport, rules: &[RuleInfo], shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let paint = Paint { colour: shown.colour };
    writeln!(out, "{}", paint.bold(&words::repaired(report)))?;
    if !report.changes.is_empty() {
        table(&counts(&report.changes, &report.fixed, rules), paint, out)?;
    }
    if shown.diff {
        repairs(&report.fixed).iter().try_for_each(|repairs| {
            writeln!(out)?;
            finding::repaired(repairs, paint, out)
        })?;
    }
    writeln!(out)?;
    for note in &report.notes {
        writeln!(out, "note: {}", visible(note))?;
    }
    left(report, rules, shown, paint, out)?;
    if let Some(written) = words::written(report) {
        writeln!(out, "{}", visible(&written))?;
    }
    match &shown.command {
        Some(command) if report.dry_run && report.repairs() > 0 => {
            writeln!(out, "run `{}` to write the repaired chunks", visible(command))
        }
        _ => Ok(()),
    }
}

/// What is left after a repair: every finding when asked for, else the counts by rule.
fn left(report: &FixReport, rules: &[RuleInfo], shown: &Shown, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let left = &report.left;
    writeln!(out, "{}", words::left(left))?;
    match (left.summary.total(), shown.verbose && !shown.statistics) {
        (0, _) => Ok(()),
        (_, true) => {
            writeln!(out)?;
            listing(left, shown, paint, out)
        }
        (_, false) => statistics(left, rules, paint, out),
    }
}

/// Findings by rule.
fn listing(report: &ScanReport, shown: &Shown, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    // Of several files it has to be told which one a chunk is in.
    let several = report.findings.iter().any(|finding| finding.place.file != report.input);
    groups(&report.findings).iter().try_for_each(|found| {
        group(found, several || shown.verbose, shown, paint, out)?;
        writeln!(out)
    })
}

fn group(group: &Group<'_>, places: bool, shown: &Shown, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}  {}", paint.bold(&visible(group.rule)), visible(group.title))?;
    let listed = if shown.verbose { group.findings.len() } else { LISTED };
    for finding in group.findings.iter().take(listed) {
        finding::write(finding, places, shown, paint, out)?;
    }
    let more = group.findings.len().saturating_sub(listed);
    if more > 0 {
        let more = format!("  … and {} more, shown with `--verbose`", number(more as u64));
        writeln!(out, "{}", paint.dim(&more))?;
    }
    Ok(())
}

fn statistics(report: &ScanReport, rules: &[RuleInfo], paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    table(&counts(&report.summary.by_rule, &report.findings, rules), paint, out)?;
    writeln!(out)
}

/// Counts, names and titles in columns.
fn table(rows: &[(u64, &str, &str)], paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let digits = rows.iter().map(|(n, ..)| number(*n).len()).max().unwrap_or(0);
    let letters = rows.iter().map(|(_, name, _)| name.chars().count()).max().unwrap_or(0);
    for (n, name, title) in rows {
        let name = format!("{:letters$}", visible(name));
        writeln!(out, "  {:>digits$}  {}  {}", number(*n), paint.bold(&name), visible(title))?;
    }
    Ok(())
}
