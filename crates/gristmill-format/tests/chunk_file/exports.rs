//! The shapes that other tools write.

use gristmill_core::PartKind;
use gristmill_format::PartRecord;
use gristmill_format::chunk_file::{ChunkFile, ChunkFormat, Found};

use super::{read, texts};

fn one(json: &str) -> Found {
    read(&format!("[{json}]"), ChunkFormat::Json).unwrap().remove(0)
}

/// Identity, source, order, first and last code point.
fn facts(found: &Found) -> (String, String, Option<u64>, Option<u64>, Option<u64>) {
    let (start, end) = found.span();
    (found.id().unwrap_or_default().into(), found.source().unwrap_or_default().into(), found.order(), start, end)
}

#[test]
fn langchain() {
    let dumped = r#"{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "document", "Document"], "kwargs":
        {"metadata": {"source": "a.md", "start_index": 5}, "page_content": "One.", "type": "Document"}}"#;
    let found = one(dumped);
    assert_eq!(found.text(), "One.");
    assert_eq!(facts(&found), (String::new(), "a.md".into(), None, Some(5), None));
    let model = r#"{"id":null,"metadata":{"Header 1":"T","Header 2":"S"},"page_content":"One.","type":"Document"}"#;
    assert_eq!(one(model).headings(), ["T", "S"]);
    let stored = r#"{"id": "x", "vector": [1.0], "text": "One.", "metadata": {"source": "a.md", "page": 3}}"#;
    assert_eq!(facts(&one(stored)), ("x".into(), "a.md".into(), None, None, None));
    assert_eq!(one(stored).pages(), [3]);
}

#[test]
fn llama_index() {
    let node = r#"{"id_": "n1", "embedding": null, "metadata": {"file_name": "a.md", "file_path": "/x/a.md",
        "header_path": "/T/S/"}, "relationships": {"1": {"node_id": "d1", "node_type": "4"}}, "text": "One.",
        "start_char_idx": 2, "end_char_idx": 6, "class_name": "TextNode"}"#;
    let scored = format!(r#"{{"node": {node}, "score": 0.5, "class_name": "NodeWithScore"}}"#);
    let stored = format!(r#"{{"__data__": {node}, "__type__": "1"}}"#);
    let both = format!(r#"{{"node": {stored}, "score": 0.5}}"#);
    for export in [node, &scored, &stored, &both] {
        let found = one(export);
        assert_eq!(found.text(), "One.");
        assert_eq!(facts(&found), ("n1".into(), "/x/a.md".into(), None, Some(2), Some(6)));
        assert_eq!(found.headings(), ["T", "S"]);
    }
    let bare =
        r#"{"id_": "n", "metadata": {}, "relationships": {"1": {"node_id": "d1"}}, "text_resource": {"text": "A"}}"#;
    assert_eq!((one(bare).text(), one(bare).source().as_deref()), ("A", Some("d1")));
}

#[test]
fn haystack() {
    let nested = r#"{"id": "h", "content": "One.", "blob": null, "meta": {"file_path": "a.md", "source_id": "55",
        "page_number": 1, "split_id": 4, "split_idx_start": 15}, "score": null}"#;
    let flat = r#"{"file_path": "a.md", "source_id": "55", "page_number": 1, "split_id": 4, "split_idx_start": 15,
        "id": "h", "content": "One.", "blob": null, "score": null}"#;
    for export in [nested, flat] {
        let found = one(export);
        assert_eq!(facts(&found), ("h".into(), "a.md".into(), Some(4), Some(15), None));
        assert_eq!((found.text(), found.pages()), ("One.", vec![1]));
    }
    let store = format!(r#"{{"type": "store", "init_parameters": {{"x": [1]}}, "documents": [{nested}]}}"#);
    assert_eq!(texts(&store, ChunkFormat::Json).unwrap(), ["One."]);
    assert_eq!(
        one(r#"{"content": "a", "meta": {"source": {"url": "http://x/a"}}}"#).source().as_deref(),
        Some("http://x/a")
    );
}

#[test]
fn chonkie_unstructured_and_docling() {
    let chonkie =
        r#"{"id": "c", "text": "One.", "start_index": 25, "end_index": 29, "token_count": 4, "metadata": {}}"#;
    assert_eq!(facts(&one(chonkie)), ("c".into(), String::new(), None, Some(25), Some(29)));
    let unstructured = r#"{"type": "NarrativeText", "element_id": "e", "text": "One.", "metadata":
        {"filename": "a.pdf", "page_number": 2}}"#;
    assert_eq!(facts(&one(unstructured)), ("e".into(), "a.pdf".into(), None, None, None));
    let docling =
        r#"{"text": "One.", "meta": {"headings": ["T", "S"], "origin": {"filename": "a.pdf", "mimetype": "x"}}}"#;
    assert_eq!((one(docling).source().as_deref(), one(docling).headings()), (Some("a.pdf"), vec!["T", "S"]));
}

#[test]
fn marks_of_injected_text_are_read() {
    let found = one(r#"{"text": "T\n\nOne.", "metadata": {"injected": [{"kind": "heading", "start": 0, "end": 3}]}}"#);
    let heading = PartRecord { kind: PartKind::Heading, start: 0, end: 3, origin: None };
    assert_eq!(found.parts(), [heading]);
}

#[test]
fn lists_stand_alone_or_in_objects() {
    for content in [
        r#"["a", "b"]"#,
        r#"{"version": [1], "documents": [{"content": "a"}, {"content": "b"}], "more": {}}"#,
        r#"{"documents": [{"title": "T"}], "data": 7, "chunks": [{"text": "a"}, {"text": "b"}]}"#,
        "\u{feff}[\"a\", {\"text\": \"b\"}]\n",
    ] {
        assert_eq!(texts(content, ChunkFormat::Json).unwrap(), ["a", "b"], "{content}");
    }
    assert_eq!(texts("\u{feff}\"a\"\r\n\n{\"text\": \"b\"}", ChunkFormat::JsonLines).unwrap(), ["a", "b"]);
    assert!(
        texts("[]", ChunkFormat::Json).unwrap().is_empty() && texts("", ChunkFormat::JsonLines).unwrap().is_empty()
    );
}

#[test]
fn bytes_without_a_name_are_known_by_their_look() {
    let format = |text: &str| ChunkFile::from_bytes(text.into(), "-", None).unwrap().format();
    assert_eq!(format("\u{feff} [\"a\"]"), ChunkFormat::Json);
    assert_eq!(format("{\"chunks\": []}"), ChunkFormat::Json);
    assert_eq!(format("{\"text\": \"a\"}\n{\"text\": \"b\"}"), ChunkFormat::JsonLines);
    assert_eq!(format("a\n\nb"), ChunkFormat::Text);
}

#[test]
fn what_is_no_chunk_is_named_with_its_place() {
    use ChunkFormat::{Json, JsonLines, Text};
    let message = |content: &str, format| texts(content, format).unwrap_err().to_string();
    for (content, format, start) in [
        ("[\"a\",\n {\"x\": 1}]", Json, "`f`, line 2: chunk 1 has no text under `text`, `page_content`, `content`"),
        ("\"a\"\n\"b\"\n{\"text\": three}\n", JsonLines, "`f`, line 3: chunk 2 is not JSON: "),
        ("\n{\"text\": 3}", JsonLines, "`f`, line 2: chunk 0 has a text that is no string: a number"),
        ("[null]", Json, "`f`, line 1: chunk 0 is neither an object nor a text: null"),
        ("{\"text\": \"\\ud800\"}", JsonLines, "`f`, line 1: chunk 0 is not JSON: "),
        ("[{\"text\":\n\"a\",\n \"n\": 1e999}]", Json, "`f`, line 3: chunk 0 is not JSON: number out of range"),
        ("[\"a\",\n]", Json, "`f`, line 2: not JSON: "),
        ("[\"a\"\n\"b\"]", Json, "`f`, line 2: not JSON: expected `,` or `]`"),
        ("[\"a\",", Json, "`f`, line 1: the list of chunks is not closed"),
        ("{\"chunks\": [], \"chunks\": []}", Json, "`f`, line 1: a second list of chunks under `chunks`"),
        ("{\"chunks\": [] \"a\": 1}", Json, "`f`, line 1: not JSON: "),
        ("{\"a\": 1}", Json, "`f`: no list of chunks under"),
        ("7", Json, "`f`, line 1: expected a list of chunks"),
        ("", Json, "`f`, line 1: expected a list of chunks"),
    ] {
        let message = message(content, format);
        assert!(message.starts_with(start), "{content}: {message}");
    }
    for format in [Json, JsonLines, Text] {
        let broken = b"[\"a\",\n\"\xff\"]";
        let file = ChunkFile::from_bytes(broken.to_vec(), "f", Some(format)).unwrap();
        assert!(file.index().is_err());
        assert!(texts(&"[".repeat(100_000), Json).is_err() && texts(&"[".repeat(100_000), JsonLines).is_err());
    }
    let several = texts("{\"chunks\": []}\n{}", Json).unwrap_err();
    assert!(several.hint_text().is_some_and(|hint| hint.contains(".jsonl")));
}

#[test]
fn fields_are_found_in_the_chunk_and_in_its_metadata() {
    let found = one(r#"{"text": "a", "source": " ", "metadata": {"source": "m.md", "tags": []}}"#);
    assert_eq!(found.field(&["source"]).and_then(|value| value.as_str()), Some("m.md"));
    assert_eq!(found.field(&["tags"]), None);
    assert_eq!(one(r#"{"text": "a", "meta": {"page": 0}}"#).field(&["page"]), Some(&0.into()));
    assert_eq!(one("\"a\"").field(&["source"]), None);
}

#[test]
fn the_index_groups_chunks_by_source_in_order() {
    let lines = r#"{"text": "b", "source": "x", "order": 7}
        {"text": "c", "metadata": {"source": "y", "chunk_index": 0}}
        "d"
        {"text": "a", "source": "x", "order": 2}
        {"text": "e", "metadata": {"source": "y", "chunk_index": 0}}"#;
    let file = super::open(lines, ChunkFormat::JsonLines).unwrap();
    let index = file.index().unwrap();
    assert_eq!(index.sources, ["x", "y"]);
    let groups: Vec<_> = index.groups().into_iter().map(|group| (group.source, group.chunks)).collect();
    assert_eq!(groups, [(Some(0), vec![3, 0]), (Some(1), vec![1, 4]), (None, vec![2])]);
    let found = file.read_at(3, &index.entries[3]).unwrap();
    assert_eq!((found.text(), found.line, found.index), ("a", 4, 3));
}
