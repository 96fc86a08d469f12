//! From chunks to records.

use std::borrow::Cow;

use gristmill_core::{Document, Fingerprint, PartKind, Span};
use gristmill_format::{Metadata, PartRecord, Record};

use crate::facts::Facts;
use crate::window::{Cut, Window};

/// Where a chunk stands among the accepted chunks of its document.
#[derive(Clone, Debug, Default)]
pub struct Rank {
    /// From 0.
    pub index: u64,
    /// Number of accepted chunks.
    pub total: u64,
    /// Identity of the neighbours.
    pub previous: Option<String>,
    /// Identity of the neighbours.
    pub next: Option<String>,
}

impl Rank {
    /// Writes the rank into a record that was made without it.
    pub fn put_into(self, record: &mut Record<'_>) {
        let metadata = &mut record.metadata;
        (metadata.chunk_index, metadata.total_chunks) = (self.index, self.total);
        metadata.prev_chunk_id = self.previous.map(Cow::Owned);
        metadata.next_chunk_id = self.next.map(Cow::Owned);
    }
}

/// Makes the records of one document.
pub struct RecordMaker<'a> {
    /// Facts of the document.
    pub facts: &'a Facts,
    /// Path relative to the source's root.
    pub source: &'a str,
    /// Hash of the file, as records write it.
    pub source_hash: &'a str,
}

impl<'a> RecordMaker<'a> {
    /// The record of `cut`, a chunk of `window`.
    pub fn record<'r>(&'r self, window: &'r Window, cut: &'r Cut, rank: Rank) -> Record<'r> {
        Record {
            chunk_id: Cow::Owned(cut.id.to_string()),
            content: Cow::Borrowed(&cut.chunk.content),
            metadata: self.metadata(window, cut, rank),
            token_count: cut.tokens.0,
            normalized_text_hash: Cow::Owned(cut.hash.tagged()),
        }
    }

    fn metadata<'r>(&'r self, window: &'r Window, cut: &'r Cut, rank: Rank) -> Metadata<'r> {
        let document = &window.document;
        let section = &document.sections[cut.chunk.section as usize];
        let (start, end) = cut.place;
        let optional = |value: &'r Option<String>| value.as_deref().map(Cow::Borrowed);
        Metadata {
            source: Cow::Borrowed(self.source),
            filename: Cow::Borrowed(&self.facts.filename),
            document_title: Cow::Borrowed(&self.facts.title),
            section_title: Cow::Borrowed(&section.title),
            heading_path: document.heading_path(cut.chunk.section).into_iter().map(Cow::Borrowed).collect(),
            chunk_index: rank.index,
            total_chunks: rank.total,
            token_count: cut.tokens.0,
            overlap_token_count: cut.tokens.1,
            word_count: words(cut.chunk.body_text(&document.text)),
            tags: borrowed(&self.facts.tags),
            keywords: keywords(&self.facts.keywords, &section.title),
            document_type: optional(&self.facts.document_type),
            language: optional(&self.facts.language),
            created_at: optional(&self.facts.created_at),
            char_start: start.char,
            char_end: end.char,
            byte_start: start.byte,
            byte_end: end.byte,
            line_start: start.line + 1,
            line_end: end.line + 1,
            pages: pages(document, cut),
            cite: cite(document, self.source, cut.chunk.body).map(Cow::Owned),
            format: Cow::Borrowed(document.format),
            parts: parts(cut),
            prev_chunk_id: rank.previous.map(Cow::Owned),
            next_chunk_id: rank.next.map(Cow::Owned),
            parent_id: Some(Cow::Owned(parent_id(document, cut))),
            content_hash: Cow::Owned(Fingerprint::of(cut.chunk.content.as_bytes()).tagged()),
            source_hash: Cow::Borrowed(self.source_hash),
            attributes: Cow::Borrowed(&self.facts.attributes),
            merged_ids: Vec::new(),
        }
    }
}

/// Runs of characters that are not white space.
fn words(text: &str) -> u64 {
    if !text.is_ascii() {
        return text.split_whitespace().count() as u64;
    }
    let mut before = true;
    let begins = |byte: u8| {
        let white = byte == b' ' || (b'\t'..=b'\r').contains(&byte);
        std::mem::replace(&mut before, white) && !white
    };
    text.bytes().map(begins).filter(|begins| *begins).count() as u64
}

fn borrowed(list: &[String]) -> Vec<Cow<'_, str>> {
    list.iter().map(|text| Cow::Borrowed(text.as_str())).collect()
}

fn keywords<'r>(shared: &'r [String], section: &'r str) -> Vec<Cow<'r, str>> {
    let mut out = borrowed(shared);
    if !section.is_empty() && !shared.iter().any(|k| k == section) {
        out.push(Cow::Borrowed(section));
    }
    out
}

/// The section a chunk begins in is its parent: the larger text to read around it.
fn parent_id(document: &Document, cut: &Cut) -> String {
    document.id.section(&document.heading_path(cut.chunk.section)).to_string()
}

/// Pages that the body of a chunk stands on, ascending.
fn pages(document: &Document, cut: &Cut) -> Vec<u64> {
    let mut pages = document.pages_of(cut.chunk.body);
    pages.sort_unstable();
    pages.dedup();
    pages.into_iter().map(u64::from).collect()
}

/// Where a reader can be sent: the page on which the body begins.
fn cite(document: &Document, source: &str, body: Span) -> Option<String> {
    let page = document.pages_of(body).first().copied().filter(|_| document.format == "pdf");
    page.map(|page| format!("{source}#page={page}"))
}

/// Positions of parts in code points.
fn parts(cut: &Cut) -> Vec<PartRecord> {
    let mut at = 0;
    let convert = |part: &gristmill_core::Part| {
        let start = at;
        at += cut.chunk.content[part.range.range()].chars().count() as u64;
        let origin = match part.kind {
            PartKind::Body => Some(cut.place),
            PartKind::Overlap => cut.overlap,
            _ => None,
        };
        PartRecord { kind: part.kind, start, end: at, origin: origin.map(|(s, e)| [s.char, e.char]) }
    };
    cut.chunk.parts.iter().map(convert).collect()
}
