//! JUnit XML: a suite a rule, a test case a finding.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};

use gristmill_core::Severity;

use super::groups::{Group, groups};
use super::visible::picture;
use super::{Finding, RuleInfo, ScanReport, words};

/// All suites. A rule that found nothing has one case, which passed; what is worth no more than knowing passes too.
pub(super) fn write(report: &ScanReport, rules: &[RuleInfo], out: &mut dyn Write) -> io::Result<()> {
    let groups = groups(&report.findings);
    let failed: HashSet<_> = groups.iter().map(|group| group.rule).collect();
    let passed: Vec<_> = rules.iter().filter(|rule| !failed.contains(rule.name)).collect();
    let failures: usize = groups.iter().map(failures).sum();
    let tests = report.findings.len() + passed.len();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"gristmill scan\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">")?;
    for group in &groups {
        suite(group, out)?;
    }
    for rule in passed {
        let (name, title) = (escaped(rule.name), escaped(rule.title));
        writeln!(out, "  <testsuite name=\"{name}\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">")?;
        writeln!(out, "    <testcase classname=\"{name}\" name=\"{title}: none\"/>\n  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn failures(group: &Group<'_>) -> usize {
    group.findings.iter().filter(|finding| fails(finding)).count()
}

fn fails(finding: &Finding) -> bool {
    finding.severity > Severity::Info
}

fn suite(group: &Group<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (name, tests, failures) = (escaped(group.rule), group.findings.len(), failures(group));
    writeln!(
        out,
        "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">"
    )?;
    group.findings.iter().try_for_each(|finding| case(finding, out))?;
    writeln!(out, "  </testsuite>")
}

fn case(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let (rule, file) = (escaped(&finding.rule), escaped(finding.place.name()));
    let name = escaped(&format!("{} ({})", finding.chunk(), finding.place.written()));
    write!(out, "    <testcase classname=\"{rule}\" name=\"{name}\" file=\"{file}\"")?;
    if let Some(line) = finding.place.line() {
        write!(out, " line=\"{line}\"")?;
    }
    let (message, severity, text) = (escaped(&finding.message), finding.severity.name(), escaped(&text(finding)));
    let element = if fails(finding) {
        format!("<failure message=\"{message}\" type=\"{severity}\">{text}</failure>")
    } else {
        format!("<system-out>{text}</system-out>")
    };
    writeln!(out, ">\n      {element}\n    </testcase>")
}

/// The finding in full.
fn text(finding: &Finding) -> String {
    let mut lines = vec![format!("{}: {}", finding.title, finding.message), finding.place.written()];
    lines.extend(finding.snippet.iter().map(|snippet| snippet.text.clone()));
    lines.extend(words::advice(finding));
    lines.join("\n")
}

/// Text for an attribute or an element. What XML 1.0 cannot hold becomes its picture or number.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in legal(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", u32::from(c))),
            _ => out.push(c),
        }
    }
    out
}

/// The text with a picture or number in place of each character that XML cannot hold.
fn legal(text: &str) -> Cow<'_, str> {
    let is_illegal = |c| matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    if !text.contains(is_illegal) {
        return text.into();
    }
    let piece = |c| picture(c).filter(|_| is_illegal(c)).unwrap_or_else(|| String::from(c));
    text.chars().map(piece).collect()
}
