//! What is read: kinds of file, encodings, odd names.

use std::fs;

use serde_json::Value;

use crate::run::{Folder, Ran, contents, is_root, lines, lock, unlock};

const GUIDE: &str = "# Guide\n\nOpen the valve. Wait for a minute.\n\n## Close\n\nTurn the wheel to the right.\n";

/// The texts of all records, whatever is said about them.
fn texts(ran: &Ran) -> Vec<String> {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    contents(&lines(&ran.stdout)).into_iter().map(str::to_owned).collect()
}

#[test]
fn an_empty_file_is_a_document_without_chunks() {
    let folder = Folder::with(&[("empty.md", ""), ("blank.txt", " \n\n\t\n"), ("ok.md", GUIDE)]);
    let ran = folder.run(&["chunk", "empty.md", "blank.txt", "ok.md", "--run-report", "r.json"]);
    assert_eq!(ran.code, Some(0));
    assert!(lines(&ran.stdout).iter().all(|record| record["metadata"]["source"] == "ok.md"));
    assert_eq!(folder.json("r.json")["totals"]["documents"], 3);
    let alone = folder.run(&["chunk", "empty.md"]);
    assert_eq!((alone.code, alone.stdout.as_str()), (Some(0), ""));
}

#[test]
fn binary_files_are_passed_over_and_named() {
    let folder = Folder::with(&[("docs/a.md", GUIDE)]);
    folder.write("docs/b.png", b"\x89PNG\r\n\x1a\n\0\0\0");
    folder.write("docs/c.doc", b"\xd0\xcf\x11\xe0\0\0");
    let ran = folder.run(&["chunk", "docs", "-o", "o.jsonl"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.starts_with("note: 2 files passed over, of no kind that is read (-v lists them)\n"));
    let ran = folder.run(&["chunk", "docs", "-o", "o.jsonl", "-v"]);
    assert!(ran.stderr.contains("note: passed over b.png: a binary file\n"));
    assert!(ran.stderr.contains("note: passed over c.doc: no reader for doc: save it as .docx\n"));
    folder.run(&["chunk", "docs/b.png"]).fails(
        2,
        "error: no readable document, passed over docs/b.png (a binary file): docs/b.png\n\nhint: \
         `gristmill formats` lists the files that are read\n",
    );
}

#[test]
fn a_byte_order_mark_and_other_line_ends_change_nothing() {
    let (plain, marked) = (Folder::with(&[("a.md", GUIDE)]), Folder::new());
    marked.write("a.md", format!("\u{feff}{}", GUIDE.replace('\n', "\r\n")));
    let args = ["chunk", "a.md", "--max", "20", "--context", "none"];
    let expected = texts(&plain.run(&args));
    assert!(expected.len() > 1);
    assert_eq!(texts(&marked.run(&args)), expected);
}

#[test]
fn standard_input_is_a_document_with_a_name() {
    let folder = Folder::with(&[("b.md", "# B\n\nOther words.\n")]);
    let records = folder.run_with_input(&["chunk", "-"], GUIDE.as_bytes()).records();
    let metadata = &records[0]["metadata"];
    assert_eq!((&metadata["source"], &metadata["format"]), (&"stdin.md".into(), &"markdown".into()));
    let rst = b"Title\n=====\n\nText.\n";
    let records = folder.run_with_input(&["chunk", "-", "--stdin-name", "in/x.rst"], rst).records();
    let metadata = &records[0]["metadata"];
    assert_eq!((&metadata["source"], &metadata["format"]), (&"in/x.rst".into(), &"rst".into()));
    let both = folder.run_with_input(&["chunk", "-", "b.md"], GUIDE.as_bytes()).records();
    let sources: Vec<_> = both.iter().map(|record| record["metadata"]["source"].as_str().unwrap()).collect();
    assert!(sources.contains(&"stdin.md") && sources.contains(&"b.md"));
    let clash = folder.run_with_input(&["chunk", "-", "b.md", "--stdin-name", "b.md"], b"x");
    assert_eq!(clash.code, Some(2));
    assert!(clash.stderr.contains("two sources hold a document with the same path: `b.md`"));
}

#[test]
fn sources_are_relative_to_the_root() {
    let folder = Folder::with(&[("docs/a.md", GUIDE)]);
    for (args, source) in [
        (&["docs"][..], "a.md"),
        (&["docs/a.md"], "docs/a.md"),
        (&["docs", "--source-root", "."], "docs/a.md"),
        (&["docs/a.md", "--source-root", "docs"], "a.md"),
    ] {
        let records = folder.run(&[&["chunk"], args].concat()).records();
        assert_eq!(records[0]["metadata"]["source"], source, "{args:?}");
    }
    let outside = folder.run(&["chunk", ".", "--source-root", "docs"]);
    assert!(outside.code == Some(2) && outside.stderr.contains("outside of the source root"), "{}", outside.stderr);
}

#[test]
fn odd_names_are_read() {
    let folder = Folder::new();
    for name in ["a b.md", "-dash.md", "#hash.md", "일 이.md", "e\u{301}.md", "semi;colon'quote\".md", "UPPER.MD"] {
        folder.write(name, GUIDE);
    }
    let ran = folder.run(&["chunk", "."]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(folder.run(&["chunk", "."]).stdout, ran.stdout);
    let mut sources: Vec<String> = Vec::new();
    for record in lines(&ran.stdout) {
        sources.push(record["metadata"]["source"].as_str().unwrap().to_owned());
    }
    sources.dedup();
    assert_eq!(sources.len(), 7);
    assert!(!folder.run(&["chunk", "--", "-dash.md"]).records().is_empty());
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_escaped_and_cannot_steer_a_terminal() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    fs::write(folder.path().join(std::ffi::OsStr::from_bytes(b"\xff.md")), GUIDE).unwrap();
    folder.write("esc\u{1b}[31m.md", "```\nnever closed\n");
    let ran = folder.run(&["chunk", "."]);
    assert_eq!(ran.code, Some(0));
    assert!(lines(&ran.stdout).iter().any(|record| record["metadata"]["source"] == "\\xFF.md"));
    assert!(ran.stderr.contains("esc\\u{1b}[31m.md") && !ran.stderr.contains('\u{1b}'));
}

#[test]
fn one_huge_line_is_cut_to_size() {
    let folder = Folder::with(&[("line.txt", &"word ".repeat(60_000))]);
    let ran = folder.run(&["chunk", "line.txt", "--max", "100", "--overlap", "0", "--context", "none"]);
    assert_eq!(ran.code, Some(0));
    let records = lines(&ran.stdout);
    assert!(records.iter().all(|record| record["token_count"].as_u64().is_some_and(|count| count <= 100)));
    let words: usize = contents(&records).iter().map(|content| content.split_whitespace().count()).sum();
    assert_eq!(words, 60_000);
    let warned: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("broken_sentence_fallback")).collect();
    assert_eq!(warned.len(), 1, "{}", ran.stderr);
    assert!(warned[0].starts_with("warning: line.txt:1: cut inside a sentence") && warned[0].contains("more like it"));
}

#[test]
fn outputs_and_settings_in_a_folder_are_no_documents_of_it() {
    let folder = Folder::with(&[("a.md", GUIDE), ("gristmill.toml", "version = 1\n")]);
    for _ in 0..2 {
        let args = ["curate", ".", "-o", "chunks.json", "--report", "report.md", "--run-report", "run.json"];
        assert_eq!(folder.run(&args).code, Some(0));
        let sources: Vec<_> = folder.json("run.json")["documents"].as_array().unwrap().clone();
        assert_eq!(sources.iter().map(|document| document["source"].as_str().unwrap()).collect::<Vec<_>>(), ["a.md"]);
    }
    let named = folder.run(&["chunk", "gristmill.toml"]).records();
    assert_eq!(named[0]["metadata"]["source"], "gristmill.toml");
    fs::rename(folder.at("chunks.json"), folder.at("older.json")).unwrap();
    fs::rename(folder.at("report.md"), folder.at("older.md")).unwrap();
    fs::rename(folder.at("run.json"), folder.at("older-run.json")).unwrap();
    let pretty: Value = serde_json::from_str(&folder.read("older.json")).unwrap();
    folder.write("pretty.json", serde_json::to_string_pretty(&pretty).unwrap());
    let ran = folder.run(&["chunk", ".", "-v"]);
    for passed in [
        "older.json: a file of chunks",
        "pretty.json: a file of chunks",
        "older-run.json: a run report",
        "older.md: a quality report",
    ] {
        assert!(ran.stderr.contains(&format!("passed over {passed}\n")), "{passed}: {}", ran.stderr);
    }
    assert!(lines(&ran.stdout).iter().all(|record| record["metadata"]["source"] == "a.md"), "{}", ran.stdout);
}

#[test]
fn an_unreadable_file_fails_alone() {
    let folder = Folder::with(&[("docs/a.md", GUIDE), ("docs/b.md", GUIDE)]);
    if is_root(&folder) {
        return;
    }
    lock(&folder.at("docs/b.md"));
    let ran = folder.run(&["chunk", "docs"]);
    assert_eq!(ran.code, Some(4));
    assert!(ran.stderr.starts_with("failed: cannot read: [DIR]/docs/b.md: Permission denied"), "{}", ran.stderr);
    assert!(!lines(&ran.stdout).is_empty());
}

#[test]
fn an_unreadable_folder_is_a_partial_failure() {
    let folder = Folder::with(&[("docs/a.md", GUIDE), ("docs/b/c.md", GUIDE)]);
    if is_root(&folder) {
        return;
    }
    lock(&folder.at("docs/b"));
    let ran = folder.run(&["chunk", "docs"]);
    assert_eq!(ran.code, Some(4));
    unlock(&folder.at("docs/b"));
    assert!(ran.stderr.starts_with("failed: b: cannot be looked at: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("Permission denied"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_document_that_fails_stops_no_other() {
    let folder =
        Folder::with(&[("docs/a.md", GUIDE), ("docs/large.txt", &"Some words of a text.\n\n".repeat(240_000))]);
    let chunk = |args: &[&str]| {
        let mut command = folder.command(&[&["chunk"], args].concat());
        // Chunks of large files are kept there for a while.
        command.env("TMPDIR", folder.at("gone"));
        folder.finish(command)
    };
    let failed = "cannot keep the chunks of a large file on disk";
    let ran = chunk(&["docs", "--run-report", "run.json"]);
    assert_eq!(ran.code, Some(4));
    assert!(ran.stderr.starts_with(&format!("failed: large.txt: {failed}")), "{}", ran.stderr);
    assert!(lines(&ran.stdout).iter().all(|record| record["metadata"]["source"] == "a.md"));
    let report = folder.json("run.json");
    assert_eq!((&report["totals"]["documents"], &report["totals"]["failed"]), (&2.into(), &1.into()));
    let alone = chunk(&["docs/large.txt", "-o", "chunks.jsonl"]);
    assert_eq!((alone.code, folder.at("chunks.jsonl").exists()), (Some(4), false));
    let quiet = chunk(&["docs", "-q"]);
    assert!(quiet.code == Some(4) && quiet.stderr.starts_with("failed: "), "{}", quiet.stderr);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_never_opened() {
    let folder = Folder::with(&[("a.md", GUIDE)]);
    let made = std::process::Command::new("mkfifo").arg(folder.at("pipe.md")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let warning = "warning: pipe.md: skipped: neither file nor folder (a pipe, socket or device) [special-file]\n";
    let alone = folder.run(&["chunk", "pipe.md"]);
    assert!(alone.code == Some(2) && alone.stderr.starts_with(warning), "{}", alone.stderr);
    let ran = folder.run(&["chunk", "a.md", "pipe.md"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), warning));
}
