//! Records and reports: their schemas, formats, and sameness.

use serde_json::{Value, json};

use crate::run::{Folder, lines};

#[track_caller]
fn assert_valid(schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let faults: Vec<String> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?} in {value:#}");
}

#[test]
fn every_record_and_report_follows_its_schema() {
    let folder = Folder::handbook();
    let ran = folder.run(&["chunk", "--run-report", "run.json"]);
    assert_eq!(ran.code, Some(0));
    let schema = gristmill::format::record_schema();
    let records = lines(&ran.stdout);
    records.iter().for_each(|record| assert_valid(&schema, record));
    let report = folder.json("run.json");
    assert_valid(&gristmill::report::report_schema(), &report);
    assert_eq!(report["totals"]["chunks"], json!(records.len()));
    assert_eq!(report["totals"]["documents"], 25);
    let curated = folder.run(&["curate", "-o", "c.json", "--run-report", "run.json", "-q"]);
    curated.is(0, "", "");
    folder.json("c.json").as_array().unwrap().iter().for_each(|record| assert_valid(&schema, record));
    assert_valid(&gristmill::report::report_schema(), &folder.json("run.json"));
}

#[test]
fn threads_change_no_byte() {
    let folder = Folder::handbook();
    let one = folder.run(&["chunk", "-j1", "--run-report", "one.json"]);
    let four = folder.run(&["chunk", "-j4", "--run-report", "four.json"]);
    assert!(!one.stdout.is_empty());
    assert_eq!((one.stdout, one.stderr), (four.stdout, four.stderr));
    assert_eq!(folder.read("one.json"), folder.read("four.json"));
}

#[test]
fn every_format_holds_the_same_chunks() {
    let folder = Folder::handbook();
    let records = folder.run(&["chunk", "-q"]).stdout.lines().count();
    for (name, args) in [
        ("c.json", &[][..]),
        ("c.jsonl", &[]),
        ("C.NDJSON", &[]),
        ("c.parquet", &[]),
        ("named.json", &["--format", "json"]),
    ] {
        let ran = folder.run(&[&["chunk", "-q", "-o", name], args].concat());
        ran.is(0, "", "");
        let inspected = folder.run(&["inspect", name, "--format", "json"]);
        let report: Value = serde_json::from_str(&inspected.stdout).unwrap();
        let file = &report["chunk_files"][0];
        assert_eq!(file["chunks"], json!(records), "{name}");
        // The sizes that were recorded are those that are measured.
        assert_eq!((&file["other_token_count"], &file["error"]), (&json!(0), &Value::Null), "{name}");
    }
    folder.run(&["chunk", "-q", "-o", "c.arrow"]).is(0, "", "");
    assert!(std::fs::read(folder.at("c.arrow")).unwrap().starts_with(b"ARROW1"));
    folder.run(&["chunk", "-q", "-o", "odd.name", "--format", "jsonl"]).is(0, "", "");
    assert_eq!(folder.read("odd.name").lines().count(), records);
}

#[test]
fn flags_of_sizes_hold() {
    let folder = Folder::handbook();
    let args = ["chunk", "-q", "--max", "120", "--unit", "words", "--overlap", "0", "--strategy", "sentence"];
    let ran = folder.run(&[&args[..], &["--context", "none", "--tokenizer", "cl100k_base"]].concat());
    let records = lines(&ran.stdout);
    assert!(records.len() > 40);
    for record in &records {
        assert!(record["content"].as_str().unwrap().split_whitespace().count() <= 120);
        assert!(record["metadata"]["parts"].as_array().unwrap().iter().all(|part| part["kind"] != "heading"));
    }
    let one = Folder::with(&[("a.txt", "One is here. Two is there. Three is nowhere.\n")]);
    let args = ["chunk", "-q", "a.txt", "--strategy", "sentence", "--sentences-per-chunk", "1", "--context", "none"];
    let texts: Vec<String> =
        lines(&one.run(&args).stdout).iter().map(|r| r["content"].as_str().unwrap().to_owned()).collect();
    assert_eq!(texts, ["One is here.", "Two is there.", "Three is nowhere."]);
}
