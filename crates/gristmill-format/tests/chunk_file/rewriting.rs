//! Bytes after verdicts.

use gristmill_core::{PartKind, Result};
use gristmill_format::PartRecord;
use gristmill_format::chunk_file::{Change, ChunkFormat, Verdict};
use gristmill_format::record_schema;
use serde_json::{Value, json};

use super::{open, read, sample, written};

fn changed(text: &str, format: ChunkFormat, at: usize, change: &Change) -> String {
    let file = open(text, format).unwrap();
    written(&file, |index| if index == at { Verdict::Change(change.clone()) } else { Verdict::Keep }).0
}

fn without(text: &str, format: ChunkFormat, gone: &[usize]) -> String {
    let file = open(text, format).unwrap();
    written(&file, |index| if gone.contains(&index) { Verdict::Remove } else { Verdict::Keep }).0
}

#[test]
fn removed_chunks_go_with_one_separator() {
    use ChunkFormat::{Json, JsonLines, Text};
    let list = "{\"v\": 1.0,\n \"chunks\": [\n  \"a\",\n  \"b\",\n  \"c\"\n ], \"z\": 1e5 }\n";
    assert_eq!(without(list, Json, &[0]), "{\"v\": 1.0,\n \"chunks\": [\n  \"b\",\n  \"c\"\n ], \"z\": 1e5 }\n");
    assert_eq!(without(list, Json, &[1, 2]), "{\"v\": 1.0,\n \"chunks\": [\n  \"a\"\n ], \"z\": 1e5 }\n");
    assert_eq!(without(list, Json, &[0, 1, 2]), "{\"v\": 1.0,\n \"chunks\": [], \"z\": 1e5 }\n");
    assert_eq!(without("\u{feff}\"a\"\r\n\r\n\"b\"\r\n", JsonLines, &[0]), "\u{feff}\"b\"\r\n");
    assert_eq!(without("\"a\"\n\"b\"", JsonLines, &[1]), "\"a\"");
    assert_eq!(without("a\n\nb\n\n\nc\n", Text, &[1]), "a\n\n\nc\n");
    assert_eq!(without("a\n\nb\n---\nc\n", Text, &[1]), "a\n\nb\n---\n");
    assert_eq!(without("a\n\nb\n", Text, &[0, 1]), "");
}

#[test]
fn a_change_is_spliced_in() -> Result<()> {
    let merged = Change::text("x\n\"é\"").metadata("merged_ids", Some(&["b"]))?;
    for (before, after) in [
        (
            r#"{"n": 1.0, "page_content": "a", "metadata": {"source": "m", "big": 123456789012345678901}, "e": 1e5}"#,
            r#"{"n": 1.0, "page_content": "x\n\"é\"", "metadata": {"source": "m", "big": 123456789012345678901, "merged_ids": ["b"]}, "e": 1e5}"#,
        ),
        (r#"{"text":"a"}"#, r#"{"text":"x\n\"é\"","metadata":{"merged_ids":["b"]}}"#),
        (r#"{"text": "a", "meta": {}}"#, r#"{"text": "x\n\"é\"", "meta": {"merged_ids": ["b"]}}"#),
        (r#"{"metadata": null, "text": "a"}"#, r#"{"metadata": {"merged_ids": ["b"]}, "text": "x\n\"é\""}"#),
        (
            r#"{"text": "\u00e4", "metadata": {"merged_ids": ["c"]}}"#,
            r#"{"text": "x\n\"\u00e9\"", "metadata": {"merged_ids": ["b"]}}"#,
        ),
        (
            r#"{"lc": 1, "kwargs": {"metadata": {"a": 1}, "page_content": "a"}}"#,
            r#"{"lc": 1, "kwargs": {"metadata": {"a": 1, "merged_ids": ["b"]}, "page_content": "x\n\"é\""}}"#,
        ),
        (
            r#"{"text_resource": {"text": "a"}, "metadata": {}, "text": "a"}"#,
            r#"{"text_resource": {"text": "x\n\"é\""}, "metadata": {"merged_ids": ["b"]}, "text": "x\n\"é\""}"#,
        ),
        (
            r#"{"source": "s", "content": "a", "blob": null}"#,
            r#"{"source": "s", "content": "x\n\"é\"", "blob": null, "merged_ids": ["b"]}"#,
        ),
        (
            r#"{"text": "a", "metadata": "{\"k\": \"v\"}"}"#,
            r#"{"text": "x\n\"é\"", "metadata": "{\"k\": \"v\", \"merged_ids\": [\"b\"]}"}"#,
        ),
        (
            r#"{"text": "a", "text": "b", "x": 1}"#,
            r#"{"text": "a", "text": "x\n\"é\"", "x": 1, "metadata": {"merged_ids": ["b"]}}"#,
        ),
        (r#""a""#, r#""x\n\"é\"""#),
    ] {
        let rest = format!("{before}\n{before}\n");
        let lines = changed(&rest, ChunkFormat::JsonLines, 0, &merged);
        assert_eq!(lines, format!("{after}\n{before}\n"));
        assert_eq!(changed(&lines, ChunkFormat::JsonLines, 0, &merged), lines);
    }
    let pretty = "[\n {\n  \"text\": \"a\",\n  \"metadata\": {\n   \"source\": \"m\"\n  }\n }\n]";
    let expected = "[\n {\n  \"text\": \"x\\n\\\"é\\\"\",\n  \"metadata\": {\n   \"source\": \"m\",\n   \"merged_ids\": [\"b\"]\n  }\n }\n]";
    assert_eq!(changed(pretty, ChunkFormat::Json, 0, &merged), expected);
    Ok(())
}

#[test]
fn keys_are_taken_away_and_ends_moved() -> Result<()> {
    let gone = |keys: &[&str]| {
        keys.iter().try_fold(Change::default(), |change, key| change.metadata(key, None::<&()>)).unwrap()
    };
    let line = r#"{"text": "a", "meta": {"a": 1, "b": 2, "c": 3}}"#;
    for (keys, left) in [
        (&["a"][..], r#"{"b": 2, "c": 3}"#),
        (&["a", "c"], r#"{"b": 2}"#),
        (&["b", "c"], r#"{"a": 1}"#),
        (&["a", "b"], r#"{"c": 3}"#),
        (&["c", "b", "a"], "{}"),
    ] {
        let after = changed(line, ChunkFormat::JsonLines, 0, &gone(keys));
        assert_eq!(after, format!(r#"{{"text": "a", "meta": {left}}}"#));
    }
    let replaced = gone(&["a", "b", "c"]).metadata("d", Some(&4))?;
    assert_eq!(changed(line, ChunkFormat::JsonLines, 0, &replaced), r#"{"text": "a", "meta": {"d": 4}}"#);
    let moved =
        changed(r#"{"text":"a","end_char_idx":1,"m":{}}"#, ChunkFormat::JsonLines, 0, &Change::text("a b").end(3));
    assert_eq!(moved, r#"{"text":"a b","end_char_idx":3,"m":{}}"#);
    Ok(())
}

/// A file in which the chunk at a place became two, named `x` and `y`.
fn doubled(text: &str, format: ChunkFormat, at: usize) -> String {
    let file = open(text, format).unwrap();
    let two = Verdict::Several(vec![Change::text("x"), Change::text("y")]);
    written(&file, |index| if index == at { two.clone() } else { Verdict::Keep }).0
}

#[test]
fn a_chunk_becomes_several() -> Result<()> {
    use ChunkFormat::{Json, JsonLines, Text};
    for (format, at, before, after) in [
        (Json, 0, "[\n  \"a\",\n  \"b\"\n]\n", "[\n  \"x\",\n  \"y\",\n  \"b\"\n]\n"),
        (Json, 1, "[\"a\",\"b\"]", "[\"a\",\"x\",\"y\"]"),
        (Json, 0, "[\n\t\"a\"\n]", "[\n\t\"x\",\n\t\"y\"\n]"),
        (Json, 0, "{\"chunks\":[\"a\"]}", "{\"chunks\":[\"x\", \"y\"]}"),
        (JsonLines, 0, "\"a\"\n\"b\"\n", "\"x\"\n\"y\"\n\"b\"\n"),
        (JsonLines, 1, "\"a\"\r\n\"b\"", "\"a\"\r\n\"x\"\r\n\"y\""),
        (JsonLines, 0, "\"a\"\n", "\"x\"\n\"y\"\n"),
        (Text, 0, "a\n\nb\n", "x\n\ny\n\nb\n"),
        (Text, 1, "a\n---\nb\n", "a\n---\nx\n---\ny\n"),
        (Text, 0, "a\r\na\r\n", "x\r\n\r\ny\r\n"),
    ] {
        assert_eq!(doubled(before, format, at), after);
    }
    let parts = ["1", "1-2"].map(|id| Change::text(id).field("id", Some(&id)));
    let parts: Vec<Change> = parts.into_iter().collect::<Result<_>>()?;
    let file = open("{\"id\": \"1\", \"text\": \"a\", \"n\": 5}\n", JsonLines)?;
    let (out, notes) = written(&file, |_| Verdict::Several(parts.clone()));
    assert_eq!(out, "{\"id\": \"1\", \"text\": \"1\", \"n\": 5}\n{\"id\": \"1-2\", \"text\": \"1-2\", \"n\": 5}\n");
    assert_eq!((notes.changed, notes.removed), (2, 0));
    Ok(())
}

#[test]
fn injected_text_is_marked() -> Result<()> {
    let heading = PartRecord { kind: PartKind::Heading, start: 0, end: 3, origin: None };
    let line = r#"{"text": "a", "meta": {"source": "m"}}"#;
    let marked = changed(line, ChunkFormat::JsonLines, 0, &Change::text("T\n\na").injected(&[heading])?);
    let marks = r#"[{"kind": "heading", "start": 0, "end": 3}]"#;
    assert_eq!(marked, format!(r#"{{"text": "T\n\na", "meta": {{"source": "m", "injected": {marks}}}}}"#));
    assert_eq!(read(&marked, ChunkFormat::JsonLines)?[0].parts(), [heading]);
    assert_eq!(changed(&marked, ChunkFormat::JsonLines, 0, &Change::text("a").injected(&[])?), line);
    Ok(())
}

#[test]
fn what_has_no_place_is_noted() -> Result<()> {
    let change = Change::text("b").metadata("merged_ids", Some(&["x"]))?;
    let file = open("\"a\"\n{\"text\": \"a\", \"metadata\": 7, \"embedding\": [0.5]}\n", ChunkFormat::JsonLines)?;
    let (out, notes) = written(&file, |_| Verdict::Change(change.clone()));
    assert_eq!(out, "\"b\"\n{\"text\": \"b\", \"metadata\": 7, \"embedding\": [0.5]}\n");
    assert_eq!((notes.changed, notes.stale_vectors, notes.unheld.get("merged_ids")), (2, 1, Some(&2)));
    let text = open("a\r\n\r\nb\r\n", ChunkFormat::Text)?;
    assert!(text.can_hold("a\nb") && !text.can_hold("a\n\nb"));
    let (out, notes) =
        written(&text, |index| if index == 0 { Verdict::Change(Change::text("x\ny")) } else { Verdict::Keep });
    assert_eq!((out.as_str(), notes.changed, notes.split), ("x\r\ny\r\n\r\nb\r\n", 1, 0));
    Ok(())
}

#[test]
fn records_stay_records() -> Result<()> {
    let attributes = sample::attributes();
    let line = |index| serde_json::to_string(&sample::record(index, &attributes)).unwrap();
    let lines = format!("{}\n{}\n", line(0), line(1));
    let found = read(&lines, ChunkFormat::JsonLines)?;
    let mut record = found[0].record().unwrap();
    assert_eq!(record, sample::record(0, &attributes));
    assert_eq!(changed(&lines, ChunkFormat::JsonLines, 0, &Change::record(&record)?), lines);
    record.content = "another".into();
    record.token_count = 1;
    record.metadata.token_count = 1;
    record.metadata.parts.truncate(1);
    record.metadata.next_chunk_id = None;
    record.metadata.merged_ids = vec!["gone".into()];
    let after = changed(&lines, ChunkFormat::JsonLines, 0, &Change::record(&record)?);
    assert_eq!(read(&after, ChunkFormat::JsonLines)?[0].record().unwrap(), record);
    assert!(after.ends_with(&format!("\n{}\n", line(1))));
    let schema = jsonschema::validator_for(&record_schema()).unwrap();
    let written: Value = serde_json::from_str(after.lines().next().unwrap()).unwrap();
    assert!(schema.is_valid(&written));
    assert_eq!(written["metadata"]["merged_ids"], json!(["gone"]));
    Ok(())
}
