//! How many chunks have which metadata.

use schemars::JsonSchema;
use serde::Serialize;

use super::round;
use crate::Record;

const FIELDS: [&str; 9] = [
    "source",
    "filename",
    "document_title",
    "section_title",
    "tags",
    "keywords",
    "document_type",
    "language",
    "created_at",
];

/// The first fields of the list are those that every chunk should have.
const REQUIRED: usize = 4;

/// Counts the chunks that have each field of metadata filled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completeness {
    chunks: u64,
    complete: u64,
    filled: [u64; FIELDS.len()],
}

impl Completeness {
    /// Looks at one accepted chunk.
    pub fn add(&mut self, record: &Record<'_>) {
        let m = &record.metadata;
        let some = |field: &Option<_>| field.as_deref().is_some_and(|text: &str| !text.is_empty());
        let filled = [
            !m.source.is_empty(),
            !m.filename.is_empty(),
            !m.document_title.is_empty(),
            !m.section_title.is_empty(),
            !m.tags.is_empty(),
            !m.keywords.is_empty(),
            some(&m.document_type),
            some(&m.language),
            some(&m.created_at),
        ];
        self.chunks += 1;
        self.complete += u64::from(filled.iter().take(REQUIRED).all(|f| *f));
        for (count, filled) in self.filled.iter_mut().zip(filled) {
            *count += u64::from(filled);
        }
    }

    /// The shares in the form of the report.
    pub fn report(&self) -> MetadataCompleteness {
        let fields = FIELDS.iter().zip(self.filled);
        MetadataCompleteness {
            complete: share(self.complete, self.chunks),
            fields: fields
                .map(|(field, chunks)| FieldCompleteness { field, chunks, share: share(chunks, self.chunks) })
                .collect(),
        }
    }
}

/// `part` of `whole`, 0 to 1; nothing of nothing is none.
#[expect(clippy::cast_precision_loss, reason = "a share is shown with four decimals")]
pub(super) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| round(part as f64 / whole as f64, 4))
}

/// How many chunks have which metadata.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MetadataCompleteness {
    /// Share of chunks with source, file name, document title and section title; 0 to 1, null without chunks.
    pub complete: Option<f64>,
    /// The same for each field.
    pub fields: Vec<FieldCompleteness>,
}

/// How many chunks have one field of metadata.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FieldCompleteness {
    /// Its name in the record.
    pub field: &'static str,
    /// Number of chunks that have it.
    pub chunks: u64,
    /// Their share of all chunks; 0 to 1, null without chunks.
    pub share: Option<f64>,
}
