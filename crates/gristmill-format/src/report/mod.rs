//! The report of a run: what was read, what came of it, what was found, and with which settings.

mod builder;
mod completeness;
mod inspection;
mod markdown;
mod short;
mod sizes;

use std::borrow::Cow;
use std::collections::BTreeMap;

use gristmill_core::Attrs;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::record::schema_of;

pub use builder::{KEPT, RANGES_KEPT, ReportBuilder, WARNINGS_KEPT};
pub use completeness::{Completeness, FieldCompleteness, MetadataCompleteness};
pub use inspection::Inspection;
pub use markdown::markdown;
pub(crate) use markdown::page;
pub use short::short;
pub use sizes::{Bar, SizeReport, Sizes};

/// Version of the run report's shape.
pub const REPORT_SCHEMA: u32 = 1;

/// What a run did, document by document and in total.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RunReport {
    /// Version of this shape.
    pub schema_version: u32,
    /// Version of gristmill that ran.
    pub tool_version: String,
    /// Every document that was read or failed, in the order of the run.
    pub documents: Vec<DocumentReport>,
    /// Files that were passed over. At most 10,000 are listed; `totals.skipped` counts all.
    pub skipped: Vec<Skipped>,
    /// Sums and measured figures.
    pub totals: Totals,
    /// What is wrong with documents and chunks. At most 10,000 a rule are listed; `totals.findings` counts all.
    pub findings: Vec<Finding>,
    /// The settings of the run, beside the values recommended to start with.
    pub configuration: Vec<Setting>,
}

/// One document of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct DocumentReport {
    /// Path relative to the source's root, or URL.
    pub source: String,
    /// Kind of file: the name of the reader; empty when none could read it.
    pub format: Cow<'static, str>,
    /// The encoding it was read with, by its WHATWG name; empty when it was not read.
    pub encoding: Cow<'static, str>,
    /// What the document declares of itself.
    pub metadata: DocumentMetadata,
    /// Problems that did not stop it. At most 100 are listed.
    pub warnings: Vec<Warning>,
    /// Number of warnings that are not listed.
    pub warnings_omitted: u64,
    /// Why the document failed; null when it did not.
    pub error: Option<Failure>,
    /// Number of accepted chunks.
    pub chunks: u64,
    /// Tokens of its accepted chunks together.
    pub tokens: u64,
    /// What stands in it; null where that was not counted.
    pub inspection: Option<Inspection>,
    /// What cleaning took out or replaced, by kind.
    pub removals: Vec<Removal>,
    /// Repairs of its chunks, by rule.
    pub repairs: BTreeMap<Cow<'static, str>, u64>,
    /// True when a person should look at the document before it is used.
    pub needs_review: bool,
}

/// What a document declares of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct DocumentMetadata {
    /// Declared title, else the first heading of level 1, else the file name.
    pub title: Option<String>,
    /// Kind of document.
    pub document_type: Option<String>,
    /// Language as a BCP 47 tag.
    pub language: Option<String>,
    /// When the document was made.
    pub created_at: Option<String>,
    /// Every declared field by name, with its type kept.
    pub attributes: Attrs,
}

/// A problem of a document that did not stop it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Warning {
    /// Stable name in kebab-case.
    pub code: Cow<'static, str>,
    /// What is wrong.
    pub message: String,
    /// `info`, `low`, `medium` or `high`.
    pub severity: Cow<'static, str>,
    /// Line in the source, from 1.
    pub line: Option<u64>,
}

/// Why a document failed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Failure {
    /// Stable name in kebab-case.
    pub code: Cow<'static, str>,
    /// What went wrong, with its causes.
    pub message: String,
}

/// A file that was passed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Skipped {
    /// Path relative to the source's root.
    pub source: String,
    /// Why.
    pub reason: Cow<'static, str>,
}

/// Declared changes of one kind in one document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Removal {
    /// Kind of change.
    pub kind: Cow<'static, str>,
    /// How many places.
    pub count: u64,
    /// Code points of source that were taken out or replaced.
    pub characters: u64,
    /// The places, in order: `[start, end)` in code points of the decoded source. At most 1,000 are listed.
    pub ranges: Vec<[u64; 2]>,
    /// Number of places that are not listed.
    pub ranges_omitted: u64,
}

/// Declared changes of one kind in all documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RemovalTotal {
    /// Kind of change.
    pub kind: Cow<'static, str>,
    /// How many places.
    pub count: u64,
    /// Code points of source that were taken out or replaced.
    pub characters: u64,
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Finding {
    /// Name of the rule.
    pub rule: Cow<'static, str>,
    /// `info`, `low`, `medium` or `high`.
    pub severity: Cow<'static, str>,
    /// The document.
    pub source: String,
    /// The chunk, where the finding is about one that was written.
    pub chunk_id: Option<String>,
    /// Place of the chunk in its document, from 0.
    pub index: Option<u64>,
    /// Line in the source, from 1.
    pub line: Option<u64>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Sums and measured figures of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Totals {
    /// Documents that were taken up, failed ones included.
    pub documents: u64,
    /// Documents that failed.
    pub failed: u64,
    /// Files that were passed over.
    pub skipped: u64,
    /// Documents that a person should look at.
    pub needs_review: u64,
    /// Accepted chunks.
    pub chunks: u64,
    /// Chunks that were made and not accepted, by reason.
    pub rejected: BTreeMap<Cow<'static, str>, u64>,
    /// Measured sizes of the accepted chunks.
    pub size: SizeReport,
    /// Chunks whose text equals that of an earlier one.
    pub duplicates: Duplicates,
    /// How many chunks have which metadata.
    pub metadata_completeness: MetadataCompleteness,
    /// How many chunks the documents became.
    pub expansion: Expansion,
    /// What stands in the documents; null where that was not counted.
    pub inspection: Option<Inspection>,
    /// What cleaning took out or replaced, by kind.
    pub removals: Vec<RemovalTotal>,
    /// Documents by the encoding they were read with.
    pub encodings: BTreeMap<String, u64>,
    /// Documents by language; those of unknown language are not counted.
    pub languages: BTreeMap<String, u64>,
    /// All findings, by rule.
    pub findings: BTreeMap<Cow<'static, str>, u64>,
}

/// Chunks whose normalized text equals that of an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Duplicates {
    /// Their number, whether they were rejected or kept.
    pub count: u64,
    /// Their share of all chunks that were made, accepted or not; 0 to 1.
    pub rate: f64,
}

/// How many chunks the documents became.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Expansion {
    /// Documents that did not fail.
    pub documents: u64,
    /// Accepted chunks.
    pub chunks: u64,
    /// Accepted chunks for each of these documents, on average; null without documents.
    pub chunks_per_document: Option<f64>,
    /// Mean size of a chunk; null without chunks.
    pub mean_size: Option<f64>,
}

/// One setting of the run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Setting {
    /// Its name in the configuration, such as `chunk.max`.
    pub name: String,
    /// The value recommended to start with; null where there is no recommendation.
    pub recommended: Value,
    /// The value that the run used.
    pub used: Value,
    /// Where the value came from: `default`, `preset`, `project file`, `flag`, …
    pub origin: Cow<'static, str>,
}

/// JSON Schema (2020-12) of a run report.
pub fn report_schema() -> Value {
    schema_of::<RunReport>("run-report", REPORT_SCHEMA)
}

/// `value` with `digits` decimals: measured figures are shown, not their rounding errors.
pub(crate) fn round(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}
