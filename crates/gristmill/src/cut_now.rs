//! What documents become now, beside their text: for people who look at them, nothing is written.

use std::collections::{BTreeMap, HashSet};

use gristmill_core::{Document, Error, Result};
use gristmill_format::html::{CutDocument, overlay};
use gristmill_format::{Record, RunReport};
use gristmill_pipeline::{Sink, read_whole};
use serde_json::Value;

use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

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
    let toolkit = Toolkit::new(settings)?;
    let report = run_over(settings, &toolkit, documents, &mut sink, cx)?;
    let source = documents.jobs.first().map(|job| job.source.clone()).unwrap_or_default();
    let text = text(&toolkit, documents, 0, &sink.0)?;
    Ok(CutNow { source, text, records: sink.0, report })
}

/// Tokens of the documents that [`cut_for_page`] gives together: some 2 MB of text.
const PAGE_TOKENS: u64 = 500_000;

/// The documents of a run that ended with `report`, cut once more to be shown: those with the most findings first, as many
/// as one page holds.
///
/// # Errors
/// When settings are wrong or a document can no longer be read.
pub fn cut_for_page(
    settings: &Settings,
    inputs: &Inputs,
    report: &RunReport,
    cx: &mut RunCx<'_>,
) -> Result<Vec<CutDocument>> {
    let mut found: BTreeMap<&str, u64> = BTreeMap::new();
    report.findings.iter().for_each(|finding| *found.entry(&finding.source).or_default() += 1);
    let mut wanted: Vec<_> = report.documents.iter().filter(|document| document.error.is_none()).collect();
    let count = |document: &gristmill_format::report::DocumentReport| {
        found.get(&*document.source).copied().unwrap_or(0) + document.warnings.len() as u64
    };
    wanted.sort_by_key(|document| std::cmp::Reverse(count(document)));
    let mut tokens = 0;
    wanted.retain(|document| {
        let fits = tokens + document.tokens <= PAGE_TOKENS;
        tokens += if fits { document.tokens } else { 0 };
        fits
    });
    let chosen: HashSet<&str> = wanted.iter().map(|document| &*document.source).collect();
    let mut documents = Documents::list(settings, inputs)?;
    let keep: Vec<bool> = documents.jobs.iter().map(|job| chosen.contains(&*job.source)).collect();
    documents.select(|index| keep.get(index).copied().unwrap_or(false));
    let mut sink = Records::default();
    let toolkit = Toolkit::new(settings)?;
    run_over(settings, &toolkit, &documents, &mut sink, cx)?;
    let mut records: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for record in sink.0 {
        records.entry(record["metadata"]["source"].as_str().unwrap_or_default().to_owned()).or_default().push(record);
    }
    let shown = wanted.iter().filter_map(|document| {
        let index = documents.jobs.iter().position(|job| job.source == document.source)?;
        let records = records.remove(&document.source).unwrap_or_default();
        let text = match text(&toolkit, &documents, index, &records) {
            Ok(text) => text,
            Err(error) => return Some(Err(error)),
        };
        let found = overlay::found_in(report, &document.source);
        Some(Ok(CutDocument { source: document.source.clone(), text, records, found }))
    });
    shown.collect()
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
fn text(toolkit: &Toolkit, documents: &Documents, index: usize, records: &[Value]) -> Result<String> {
    let Some(job) = documents.jobs.get(index) else { return Ok(String::new()) };
    let content = documents.fetch(index)?;
    let pick = |path: &str, head: &[u8]| toolkit.readers.pick(path, head);
    let Ok(read) = read_whole(job, content.as_ref(), &pick) else { return Ok(String::new()) };
    let document: Document = read.value;
    let bytes = documents.bytes(index)?;
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
