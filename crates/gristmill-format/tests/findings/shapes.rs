//! JSON, and its schemas.

use gristmill_format::findings::{Format, Shown, fix_schema, scan_schema};
use serde_json::Value;

use crate::sample::{fix_as, fixed, report, scan_as};

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn json_holds_its_schema() {
    let scan = parsed(&scan_as(Format::Json, &report(), &Shown::default()));
    let fix = parsed(&fix_as(Format::Json, &fixed(), &Shown::default()));
    for (schema, value) in [(scan_schema(), scan), (fix_schema(), fix)] {
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<_> = validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        assert!(!validator.is_valid(&serde_json::json!({ "version": 1 })));
    }
}

#[test]
fn the_published_schemas_are_these() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/");
    for (name, schema) in [("scan-report", scan_schema()), ("fix-report", fix_schema())] {
        assert_eq!(schema["$id"], format!("urn:gristmill:{name}:1"));
        let text = std::fs::read_to_string(format!("{folder}{name}.schema.json")).unwrap();
        assert_eq!(parsed(&text), schema, "`{name}.schema.json` is out of date");
    }
}

/// What other tools are told to rely on.
#[test]
fn a_scan_has_the_promised_fields() {
    let scan = parsed(&scan_as(Format::Json, &report(), &Shown::default()));
    assert_eq!((&scan["chunks"], scan["findings"].as_array().unwrap().len()), (&14.into(), 4));
    let first = &scan["findings"][0];
    assert_eq!(first["rule"], "mid-sentence-start");
    assert_eq!(first["severity"], "high");
    assert_eq!(first["chunk_id"], "c2");
    assert_eq!(first["index"], 2);
    assert_eq!(first["message"], "opens in mid-sentence (`40% year over year`)");
    assert_eq!(first["fixable"], true);
    assert_eq!(first["related"], serde_json::json!(["c1"]));
    assert_eq!(scan["findings"][2]["chunk_id"], Value::Null);
    assert_eq!(scan["summary"]["by_severity"], serde_json::json!({ "high": 1, "medium": 1, "low": 1, "info": 1 }));
    assert_eq!(scan["summary"]["by_rule"]["missing-heading"], 2);
    assert_eq!(scan["summary"]["fixable"], 2);
}

#[test]
fn lines_are_the_findings_and_a_summary() {
    let whole = parsed(&scan_as(Format::Json, &report(), &Shown::default()));
    let lines: Vec<_> = scan_as(Format::Jsonl, &report(), &Shown::default()).lines().map(parsed).collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[..4], whole["findings"].as_array().unwrap()[..]);
    assert_eq!(lines[4]["summary"], whole["summary"]);
    assert_eq!(lines[4]["chunks"], 14);

    let lines: Vec<_> = fix_as(Format::Jsonl, &fixed(), &Shown::default()).lines().map(parsed).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[2]["changes"]["mid-sentence-start"], 1);
    assert_eq!(lines[2]["output"], "chunks.clean.json");
}

#[test]
fn formats_have_names() {
    for format in Format::ALL {
        assert_eq!(Format::named(format.name()), Some(format));
    }
    assert_eq!(Format::named("xml"), None);
}
