//! What is written, where, and when nothing is.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use super::{SOUND, WORN, folder};
use crate::run::Folder;

/// `worn.json` after its repair: what is merged, put in and marked.
const MENDED: &str = r###"[
  {"id": "a", "source": "a.md", "text": "# Results\n\nIn the third quarter of the year the revenue of the group grew by 40% year over year, which nobody in the house had thought likely before.", "metadata": {"merged_ids": ["b"]}},
  {"id": "c", "source": "a.md", "text": "## Prices\n\nThe list of the autumn:\n\n| size | price |\n| --- | --- |\n| small | 12 francs |"},
  {"id": "d", "source": "a.md", "text": "[Results > Prices]\n\n| size | price |\n| --- | --- |\n| large | 19 francs |\n| huge | 25 francs |", "metadata": {"injected": [{"kind": "heading", "start": 0, "end": 20}, {"kind": "table_header", "start": 20, "end": 51}]}}
]
"###;

/// The chunks of a text of JSON. The order of keys within what a repair adds is free.
fn chunks(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| panic!("{text}"))
}

#[test]
fn repaired_chunks_go_beside_the_file() {
    let folder = folder();
    folder.run(&["fix", "worn.json"]).is(
        0,
        "4 repairs: 4 chunks became 3 (1 merged)\n  2  missing-heading     Chunk has lost its heading\n  1  \
         mid-sentence-start  Chunk resumes a cut sentence\n  1  orphan-table        Table rows without their header\n\nno \
         findings left\nwritten to `worn.clean.json`\n",
        "",
    );
    assert_eq!((folder.json("worn.clean.json"), folder.read("worn.json")), (chunks(MENDED), WORN.to_owned()));
    folder.run(&["scan", "worn.clean.json"]).is(0, "3 chunks scanned: no findings\n", "");
    folder.run(&["fix", "worn.clean.json", "-o", "again.json", "-q"]).is(0, "", "");
    assert_eq!(folder.read("again.json"), folder.read("worn.clean.json"), "a second repair does nothing");
}

#[test]
fn names_and_formats_are_kept() {
    let text = "The first paragraph ends with a full stop.\n\n \n\nThe second one stands alone.\n";
    let folder =
        Folder::with(&[("a.txt", text), ("sub/b.JSONL", "{\"text\": \"Words of a chunk.\", \"k\": [1,  2]}\n")]);
    assert_eq!(folder.run(&["fix", "a.txt", "-q"]).code, Some(0));
    assert_eq!(folder.run(&["fix", "sub/b.JSONL", "-q"]).code, Some(0));
    assert_eq!(folder.names(), ["a.clean.txt", "a.txt", "sub"]);
    assert_eq!(folder.read("sub/b.clean.JSONL"), folder.read("sub/b.JSONL"));
}

#[test]
fn what_needs_no_repair_keeps_its_bytes() {
    let odd = "\u{feff}[ {\"z\" :1,\r\n\"text\":\"A sentence with an \\u00e9 stands here whole.\" , \"id\":\"x\"}\r\n]";
    let folder = Folder::with(&[("odd.json", odd), ("sound.json", SOUND)]);
    for name in ["odd", "sound"] {
        let (file, clean) = (format!("{name}.json"), format!("{name}.clean.json"));
        let ran = folder.run(&["fix", &file]);
        assert!(ran.code == Some(0) && ran.stdout.starts_with("nothing to repair in "), "{ran:?}");
        assert_eq!(fs::read(folder.at(&clean)).unwrap(), fs::read(folder.at(&file)).unwrap());
    }
}

#[test]
fn a_file_is_replaced_only_when_it_changes() {
    let folder = folder();
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let file = fs::File::options().append(true).open(folder.at("sound.json")).unwrap();
    file.set_modified(long_ago).unwrap();
    drop(file);
    let ran = folder.run(&["fix", "sound.json", "--in-place"]);
    ran.is(0, "nothing to repair in 2 chunks\n\nno findings left\n", "");
    assert_eq!(fs::metadata(folder.at("sound.json")).unwrap().modified().unwrap(), long_ago);
    assert_eq!(folder.read("sound.json"), SOUND);
    let ran = folder.run(&["fix", "worn.json", "--in-place"]);
    assert!(ran.code == Some(0) && ran.stdout.ends_with("written to `worn.json`\n"), "{ran:?}");
    assert_eq!(
        (folder.json("worn.json"), folder.names()),
        (chunks(MENDED), vec!["sound.json".into(), "worn.json".into()])
    );
    let both = folder.run(&["fix", "worn.json", "--in-place", "-o", "x.json"]);
    assert_eq!(both.code, Some(2), "{both:?}");
}

#[test]
fn the_output_goes_where_it_was_sent() {
    let folder = folder();
    let ran = folder.run(&["fix", "worn.json", "-o", "new/out.json"]);
    assert!(ran.code == Some(0) && ran.stdout.ends_with("written to `new/out.json`\n"), "{ran:?}");
    assert_eq!((folder.json("new/out.json"), folder.names().len()), (chunks(MENDED), 3));
    let same = "error: the output would replace an input: ./worn.json\n\nhint: `--in-place` replaces it\n";
    folder.run(&["fix", "worn.json", "-o", "./worn.json"]).fails(2, same);
    assert_eq!(folder.read("worn.json"), WORN);
}

#[test]
fn chunks_stream_through() {
    let folder = folder();
    let piped = folder.run_with_input(&["fix", "-"], WORN.as_bytes());
    assert_eq!((piped.code, chunks(&piped.stdout)), (Some(0), chunks(MENDED)));
    assert!(piped.stderr.starts_with("4 repairs: 4 chunks became 3 (1 merged)\n"), "{}", piped.stderr);
    folder.run_with_input(&["fix", "-", "-q"], WORN.as_bytes()).is(0, &piped.stdout, "");
    folder.run(&["fix", "worn.json", "-o", "-", "-q"]).is(0, &piped.stdout, "");
    assert_eq!(folder.names(), ["sound.json", "worn.json"]);
}

#[test]
fn a_dry_run_writes_nothing_and_tells_the_same() {
    let folder = folder();
    let dry = folder.run(&["fix", "worn.json", "--dry-run"]);
    assert!(
        dry.code == Some(0) && dry.stdout.starts_with("4 repairs: 4 chunks would become 3 (1 merged)\n"),
        "{dry:?}"
    );
    let end = "\ndry run: nothing was written\nrun `gristmill fix worn.json` to write the repaired chunks\n";
    assert!(dry.stdout.ends_with(end) && !dry.stdout.contains("  + "), "{}", dry.stdout);
    for shown in ["-v", "--diff"] {
        let diff = folder.run(&["fix", "worn.json", "--dry-run", shown]).stdout;
        for line in ["      a (changed)", "      b (gone)", "      + | size | price |", "        | large | 19 francs |"]
        {
            assert_eq!(diff.lines().filter(|there| *there == line).count(), 1, "{shown}: {line} in {diff}");
        }
    }
    folder.run(&["fix", "worn.json", "--dry-run", "-q"]).is(0, "", "");
    folder.run_with_input(&["fix", "-", "--dry-run", "-q"], WORN.as_bytes()).is(0, "", "");
    assert_eq!(folder.names(), ["sound.json", "worn.json"]);
}

#[test]
fn the_gate_looks_at_what_is_left() {
    let folder = Folder::with(&[(
        "twice.json",
        "[{\"text\": \"The same words twice.\"}, {\"text\": \"The same words twice.\"}]",
    )]);
    for (gate, code) in [("high", 0), ("medium", 1), ("never", 0)] {
        let ran = folder.run(&["fix", "twice.json", "-q", "--fail-on", gate]);
        assert_eq!(ran.code, Some(code), "{gate}: {ran:?}");
    }
    assert_eq!(folder.run(&["fix", "twice.json", "-q"]).code, Some(0));
    assert_eq!(
        folder.run(&["fix", "twice.json", "-q", "--unsafe", "-o", "once.json", "--fail-on", "medium"]).code,
        Some(0)
    );
    assert_eq!(folder.json("once.json").as_array().unwrap().len(), 1);
    assert_eq!(folder.run(&["fix", "twice.json", "--ignore", "all", "--fail-on", "info", "-q"]).code, Some(0));
}

#[test]
fn only_chosen_rules_repair() {
    let folder = folder();
    let ran = folder.run(&["fix", "worn.json", "--select", "orphan-table"]);
    assert!(ran.stdout.starts_with("1 repair: 4 chunks became 4\n"), "{}", ran.stdout);
    assert!(folder.read("worn.clean.json").contains("\"text\": \"| size | price |\\n| --- | --- |\\n| large"));
}

#[test]
fn documents_need_a_place_to_go() {
    let folder = Folder::with(&[("docs/a.md", "# Guide\n\nOpen the valve, then wait for a minute.\n")]);
    let nowhere = "error: the chunks of documents need a place to go\n\nhint: say `-o chunks.json`, or `--dry-run`\n";
    folder.run(&["fix", "docs"]).fails(2, nowhere);
    folder.run(&["fix", "docs/a.md", "--as", "documents"]).fails(2, nowhere);
    folder.run(&["fix", "docs", "--dry-run", "-q"]).is(0, "", "");
    for out in ["c.json", "c.jsonl", "c.parquet"] {
        folder.run(&["fix", "docs", "-o", out, "-q"]).is(0, "", "");
    }
    let made = folder.run(&["chunk", "docs"]).records();
    assert_eq!(folder.json("c.json").as_array().unwrap(), &made);
    let two = folder.run(&["fix", "c.json", "c.jsonl"]);
    two.fails(2, "error: `fix` takes one file of chunks, or documents\n\nhint: call it for each file of chunks\n");
}

#[test]
fn nobody_listening_is_no_error() {
    let folder = Folder::new();
    let chunk = "{\"text\": \"A sentence that is whole, number # of many.\"}\n";
    let many: String = (0..5_000).map(|n| chunk.replace('#', &n.to_string())).collect();
    folder.write("many.jsonl", many.replace("whole, number 7 ", "\u{202e}"));
    for args in [
        &["fix", "many.jsonl", "-o", "-"][..],
        &["scan", "many.jsonl", "--format", "jsonl", "--fail-on", "never"],
        &["rules"],
    ] {
        let mut child = folder.command(args).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.contains("error")), (Some(0), false), "{args:?}: {stderr}");
    }
}
