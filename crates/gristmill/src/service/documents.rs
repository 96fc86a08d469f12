//! Single documents: what the store has of one, and what its source becomes now.

use gristmill_core::{Document, DocumentId, Error, Result, Tracked};
use gristmill_format::{Record, RunReport};
use gristmill_pipeline::{Sink, read_whole};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::open::open_store_if_there;
use crate::run::{RunCx, pick, run_over};
use crate::toolkit::Toolkit;

/// What the store knows of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StoredDocument {
    /// Identity, a UUID.
    pub id: String,
    /// Path relative to the source's root, or URL.
    pub source: String,
    /// Hash of its bytes.
    pub source_hash: String,
    /// Chunks that are stored.
    pub chunks: u64,
    /// False when an ingest did not come to an end with it; the next one completes it.
    pub complete: bool,
}

impl From<&Tracked> for StoredDocument {
    fn from(tracked: &Tracked) -> Self {
        Self {
            id: tracked.version.document.to_string(),
            source: tracked.version.source.clone(),
            source_hash: tracked.version.source_hash.tagged(),
            chunks: tracked.points,
            complete: tracked.complete,
        }
    }
}

/// The documents of a project that are stored, by source. None where nobody has made the store yet.
///
/// # Errors
/// When the store cannot be read.
pub fn stored_documents(settings: &Settings) -> Result<Vec<StoredDocument>> {
    let Some(store) = open_store_if_there(settings)? else { return Ok(Vec::new()) };
    Ok(store.tracked()?.iter().map(StoredDocument::from).collect())
}

/// A document that is stored, found by identity or path.
///
/// # Errors
/// When the store cannot be read.
pub fn stored_document(settings: &Settings, name: &str) -> Result<Option<StoredDocument>> {
    Ok(stored_documents(settings)?.into_iter().find(|document| document.id == name || document.source == name))
}

/// A document that is stored with its chunks: those from `first` on, `most` at most, as the records that were stored.
///
/// # Errors
/// When the store cannot be read.
pub fn stored_chunks(
    settings: &Settings,
    name: &str,
    first: u32,
    most: u32,
) -> Result<Option<(StoredDocument, Vec<Value>)>> {
    let Some(store) = open_store_if_there(settings)? else { return Ok(None) };
    let named = |tracked: &&Tracked| tracked.version.source == name || tracked.version.document.to_string() == name;
    let all = store.tracked()?;
    let Some(tracked) = all.iter().find(named) else { return Ok(None) };
    let last = first.saturating_add(most.max(1) - 1);
    let points = store.points_within(tracked.version.document, first..=last)?;
    let records = points.iter().map(|point| {
        serde_json::from_str(&point.payload).map_err(|e| Error::bug("a stored record cannot be read").because(e))
    });
    Ok(Some((tracked.into(), records.collect::<Result<_>>()?)))
}

/// What a document of the sources becomes now.
#[derive(Clone, Debug)]
pub struct CutNow {
    /// Path relative to the source's root.
    pub source: String,
    /// The text that the parts of the records point into.
    pub text: String,
    /// Its chunks, as records.
    pub records: Vec<Value>,
    /// What was read, cut and found.
    pub report: RunReport,
}

/// Reads and cuts one document of the sources, by its path, as the settings say. Nothing is written. `None` when the
/// sources have no such document.
///
/// # Errors
/// When settings are wrong or the sources cannot be listed.
pub fn cut_now(settings: &Settings, inputs: &Inputs, source: &str, cx: &mut RunCx<'_>) -> Result<Option<CutNow>> {
    let mut documents = Documents::list(settings, inputs)?;
    let Some(index) = documents.jobs.iter().position(|job| job.source == source) else { return Ok(None) };
    documents.select(|other| other == index);
    cut(settings, &documents, cx).map(Some)
}

/// The same for a document that is at hand.
///
/// # Errors
/// When settings are wrong.
pub fn cut_given(settings: &Settings, given: crate::Given, cx: &mut RunCx<'_>) -> Result<CutNow> {
    cut(settings, &Documents::at_hand(settings, vec![given])?, cx)
}

fn cut(settings: &Settings, documents: &Documents, cx: &mut RunCx<'_>) -> Result<CutNow> {
    let mut sink = Records::default();
    let report = run_over(settings, &Toolkit::new(settings)?, documents, &mut sink, cx)?;
    let source = documents.jobs.first().map(|job| job.source.clone()).unwrap_or_default();
    let text = text(documents, &sink.0)?;
    Ok(CutNow { source, text, records: sink.0, report })
}

#[derive(Default)]
struct Records(Vec<Value>);

impl Sink for Records {
    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        self.0.push(serde_json::to_value(record).map_err(|e| Error::bug("a record cannot be written").because(e))?);
        Ok(())
    }
}

/// The text that records point into: the decoded file, or for formats that are not text what was made of it. Which of the
/// two it is, the records tell themselves.
fn text(documents: &Documents, records: &[Value]) -> Result<String> {
    let Some(job) = documents.jobs.first() else { return Ok(String::new()) };
    let content = documents.fetch(0)?;
    let Ok(read) = read_whole(job, content.as_ref(), &pick) else { return Ok(String::new()) };
    let document: Document = read.value;
    let bytes = documents.bytes(0)?;
    let decoded = gristmill_read::decode::source_text(&bytes, document.encoding);
    if is_of(&decoded, records) { Ok(decoded.into_owned()) } else { Ok(document.text) }
}

/// True when the bodies of the first records stand in a text where they say.
fn is_of(text: &str, records: &[Value]) -> bool {
    let sliced = |from: usize, to: usize| text.chars().skip(from).take(to.saturating_sub(from)).collect::<String>();
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(usize::MAX);
    records.iter().take(3).all(|record| {
        let content = record["content"].as_str().unwrap_or_default();
        let parts = record["metadata"]["parts"].as_array().into_iter().flatten();
        parts.filter(|part| part["kind"] == "body").take(1).all(|part| {
            let own: String = content
                .chars()
                .skip(number(&part["start"]))
                .take(number(&part["end"]).saturating_sub(number(&part["start"])))
                .collect();
            let there = sliced(number(&part["origin"][0]), number(&part["origin"][1]));
            squeezed(&own) == squeezed(&there)
        })
    })
}

/// A text without what reading may change: line ends and blanks.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).take(200).collect()
}

/// The identity of a document of a source.
pub fn document_id(project: &str, source_name: &str, path: &str) -> String {
    DocumentId::new(project, source_name, path).to_string()
}
