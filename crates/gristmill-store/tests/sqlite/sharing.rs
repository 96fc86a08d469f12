//! Several processes at one store, and one that is killed.

use std::path::Path;
use std::process::Command;

use gristmill_core::{Store, VectorSpec};
use gristmill_store::SqliteStore;

use crate::contract::fixture::{Doc, contents, spec, written};
use crate::{folder, open};

#[test]
fn readers_answer_while_a_run_writes() {
    let (_folder, path) = folder();
    let (old, new) = (Doc::new("a.md", &["one"]), Doc::new("b.md", &["two"]));
    let store = open(&path);
    let mut writer = store.writer(&spec()).unwrap();
    old.write(&mut *writer);
    let reader = open(&path);
    assert_eq!(contents(&reader), [(old.tracked(), old.stored())]);
    new.write(&mut *writer);
    assert_eq!(contents(&reader).len(), 2);
}

#[test]
fn many_may_make_the_store_at_once() {
    let (_folder, path) = folder();
    std::thread::scope(|scope| {
        for tenant in ["a", "b", "c", "d"] {
            let path = &path;
            scope.spawn(move || {
                let store = SqliteStore::open(path, tenant, true).unwrap();
                Doc::new("a.md", &["one", tenant]).write(&mut *store.writer(&spec()).unwrap());
            });
        }
    });
    for tenant in ["a", "b", "c", "d"] {
        let doc = Doc::new("a.md", &["one", tenant]);
        assert_eq!(contents(&SqliteStore::open(&path, tenant, false).unwrap()), [(doc.tracked(), doc.stored())]);
    }
}

#[test]
fn a_shadow_that_is_looked_at_stays_the_same_or_is_empty() {
    let (_folder, path) = folder();
    let model = |name: &str| VectorSpec { model: name.into(), ..spec() };
    let doc = Doc::new("a.md", &["one"]);
    let store = open(&path);
    doc.write(&mut *store.writer(&spec()).unwrap());
    doc.write(&mut *store.writer(&model("second")).unwrap());
    let (_, second) = store.shadow().unwrap().unwrap();
    store.writer(&model("second")).unwrap().publish().unwrap();
    assert_eq!(contents(&*second), written(&[&doc]), "it answers now");
    doc.write(&mut *store.writer(&model("third")).unwrap());
    let (_, third) = store.shadow().unwrap().unwrap();
    doc.write(&mut *store.writer(&model("fourth")).unwrap());
    assert_eq!(contents(&*third), []);
    let other = SqliteStore::open(&path, "b", true).unwrap();
    doc.write(&mut *other.writer(&spec()).unwrap());
    assert_eq!(contents(&*third), [], "not what another tenant has begun since");
}

/// Not a test of its own: the process that the next test kills.
#[test]
fn killed_process() {
    let Ok(path) = std::env::var("GRISTMILL_TEST_KILLED_STORE") else { return };
    let store = open(Path::new(&path));
    let mut writer = store.writer(&spec()).unwrap();
    Doc::new("a.md", &["one"]).write(&mut *writer);
    writer.upsert(&Doc::new("b.md", &["two"]).points()).unwrap();
    std::process::abort();
}

#[test]
fn a_killed_process_leaves_what_it_wrote_and_no_lock() {
    let (_folder, path) = folder();
    let this = std::env::current_exe().unwrap();
    let run = Command::new(this)
        .args(["--exact", "sharing::killed_process"])
        .env("GRISTMILL_TEST_KILLED_STORE", &path)
        .output();
    assert!(!run.unwrap().status.success());
    let (a, b) = (Doc::new("a.md", &["one"]), Doc::new("b.md", &["two"]));
    let store = open(&path);
    let mut half = b.tracked();
    (half.committed, half.complete) = (false, false);
    assert_eq!(contents(&store), [(a.tracked(), a.stored()), (half, b.stored())]);
    b.write(&mut *store.writer(&spec()).unwrap());
    assert_eq!(contents(&store), [(a.tracked(), a.stored()), (b.tracked(), b.stored())]);
}
