//! The report of a scan.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gristmill_core::Severity;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{Baseline, Snippet};
use crate::record::schema_of;

/// Version of the scan report's shape.
pub const SCAN_SCHEMA: u32 = 1;

/// What a scan found in a chunk set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ScanReport {
    /// Version of this shape.
    pub version: u32,
    /// Version of gristmill that ran.
    pub gristmill: String,
    /// What was scanned, as it was named.
    pub input: String,
    /// Number of chunks.
    pub chunks: u64,
    /// Number of sources that the chunks come from.
    pub sources: u64,
    /// What is wrong, in the order of the chunks.
    pub findings: Vec<Finding>,
    /// Counts.
    pub summary: Summary,
}

/// Counts of a scan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    /// Findings by severity, hidden ones included, those of the baseline not.
    pub by_severity: BySeverity,
    /// Findings by rule, counted the same way.
    pub by_rule: BTreeMap<Cow<'static, str>, u64>,
    /// Findings that `fix` repairs, counted the same way.
    pub fixable: u64,
    /// Findings that were left out because the baseline knows them.
    pub baseline: u64,
    /// Findings that are counted here and not listed, because there were more than asked for.
    pub hidden: u64,
}

/// A number for each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BySeverity {
    /// Text is damaged or lost.
    pub high: u64,
    /// Costs quality.
    pub medium: u64,
    /// May cost some quality.
    pub low: u64,
    /// Worth knowing.
    pub info: u64,
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Finding {
    /// Name of the rule.
    pub rule: Cow<'static, str>,
    /// The rule's title, for people.
    pub title: Cow<'static, str>,
    /// `info`, `low`, `medium` or `high`.
    #[serde(serialize_with = "severity_name")]
    #[schemars(with = "SeverityName")]
    pub severity: Severity,
    /// Name of the chunk; null when it has none.
    pub chunk_id: Option<String>,
    /// Place of the chunk in the input, from 0.
    pub index: u64,
    /// What is wrong, on one line.
    pub message: String,
    /// Whether `fix` repairs it.
    pub fixable: bool,
    /// What `fix` does about it, such as "merge it into chunk `c1`".
    pub repair: Option<String>,
    /// Names of other chunks that it speaks of.
    pub related: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// Where it is.
    pub place: Place,
    /// The lines it is about.
    pub snippet: Option<Snippet>,
    /// The chunks that its repair touches; null when that was not asked for or there is no repair.
    pub diff: Option<Diff>,
    /// What recognises the finding in a later run: see [`fingerprint`](super::fingerprint()).
    pub fingerprint: String,
}

/// Where a finding is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Place {
    /// The file of chunks, as it was named.
    pub file: String,
    /// Line of that file that the chunk begins on, from 1; null when the file has no lines.
    pub line: Option<u64>,
    /// The place in the document that the chunk was cut from; null when it is not known.
    pub source: Option<SourcePlace>,
}

/// A place in a document. Lines and columns count from 1, columns in code points; ends are exclusive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SourcePlace {
    /// Path or URL of the document.
    pub path: String,
    /// Line of the first character.
    pub line_start: u64,
    /// Column of the first character.
    pub column_start: u64,
    /// Line of the last character.
    pub line_end: u64,
    /// Column after the last character.
    pub column_end: u64,
    /// Code points before the first character.
    pub char_start: u64,
    /// Code points before the end.
    pub char_end: u64,
}

/// The chunks that a repair touches, as they were and as they become.
///
/// A chunk of `before` whose `index` is not in `after` is gone: it was removed, or merged into one of those that stay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Diff {
    /// As they were, in order.
    pub before: Vec<Version>,
    /// As they become, in order.
    pub after: Vec<Version>,
}

/// A chunk at one point of time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Version {
    /// Name of the chunk; null when it has none.
    pub id: Option<String>,
    /// Its place in the input, from 0, before and after.
    pub index: u64,
    /// Its whole text.
    pub text: String,
}

impl ScanReport {
    /// The report of all `findings`, which are in the order of the chunks.
    pub fn new(gristmill: &str, input: &str, chunks: u64, sources: u64, findings: Vec<Finding>) -> Self {
        let mut summary = Summary::default();
        findings.iter().for_each(|finding| summary.add(finding));
        let (gristmill, input) = (gristmill.to_owned(), input.to_owned());
        Self { version: SCAN_SCHEMA, gristmill, input, chunks, sources, findings, summary }
    }

    /// Adds findings, which come after those that are there.
    pub fn add(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            self.summary.add(&finding);
            self.findings.push(finding);
        }
    }

    /// One report of two inputs.
    #[must_use]
    pub fn joined(mut self, other: Self) -> Self {
        self.input = format!("{}, {}", self.input, other.input);
        (self.chunks, self.sources) = (self.chunks + other.chunks, self.sources + other.sources);
        self.findings.extend(other.findings);
        self.summary.join(other.summary);
        self
    }

    /// Leaves out the findings that the baseline knows, as often as it knows them. Returns how many that it knows were
    /// not found. Comes before [`Self::keep_at_most`].
    pub fn leave_out(&mut self, baseline: &Baseline) -> u64 {
        let mut known: BTreeMap<&str, u64> = baseline.counts();
        let mut left = Summary { baseline: self.summary.baseline, ..Summary::default() };
        self.findings.retain(|finding| match known.get_mut(&*finding.fingerprint) {
            Some(count) if *count > 0 => {
                *count -= 1;
                left.baseline += 1;
                false
            }
            _ => {
                left.add(finding);
                true
            }
        });
        self.summary = left;
        known.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Lists no more than `max` findings, the most severe; the others stay in the counts.
    pub fn keep_at_most(&mut self, max: usize) {
        let surplus = self.findings.len().saturating_sub(max);
        if surplus == 0 {
            return;
        }
        let mut room = max;
        let mut quota = [Severity::High, Severity::Medium, Severity::Low, Severity::Info].map(|severity| {
            let wanted = self.findings.iter().filter(|finding| finding.severity == severity).count().min(room);
            room -= wanted;
            (severity, wanted)
        });
        self.findings.retain(|finding| {
            let place = quota.iter_mut().find(|(severity, left)| *severity == finding.severity && *left > 0);
            place.map(|(_, left)| *left -= 1).is_some()
        });
        self.summary.hidden += surplus as u64;
    }

    /// The highest severity that was found, hidden findings included: what a gate looks at.
    pub fn worst(&self) -> Option<Severity> {
        self.summary.by_severity.pairs().into_iter().find(|(_, n)| *n > 0).map(|(severity, _)| severity)
    }
}

impl Summary {
    /// Number of findings, hidden ones included.
    pub fn total(&self) -> u64 {
        self.by_severity.pairs().into_iter().map(|(_, n)| n).sum()
    }

    fn join(&mut self, other: Self) {
        let (own, more) = (&mut self.by_severity, other.by_severity);
        own.high += more.high;
        own.medium += more.medium;
        own.low += more.low;
        own.info += more.info;
        for (rule, count) in other.by_rule {
            *self.by_rule.entry(rule).or_insert(0) += count;
        }
        self.fixable += other.fixable;
        self.baseline += other.baseline;
        self.hidden += other.hidden;
    }

    fn add(&mut self, finding: &Finding) {
        let counts = &mut self.by_severity;
        *match finding.severity {
            Severity::High => &mut counts.high,
            Severity::Medium => &mut counts.medium,
            Severity::Low => &mut counts.low,
            Severity::Info => &mut counts.info,
        } += 1;
        *self.by_rule.entry(finding.rule.clone()).or_insert(0) += 1;
        self.fixable += u64::from(finding.fixable);
    }
}

impl Finding {
    /// What to call the chunk: its name, else `#` and its place.
    pub(super) fn chunk(&self) -> Cow<'_, str> {
        called(self.chunk_id.as_deref(), self.index)
    }
}

impl Version {
    /// What to call the chunk: its name, else `#` and its place.
    pub(super) fn chunk(&self) -> Cow<'_, str> {
        called(self.id.as_deref(), self.index)
    }
}

fn called(id: Option<&str>, index: u64) -> Cow<'_, str> {
    id.map_or_else(|| format!("#{index}").into(), Cow::Borrowed)
}

impl Place {
    /// The document, else the file of chunks.
    pub(super) fn name(&self) -> &str {
        self.source.as_ref().map_or(&self.file, |source| &source.path)
    }

    /// The line in the document, else in the file of chunks.
    pub(super) fn line(&self) -> Option<u64> {
        self.source.as_ref().map_or(self.line, |source| Some(source.line_start))
    }

    /// Name, line and, in a document, column, joined by `:`.
    pub(super) fn written(&self) -> String {
        match (&self.source, self.line) {
            (Some(at), _) => format!("{}:{}:{}", at.path, at.line_start, at.column_start),
            (None, Some(line)) => format!("{}:{line}", self.file),
            (None, None) => self.file.clone(),
        }
    }
}

impl BySeverity {
    /// The numbers with their severities, the highest severity first.
    pub fn pairs(&self) -> [(Severity, u64); 4] {
        [
            (Severity::High, self.high),
            (Severity::Medium, self.medium),
            (Severity::Low, self.low),
            (Severity::Info, self.info),
        ]
    }
}

/// JSON Schema (2020-12) of a scan report.
pub fn scan_schema() -> Value {
    schema_of::<ScanReport>("scan-report", SCAN_SCHEMA)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(super) fn severity_name<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.name())
}

/// How serious it is.
#[derive(JsonSchema)]
#[schemars(rename = "Severity", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum SeverityName {
    Info,
    Low,
    Medium,
    High,
}
