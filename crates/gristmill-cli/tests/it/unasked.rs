//! Nothing is removed that nobody meant to remove, and nothing stays out of step in silence.

use crate::run::Folder;

fn five() -> Folder {
    let folder = Folder::new();
    for n in 0..5 {
        folder.write(&format!("docs/{n}.md"), format!("# Page {n}\n\nWhat stands on page {n}.\n"));
    }
    folder
}

#[test]
fn a_file_that_no_reader_takes_is_passed_over_and_in_step() {
    let folder = five();
    folder.write("docs/i.png", b"\x89PNG\r\n\x1a\n\0\0\0\x0d");
    assert_eq!(folder.run(&["ingest", "docs", "-q"]).code, Some(0));
    let again = folder.run(&["plan", "docs", "--check"]);
    assert_eq!(again.code, Some(0), "{}", again.stdout);
    assert_eq!(folder.run(&["verify", "docs"]).code, Some(0));
    // A document that becomes such a file is gone, as in a first ingest.
    folder.write("docs/4.md", b"\x89PNG\r\n\x1a\n\0\0\0\x0d");
    assert!(folder.run(&["ingest", "docs"]).stdout.starts_with("documents: 1 deleted, 4 unchanged"));
    assert_eq!(folder.run(&["verify", "docs"]).code, Some(0));
}

#[test]
fn one_source_of_two_that_is_empty_stops_the_run() {
    let folder = Folder::with(&[
        ("a/1.md", "# One\n\nIn a.\n"),
        ("b/2.md", "# Two\n\nIn b.\n"),
        (
            "gristmill.toml",
            "version = 1\n[[source]]\nname = \"first\"\npath = \"a\"\n[[source]]\nname = \"second\"\npath = \"b\"\n",
        ),
    ]);
    assert_eq!(folder.run(&["ingest", "-q"]).code, Some(0));
    std::fs::remove_file(folder.at("b/2.md")).unwrap();
    for command in ["plan", "ingest"] {
        let ran = folder.run(&[command]);
        assert_eq!(ran.code, Some(5), "{}", ran.stdout);
        assert!(ran.stderr.contains("the source `second` holds no document, the store holds 1"), "{}", ran.stderr);
    }
    assert!(folder.run(&["ingest", "--allow-empty-source"]).stdout.starts_with("documents: 1 deleted, 1 unchanged"));
}

#[test]
fn one_named_file_does_not_remove_all_others() {
    let folder = five();
    assert_eq!(folder.run(&["ingest", "docs", "-q"]).code, Some(0));
    let ran = folder.run(&["ingest", "docs/3.md"]);
    assert_eq!(ran.code, Some(5), "{}", ran.stdout);
    assert!(ran.stderr.contains("4 of 5 documents would be removed"), "{}", ran.stderr);
    let meant = folder.run(&["ingest", "docs/3.md", "--max-delete", "100%"]);
    assert!(meant.stdout.starts_with("documents: 1 moved, 4 deleted"), "{} {}", meant.stdout, meant.stderr);
}

#[test]
fn a_plan_is_followed_or_refused_whatever_it_is_called() {
    let folder = five();
    assert_eq!(folder.run(&["ingest", "docs", "-q"]).code, Some(0));
    folder.write("docs/5.md", "# Page 5\n\nA new page.\n");
    assert_eq!(folder.run(&["plan", "docs", "--out", "p.plan", "-q"]).code, Some(0));
    let plan = folder.read("p.plan");
    folder.write("cut.json", &plan[..plan.len() / 2]);
    let cut = folder.run(&["ingest", "cut.json"]);
    assert_eq!(cut.code, Some(2), "{}", cut.stdout);
    assert!(cut.stderr.contains("not a whole plan of this program"), "{}", cut.stderr);
    assert_eq!(folder.run(&["ingest", "p.plan", "docs"]).code, Some(2));
    let done = folder.run(&["ingest", "p.plan"]);
    assert!(done.stdout.starts_with("documents: 1 new, 5 unchanged"), "{} {}", done.stdout, done.stderr);
}

#[test]
fn searches_go_to_the_vectors_that_answer() {
    let folder = five();
    assert_eq!(folder.run(&["ingest", "docs", "-q"]).code, Some(0));
    // Another model is named and has not been ingested yet.
    folder.write(
        "gristmill.toml",
        "version = 1\n[embed]\nprovider = \"openai\"\nmodel = \"m\"\nbase_url = \"http://127.0.0.1:1/v1\"\n",
    );
    let ran = folder.run(&["search", "what stands on page 3", "-k", "1"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("1. 3.md"), "{}", ran.stdout);
}

#[test]
fn a_key_in_the_place_of_its_name_is_not_shown() {
    let folder = five();
    folder.write("gristmill.toml", "version = 1\n[embed]\nprovider = \"openai\"\napi_key_env = \"sk-proj-12345\"\n");
    let ran = folder.run(&["ingest", "docs"]);
    assert_eq!(ran.code, Some(2));
    assert!(!ran.stderr.contains("12345"), "{}", ran.stderr);
    folder.write(
        "gristmill.toml",
        "version = 1\n[[source]]\ntype = \"git\"\nurl = \"https://user:t0ken@example.com/r.git\"\n",
    );
    assert!(!folder.run(&["config", "show"]).stdout.contains("t0ken"));
    let offline = folder.run(&["ingest", "--offline"]);
    assert!(offline.code == Some(2) && !offline.stderr.contains("t0ken"), "{}", offline.stderr);
}
