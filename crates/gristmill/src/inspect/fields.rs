//! Which metadata the chunks of a file have.

use gristmill_format::report::FieldCompleteness;

use super::chunk_file::share;
use super::chunks::Found;

/// Facts by our name, each with the keys that other tools give it.
const FIELDS: [(&str, &[&str]); 10] = [
    ("chunk_id", &["chunk_id", "id", "id_", "doc_id"]),
    ("source", SOURCE),
    ("document_title", &["document_title", "title"]),
    ("section_title", &["section_title", "heading_path", "headings", "heading", "section"]),
    ("chunk_index", &["chunk_index", "order", "index", "split_id", "start_index"]),
    ("tags", &["tags"]),
    ("keywords", &["keywords"]),
    ("document_type", &["document_type", "category"]),
    ("language", &["language", "lang", "languages"]),
    ("created_at", &["created_at", "creation_date", "date"]),
];

/// Keys that name the document of a chunk.
pub(super) const SOURCE: &[&str] =
    &["source", "file_path", "file_name", "filename", "file", "path", "url", "document_id", "ref_doc_id"];

/// Keys of a chunk's identity.
pub(super) const ID: &[&str] = FIELDS[0].1;

/// Counts the chunks that have each fact.
#[derive(Default)]
pub(super) struct Filled([u64; FIELDS.len()]);

impl Filled {
    pub(super) fn add(&mut self, found: &Found) {
        for (count, (_, keys)) in self.0.iter_mut().zip(FIELDS) {
            *count += u64::from(found.field(keys).is_some());
        }
    }

    pub(super) fn report(&self, of: u64) -> Vec<FieldCompleteness> {
        let row = |((field, _), chunks): (&(&'static str, _), &u64)| FieldCompleteness {
            field,
            chunks: *chunks,
            share: share(*chunks, of),
        };
        FIELDS.iter().zip(&self.0).map(row).collect()
    }
}
