//! What is told of a run when it is over, and how it is judged.

use std::collections::BTreeMap;
use std::process::ExitCode;

use gristmill::config::{FailOn, Settings};
use gristmill::report::{DocumentReport, RunReport};
use gristmill::{Error, Inputs, Result, Severity};

use crate::args::Global;
use crate::inputs::nothing_to_read;
use crate::{exit, say};

/// Lines of one kind that are shown unless more is asked for.
const SHOWN: usize = 20;

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
    some(failures, most, say::failed, "failed");
    if global.quiet {
        return;
    }
    some(warnings(report).into_iter(), most, say::warning, "warnings");
    if global.verbose {
        let skipped =
            report.skipped.iter().map(|skipped| format!("passed over {}: {}", skipped.source, skipped.reason));
        some(skipped, most, say::note, "passed over");
    } else if report.totals.skipped > 0 {
        let (n, s) = (report.totals.skipped, if report.totals.skipped == 1 { "" } else { "s" });
        say::note(&format!("{n} file{s} passed over, of no kind that is read (-v lists them)"));
    }
}

/// Tells the first lines, and how many more there are.
fn some(mut lines: impl Iterator<Item = String>, most: usize, say: fn(&str), what: &str) {
    lines.by_ref().take(most).for_each(|line| say(&line));
    let more = lines.count();
    if more > 0 {
        say::line(&format!("… and {more} more {what} (see --run-report, or -v)"));
    }
}

/// Warnings of one kind about one document, on one line.
struct Group<'r> {
    message: &'r str,
    line: Option<u64>,
    count: u64,
}

/// One line for each kind of problem in each document, in the order of the documents.
fn warnings(report: &RunReport) -> Vec<String> {
    let mut findings: BTreeMap<&str, BTreeMap<&str, Group<'_>>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| finding.severity != "info") {
        let of_document = findings.entry(&finding.source).or_default();
        add(of_document, &finding.rule, &finding.message, finding.line);
    }
    let mut lines = Vec::new();
    for document in &report.documents {
        let mut groups = findings.remove(document.source.as_str()).unwrap_or_default();
        for warning in document.warnings.iter().filter(|warning| warning.severity != "info") {
            add(&mut groups, &warning.code, &warning.message, warning.line);
        }
        lines.extend(groups.iter().map(|(code, group)| group.shown(&document.source, code)));
        if document.warnings_omitted > 0 {
            lines.push(format!("{}: {} more warnings", document.source, document.warnings_omitted));
        }
    }
    for (source, groups) in &findings {
        lines.extend(groups.iter().map(|(code, group)| group.shown(source, code)));
    }
    lines
}

fn add<'r>(groups: &mut BTreeMap<&'r str, Group<'r>>, code: &'r str, message: &'r str, line: Option<u64>) {
    groups.entry(code).and_modify(|group| group.count += 1).or_insert(Group { message, line, count: 1 });
}

impl Group<'_> {
    fn shown(&self, source: &str, code: &str) -> String {
        let Self { message, line, count } = self;
        match (count, line) {
            (1, Some(line)) => format!("{source}:{line}: {message} [{code}]"),
            (1, None) => format!("{source}: {message} [{code}]"),
            (n, Some(line)) => format!("{source}:{line}: {message}, and {} more like it [{code}]", n - 1),
            (n, None) => format!("{source}: {message}, {n} times [{code}]"),
        }
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
        (0, _) => Err(nothing_to_read(settings, inputs, totals.skipped)),
        (1, 1) => Ok(ExitCode::from(exit::PARTIAL)),
        (all, failed) if all == failed => Err(Error::input(format!("none of {all} documents could be read"))),
        (_, 0) if trips(report, fail_on) => Ok(ExitCode::from(exit::GATE)),
        (_, 0) => Ok(ExitCode::SUCCESS),
        _ => Ok(ExitCode::from(exit::PARTIAL)),
    }
}

fn is_bug(report: &RunReport) -> bool {
    report.documents.iter().any(|document| document.error.as_ref().is_some_and(|error| error.code == "bug"))
}

/// True when something is at least as bad as the gate allows. A document for a person to look at counts as medium.
fn trips(report: &RunReport, fail_on: FailOn) -> bool {
    let severity = |name: &str| {
        let all = [Severity::High, Severity::Medium, Severity::Low, Severity::Info];
        all.into_iter().find(|severity| severity.name() == name).unwrap_or(Severity::High)
    };
    let document = |document: &DocumentReport| {
        let warned = document.warnings.iter().any(|warning| fail_on.fails(severity(&warning.severity)));
        warned || (document.needs_review && fail_on.fails(Severity::Medium))
    };
    report.documents.iter().any(document)
        || report.findings.iter().any(|finding| fail_on.fails(severity(&finding.severity)))
}
