//! `gristmill diff`, `gristmill models`, and `gristmill explain` of rules and files.

use serde_json::{Value, json};

use crate::run::Folder;

const BEFORE: &str = r#"[
{"text": "The pump is green and stands at the door.", "source": "a.md", "id": "1"},
{"text": "One chunk that is cut anew within this very sentence of many words.", "source": "a.md", "id": "2"},
{"text": "A valve that moves to another page as it is.", "source": "a.md", "id": "3"},
{"text": "Words that nobody needs any more today.", "source": "b.md", "id": "4"}
]"#;

const AFTER: &str = r#"[
{"text": "The pump is green and stands at the door.", "source": "a.md", "id": "1"},
{"text": "One chunk that is cut anew within", "source": "a.md", "id": "5"},
{"text": "this very sentence of many words.", "source": "a.md", "id": "6", "line_start": 7},
{"text": "A valve that moves to another page as it is.", "source": "c.md", "id": "7"},
{"text": "Something that is told for the first time.", "source": "c.md", "id": "8"}
]"#;

#[test]
fn chunks_are_compared_by_source() {
    let folder = Folder::with(&[("before.json", BEFORE), ("after.json", AFTER)]);
    let text = "a.md  1 kept, 1 re-cut into 2\n  ~ One chunk that is cut anew within\n  ~ 7: this very sentence of many \
                words.\nb.md  1 gone\n  - Words that nobody needs any more today.\nc.md  1 moved, 1 new\n  > A valve that \
                moves to another page as it is. (from a.md)\n  + Something that is told for the first time.\n\nchunks: 1 \
                kept, 1 re-cut into 2, 1 moved, 1 new, 1 gone\n";
    folder.run(&["diff", "before.json", "after.json"]).is(0, text, "");
    folder.run(&["diff", "before.json", "after.json", "--check", "-q"]).is(1, "", "");
    folder.run(&["diff", "before.json", "before.json", "--check"]).is(0, "chunks: 4 kept\n", "");
    let json: Value =
        serde_json::from_str(&folder.run(&["diff", "before.json", "after.json", "--format", "json"]).stdout).unwrap();
    let totals =
        json!({ "kept": 1, "other_context": 0, "recut_before": 1, "recut_after": 2, "moved": 1, "new": 1, "gone": 1 });
    assert_eq!(json["totals"], totals);
    let moved = json["changes"].as_array().unwrap().iter().find(|chunk| chunk["change"] == "moved").unwrap();
    assert_eq!((&moved["source"], &moved["from"], &moved["chunk_id"]), (&json!("c.md"), &json!("a.md"), &json!("7")));
}

#[test]
fn long_lists_of_changes_are_cut_unless_all_is_asked_for() {
    let folder = Folder::with(&[("none.json", "[]")]);
    let many: Vec<Value> =
        (0..150).map(|n| json!({ "text": format!("Chunk number {n}."), "source": "a.md" })).collect();
    folder.write("many.json", serde_json::to_string(&many).unwrap());
    let ran = folder.run(&["diff", "none.json", "many.json"]);
    assert!(ran.stdout.ends_with("… 50 more (-v or --format json lists all)\n\nchunks: 150 new\n"), "{}", ran.stdout);
    assert_eq!(folder.run(&["diff", "none.json", "many.json", "-v"]).stdout.lines().count(), 153);
}

#[test]
fn sets_that_cannot_be_read_are_named() {
    let folder = Folder::with(&[("a.json", "[]"), ("b.toml", "x = 1\n")]);
    for name in ["gone.json", "gone.db", "b.toml"] {
        let ran = folder.run(&["diff", "a.json", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{name}");
        assert!(ran.stderr.contains(name), "{}", ran.stderr);
    }
}

#[test]
fn other_settings_and_stores_are_compared() {
    let folder = Folder::handbook();
    assert_eq!(folder.run(&["ingest", "-q", "--store", "large.db"]).code, Some(0));
    assert_eq!(folder.run(&["ingest", "-q", "--store", "small.db", "--max", "200", "--target", "150"]).code, Some(0));
    let ran = folder.run(&["diff", "large.db", "small.db", "--format", "json"]);
    let totals = serde_json::from_str::<Value>(&ran.stdout).unwrap()["totals"].clone();
    let count = |name: &str| totals[name].as_u64().unwrap();
    assert!(count("recut_before") > 10 && count("recut_after") > count("recut_before"), "{totals}");
    assert_eq!((count("moved"), count("new"), count("gone")), (0, 0, 0), "all of the text is in both");
}

#[test]
fn models_are_listed_with_what_they_cost() {
    let folder = Folder::with(&[("a.md", "# A\n\nhello world\n"), ("b/b.md", "# A\n\nhello world\n")]);
    let ran = folder.run(&["models"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("\nstatic/gm-multi-66k-256-i4 *")
            && ran.stdout.contains("\nopenai/text-embedding-3-small ")
    );

    let costs = |args: &[&str]| -> Value {
        let ran = folder.run(&[&["models", "--format", "json"], args].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        serde_json::from_str(&ran.stdout).unwrap()
    };
    // Two dollar cents for a million tokens, as OpenAI's price list says.
    let small = |value: &Value| {
        let models = value["models"].as_array().unwrap();
        models.iter().find(|model| model["model"] == "text-embedding-3-small").unwrap()["cost"].as_f64()
    };
    assert_eq!(small(&costs(&[])), None);
    assert_eq!(small(&costs(&["--tokens", "5000000"])), Some(0.1));
    let corpus = costs(&["--provider", "openai", "--cost", "."]);
    let counted: u64 = folder.run(&["tokens", "a.md"]).stdout.trim().parse().unwrap();
    // The line end is no part of the chunk; the second document has the same text.
    assert_eq!(corpus["corpus"]["texts"], 1);
    let tokens = corpus["corpus"]["tokens"].as_u64().unwrap();
    assert!(tokens.abs_diff(counted) <= 1, "{tokens}");
    assert_eq!(small(&corpus), Some(0.02 * tokens as f64 / 1e6));
    assert!(corpus["models"].as_array().unwrap().iter().all(|model| model["provider"] == "openai"));
    let ran = folder.run(&["models", "--provider", "opnai"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("error: unknown embedding provider: `opnai`\n\nhint: the providers are `static`"));
    assert_eq!(folder.run(&["models", "--cost", "gone"]).code, Some(2));
}

#[test]
fn models_too_small_for_a_chunk_are_marked() {
    let words: String = (0..900).map(|n| format!("word{n} ")).collect();
    let folder = Folder::with(&[("a.txt", &words)]);
    let ran = folder.run(&["models", "--cost", "a.txt", "--max", "4000", "--provider", "cohere"]);
    assert!(ran.stdout.contains("512!") && !ran.stdout.contains("128,000!"), "{}", ran.stdout);
    assert!(ran.stdout.contains("! takes less than the largest chunk"), "{}", ran.stdout);
}

#[test]
fn a_file_is_explained_as_it_would_be_cut() {
    let folder = Folder::handbook();
    let ran = folder.run(&["explain", "en/faq.txt"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.starts_with("en/faq.txt\nread:      as faq, utf-8\n"), "{}", ran.stdout);
    let cut = folder.run(&["explain", "en/maintenance.md", "--format", "json", "--max", "300"]);
    let cut: Value = serde_json::from_str(&cut.stdout).unwrap();
    assert_eq!(
        (&cut["reader"], &cut["configured"], &cut["cutting"]["max"]),
        (&json!("markdown"), &json!(true), &json!(300))
    );
    assert_eq!(cut["first"].as_array().unwrap().len() as u64, cut["chunks"].as_u64().unwrap().min(8));
    folder.write("other.md", "# Title\n\n## Part\n\nText below.\n");
    let ran = folder.run(&["explain", "other.md"]).stdout;
    assert!(ran.contains("source:    of none of the configured sources\n"), "{ran}");
    assert!(ran.contains("  Title  Text below.\n"), "{ran}");
    folder.write("image.png", b"\x89PNG\r\n\x1a\n\0\0");
    let ran = folder.run(&["explain", "image.png"]).stdout;
    assert!(ran.ends_with("read:      no: a binary file\n"), "{ran}");
}

#[test]
fn names_that_are_nothing_are_told_by_what_they_look_like() {
    let folder = Folder::with(&[("docs/a.md", "# A\n")]);
    let rule = folder.run(&["explain", "tiny-chunk"]);
    assert!(rule.code == Some(0) && rule.stdout.starts_with("tiny-chunk (medium, "), "{}", rule.stdout);
    let json: Value = serde_json::from_str(&folder.run(&["explain", "tiny-chunk", "--format", "json"]).stdout).unwrap();
    assert_eq!((&json["name"], &json["severity"]), (&json!("tiny-chunk"), &json!("medium")));
    folder.run(&["explain", "tiny-chunks"]).fails(
        2,
        "error: unknown rule: `tiny-chunks`\n\nhint: did you mean `tiny-chunk`? `gristmill rules` lists all\n",
    );
    folder.run(&["explain", "docs/b.md"]).fails(2, "error: there is no such file: docs/b.md\n");
    folder
        .run(&["explain", "docs"])
        .fails(2, "error: a folder: docs\n\nhint: name one file; `gristmill inspect` counts what is in a folder\n");
}
