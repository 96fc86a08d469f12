//! The store in an SQLite file.

mod contract;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use contract::fixture::{Doc, axis, contents, spec, written};
use gristmill_core::{ErrorKind, Query, Reads, Retriever, Store, VectorSpec};
use gristmill_store::{QdrantOptions, SqliteStore, StoreOptions, store};
use rusqlite::Connection;
use tempfile::TempDir;

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("below/store.db");
    (folder, path)
}

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, "a", true).unwrap()
}

#[test]
fn holds_the_contract() {
    contract::all(|check| {
        let (_folder, path) = folder();
        check(&|tenant| Box::new(SqliteStore::open(&path, tenant, true).unwrap()));
    });
}

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
    assert_eq!(error.chain(), format!("the file is not a gristmill store: `{}`", path.display()));
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
        run.args(["--exact", "reading_process", "--nocapture"]).env("GRISTMILL_TEST_READ_STORE", &path);
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
    assert!(error.to_string().starts_with("the store has version 99, this program reads version 2"), "{error}");
}

/// Everything a user does with a store; the first error.
fn use_all(path: &Path) -> gristmill_core::Result<()> {
    let store = SqliteStore::open(path, "a", true)?;
    for tracked in store.tracked()? {
        store.points(tracked.version.document)?;
        store.vectors_by_hash(&[tracked.version.source_hash])?;
    }
    let query =
        Query {
            text: "night the 数据", vector: Some(&axis(0)), retriever: Retriever::Hybrid, limit: 9, filters: &[]
        };
    store.search(&query)?;
    let doc = Doc::new("a.md", &["night", "day"]);
    let mut writer = store.writer(&spec())?;
    writer.upsert(&doc.points())?;
    writer.commit(&[&doc.version])?;
    writer.remove_stale(doc.id(), &doc.ids())?;
    writer.remove_document(doc.id())?;
    Ok(())
}

#[test]
fn damage_anywhere_is_an_error_or_harmless() {
    let (_folder, path) = folder();
    let store = open(&path);
    let mut writer = store.writer(&spec()).unwrap();
    for number in 0..40 {
        let texts = [0, 1, 2].map(|part| format!("night {number} day {part} 数据库 {}", "text ".repeat(40)));
        Doc::new(&format!("{number}.md"), &texts.each_ref().map(String::as_str)).write(&mut *writer);
    }
    drop(writer);
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    let (mut refused, step) = (0, whole.len() / 60);
    for at in (0..whole.len()).step_by(step) {
        let mut damaged = whole.clone();
        let end = (at + 700).min(damaged.len());
        damaged[at..end].iter_mut().for_each(|byte| *byte = byte.wrapping_mul(31) ^ 0xa5);
        std::fs::write(&path, &damaged).unwrap();
        if let Err(error) = use_all(&path) {
            assert_eq!(error.kind(), ErrorKind::Store, "{}", error.chain());
            refused += 1;
        }
        std::fs::write(&path, &whole[..at]).unwrap();
        let _ = use_all(&path);
    }
    assert!(refused > 5, "{refused}");
}

#[test]
fn values_we_never_write_are_damage() {
    let (_folder, path) = folder();
    Doc::new("a.md", &["one"]).write(&mut *open(&path).writer(&spec()).unwrap());
    for (change, undo) in [
        ("UPDATE vectors SET vector = x'0102'", "UPDATE vectors SET vector = zeroblob(16)"),
        ("UPDATE documents SET id = x'01'", "DELETE FROM documents"),
    ] {
        let other = Connection::open(&path).unwrap();
        other.execute_batch(change).unwrap();
        let error = use_all(&path).unwrap_err();
        assert_eq!(error.to_string(), format!("the store is damaged: `{}`", path.display()));
        assert!(error.hint_text().is_some());
        other.execute_batch(undo).unwrap();
    }
}

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
fn payloads_of_points_that_are_not_there_are_refused() {
    let (_folder, path) = folder();
    let (doc, other) = (Doc::new("a.md", &["one", "two"]), Doc::new("a.md", &["one", "three"]));
    let store = open(&path);
    let mut writer = store.writer(&spec()).unwrap();
    doc.write(&mut *writer);
    let mut points = other.points();
    points[0].payload = "{}";
    let error = writer.set_payloads(&points).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Bug);
    assert_eq!(error.to_string(), "point 1 of `a.md` is not in the store with the text it should have");
    assert_eq!(contents(&store), written(&[&doc]));
}

#[test]
fn rows_taken_away_by_others_are_noticed_and_swept() {
    let (_folder, path) = folder();
    let doc = Doc::new("a.md", &["night one", "night two", "day"]);
    let store = open(&path);
    doc.write(&mut *store.writer(&spec()).unwrap());
    Connection::open(&path).unwrap().execute("DELETE FROM chunks WHERE position = 0", []).unwrap();
    assert_eq!(store.tracked().unwrap()[0].points, 2);
    let orders = |retriever| -> Vec<u32> {
        let query = Query { text: "night", vector: Some(&axis(1)), retriever, limit: 9, filters: &[] };
        store.search(&query).unwrap().into_iter().map(|hit| hit.order).collect()
    };
    assert_eq!((orders(Retriever::Dense), orders(Retriever::Bm25)), (vec![1, 2], vec![1]));
    let mut writer = store.writer(&spec()).unwrap();
    assert_eq!((writer.sweep().unwrap(), writer.sweep().unwrap()), (1, 0));
    assert_eq!((orders(Retriever::Dense), orders(Retriever::Bm25)), (vec![1, 2], vec![1]));
    let rows = |table: &str| -> i64 {
        let db = Connection::open(&path).unwrap();
        db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    };
    assert_eq!((rows("vectors"), rows("words_1")), (2, 2));
    doc.write(&mut *writer);
    assert_eq!(contents(&store), written(&[&doc]));
    Connection::open(&path).unwrap().execute("DELETE FROM documents", []).unwrap();
    assert_eq!((writer.sweep().unwrap(), rows("chunks"), rows("vectors"), rows("words_1")), (3, 0, 0, 0));
}

#[test]
fn a_sweep_gives_space_back_when_most_is_free() {
    let (_folder, path) = folder();
    let text = "many words ".repeat(1000);
    let texts: Vec<_> = (0..200).map(|number| format!("{number} {text}")).collect();
    let large = Doc::new("large.md", &texts.iter().map(String::as_str).collect::<Vec<_>>());
    let small = Doc::new("small.md", &["one"]);
    let store = open(&path);
    let mut writer = store.writer(&spec()).unwrap();
    large.write(&mut *writer);
    small.write(&mut *writer);
    writer.sweep().unwrap();
    let size = |path: &Path| std::fs::metadata(path).unwrap().len();
    writer.remove_document(large.id()).unwrap();
    assert_eq!(writer.sweep().unwrap(), 0);
    assert!(size(&path) < 500_000, "{}", size(&path));
    assert_eq!(contents(&store), written(&[&small]));
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
    let run = Command::new(this).args(["--exact", "killed_process"]).env("GRISTMILL_TEST_KILLED_STORE", &path).output();
    assert!(!run.unwrap().status.success());
    let (a, b) = (Doc::new("a.md", &["one"]), Doc::new("b.md", &["two"]));
    let store = open(&path);
    let mut half = b.tracked();
    (half.committed, half.complete) = (false, false);
    assert_eq!(contents(&store), [(a.tracked(), a.stored()), (half, b.stored())]);
    b.write(&mut *store.writer(&spec()).unwrap());
    assert_eq!(contents(&store), [(a.tracked(), a.stored()), (b.tracked(), b.stored())]);
}

#[test]
fn scores_are_those_of_the_formulas() {
    let (_folder, path) = folder();
    let store = open(&path);
    let mut doc = Doc::new("a.md", &["pump near", "other words", "more of them", "x"]);
    for (chunk, vector) in doc.chunks.iter_mut().zip([0, 1, 2, 3]) {
        chunk.vector = Some(axis(vector));
    }
    doc.write(&mut *store.writer(&spec()).unwrap());
    let query = Query { text: "pump", vector: Some(&axis(1)), retriever: Retriever::Bm25, limit: 9, filters: &[] };
    // Okapi BM25, k1 1.2, b 0.75: 4 texts of 2 words on average, one of 2 words holds the word once.
    let idf = ((4.0 - 1.0 + 0.5) / (1.0 + 0.5f64)).ln();
    let hits = store.search(&query).unwrap();
    assert_eq!(hits.len(), 1);
    assert!((hits[0].score - idf * 2.2 / (1.0 + 1.2)).abs() < 1e-9, "{}", hits[0].score);
    // Fused: both scores are s for one text of four and 0 for the others: mean s/4, deviation s·√3/4, so that the
    // standard scores are √3 and −1/√3.
    let hits = store.search(&Query { retriever: Retriever::Hybrid, ..query }).unwrap();
    let (high, low) = (3f64.sqrt(), -1.0 / 3f64.sqrt());
    let expected = [0.3 * low + 0.7 * high, 0.3 * high + 0.7 * low, low, low];
    assert_eq!(hits.iter().map(|hit| hit.order).collect::<Vec<_>>(), [0, 1, 2, 3]);
    for (hit, expected) in hits.iter().zip(expected) {
        assert!((hit.score - expected).abs() < 1e-6, "{} {expected}", hit.score);
    }
}
