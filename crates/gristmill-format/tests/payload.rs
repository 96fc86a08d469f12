//! The payload of a record, and the record made of it again.

mod sample;

use std::collections::BTreeMap;

use gristmill_core::ErrorKind;
use gristmill_format::{PAYLOAD_SCHEMA, PayloadNames, Record, to_payload, to_record};
use sample::{attributes, record};
use serde_json::{Map, Value, json};

fn names(renamed: &[(&str, &str)]) -> PayloadNames {
    let renamed: BTreeMap<_, _> = renamed.iter().map(|(our, their)| ((*our).into(), (*their).into())).collect();
    PayloadNames::new(&renamed).unwrap()
}

fn own() -> Map<String, Value> {
    let own = json!({"tenant": "docs", "parent_doc_id": "d", "kind": "chunk", "recipe": "r"});
    own.as_object().unwrap().clone()
}

/// The payload as a store gives it back, which may order members in its own way.
fn stored(payload: &Map<String, Value>) -> Map<String, Value> {
    serde_json::from_str(&serde_json::to_string(payload).unwrap()).unwrap()
}

fn comes_back(text: &str, names: &PayloadNames) -> Map<String, Value> {
    let payload = to_payload(text, own(), names).unwrap();
    assert_eq!(to_record(&stored(&payload), names).unwrap(), text);
    payload
}

fn sample_text() -> String {
    serde_json::to_string(&record(1, &attributes())).unwrap()
}

#[test]
fn a_record_lies_flat_and_comes_back() {
    let text = sample_text();
    let payload = comes_back(&text, &names(&[]));
    let record: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(payload["text"], record["content"]);
    for field in ["source", "section_title", "heading_path", "chunk_index", "content_hash", "pages", "parts"] {
        assert_eq!(payload[field], record["metadata"][field], "{field}");
    }
    assert_eq!((&payload["tenant"], &payload["version"]), (&json!("docs"), &json!(PAYLOAD_SCHEMA)));
    assert!(payload.values().all(|value| !value.is_null()), "{payload:?}");
    assert!(!payload.contains_key("record"), "nothing is stored twice");
}

/// The sample with these attributes.
fn declaring(attributes: &Value) -> String {
    let mut record: Value = serde_json::from_str(&sample_text()).unwrap();
    record["metadata"]["attributes"] = attributes.clone();
    let record: Record<'static> = serde_json::from_value(record).unwrap();
    serde_json::to_string(&record).unwrap()
}

#[test]
fn attributes_keep_their_types_and_yield_to_fields() {
    let text = declaring(&json!({
        "chapter": 3, "draft": false, "weight": 1.5, "nothing": null, "version": "2.0", "source": "elsewhere",
        "attributes": [1], "tenant": {"b": 1, "a": [{"z": 0, "y": 0}]}, "book_id": 7, "a.b": "c"
    }));
    let payload = comes_back(&text, &names(&[("tenant", "book_id")]));
    assert_eq!((&payload["chapter"], &payload["draft"], &payload["weight"]), (&json!(3), &json!(false), &json!(1.5)));
    assert_eq!(payload["book_id"], "docs");
    assert_eq!(payload["attributes"]["book_id"], 7);
    assert_eq!(payload["attributes"]["version"], "2.0");
    assert_eq!(payload["attributes"]["source"], "elsewhere");
    assert_eq!(payload["attributes"]["tenant"]["b"], 1);
    assert!(!payload.contains_key("tenant") && !payload.contains_key("record"));
}

#[test]
fn fields_and_attributes_are_renamed() {
    let names = names(&[("source", "source_file"), ("text", "page_content"), ("chapter", "chapter_no")]);
    let payload = comes_back(&declaring(&json!({"chapter": 1, "chapter_no": "I", "source_file": 2})), &names);
    assert!(payload.contains_key("source_file") && payload.contains_key("page_content"));
    assert_eq!((&payload["chapter_no"], &payload["attributes"]["chapter_no"]), (&json!(1), &json!("I")));
    assert_eq!(payload["attributes"]["source_file"], 2);
    for ours in ["source", "text", "chapter"] {
        assert!(!payload.contains_key(ours), "{ours}");
    }
}

#[test]
fn what_is_no_record_comes_back_as_it_was() {
    let names = names(&[]);
    for text in [
        "{}",
        r#"{"keys":  "kept\u0020as written", "한": 1.50}"#,
        r#"{"metadata": {"attributes": {"x": 1}, "y": 2}, "x": 3}"#,
        r#"{"metadata": 1, "content": null, "record": "r", "tenant": "t", "n": 123456789012345678901234567890}"#,
    ] {
        comes_back(text, &names);
    }
    let spaced = sample_text().replacen(':', ": ", 1);
    assert_eq!(comes_back(&spaced, &names)["record"], spaced.as_str());
    for text in ["", "{", "[]", "null", "{\"a\": 1} x"] {
        assert_eq!(to_payload(text, Map::new(), &names).unwrap_err().kind(), ErrorKind::Store, "{text}");
    }
}

#[test]
fn own_fields_win_and_the_record_comes_back_all_the_same() {
    let mut own = own();
    own.insert("source".into(), "moved.md".into());
    let payload = to_payload(&sample_text(), own, &names(&[])).unwrap();
    assert_eq!(payload["source"], "moved.md");
    assert_eq!(to_record(&payload, &names(&[])).unwrap(), sample_text());
}

#[test]
fn a_payload_that_lost_fields_is_an_error() {
    let mut payload = to_payload(&sample_text(), own(), &names(&[])).unwrap();
    payload.remove("char_start");
    let error = to_record(&payload, &names(&[])).unwrap_err();
    assert_eq!((error.kind(), error.hint_text().is_some()), (ErrorKind::Store, true));
}

#[test]
fn fields_are_found_by_the_names_of_the_record() {
    let names = names(&[("tenant", "book_id"), ("chapter", "no"), ("source", "file")]);
    for (field, path) in [
        ("content", &["text"][..]),
        ("text", &["text"]),
        ("metadata.source", &["file"]),
        ("source", &["file"]),
        ("file", &["file"]),
        ("metadata.attributes.module", &["module"]),
        ("module.part", &["module", "part"]),
        ("metadata.attributes.chapter", &["no"]),
        ("metadata.attributes.version", &["attributes", "version"]),
        ("metadata.attributes.book_id.x", &["attributes", "book_id", "x"]),
        ("book_id", &["book_id"]),
        ("parts.kind", &["parts", "kind"]),
    ] {
        assert_eq!(names.path(field), path, "{field}");
    }
}

#[test]
fn names_that_would_clash_are_refused() {
    for renamed in [&[("source", "text")][..], &[("a", "x"), ("b", "x")], &[("source", "a.b")], &[("source", "")]] {
        let renamed: BTreeMap<_, _> = renamed.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert_eq!(PayloadNames::new(&renamed).unwrap_err().kind(), ErrorKind::Config, "{renamed:?}");
    }
    comes_back(&sample_text(), &names(&[("source", "text"), ("text", "source")]));
}
