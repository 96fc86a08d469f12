//! The few words that end a run on the terminal.

use super::RunReport;

/// One line: documents, chunks and their mean size, with what failed or wants a look.
pub fn short(report: &RunReport) -> String {
    let totals = &report.totals;
    let counted = |n: u64, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let mut line = format!("{} → {}", counted(totals.documents, "document"), counted(totals.chunks, "chunk"));
    if let Some(mean) = totals.size.mean {
        line.push_str(&format!(", mean size {mean:.1} {}", totals.size.measure()));
    }
    if totals.failed > 0 {
        line.push_str(&format!("; {} failed", totals.failed));
    }
    if totals.needs_review > 0 {
        line.push_str(&format!("; {} to look at", totals.needs_review));
    }
    line
}
