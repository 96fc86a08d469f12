//! The record: the one outward shape of a chunk.

use std::borrow::Cow;

use gristmill_core::{Attrs, PartKind};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the record's shape. Grows when a field is added, removed or changes its meaning.
pub const RECORD_SCHEMA: u32 = 1;

/// A chunk as it is written to files and stores.
///
/// Positions count Unicode code points unless their name says bytes or lines; ranges are half open. Text is borrowed
/// when a record is written and owned when one is read. Fields that are not known are passed over when reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Record<'a> {
    /// UUID (version 5) made from the source, the body and how many equal bodies stand before it in the document.
    pub chunk_id: Cow<'a, str>,
    /// Exactly the text that is embedded: injected context, overlap and body.
    pub content: Cow<'a, str>,
    /// Where the chunk comes from and what its source declares.
    pub metadata: Metadata<'a>,
    /// Tokens of `content`, counted by the run's tokenizer; the same number as in `metadata`.
    pub token_count: u64,
    /// `sha256:` and the hash of the body in Unicode form C, in lower case, with each run of white space as one blank.
    pub normalized_text_hash: Cow<'a, str>,
}

/// Where a chunk comes from and what its source declares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Metadata<'a> {
    /// Path of the document relative to the source's root, with `/`, or its URL.
    pub source: Cow<'a, str>,
    /// Last part of `source`.
    pub filename: Cow<'a, str>,
    /// Declared title, else the first heading of level 1, else the file name.
    pub document_title: Cow<'a, str>,
    /// Title of the nearest heading; empty where no heading stands before the chunk.
    pub section_title: Cow<'a, str>,
    /// Titles of the headings around the chunk, outermost first.
    pub heading_path: Vec<Cow<'a, str>>,
    /// Place of the chunk in its document, from 0.
    pub chunk_index: u64,
    /// Number of chunks of the document.
    pub total_chunks: u64,
    /// Tokens of `content`, counted by the run's tokenizer.
    pub token_count: u64,
    /// Tokens of the part of `content` that repeats the chunk before; 0 without one.
    pub overlap_token_count: u64,
    /// Words of the body.
    pub word_count: u64,
    /// Tags that the source declares.
    pub tags: Vec<Cow<'a, str>>,
    /// Keywords that the source declares, with document and section title.
    pub keywords: Vec<Cow<'a, str>>,
    /// Kind of document, declared by the document or set on its source; null when neither says.
    pub document_type: Option<Cow<'a, str>>,
    /// Language of the text as a BCP 47 tag; null when it was neither declared nor recognised.
    pub language: Option<Cow<'a, str>>,
    /// When the document was made, as the source declares it; never the time of the run.
    pub created_at: Option<Cow<'a, str>>,
    /// First code point of the body in the decoded source.
    pub char_start: u64,
    /// One past the last code point of the body in the decoded source.
    pub char_end: u64,
    /// First byte of the body in the decoded source (UTF-8).
    pub byte_start: u64,
    /// One past the last byte of the body in the decoded source (UTF-8).
    pub byte_end: u64,
    /// Line on which the body begins, from 1.
    pub line_start: u64,
    /// Line on which the body ends, from 1.
    pub line_end: u64,
    /// Pages the body stands on, from 1; empty for formats without pages.
    pub pages: Vec<u64>,
    /// Where an answer can point its reader, such as `file.pdf#page=3`; null when `source` says enough.
    pub cite: Option<Cow<'a, str>>,
    /// Kind of file: the name of the reader that read it.
    pub format: Cow<'a, str>,
    /// The pieces of `content`, in order. Each begins where the one before ends, and together they cover it.
    pub parts: Vec<PartRecord>,
    /// The chunk before in the same document; null for the first.
    pub prev_chunk_id: Option<Cow<'a, str>>,
    /// The chunk after in the same document; null for the last.
    pub next_chunk_id: Option<Cow<'a, str>>,
    /// The larger chunk this one is a piece of; null where there is none.
    pub parent_id: Option<Cow<'a, str>>,
    /// `sha256:` and the hash of `content`.
    pub content_hash: Cow<'a, str>,
    /// `sha256:` and the hash of the raw bytes of the source file.
    pub source_hash: Cow<'a, str>,
    /// Other facts that the source declares, by name, with their types kept.
    pub attributes: Cow<'a, Attrs>,
    /// Chunks whose text a repair joined to this one; left out where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged_ids: Vec<Cow<'a, str>>,
}

/// One piece of a record's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PartRecord {
    /// What it is.
    #[serde(with = "PartKindName")]
    #[schemars(with = "PartKindName")]
    pub kind: PartKind,
    /// First code point of the piece in `content`.
    pub start: u64,
    /// One past its last code point in `content`.
    pub end: u64,
    /// For `body` and `overlap`: first and one past the last code point in the decoded source. What cleaning took out in
    /// between (lines, carriage returns) lies within. Null for injected text.
    pub origin: Option<[u64; 2]>,
}

/// What a piece of content is. `body` and `overlap` are cut from the source, all others are injected.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(remote = "PartKind", rename_all = "snake_case")]
enum PartKindName {
    /// The chunk's own text.
    Body,
    /// Text repeated from the chunk before.
    Overlap,
    /// The path of headings.
    Heading,
    /// Header and delimiter row of a table.
    TableHeader,
    /// The line that opens a code fence.
    Opener,
    /// The line that closes a code fence.
    Closer,
    /// What introduces a list, or the list entry around a nested one.
    LeadIn,
}

/// JSON Schema (2020-12) of a record.
pub fn record_schema() -> Value {
    schema_of::<Record<'static>>("record", RECORD_SCHEMA)
}

/// The schema of what `T` serializes to, with identity and version.
pub(crate) fn schema_of<T: JsonSchema>(name: &str, version: u32) -> Value {
    let mut schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    schema.insert("$id".into(), format!("urn:gristmill:{name}:{version}").into());
    schema.insert("version".into(), version.into());
    schema.to_value()
}
