//! The reports themselves, as JSON.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::json;

use super::{Finding, FixReport, ScanReport};

/// One JSON object.
pub(super) fn whole(report: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, report)?;
    out.write_all(b"\n")
}

/// One finding a line, then everything but the findings.
pub(super) fn lines(report: &ScanReport, out: &mut dyn Write) -> io::Result<()> {
    findings(&report.findings, out)?;
    let ScanReport { version, gristmill, input, chunks, sources, summary, .. } = report;
    let counts = json!({
        "version": version, "gristmill": gristmill, "input": input, "chunks": chunks, "sources": sources,
        "summary": summary,
    });
    line(&counts, out)
}

/// One finding that is left a line, then what was done.
pub(super) fn fix_lines(report: &FixReport, out: &mut dyn Write) -> io::Result<()> {
    findings(&report.left.findings, out)?;
    let FixReport { version, gristmill, input, dry_run, chunks_before, chunks_after, removed, merged, split, .. } =
        report;
    let counts = json!({
        "version": version, "gristmill": gristmill, "input": input, "output": report.output, "dry_run": dry_run,
        "chunks_before": chunks_before, "chunks_after": chunks_after, "removed": removed, "merged": merged, "split": split,
        "changes": report.changes, "notes": report.notes, "summary": report.left.summary,
    });
    line(&counts, out)
}

fn findings(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    findings.iter().try_for_each(|finding| line(finding, out))
}

fn line(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
