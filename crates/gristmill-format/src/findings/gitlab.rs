//! The code quality report of GitLab: a list of issues with the fields its documentation requires.

use std::collections::HashMap;
use std::io::{self, Write};

use gristmill_core::{Fingerprint, Severity};
use serde_json::{Value, json};

use super::{Finding, ScanReport};

/// One issue a line, in a list.
pub(super) fn write(report: &ScanReport, out: &mut dyn Write) -> io::Result<()> {
    let mut seen: HashMap<&str, u64> = HashMap::new();
    out.write_all(b"[")?;
    for (i, finding) in report.findings.iter().enumerate() {
        let times = seen.entry(&finding.fingerprint).or_insert(0);
        *times += 1;
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &issue(finding, *times))?;
    }
    out.write_all(if report.findings.is_empty() { b"]\n" } else { b"\n]\n" })
}

fn issue(finding: &Finding, times: u64) -> Value {
    let severity = match finding.severity {
        Severity::High => "critical",
        Severity::Medium => "major",
        Severity::Low => "minor",
        Severity::Info => "info",
    };
    // Of issues with one fingerprint GitLab shows only the first.
    let fingerprint = match times {
        1 => finding.fingerprint.clone(),
        _ => Fingerprint::of(format!("{}\u{1f}{times}", finding.fingerprint).as_bytes()).to_string(),
    };
    let path = finding.place.name().trim_start_matches("./");
    let mut lines = json!({ "begin": finding.place.line().unwrap_or(1) });
    if let Some(place) = &finding.place.source {
        lines["end"] = place.line_end.into();
    }
    json!({
        "description": format!("{}: {}", finding.chunk(), finding.message),
        "check_name": finding.rule,
        "fingerprint": fingerprint,
        "severity": severity,
        "location": { "path": path, "lines": lines },
    })
}
