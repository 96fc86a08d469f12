//! A file of chunks: fragmentation, duplication and gaps in metadata.

use std::collections::HashSet;
use std::path::Path;

use gristmill_core::{Fingerprint, Result, Sizer};
use gristmill_format::chunk_file::{self, ChunkFormat, Found, keys};
use gristmill_format::normalized_hash;
use gristmill_format::report::{Duplicates, Failure, FieldCompleteness, SizeReport, Sizes};
use serde::Serialize;
use serde_json::Value;

use super::fields::Filled;
use crate::own_text::own_text;

/// What is known of a file of chunks.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ChunkFile {
    /// The file, as it was named.
    pub source: String,
    /// `json`, `jsonl` or `parquet`.
    pub format: &'static str,
    /// Why it could not be read; null when it could. Then the counts stop before the place that is named.
    pub error: Option<Failure>,
    /// Chunks in it.
    pub chunks: u64,
    /// Documents that they name as their source.
    pub sources: u64,
    /// Measured sizes in tokens.
    pub size: SizeReport,
    /// Chunks without visible text.
    pub empty: u64,
    /// Chunks that are too small.
    pub fragments: Share,
    /// Chunks that are too large.
    pub oversized: Share,
    /// Chunks whose recorded number of tokens is not the measured one.
    pub other_token_count: u64,
    /// Chunks whose normalized text equals that of an earlier one.
    pub duplicates: Duplicates,
    /// Chunks with the identity of an earlier one.
    pub repeated_ids: u64,
    /// How many chunks have which metadata, under the names of records; names that other tools use are known.
    pub fields: Vec<FieldCompleteness>,
}

/// Some of the chunks, told apart by their size in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Share {
    /// The size at which they are told apart.
    pub bound: u64,
    /// Their number.
    pub count: u64,
    /// Their share of all chunks; 0 to 1, null without chunks.
    pub share: Option<f64>,
}

/// How sizes are counted and judged.
pub(super) struct Sizing<'a> {
    pub(super) tokens: &'a dyn Sizer,
    pub(super) least: usize,
    pub(super) max: usize,
}

/// The format of a file of chunks; `None` for everything else. Text is taken for a document.
pub(super) fn format_of(path: &Path) -> Option<ChunkFormat> {
    ChunkFormat::of_path(path).filter(|format| *format != ChunkFormat::Text && !path.is_dir())
}

impl ChunkFile {
    /// Counts what is in a file.
    pub(super) fn read(path: &Path, name: &str, sizing: &Sizing<'_>) -> Self {
        let format = format_of(path).unwrap_or(ChunkFormat::Json);
        let mut tally = Tally::default();
        let read = tally.read(path, name, format, sizing);
        tally.report(name, format.name(), sizing, read.err().map(|error| Failure::from(&error)))
    }
}

#[derive(Default)]
struct Tally {
    sizes: Sizes,
    empty: u64,
    fragments: u64,
    oversized: u64,
    other_token_count: u64,
    duplicates: u64,
    repeated_ids: u64,
    /// Hashes of texts, identities and sources.
    texts: HashSet<Fingerprint>,
    ids: HashSet<Fingerprint>,
    sources: HashSet<Fingerprint>,
    filled: Filled,
    scratch: Vec<u8>,
}

impl Tally {
    fn read(&mut self, path: &Path, name: &str, format: ChunkFormat, sizing: &Sizing<'_>) -> Result<()> {
        for found in chunk_file::ChunkFile::open(path, name, format)?.chunks() {
            self.add(&found?, sizing);
        }
        Ok(())
    }

    fn add(&mut self, found: &Found, sizing: &Sizing<'_>) {
        let text = found.text();
        let size = sizing.tokens.size(text);
        self.sizes.add(size as u64);
        self.empty += u64::from(text.chars().all(is_invisible));
        self.fragments += u64::from(size < sizing.least);
        self.oversized += u64::from(size > sizing.max);
        let recorded = found.field(&["token_count"]).and_then(Value::as_u64);
        self.other_token_count += u64::from(recorded.is_some_and(|recorded| recorded != size as u64));
        let hash = normalized_hash(own_text(text, found.field(&["parts"])), &mut self.scratch);
        self.duplicates += u64::from(!self.texts.insert(hash));
        if let Some(id) = found.field(keys::ID) {
            self.repeated_ids += u64::from(!self.ids.insert(hash_of(&id.to_string())));
        }
        if let Some(source) = found.source() {
            self.sources.insert(hash_of(&source));
        }
        self.filled.add(found);
    }

    fn report(self, name: &str, format: &'static str, sizing: &Sizing<'_>, error: Option<Failure>) -> ChunkFile {
        let chunks = self.sizes.count();
        let part = |bound: usize, count| Share { bound: bound as u64, count, share: share(count, chunks) };
        ChunkFile {
            source: name.to_owned(),
            format,
            error,
            chunks,
            sources: self.sources.len() as u64,
            size: self.sizes.report(sizing.tokens.unit(), sizing.tokens.name()),
            empty: self.empty,
            fragments: part(sizing.least, self.fragments),
            oversized: part(sizing.max, self.oversized),
            other_token_count: self.other_token_count,
            duplicates: Duplicates { count: self.duplicates, rate: share(self.duplicates, chunks).unwrap_or_default() },
            repeated_ids: self.repeated_ids,
            fields: self.filled.report(chunks),
        }
    }
}

fn hash_of(name: &str) -> Fingerprint {
    Fingerprint::of(name.as_bytes())
}

fn is_invisible(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// `part` of `whole`, 0 to 1, to four decimals; nothing of nothing is none.
#[expect(clippy::cast_precision_loss, reason = "a share is shown with four decimals")]
pub(super) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| (part as f64 / whole as f64 * 10_000.0).round() / 10_000.0)
}

#[cfg(test)]
mod tests {
    use gristmill_core::Unit;
    use gristmill_text::count::sizer;

    use super::*;

    fn inspected(content: &str) -> ChunkFile {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.jsonl");
        std::fs::write(&path, content).unwrap();
        let words = sizer(Unit::Words, "").unwrap();
        ChunkFile::read(&path, "f.jsonl", &Sizing { tokens: words.as_ref(), least: 2, max: 3 })
    }

    #[test]
    fn sizes_duplicates_and_gaps_are_counted() {
        let file = inspected(
            r#"{"id": 1, "text": "one two three four", "source": "a.md", "token_count": 4}
            {"id": 2, "text": "One  TWO three four", "metadata": {"source": "a.md", "title": "T"}, "token_count": 5}
            {"id": 2, "text": "word", "metadata": {"file_name": "b.md", "title": ""}}
            "\u200b ""#,
        );
        assert_eq!((file.error.clone(), file.chunks, file.sources, file.empty), (None, 4, 2, 1));
        assert_eq!(file.fragments, Share { bound: 2, count: 2, share: Some(0.5) });
        assert_eq!(file.oversized, Share { bound: 3, count: 2, share: Some(0.5) });
        assert_eq!((file.duplicates.count, file.repeated_ids, file.other_token_count), (1, 1, 1));
        assert_eq!((file.size.min, file.size.max, file.size.total), (Some(1), Some(4), 10));
        let filled = |name: &str| file.fields.iter().find(|field| field.field == name).unwrap().chunks;
        assert_eq!((filled("chunk_id"), filled("source"), filled("document_title"), filled("tags")), (3, 3, 1, 0));
    }

    #[test]
    fn equal_bodies_under_other_headings_are_duplicates() {
        let record = |heading: &str, start: usize| {
            let end = start + 4;
            format!(
                r#"{{"content": "{heading}body", "metadata": {{"parts": [{{"kind": "heading", "start": 0, "end": {start}}},
                {{"kind": "body", "start": {start}, "end": {end}}}]}}}}"#
            )
            .replace('\n', " ")
        };
        let file = inspected(&format!("{}\n{}\n", record("[Ä] ", 4), record("[Other] ", 8)));
        assert_eq!((file.chunks, file.duplicates.count), (2, 1));
    }

    #[test]
    fn a_broken_file_says_where_and_keeps_what_was_counted() {
        let file = inspected("\"one\"\n{");
        assert_eq!(file.chunks, 1);
        assert!(file.error.is_some_and(|error| error.message.starts_with("`f.jsonl`, line 2: ")));
        let missing = ChunkFile::read(
            Path::new("/nowhere/at/all.json"),
            "all.json",
            &Sizing { tokens: sizer(Unit::Words, "").unwrap().as_ref(), least: 2, max: 3 },
        );
        assert_eq!((missing.chunks, missing.error.map(|e| e.code.into_owned())), (0, Some("unreadable".to_owned())));
    }
}
