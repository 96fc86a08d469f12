//! Which metadata the chunks of a file have.

use gristmill_format::chunk_file::{Found, keys};
use gristmill_format::report::FieldCompleteness;

use super::chunk_file::share;

/// Facts by our name, each with the keys that other tools give it.
const FIELDS: [(&str, &[&str]); 10] = [
    ("chunk_id", keys::ID),
    ("source", keys::SOURCE),
    ("document_title", &["document_title", "title"]),
    ("section_title", keys::HEADINGS),
    ("chunk_index", keys::ORDER),
    ("tags", &["tags"]),
    ("keywords", &["keywords"]),
    ("document_type", &["document_type", "category"]),
    ("language", &["language", "lang", "languages"]),
    ("created_at", &["created_at", "creation_date", "date"]),
];

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
