//! Branches, commits and addresses.

use std::time::Duration;

use gristmill_core::ErrorKind;
use gristmill_source::{SOURCES, Source};

use crate::place::{Place, codes, failure, names, open, texts};

fn pair(path: &str, text: &str) -> (String, String) {
    (path.to_owned(), text.to_owned())
}

#[test]
fn the_default_branch_is_read_and_new_commits_are_fetched() {
    let place = Place::new(&[("a.md", "one\n"), ("docs/b.md", "two\n")]);
    let first = place.open();
    assert_eq!(texts(&first), [pair("a.md", "one\n"), pair("docs/b.md", "two\n")]);
    assert_eq!(first.revision(), Some(place.git(&["rev-parse", "HEAD"])));
    place.write(&[("a.md", "new\n")]);
    place.git(&["mv", "docs/b.md", "c.md"]);
    let commit = place.commit();
    let second = place.open();
    assert_eq!(texts(&second), [pair("a.md", "new\n"), pair("c.md", "two\n")]);
    assert_eq!(second.commit(), commit);
    // What was opened before answers as before.
    assert_eq!(texts(&first), [pair("a.md", "one\n"), pair("docs/b.md", "two\n")]);
    assert!(codes(&second).is_empty());
}

#[test]
fn only_the_newest_commit_is_copied() {
    let place = Place::new(&[("a.md", "old\n")]);
    let old = place.git(&["rev-parse", "HEAD:a.md"]);
    place.write(&[("a.md", "new\n")]);
    place.commit();
    place.open();
    let has = |object: &str| {
        let mut git = std::process::Command::new("git");
        git.arg("--git-dir").arg(place.copy()).args(["cat-file", "-e", object]).output().unwrap().status.success()
    };
    assert!(has(&place.git(&["rev-parse", "HEAD:a.md"])));
    assert!(!has(&old));
}

#[test]
fn a_rewritten_branch_is_followed() {
    let place = Place::new(&[("a.md", "one\n")]);
    place.write(&[("b.md", "two\n")]);
    place.commit();
    assert_eq!(names(&place.open()), ["a.md", "b.md"]);
    place.git(&["reset", "-q", "--hard", "HEAD~1"]);
    place.write(&[("c.md", "three\n")]);
    place.commit();
    assert_eq!(names(&place.open()), ["a.md", "c.md"]);
}

#[test]
fn a_branch_is_read_by_name_and_may_vanish_and_stand_in_the_way() {
    let place = Place::new(&[("a.md", "one\n")]);
    place.git(&["checkout", "-q", "-b", "next"]);
    place.write(&[("b.md", "two\n")]);
    place.commit();
    place.git(&["checkout", "-q", "main"]);
    let next = place.with(|git| git.branch = Some("next".to_owned()));
    assert_eq!(names(&open(&next)), ["a.md", "b.md"]);
    assert_eq!(names(&place.open()), ["a.md"]);
    place.git(&["branch", "-q", "-m", "next", "next/one"]);
    let error = failure(&next);
    assert!(error.to_string().starts_with("the repository has no branch `next`: file://"), "{error}");
    assert_eq!(error.kind(), ErrorKind::Input);
    assert_eq!(names(&open(&place.with(|git| git.branch = Some("next/one".to_owned())))), ["a.md", "b.md"]);
}

#[test]
fn an_exact_commit_is_read_even_when_the_branch_has_moved_on() {
    let place = Place::new(&[("a.md", "one\n")]);
    let first = place.git(&["rev-parse", "HEAD"]);
    place.write(&[("a.md", "two\n")]);
    place.commit();
    place.open();
    let old = place.with(|git| git.commit = Some(first.to_uppercase()));
    assert_eq!(texts(&open(&old)), [pair("a.md", "one\n")]);
    assert_eq!(open(&old).commit(), first);
    // It is here now, and never changes: nobody is asked.
    std::fs::rename(place.remote(), place.0.path().join("away")).unwrap();
    assert_eq!(texts(&open(&old)), [pair("a.md", "one\n")]);
}

#[test]
fn a_commit_that_is_nowhere_is_named() {
    let place = Place::new(&[("a.md", "one\n")]);
    for warm in [false, true] {
        let error = failure(&place.with(|git| git.commit = Some("1".repeat(40))));
        let expected = format!("the repository has no commit `{}`: file://", "1".repeat(40));
        assert!(error.to_string().starts_with(&expected), "{} {warm}", error.chain());
        place.open();
    }
}

#[test]
fn what_is_not_there_is_an_error_and_never_empty() {
    let place = Place::new(&[("docs/a.md", "one\n")]);
    place.open();
    let error = failure(&place.with(|git| git.path = Some("guide".into())));
    assert!(error.to_string().starts_with("no such folder in commit "), "{error}");
    assert_eq!(error.kind(), ErrorKind::Input);
    let file = failure(&place.with(|git| git.path = Some("docs/a.md".into())));
    assert!(file.to_string().starts_with("no such folder in commit "), "{file}");
    std::fs::rename(place.remote(), place.0.path().join("away")).unwrap();
    let error = failure(&place.spec());
    assert!(error.to_string().starts_with("the repository cannot be reached: file://"), "{error}");
    assert_eq!(error.kind(), ErrorKind::Remote);
    // The copy is as good as before.
    std::fs::rename(place.0.path().join("away"), place.remote()).unwrap();
    assert_eq!(names(&place.open()), ["docs/a.md"]);
}

#[test]
fn a_repository_without_a_commit_is_an_error_and_an_empty_folder_is_not() {
    let place = Place(tempfile::tempdir().unwrap());
    std::fs::create_dir(place.remote()).unwrap();
    place.git(&["init", "-q", "-b", "main"]);
    assert!(failure(&place.spec()).to_string().starts_with("the repository has no default branch, or no commit yet"));
    place.commit();
    assert!(names(&place.open()).is_empty());
}

#[test]
fn a_path_of_this_machine_is_an_address_too() {
    let place = Place::new(&[("a.md", "one\n")]);
    for url in ["remote", "./remote", place.remote().to_str().unwrap()] {
        assert_eq!(names(&open(&place.with(|git| git.url = url.to_owned()))), ["a.md"]);
    }
    assert_eq!(failure(&place.with(|git| git.url = "away".to_owned())).kind(), ErrorKind::Remote);
}

#[test]
fn hashes_of_both_kinds_are_read() {
    let place = Place(tempfile::tempdir().unwrap());
    std::fs::create_dir(place.remote()).unwrap();
    place.git(&["init", "-q", "-b", "main", "--object-format=sha256"]);
    place.write(&[("a.md", "one\n")]);
    let commit = place.commit();
    assert_eq!(commit.len(), 64);
    assert_eq!(open(&place.with(|git| git.commit = Some(commit))).list().unwrap().value.entries.len(), 1);
    assert_eq!(texts(&place.open()), [pair("a.md", "one\n")]);
}

#[test]
fn wrong_settings_are_named() {
    let place = Place::new(&[]);
    let message = |change: &dyn Fn(&mut gristmill_source::GitSpec)| {
        let error = failure(&place.with(change));
        assert_eq!(error.kind(), ErrorKind::Config);
        error.to_string()
    };
    let commit = message(&|git| git.commit = Some("abc123".to_owned()));
    assert_eq!(commit, "`commit` of a git source is not the whole name of one: abc123");
    let branch = message(&|git| git.branch = Some("-x..y".to_owned()));
    assert_eq!(branch, "`branch` of a git source is no name of a branch: -x..y");
    let path = message(&|git| git.path = Some("../x".into()));
    assert_eq!(path, "`path` of a git source leaves the repository: ../x");
    assert!(message(&|git| git.url = "-u".to_owned()).starts_with("`url` of a git source begins with `-`"));
}

#[test]
fn a_remote_that_does_not_answer_is_left_and_its_password_is_not_told() {
    // Takes the connection and says nothing.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let place = Place::new(&[]);
    let spec = place.with(|git| {
        git.url = format!("http://me:secret@127.0.0.1:{port}/docs.git");
        git.timeout = Some(Duration::from_millis(500));
    });
    let error = failure(&spec);
    assert_eq!(error.kind(), ErrorKind::Remote);
    assert!(error.to_string().contains("the repository"), "{error}");
    assert!(!error.chain().contains("secret"), "{}", error.chain());
}

#[test]
fn a_host_that_lets_nobody_in_is_an_error_of_the_remote() {
    let place = Place::new(&[]);
    // Nothing listens there: the port of a listener that is closed again.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for url in [format!("http://key:secret@127.0.0.1:{port}/a"), format!("ssh://git:secret@127.0.0.1:{port}/a")] {
        let error = failure(&place.with(|git| git.url = url));
        assert_eq!(error.kind(), ErrorKind::Remote);
        assert!(error.to_string().starts_with("the repository cannot be reached: "), "{error}");
        assert!(error.chain().contains("127.0.0.1") && !error.chain().contains("secret"), "{}", error.chain());
    }
}

#[test]
fn hooks_and_odd_settings_of_the_remote_and_the_surroundings_do_nothing() {
    let place = Place::new(&[("a.md", "one\n")]);
    for hook in ["reference-transaction", "post-checkout", "pre-receive"] {
        let path = place.remote().join(".git/hooks").join(hook);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "#!/bin/sh\nexit 1\n").unwrap();
    }
    // The cache may lie in a repository with a remote of its own.
    let around = std::process::Command::new("git").args(["init", "-q"]).current_dir(place.0.path()).status();
    assert!(around.unwrap().success());
    let config = place.0.path().join(".git/config");
    let text = std::fs::read_to_string(&config).unwrap() + "[remote \"gristmill\"]\nurl = /nowhere\n";
    std::fs::write(&config, text).unwrap();
    assert_eq!(names(&place.open()), ["a.md"]);
}

#[test]
fn the_registry_has_it() {
    let place = Place::new(&[("a.md", "one\n")]);
    let entry = SOURCES.iter().find(|entry| entry.name == "git").unwrap();
    let source = (entry.item)(&place.spec()).unwrap();
    assert_eq!(source.list().unwrap().value.entries[0].path, "a.md");
    assert!(source.revision().is_some());
}
