//! What is told of a run when it is over, and how it is judged.

use std::collections::BTreeMap;
use std::process::ExitCode;

use gristmill::config::{FailOn, Settings};
use gristmill::report::{DocumentReport, RunReport};
use gristmill::{Error, Inputs, Result, tripped, trips};

use crate::args::Global;
use crate::inputs::nothing_to_read;
use crate::words::{counted, number};
use crate::{exit, say};

/// Lines of one kind that are shown unless more is asked for.
const SHOWN: usize = 20;

/// The finding about a folder or file that could not be looked at: what is in it was not read.
pub const UNSEEN: &str = "unreadable";

/// Tells which documents failed, what wants a look and what was passed over.
pub fn tell(global: &Global, report: &RunReport) {
    let most = if global.verbose { usize::MAX } else { SHOWN };
    let failures = report.documents.iter().filter_map(|document| {
        let message = &document.error.as_ref()?.message;
        Some(if message.contains(&document.source) {
            message.clone()
        } else {
            format!("{}: {message}", document.source)
        })
    });
    let unseen = report.findings.iter().filter(|finding| finding.rule == UNSEEN);
    let unseen = unseen.map(|finding| format!("{}: {}", finding.source, finding.message));
    some(failures.chain(unseen), most, say::failed, "failed");
    if global.quiet {
        return;
    }
    some(warnings(report).into_iter(), most, say::warning, "warnings");
    if global.verbose {
        let skipped =
            report.skipped.iter().map(|skipped| format!("passed over {}: {}", skipped.source, skipped.reason));
        some(skipped, most, say::note, "passed over");
    } else if report.totals.skipped > 0 && report.totals.documents > 0 {
        let files = counted(report.totals.skipped, "file");
        say::note(&format!("{files} passed over, of no kind that is read (-v lists them)"));
    }
}

/// Tells the first lines, and how many more there are.
fn some(mut lines: impl Iterator<Item = String>, most: usize, say: fn(&str), what: &str) {
    lines.by_ref().take(most).for_each(|line| say(&line));
    let more = lines.count();
    if more > 0 {
        say::line(&format!("… and {} more {what} (-v lists all)", number(more as u64)));
    }
}

/// Problems of one kind in one document, on one line.
#[derive(Clone, Copy)]
struct Group<'r> {
    message: &'r str,
    line: Option<u64>,
    count: u64,
}

/// Groups by the name of the problem.
type Groups<'r> = BTreeMap<&'r str, Group<'r>>;

/// One line for each kind of problem in each document, in the order of the documents.
fn warnings(report: &RunReport) -> Vec<String> {
    let mut findings: BTreeMap<&str, Groups<'_>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| finding.severity != "info" && finding.rule != UNSEEN) {
        add(findings.entry(&finding.source).or_default(), &finding.rule, &finding.message, finding.line);
    }
    let mut lines = Vec::new();
    for document in &report.documents {
        let mut groups = findings.remove(document.source.as_str()).unwrap_or_default();
        for (code, group) in of_document(document) {
            // What the pipeline finds in chunks may be what the chunker warned of.
            let known = groups.entry(code).or_insert(group);
            known.count = known.count.max(group.count);
        }
        lines.extend(groups.iter().map(|(code, group)| group.shown(&document.source, code)));
    }
    let others =
        findings.iter().flat_map(|(source, groups)| groups.iter().map(|(code, group)| group.shown(source, code)));
    lines.extend(others);
    lines
}

/// The warnings of a document. Those that its report does not list are of the kind that it lists most.
fn of_document(document: &DocumentReport) -> Groups<'_> {
    let mut groups = Groups::new();
    for warning in document.warnings.iter().filter(|warning| warning.severity != "info") {
        add(&mut groups, &warning.code, &warning.message, warning.line);
    }
    if let Some(group) = groups.values_mut().max_by_key(|group| group.count) {
        group.count += document.warnings_omitted;
    }
    groups
}

fn add<'r>(groups: &mut Groups<'r>, code: &'r str, message: &'r str, line: Option<u64>) {
    groups.entry(code).and_modify(|group| group.count += 1).or_insert(Group { message, line, count: 1 });
}

impl Group<'_> {
    fn shown(&self, source: &str, code: &str) -> String {
        let Self { message, line, count } = self;
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        let more = if *count > 1 { format!(", and {} more like it", number(count - 1)) } else { String::new() };
        format!("{source}{line}: {message}{more} [{code}]")
    }
}

/// True when nothing was read, so that there is nothing to deliver.
pub fn is_empty(report: &RunReport) -> bool {
    report.totals.documents == report.totals.failed
}

/// The exit code of a run.
///
/// # Errors
/// When there was no document, or none of several could be read.
pub fn judge(settings: &Settings, inputs: &Inputs, report: &RunReport, fail_on: FailOn) -> Result<ExitCode> {
    let totals = &report.totals;
    if is_bug(report) {
        exit::bug();
        return Ok(ExitCode::from(exit::BUG));
    }
    match (totals.documents, totals.failed) {
        (0, _) => Err(nothing_to_read(settings, inputs, report)),
        (1, 1) => Ok(ExitCode::from(exit::PARTIAL)),
        (all, failed) if all == failed => Err(Error::input(format!("none of {all} documents could be read"))),
        (_, 0) if totals.findings.contains_key(UNSEEN) => Ok(ExitCode::from(exit::PARTIAL)),
        (_, 0) if trips(report, fail_on) => {
            if let Some(found) = tripped(report, fail_on) {
                say::note(&format!("exit 1: {found}"));
            }
            Ok(ExitCode::from(exit::GATE))
        }
        (_, 0) => Ok(ExitCode::SUCCESS),
        _ => Ok(ExitCode::from(exit::PARTIAL)),
    }
}

fn is_bug(report: &RunReport) -> bool {
    report.documents.iter().any(|document| document.error.as_ref().is_some_and(|error| error.code == "bug"))
}

#[cfg(test)]
mod tests {
    use gristmill::report::{Finding, Warning};

    use super::*;

    fn warning(code: &'static str, line: u64) -> Warning {
        Warning { code: code.into(), message: format!("bad {code}"), severity: "low".into(), line: Some(line) }
    }

    fn finding(source: &str, rule: &'static str, line: u64, severity: &'static str) -> Finding {
        let (chunk_id, index, help) = (None, None, None);
        let (rule, severity, line) = (rule.into(), severity.into(), Some(line));
        Finding { rule, severity, source: source.to_owned(), chunk_id, index, line, message: "found".to_owned(), help }
    }

    #[test]
    fn problems_of_one_kind_are_one_line_a_document() {
        let document = |source: &str, warnings: Vec<Warning>, warnings_omitted| DocumentReport {
            source: source.to_owned(),
            warnings,
            warnings_omitted,
            ..DocumentReport::default()
        };
        let report = RunReport {
            documents: vec![
                document("b.md", vec![warning("x", 3), warning("x", 9), warning("y", 4)], 1000),
                document("a.md", vec![warning("cut", 7)], 0),
            ],
            findings: vec![
                finding("a.md", "cut", 7, "low"),
                finding("a.md", "cut", 8, "low"),
                finding("a.md", "short", 8, "info"),
                finding("folder", "unseen", 1, "high"),
            ],
            ..RunReport::default()
        };
        let expected = [
            "b.md:3: bad x, and 1,001 more like it [x]",
            "b.md:4: bad y [y]",
            "a.md:7: found, and 1 more like it [cut]",
            "folder:1: found [unseen]",
        ];
        assert_eq!(warnings(&report), expected);
    }

    #[test]
    fn gates_trip_from_their_severity_on() {
        let mut report = RunReport::default();
        report.findings.push(finding("a.md", "cut", 7, "low"));
        assert!(trips(&report, FailOn::Low) && trips(&report, FailOn::Info));
        assert!(!trips(&report, FailOn::Medium) && !trips(&report, FailOn::Never));
        report.documents.push(DocumentReport { needs_review: true, ..DocumentReport::default() });
        assert!(trips(&report, FailOn::Medium) && !trips(&report, FailOn::High));
    }
}
