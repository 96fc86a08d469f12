//! The few words that end a run on the terminal.

use super::RunReport;

/// One line: documents, chunks and their mean size, with what failed or wants a look.
pub fn short(report: &RunReport) -> String {
    let totals = &report.totals;
    let mut line = format!("{} → {}", count(totals.documents, "document"), count(totals.chunks, "chunk"));
    if let Some(mean) = totals.size.mean {
        line.push_str(&format!(", mean size {mean:.1} {}", totals.size.measure()));
    }
    if totals.failed > 0 {
        line.push_str(&format!("; {} failed", totals.failed));
    }
    if totals.needs_review > 0 {
        line.push_str(&format!("; {} for review", totals.needs_review));
    }
    line
}

/// A number with its noun, in the plural where it has one.
pub(super) fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
