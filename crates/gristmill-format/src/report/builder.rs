//! Makes the report while a run goes on.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gristmill_core::{Diagnostic, Error, ErrorKind, Severity, Unit};

use super::completeness::share;
use super::{
    Completeness, DocumentReport, Duplicates, Expansion, Failure, Finding, REPORT_SCHEMA, Removal, RemovalTotal,
    RunReport, Setting, Sizes, Skipped, Totals, Warning, round,
};
use crate::Record;

/// How many findings a rule, and how many skipped files, a report lists; all are counted.
pub const KEPT: usize = 10_000;

/// How many warnings of a document a report lists; all are counted.
pub const WARNINGS_KEPT: usize = 100;

/// How many places of one kind of removal a report lists for a document; all are counted.
pub const RANGES_KEPT: usize = 1_000;

/// Takes what a run brings forth, in the order it comes, and keeps only what the report shows.
#[derive(Debug, Default)]
pub struct ReportBuilder {
    documents: Vec<DocumentReport>,
    skipped: Vec<Skipped>,
    findings: Vec<Finding>,
    totals: Totals,
    removals: BTreeMap<Cow<'static, str>, RemovalTotal>,
    sizes: Sizes,
    completeness: Completeness,
    duplicates: u64,
}

impl ReportBuilder {
    /// Takes an accepted chunk and its size in the unit of the limits.
    pub fn chunk(&mut self, record: &Record<'_>, size: u64) {
        self.totals.chunks += 1;
        self.sizes.add(size);
        self.completeness.add(record);
    }

    /// Counts a chunk that was made and not accepted, by reason: `empty`, `oversized`, `duplicate`, …
    pub fn reject(&mut self, reason: &'static str) {
        *self.totals.rejected.entry(reason.into()).or_insert(0) += 1;
    }

    /// Counts a chunk that equals an earlier one, whether it is kept or rejected.
    pub fn duplicate(&mut self) {
        self.duplicates += 1;
    }

    /// Takes a finding.
    pub fn finding(&mut self, finding: Finding) {
        let count = self.totals.findings.entry(finding.rule.clone()).or_insert(0);
        *count += 1;
        if *count <= KEPT as u64 {
            self.findings.push(finding);
        }
    }

    /// Takes a file that was passed over.
    pub fn skip(&mut self, source: &str, reason: impl Into<Cow<'static, str>>) {
        self.totals.skipped += 1;
        if self.skipped.len() < KEPT {
            self.skipped.push(Skipped { source: source.to_owned(), reason: reason.into() });
        }
    }

    /// Takes a document after its chunks.
    pub fn document(&mut self, document: DocumentReport) {
        let totals = &mut self.totals;
        totals.documents += 1;
        totals.failed += u64::from(document.error.is_some());
        totals.needs_review += u64::from(document.needs_review);
        if let Some(inspection) = &document.inspection {
            totals.inspection.get_or_insert_default().add(inspection);
        }
        if !document.encoding.is_empty() {
            *totals.encodings.entry(document.encoding.to_string()).or_insert(0) += 1;
        }
        if let Some(language) = &document.metadata.language {
            *totals.languages.entry(language.clone()).or_insert(0) += 1;
        }
        for removal in &document.removals {
            let sum = self.removals.entry(removal.kind.clone()).or_insert_with(|| RemovalTotal {
                kind: removal.kind.clone(),
                count: 0,
                characters: 0,
            });
            sum.count += removal.count;
            sum.characters += removal.characters;
        }
        self.documents.push(document);
    }

    /// Number of chunks accepted so far.
    pub fn chunks(&self) -> u64 {
        self.totals.chunks
    }

    /// Sizes of the chunks accepted so far.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// The report. `unit` and `tokenizer` say what the sizes were counted in and by.
    pub fn finish(self, tool_version: &str, unit: Unit, tokenizer: &str, configuration: Vec<Setting>) -> RunReport {
        let mut totals = self.totals;
        let made = totals.chunks + totals.rejected.values().sum::<u64>();
        let read = totals.documents - totals.failed;
        totals.size = self.sizes.report(unit, tokenizer);
        totals.metadata_completeness = self.completeness.report();
        totals.duplicates =
            Duplicates { count: self.duplicates, rate: share(self.duplicates, made).unwrap_or_default() };
        totals.expansion = Expansion {
            documents: read,
            chunks: totals.chunks,
            chunks_per_document: ratio(totals.chunks, read),
            mean_size: totals.size.mean,
        };
        totals.removals = self.removals.into_values().collect();
        RunReport {
            schema_version: REPORT_SCHEMA,
            tool_version: tool_version.to_owned(),
            documents: self.documents,
            skipped: self.skipped,
            totals,
            findings: self.findings,
            configuration,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "shown with two decimals")]
fn ratio(chunks: u64, documents: u64) -> Option<f64> {
    (documents > 0).then(|| round(chunks as f64 / documents as f64, 2))
}

impl DocumentReport {
    /// A document that could not be read or cut.
    pub fn failed(source: &str, error: &Error) -> Self {
        Self { source: source.to_owned(), error: Some(Failure::from(error)), ..Self::default() }
    }

    /// Notes a problem that did not stop the document.
    pub fn warn(&mut self, diagnostic: &Diagnostic) {
        if self.warnings.len() < WARNINGS_KEPT {
            self.warnings.push(Warning::from(diagnostic));
        } else {
            self.warnings_omitted += 1;
        }
    }
}

impl Removal {
    /// Counts one more place: code points `start` to `end` of the decoded source, half open. Places come in order.
    pub fn add(&mut self, start: u64, end: u64) {
        self.count += 1;
        self.characters += end.saturating_sub(start);
        if self.ranges.len() < RANGES_KEPT {
            self.ranges.push([start, end]);
        } else {
            self.ranges_omitted += 1;
        }
    }
}

impl From<&Diagnostic> for Warning {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self {
            code: diagnostic.code.into(),
            message: diagnostic.message.clone(),
            severity: diagnostic.severity.name().into(),
            line: diagnostic.place.line,
        }
    }
}

impl From<&Diagnostic> for Finding {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self {
            rule: diagnostic.code.into(),
            severity: diagnostic.severity.name().into(),
            source: diagnostic.place.source.clone(),
            chunk_id: None,
            index: diagnostic.place.chunk.map(u64::from),
            line: diagnostic.place.line,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
        }
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let code = match error.kind() {
            ErrorKind::Usage => "usage",
            ErrorKind::Config => "config",
            ErrorKind::Input => "unreadable",
            ErrorKind::Remote => "remote",
            ErrorKind::Store => "store",
            ErrorKind::Guard => "guard",
            ErrorKind::Cancelled => "cancelled",
            ErrorKind::ClosedPipe => "closed-pipe",
            ErrorKind::Bug => "bug",
        };
        Self { code: code.into(), message: error.chain() }
    }
}

impl Finding {
    /// The rank of its severity, by which the worst comes first.
    pub(super) fn rank(&self) -> usize {
        let severities = [Severity::High, Severity::Medium, Severity::Low, Severity::Info];
        severities.iter().position(|s| s.name() == self.severity).unwrap_or(severities.len())
    }
}
