//! Stores that others have changed.

use std::path::Path;

use gristmill_core::{ErrorKind, Query, Reads, Retriever, Store};
use gristmill_store::SqliteStore;
use rusqlite::Connection;

use crate::contract::fixture::{Doc, axis, contents, spec, written};
use crate::{folder, open};

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
