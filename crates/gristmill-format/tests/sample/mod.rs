//! A record with every field filled, for the tests.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gristmill_core::{Attrs, PartKind};
use gristmill_format::{Metadata, PartRecord, Record};
use serde_json::json;

/// Attributes of every type.
pub(crate) fn attributes() -> Attrs {
    BTreeMap::from([
        ("depth".to_owned(), json!(4.5)),
        ("draft".to_owned(), json!(false)),
        ("module".to_owned(), json!({"number": 3, "names": ["기록계", null]})),
    ])
}

/// A chunk of two parts, the `index`th of three.
pub(crate) fn record(index: u64, attributes: &Attrs) -> Record<'_> {
    Record {
        chunk_id: "5b9f7a7e-2f0e-5c5e-8f45-0a5c8f3f3c11".into(),
        content: "Tern > Battery\n\nReplace it every 18 months: \"cold\"\t조위 🌊.".into(),
        metadata: Metadata {
            source: "en/battery.md".into(),
            filename: "battery.md".into(),
            document_title: "Tern".into(),
            section_title: "Battery".into(),
            heading_path: vec!["Tern".into(), "Battery".into()],
            chunk_index: index,
            total_chunks: 3,
            token_count: 19,
            overlap_token_count: 0,
            word_count: 8,
            tags: vec!["field".into()],
            keywords: Vec::new(),
            document_type: Some("docs".into()),
            language: None,
            created_at: Some("2024-03-05".into()),
            char_start: 10,
            char_end: 52,
            byte_start: 10,
            byte_end: 59,
            line_start: 3,
            line_end: 3,
            pages: vec![1, 2],
            cite: None,
            format: "markdown".into(),
            parts: vec![
                PartRecord { kind: PartKind::Heading, start: 0, end: 16, origin: None },
                PartRecord { kind: PartKind::Body, start: 16, end: 58, origin: Some([10, 52]) },
            ],
            prev_chunk_id: None,
            next_chunk_id: Some("0f1c4b62-2b0a-5f7b-9a56-6d6c2a4a6c55".into()),
            parent_id: None,
            content_hash: "sha256:00".into(),
            source_hash: "sha256:01".into(),
            attributes: Cow::Borrowed(attributes),
            merged_ids: Vec::new(),
        },
        token_count: 19,
        normalized_text_hash: "sha256:02".into(),
    }
}
