//! The store in an SQLite file.

#[path = "../contract/mod.rs"]
mod contract;
mod damage;
mod opening;
mod sharing;

use std::path::{Path, PathBuf};

use contract::fixture::{Doc, axis, contents, spec, written};
use gristmill_core::{ErrorKind, Query, Retriever, Store};
use gristmill_store::SqliteStore;
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
