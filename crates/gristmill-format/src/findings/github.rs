//! Workflow commands of GitHub Actions: one annotation a finding.
//!
//! GitHub shows ten annotations of each level a step; the log has them all.

use std::io::{self, Write};

use gristmill_core::Severity;

use super::{Finding, ScanReport, visible};

/// One line a finding; nothing without findings.
pub(super) fn write(report: &ScanReport, out: &mut dyn Write) -> io::Result<()> {
    report.findings.iter().try_for_each(|finding| writeln!(out, "{}", command(finding)))
}

fn command(finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "notice",
    };
    let mut properties = vec![format!("file={}", property(finding.place.name()))];
    if let Some(line) = finding.place.line() {
        properties.push(format!("line={line}"));
    }
    if let Some(place) = &finding.place.source {
        if place.line_end > place.line_start {
            properties.push(format!("endLine={}", place.line_end));
        } else {
            // Columns are only understood within one line.
            properties.push(format!("col={},endColumn={}", place.column_start, place.column_end));
        }
    }
    properties.push(format!("title={}", property(&format!("gristmill {}: {}", finding.rule, finding.title))));
    let fixable = if finding.fixable { " (fixable)" } else { "" };
    let message = escaped(&format!("{}: {}{fixable}", visible(&finding.chunk()), visible(&finding.message)));
    format!("::{level} {}::{message}", properties.join(","))
}

/// A value before the second `::`.
fn property(text: &str) -> String {
    escaped(&visible(text)).replace(':', "%3A").replace(',', "%2C")
}

/// Text after the second `::`. Line ends are shown by [`visible`] already and escaped nevertheless.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
