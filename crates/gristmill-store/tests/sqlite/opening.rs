//! How a file becomes a store, and what is refused.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use gristmill_core::{ErrorKind, Query, Retriever, Store};
use gristmill_store::{QdrantOptions, SqliteStore, StoreOptions, store};
use rusqlite::Connection;

use crate::contract::fixture::{Doc, spec};
use crate::{folder, open};

fn options(path: Option<&Path>) -> StoreOptions<'_> {
    static NONE: BTreeMap<String, String> = BTreeMap::new();
    StoreOptions {
        tenant: "a",
        create: true,
        path,
        url: None,
        api_key: None,
        collection: "",
        batch_size: 256,
        indexes: &NONE,
        names: &NONE,
        qdrant: QdrantOptions::default(),
        clock: Arc::new(|| 0),
    }
}

#[test]
fn is_opened_by_name() {
    let (_folder, path) = folder();
    assert_eq!(store("sqlite", &options(Some(&path))).unwrap().tenant(), "a");
    let error = store("sqlite", &options(None)).err().unwrap();
    assert_eq!((error.kind(), error.hint_text()), (ErrorKind::Config, Some("set `[store] path`")));
    let error = store("sqlit", &options(Some(&path))).err().unwrap();
    assert_eq!(error.to_string(), "unknown type of store: `sqlit`");
    assert!(error.hint_text().unwrap().starts_with("the types are `sqlite`"));
}

#[test]
fn an_absent_store_is_not_made_by_reading() {
    let (_folder, path) = folder();
    let error = SqliteStore::open(&path, "a", false).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert_eq!(error.to_string(), format!("there is no store: `{}`", path.display()));
    assert!(!path.exists());
}

#[test]
fn an_empty_file_is_not_made_a_store_by_reading() {
    let (folder, _) = folder();
    let path = folder.path().join("empty.db");
    std::fs::write(&path, "").unwrap();
    let error = SqliteStore::open(&path, "a", false).err().unwrap();
    assert_eq!(error.chain(), format!("the file of the store is empty: `{}`", path.display()));
    assert!(error.hint_text().is_some());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
}

#[test]
fn a_database_without_tables_is_not_made_a_store_by_reading() {
    let (folder, _) = folder();
    let path = folder.path().join("bare.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE t(x); DROP TABLE t").unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = SqliteStore::open(&path, "a", false).err().unwrap();
    assert_eq!(error.chain(), format!("the file is not a gristmill store: `{}`", path.display()));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn the_cause_is_told_once() {
    let (folder, _) = folder();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "just some notes, longer than the header of a database file. ".repeat(20)).unwrap();
    let error = SqliteStore::open(&path, "a", false).err().unwrap();
    let message = format!("the file is not a gristmill store: `{}`: file is not a database", path.display());
    assert_eq!(error.chain(), message);
}

/// Not a test of its own: the process that may not write.
#[test]
#[expect(clippy::print_stdout, reason = "tells that it ran")]
fn reading_process() {
    let Ok(path) = std::env::var("GRISTMILL_TEST_READ_STORE") else { return };
    let store = SqliteStore::open(Path::new(&path), "a", false).unwrap();
    let query = Query { text: "one", vector: None, retriever: Retriever::Bm25, limit: 9, filters: &[] };
    assert_eq!(store.search(&query).unwrap().len(), 1);
    println!("found it");
}

#[cfg(unix)]
#[test]
#[expect(clippy::print_stdout, reason = "a test that did not run says so")]
fn permission_to_read_is_enough() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let (folder, path) = folder();
    Doc::new("a.md", &["one"]).write(&mut *open(&path).writer(&spec()).unwrap());
    let set = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    let below = path.parent().unwrap();
    set(folder.path(), 0o755);
    // Permissions do not hold for root, who can be another user instead.
    set(&path, 0o444);
    let root = std::fs::OpenOptions::new().write(true).open(&path).is_ok();
    for (folder_mode, file_mode) in [(0o555, 0o444), (0o777, 0o444), (0o555, 0o666)] {
        set(&path, file_mode);
        set(below, folder_mode);
        let mut run = Command::new(std::env::current_exe().unwrap());
        run.args(["--exact", "opening::reading_process", "--nocapture"]).env("GRISTMILL_TEST_READ_STORE", &path);
        if root {
            run.uid(65534).gid(65534);
        }
        let Ok(ran) = run.output() else {
            println!("skipped: another user cannot run the tests from where they are");
            break;
        };
        let said = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && said.contains("found it"), "{folder_mode:o} {file_mode:o}: {said}");
        let beside = std::fs::read_dir(below).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        assert_eq!(beside.filter(|name| name.ends_with("-wal") || name.ends_with("-shm")).count(), 0);
    }
    set(below, 0o755);
}

#[test]
fn files_of_others_are_left_alone() {
    let (folder, _) = folder();
    let path = folder.path().join("other.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE theirs(x); INSERT INTO theirs VALUES(1)").unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = SqliteStore::open(&path, "a", true).err().unwrap();
    assert_eq!(error.to_string(), format!("the file is a database of another program: `{}`", path.display()));
    assert!(error.hint_text().is_some());
    assert_eq!(std::fs::read(&path).unwrap(), before);

    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "just some notes, longer than the header of a database file. ".repeat(20)).unwrap();
    let error = SqliteStore::open(&path, "a", true).err().unwrap();
    assert_eq!(error.to_string(), format!("the file is not a gristmill store: `{}`", path.display()));

    let error = SqliteStore::open(folder.path(), "a", true).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert_eq!(error.chain(), format!("the store cannot be opened: `{}`", folder.path().display()));
}

#[test]
fn another_version_is_refused() {
    let (_folder, path) = folder();
    open(&path);
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let error = SqliteStore::open(&path, "a", true).err().unwrap();
    assert!(error.to_string().starts_with("the store has version 99, this program reads version 4"), "{error}");
}
