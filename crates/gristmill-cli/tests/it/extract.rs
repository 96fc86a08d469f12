//! `gristmill extract`.

use serde_json::Value;

use crate::run::{Folder, lines};

const GUIDE: &str = "# Guide\n\nOpen the valve.\n\n```sh\nls\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n";

#[test]
fn the_canonical_text_is_printed() {
    let folder = Folder::with(&[("a.md", GUIDE)]);
    folder.run(&["extract", "a.md"]).is(0, GUIDE, "");
    folder.run(&["extract", "a.md", "--format", "text"]).is(0, GUIDE, "");
    folder.run_with_input(&["extract", "-"], GUIDE.as_bytes()).is(0, GUIDE, "");
}

#[test]
fn json_has_blocks_and_sections_with_their_places() {
    let folder = Folder::with(&[("a.md", GUIDE), ("b.md", "Words.\n")]);
    let ran = folder.run(&["extract", "a.md", "b.md", "--format", "json"]);
    let documents = lines(&ran.stdout);
    assert_eq!((ran.code, documents.len()), (Some(0), 2));
    let blocks = documents[0]["blocks"].as_array().unwrap();
    let kinds: Vec<&str> = blocks.iter().map(|block| block["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["heading", "paragraph", "code", "table", "row"]);
    let cut = |block: &Value| {
        let at = |key: &str| usize::try_from(block[key].as_u64().unwrap()).unwrap();
        &GUIDE[at("start")..at("end")]
    };
    assert_eq!((cut(&blocks[1]), cut(&blocks[4])), ("Open the valve.", "| 1 | 2 |"));
    assert_eq!((&blocks[0]["level"], &blocks[2]["closed"]), (&Value::from(1), &Value::from(true)));
    assert_eq!(documents[0]["sections"][1]["title"], "Guide");
}

#[test]
fn what_cannot_be_read_is_told() {
    let folder = Folder::with(&[("a.md", GUIDE)]);
    folder.write("b.png", b"\x89PNG\r\n\x1a\n\0\0\0");
    let ran = folder.run(&["extract", "a.md", "b.png"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), GUIDE));
    assert_eq!(ran.stderr, "failed: b.png: a binary file\n");
    for (name, bytes, instead) in [
        ("old.doc", &b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"[..], "doc: save it as .docx"),
        ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "xls: save it as .xlsx"),
        ("old.ppt", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ppt: save it as .pptx"),
        ("mail.msg", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "msg: save it as .eml"),
        ("open.odt", b"PK\x03\x04", "odt: save it as .docx"),
        ("rich.txt", b"{\\rtf1 Words.}", "rtf: save it as .docx"),
    ] {
        folder.write(name, bytes);
        folder.run(&["extract", name]).fails(4, &format!("failed: {name}: no reader for {instead}\n"));
    }
    folder.run(&["extract", "b.png"]).fails(4, "failed: b.png: a binary file\n");
}
