//! `gristmill ingest` and `gristmill search`.

use serde_json::{Value, json};

use crate::run::Folder;

fn report(folder: &Folder, args: &[&str]) -> Value {
    let ran = folder.run(&[&["ingest", "--format", "json"], args].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn the_handbook_is_stored_once_and_kept_in_step() {
    let folder = Folder::handbook();
    folder.run(&["ingest"]).is_like(
        0,
        "documents: # new\nchunks:    # written, # embedded\nstore:     .gristmill/store.db\n",
        "warning: en/firmware.md:#: code fence is never closed [unclosed-fence]\n",
    );
    folder.run(&["ingest"]).is(
        0,
        "documents: 25 unchanged\nchunks:    nothing to do\nstore:     .gristmill/store.db\n",
        "",
    );
    folder.write("en/new.md", "# New\n\nThe new pump is green.\n");
    std::fs::remove_file(folder.at("zh/faq.md")).unwrap();
    let changed = report(&folder, &[]);
    let files = json!({ "new": 1, "modified": 0, "moved": 0, "copied": 0, "unchanged": 24, "deleted": 1, "failed": 0 });
    assert_eq!((&changed["files"], &changed["failures"]), (&files, &json!([])));
    assert_eq!(changed["chunks"]["upserted"], 1);
    assert_eq!(report(&folder, &["-q"])["files"]["unchanged"], 25);
    assert_eq!(folder.run(&["ingest", "-q"]).stdout, "");
}

#[test]
fn hits_show_place_path_score_and_the_best_lines() {
    let folder = Folder::handbook();
    assert_eq!(folder.run(&["ingest", "-q"]).code, Some(0));
    let ran = folder.run(&["search", "how often is the battery pack replaced", "-k", "3"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{}", ran.stdout);
    let firsts: Vec<&&str> = lines.iter().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
    assert_eq!(firsts.len(), 3);
    assert!(ran.stdout.contains("en/maintenance.md:") && ran.stdout.contains("Maintenance of a station"));
    assert!(ran.stdout.contains("The battery pack is replaced every 18 months."), "{}", ran.stdout);
    assert!(!ran.stdout.contains("\n   ["), "the injected line is left out: {}", ran.stdout);
}

#[test]
fn programs_get_scores_and_records() {
    let folder = Folder::handbook();
    assert_eq!(folder.run(&["ingest", "-q", "--store", "s.db"]).code, Some(0));
    let search = |args: &[&str]| -> Vec<Value> {
        let ran = folder.run(&[&["search", "배터리", "--store", "s.db", "--format", "json"], args].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let hits = search(&["-k", "2"]);
    assert_eq!(hits.len(), 2);
    assert!(hits[0]["score"].as_f64() >= hits[1]["score"].as_f64());
    assert!(hits[0]["record"]["metadata"]["source"].as_str().is_some_and(|source| source.starts_with("ko/")));
    let english = search(&["--filter", "metadata.source=en/maintenance.md", "--retriever", "dense"]);
    assert!(!english.is_empty());
    assert!(english.iter().all(|hit| hit["record"]["metadata"]["source"] == "en/maintenance.md"));
    assert!(search(&["--filter", "metadata.source=none.md"]).is_empty());
    folder.run(&["search", "zzqqxx", "--store", "s.db", "--retriever", "bm25"]).is(0, "", "no hits\n");
}

#[test]
fn without_a_store_the_way_to_one_is_told() {
    let folder = Folder::new();
    folder
        .run(&["search", "pump"])
        .fails(5, "error: there is no store: `[DIR]/.gristmill/store.db`\n\nhint: run `gristmill ingest` first\n");
    folder.run(&["search", " "]).fails(2, "error: the question is empty\n");
    assert!(folder.names().is_empty());
}

#[test]
fn a_store_among_its_documents_is_none_of_them() {
    let folder = Folder::with(&[("a.md", "# A\n\nWords.\n"), ("s.db-locks.md", "# B\n\nMore.\n")]);
    assert_eq!(report(&folder, &[".", "--store", "s.db"])["files"]["new"], 2);
    assert!(folder.names().iter().any(|name| name.starts_with("s.db-lock")), "{:?}", folder.names());
    // As if it was in use.
    folder.write("s.db-wal", "");
    folder.write("s.db-jobs", "words\n");
    folder.run(&["plan", ".", "--store", "s.db", "--check", "-q"]).is(0, "", "");
    assert_eq!(report(&folder, &[".", "--store", "s.db"])["files"]["unchanged"], 2);
}

#[test]
fn where_there_is_no_document_that_is_told() {
    let folder = Folder::with(&[("docs/.hidden", "Words.\n")]);
    let ran = folder.run(&["ingest", "docs"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("note: no documents were found in what was named or configured"), "{}", ran.stderr);
}

#[test]
fn an_emptied_source_is_not_a_deleted_one() {
    let folder = Folder::with(&[("docs/a.md", "# A\n\nWords.\n")]);
    folder.write("gristmill.toml", "version = 1\n[[source]]\npath = \"docs\"\n");
    assert_eq!(folder.run(&["ingest", "-q"]).code, Some(0));
    std::fs::remove_file(folder.at("docs/a.md")).unwrap();
    let ran = folder.run(&["ingest"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(5), ""));
    assert!(ran.stderr.contains("--allow-empty-source"), "{}", ran.stderr);
    assert_eq!(report(&folder, &["--allow-empty-source"])["files"]["deleted"], 1);
}

/// A damaged or half-written file: it is removed as a first ingest would not have it, and not without a word.
#[test]
fn a_document_that_becomes_none_is_told() {
    let folder = Folder::with(&[("docs/a.md", "# A\n\nWords.\n"), ("docs/b.md", "# B\n\nWords.\n")]);
    assert_eq!(folder.run(&["ingest", "docs", "-q"]).code, Some(0));
    folder.write("docs/a.md", b"\x00\x01\xff\xfe\x00\x07 no text \x00\x02");
    let told = "a.md: is no document any more (a binary file), and is removed from the store";
    let ran = folder.run(&["ingest", "docs"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
}

#[test]
fn fields_of_filters_may_be_short() {
    let front = "---\ndocument_type: faq\nchapter: 3\n---\n";
    let folder = Folder::with(&[("a.md", &format!("{front}# A\n\nThe pump.\n")), ("b.md", "# B\n\nThe pump.\n")]);
    folder.write("gristmill.toml", "version = 1\n[enrich]\ncopy = [\"chapter\"]\n");
    assert_eq!(folder.run(&["ingest", ".", "-q"]).code, Some(0));
    for filter in ["source=a.md", "document_type=faq", "chapter=3", "metadata.attributes.chapter=3"] {
        let ran = folder.run(&["search", "pump", "--filter", filter, "--format", "json"]);
        let hits: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
        let sources: Vec<&Value> = hits.iter().map(|hit| &hit["record"]["metadata"]["source"]).collect();
        assert_eq!(sources, ["a.md"], "{filter}");
    }
    let none = folder.run(&["search", "pump", "--filter", "chapter=4", "--format", "json"]);
    assert_eq!((none.code, none.stdout.trim()), (Some(0), "[]"));
    let slip = folder.run(&["search", "pump", "--filter", "chaptr=3"]);
    assert_eq!(slip.code, Some(2), "{}", slip.stderr);
    assert!(slip.stderr.contains("`chaptr`") && slip.stderr.contains("nearest is `chapter`"), "{}", slip.stderr);
    let help = folder.run(&["search", "--help"]).stdout;
    assert!(help.contains("source=") && !help.contains("language"), "{help}");
}

#[test]
fn ranks_of_two_digits_stand_apart() {
    let folder = Folder::new();
    (0..11).for_each(|n| folder.write(&format!("{n:02}.md"), format!("# Part {n}\n\nThe pump number {n}.\n")));
    assert_eq!(folder.run(&["ingest", ".", "-q"]).code, Some(0));
    let ran = folder.run(&["search", "pump", "-k", "10"]);
    let firsts: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
    assert_eq!(firsts.len(), 10, "{}", ran.stdout);
    assert!(firsts[8].starts_with("9.  ") && firsts[9].starts_with("10. "), "{}", ran.stdout);
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80), "{}", ran.stdout);
}

#[test]
fn what_an_earlier_call_named_goes_with_a_note() {
    let folder =
        Folder::with(&[("a.md", "# A\n\nWords.\n"), ("b/b.md", "# B\n\nText.\n"), ("b/c.md", "# C\n\nMore.\n")]);
    folder.run(&["ingest", "b"]).is_like(
        0,
        "documents: # new\nchunks:    # written, # embedded\nstore:     .gristmill/store.db\n",
        "",
    );
    let ran = folder.run(&["ingest", "a.md"]);
    let note = "note: 2 documents of an earlier ingest are not in what was named and were removed; name all sources in one \
                call, keep them apart with `--project`, or configure `[[source]]`\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), note));
    assert_eq!(folder.run(&["ingest", "b", "-q"]).stderr, "");
}
