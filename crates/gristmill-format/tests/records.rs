//! Records as the outside sees them: their fields, their schema, the files they stand in.

mod sample;

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use gristmill_core::ErrorKind;
use gristmill_format::report::report_schema;
use gristmill_format::{FORMATS, Record, RecordReader, record_schema, writer};
use sample::{attributes, record};
use serde_json::{Value, json};

/// An output that can be looked at after its writer has gone.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn written(format: &str, count: u64) -> Vec<u8> {
    let (out, attributes) = (Shared::default(), attributes());
    let mut writer = writer(format, Box::new(out.clone())).unwrap();
    (0..count).for_each(|index| writer.write(&record(index, &attributes)).unwrap());
    writer.finish().unwrap();
    let bytes = out.0.lock().unwrap();
    bytes.clone()
}

fn read(text: &str, format: &str) -> Vec<Result<Record<'static>, String>> {
    let reader = RecordReader::new(text.as_bytes(), format, "chunks").unwrap();
    reader.map(|record| record.map_err(|error| error.to_string())).collect()
}

#[test]
fn fields_stand_in_the_published_order() {
    let line = serde_json::to_string(&record(0, &attributes())).unwrap();
    let order = [
        "chunk_id",
        "content",
        "metadata",
        "source",
        "filename",
        "document_title",
        "section_title",
        "heading_path",
        "chunk_index",
        "total_chunks",
        "token_count",
        "overlap_token_count",
        "word_count",
        "tags",
        "keywords",
        "document_type",
        "language",
        "created_at",
        "char_start",
        "char_end",
        "byte_start",
        "byte_end",
        "line_start",
        "line_end",
        "pages",
        "cite",
        "format",
        "parts",
        "kind",
        "start",
        "end",
        "origin",
        "prev_chunk_id",
        "next_chunk_id",
        "parent_id",
        "content_hash",
        "source_hash",
        "attributes",
        "token_count",
        "normalized_text_hash",
    ];
    let mut at = 0;
    for field in order {
        let found = line[at..].find(&format!("\"{field}\":"));
        at += found.unwrap_or_else(|| panic!("`{field}` does not follow in {}", &line[at..]));
    }
    assert!(line.contains(r#"{"kind":"heading","start":0,"end":16,"origin":null}"#), "{line}");
    assert!(line.contains(r#"{"kind":"body","start":16,"end":58,"origin":[10,52]}"#), "{line}");
}

#[test]
fn records_hold_the_schema_and_nothing_else_does() {
    let schema = record_schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let good = serde_json::to_value(record(1, &attributes())).unwrap();
    assert!(validator.is_valid(&good), "{:?}", validator.iter_errors(&good).map(|e| e.to_string()).collect::<Vec<_>>());

    let refuse = |change: &dyn Fn(&mut Value)| {
        let mut changed = good.clone();
        change(&mut changed);
        assert!(!validator.is_valid(&changed), "{changed}");
    };
    for name in good.as_object().unwrap().keys() {
        refuse(&|r| drop(r.as_object_mut().unwrap().remove(name)));
    }
    for name in good["metadata"].as_object().unwrap().keys() {
        refuse(&|r| drop(r["metadata"].as_object_mut().unwrap().remove(name)));
    }
    for name in good["metadata"]["parts"][0].as_object().unwrap().keys() {
        refuse(&|r| drop(r["metadata"]["parts"][0].as_object_mut().unwrap().remove(name)));
    }
    refuse(&|r| r["extra"] = json!(1));
    refuse(&|r| r["metadata"]["extra"] = json!(1));
    refuse(&|r| r["metadata"]["parts"][0]["extra"] = json!(1));
    refuse(&|r| r["metadata"]["parts"][0]["kind"] = json!("header"));
    refuse(&|r| r["metadata"]["parts"][1]["origin"] = json!([1]));
    refuse(&|r| r["metadata"]["char_start"] = json!(-1));
    refuse(&|r| r["token_count"] = json!("19"));
    refuse(&|r| r["metadata"]["attributes"] = json!(null));
}

#[test]
fn the_schema_says_what_it_is() {
    let schema = record_schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["$id"], "urn:gristmill:record:1");
    let fields = schema["properties"].as_object().unwrap().values();
    assert!(fields.clone().all(|f| f["description"].is_string() || f["$ref"].is_string()), "{schema:#}");
}

#[test]
fn the_published_schemas_are_these() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/");
    for (name, schema) in [("record", record_schema()), ("run-report", report_schema())] {
        let text = std::fs::read_to_string(format!("{folder}{name}.schema.json")).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), schema, "`{name}.schema.json` is out of date");
    }
}

#[test]
fn json_is_an_array_with_a_record_a_line() {
    assert_eq!(written("json", 0), b"[]\n");
    let text = String::from_utf8(written("json", 3)).unwrap();
    let lines = text.lines().collect::<Vec<_>>();
    assert_eq!((lines.len(), lines[0], lines[4]), (5, "[", "]"));
    let all: Vec<Record<'_>> = serde_json::from_str(&text).unwrap();
    assert_eq!(all[2], record(2, &attributes()));
}

#[test]
fn json_lines_have_a_record_each() {
    assert_eq!(written("jsonl", 0), b"");
    let text = String::from_utf8(written("jsonl", 2)).unwrap();
    assert!(text.ends_with("}\n"));
    assert_eq!(serde_json::from_str::<Record<'_>>(text.lines().nth(1).unwrap()).unwrap(), record(1, &attributes()));
}

#[test]
fn what_was_written_reads_back_equal() {
    let attributes = attributes();
    for format in ["json", "jsonl"] {
        let text = String::from_utf8(written(format, 3)).unwrap();
        let back = read(&text, format).into_iter().map(Result::unwrap).collect::<Vec<_>>();
        assert_eq!(back, (0..3).map(|i| record(i, &attributes)).collect::<Vec<_>>(), "{format}");
        // White space between the records is free, and so is a byte order mark.
        let pretty = format!("\u{feff}\n {}", text.replace('\n', "\n\n  \r\n"));
        assert_eq!(read(&pretty, format).len(), 3, "{format}");
    }
    assert!(read("[]", "json").is_empty() && read(" [ ] \n", "json").is_empty() && read("\n", "jsonl").is_empty());
}

#[test]
fn a_bad_record_is_named_by_its_line_and_the_next_is_read() {
    let good = serde_json::to_string(&record(0, &attributes())).unwrap();
    let lines = read(&format!("{good}\n\n{{\"chunk_id\": 1}}\n{good}\n"), "jsonl");
    assert!(lines[0].is_ok() && lines[2].is_ok() && lines.len() == 3);
    let problem = lines[1].as_ref().unwrap_err();
    assert!(problem.starts_with("`chunks`, line 3: not a record: ") && !problem.contains("column"), "{problem}");

    let array = read(&format!("[\n{good},\n{{\"chunk_id\":\n\"a}}]\", \"content\": 7}},\n{good}]"), "json");
    assert!(array[0].is_ok() && array[2].is_ok() && array.len() == 3);
    assert!(array[1].as_ref().unwrap_err().starts_with("`chunks`, line 4: not a record"), "{:?}", array[1]);
}

#[test]
fn a_damaged_array_ends_with_an_error() {
    let good = serde_json::to_string(&record(0, &attributes())).unwrap();
    for (text, line, problem) in [
        (String::new(), 1, "expected `[`"),
        (good.clone(), 1, "expected `[`"),
        (format!("[\n{good},\n"), 3, "not closed"),
        (format!("[\n{good}\n,{{\"a\": ["), 3, "not closed"),
        (format!("[{good}]\n\n{good}"), 3, "text after"),
    ] {
        let all = read(&text, "json");
        let last = all.last().unwrap().as_ref().unwrap_err();
        assert!(last.contains(problem) && last.contains(&format!("line {line}:")), "{last}");
    }
    let deep = format!("[{}", "[".repeat(1 << 20));
    assert_eq!(read(&deep, "json").len(), 1);
}

#[test]
fn a_reader_that_has_gone_is_a_closed_pipe() {
    struct Gone;
    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }
    let attributes = attributes();
    for format in FORMATS {
        let written = writer(format, Box::new(Gone)).and_then(|mut writer| {
            writer.write(&record(0, &attributes))?;
            writer.finish()
        });
        assert_eq!(written.unwrap_err().kind(), ErrorKind::ClosedPipe, "{format}");
    }
}
