//! `gristmill inspect`.

use serde_json::{Value, json};

use crate::run::Folder;

/// Two headings, three paragraphs with five sentences, one code block, one table, one list.
const GUIDE: &str = "# Guide\n\nOpen the valve. Wait for a minute. Close it.\n\n- one is a paragraph of its own\n\n\
                     ## Code\n\nRun it.\n\n```sh\nls\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n";

#[test]
fn documents_are_counted_in_a_table() {
    let folder = Folder::with(&[("a.md", GUIDE), ("b/c.txt", "Words of a text.\n"), ("d.md", "```\nopen\n")]);
    let ran = folder.run(&["inspect", "."]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let rows: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    let header = "document kind tokens unclosed headings paragraphs sentences code";
    assert_eq!(rows[0][..8].join(" "), header);
    assert_eq!((rows[1][0], rows[1][1], &rows[1][3..8]), ("a.md", "markdown", &["0", "2", "3", "5", "1"][..]));
    assert_eq!((rows[2][0], rows[2][1], &rows[2][3..8]), ("b/c.txt", "text", &["0", "0", "1", "1", "0"][..]));
    assert_eq!((rows[3][0], &rows[3][3..8]), ("d.md", &["1", "0", "0", "0", "1"][..]));
    assert_eq!((rows[4][..2].join(" "), &rows[4][3..8]), ("3 documents".to_owned(), &["1", "2", "4", "6", "2"][..]));
    assert!(ran.stdout.contains("\nkinds: 2 markdown, 1 text\nencodings: 3 utf-8\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("1 document for a person to look at:\n  d.md: line 1: code "), "{}", ran.stdout);
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn programs_get_everything() {
    let folder = Folder::with(&[("a.md", GUIDE)]);
    let ran = folder.run(&["inspect", "a.md", "--format", "json", "--tokenizer", "cl100k_base"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let counts = &report["documents"][0]["inspection"];
    assert_eq!((&counts["tables"], &counts["lists"], &counts["sentences"]), (&json!(1), &json!(1), &json!(5)));
    let counted = folder.run(&["tokens", "a.md", "--tokenizer", "cl100k_base"]);
    assert_eq!(counts["tokens"].to_string(), counted.stdout.trim());
    assert_eq!((&report["chunk_files"], &report["totals"]["size"]["tokenizer"]), (&json!([]), &json!("cl100k_base")));
}

#[test]
fn files_of_chunks_show_fragments_duplicates_and_gaps() {
    let long = "many words of one chunk ".repeat(20);
    let folder = Folder::new();
    let chunks = json!({ "documents": [
        { "id": 1, "content": long, "meta": { "source": "a.md", "title": "A" } },
        { "id": 2, "content": long.to_uppercase(), "meta": { "source": "a.md" } },
        { "id": 2, "content": "short", "meta": { "source": "b.md", "title": "B" } },
        { "id": 4, "content": " \u{200b} ", "meta": {} },
    ]});
    folder.write("chunks.json", chunks.to_string());
    let ran = folder.run(&["inspect", "chunks.json", "--max", "90"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    for part in [
        "chunks.json: 4 chunks, from 2 sources\n",
        "\n  under 32 tokens       2 (50.0 %)\n  over 90 tokens        2 (50.0 %)\n  without visible text  1\n",
        "\n  duplicates            1 (25.0 %)\n  repeated identities   1\n",
        "\n  metadata gaps         no source in 1, no document_title in 2, no section_title in all, no chunk_index in all,",
    ] {
        assert!(ran.stdout.contains(part), "{part} in {}", ran.stdout);
    }
}

#[test]
fn a_broken_file_of_chunks_is_named_with_its_line() {
    let folder = Folder::with(&[("ok.json", "[\"a chunk\"]"), ("bad.jsonl", "\"a\"\n\"b\"\n{\"text\": three}\n")]);
    let ran = folder.run(&["inspect", "bad.jsonl"]);
    assert_eq!(ran.code, Some(4));
    assert!(ran.stderr.starts_with("failed: `bad.jsonl`, line 3: "), "{}", ran.stderr);
    assert!(ran.stdout.contains("read in part"));
    assert_eq!(folder.run(&["inspect", "ok.json", "bad.jsonl"]).code, Some(4));
    assert_eq!(folder.run(&["inspect", "ok.json"]).code, Some(0));
    let none = folder.run(&["inspect", "gone.json"]);
    assert_eq!((none.code, none.stderr.split(": ").next()), (Some(4), Some("failed")));
}

#[test]
fn chunks_of_files_are_in_the_totals() {
    let folder = Folder::with(&[("a.json", "[\"one\", \"two\"]"), ("b.jsonl", "\"three\"\n")]);
    let ran = folder.run(&["inspect", "a.json", "b.jsonl", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&report["totals"]["chunks"], &report["totals"]["documents"]), (&json!(3), &json!(0)));
}
