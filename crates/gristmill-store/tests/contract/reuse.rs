//! What is written without the model: payloads that changed, vectors that are there already, and what is swept away.

use gristmill_core::{ErrorKind, Filter, Point, Query, Retriever, VectorSpec};

use super::fixture::{Doc, axis, contents, hash, spec, written};
use super::{Check, Open};

pub const CHECKS: &[Check] = &[
    vectors_are_found_by_hash,
    kept_vectors_live_until_the_document_is_complete,
    payloads_are_set_beside_vectors_and_words,
    payloads_that_are_no_objects_are_refused,
    a_sweep_leaves_what_is_needed,
    a_sweep_removes_a_shadow_that_nobody_goes_on_with,
];

fn vectors_are_found_by_hash(open: Open<'_>) {
    let store = open("a");
    let mut doc = Doc::new("a.md", &["one", "three", "two"]);
    doc.chunks[2].vector = None;
    doc.write(&mut *store.writer(&spec()).unwrap());
    let hashes = ["three", "unknown", "two", "one", "three"].map(hash);
    let expected = [Some(axis(1)), None, None, Some(axis(3)), Some(axis(1))];
    assert_eq!(store.vectors_by_hash(&hashes).unwrap(), expected);
    assert_eq!(store.vectors_by_hash(&[]).unwrap(), []);
}

fn kept_vectors_live_until_the_document_is_complete(open: Open<'_>) {
    let (old, new) = (Doc::new("a.md", &["one"]), Doc::new("a.md", &["two", "three"]));
    let three = hash("three");
    let kept = |expected| assert_eq!(open("a").vectors_by_hash(&[three]).unwrap(), [expected]);
    {
        let store = open("a");
        let mut writer = store.writer(&spec()).unwrap();
        old.write(&mut *writer);
        writer.keep_vectors(&new.version, &[(three, &axis(2))]).unwrap();
        assert_eq!(store.points(old.id()).unwrap(), old.stored(), "the old version stays as it was");
        let tracked = store.tracked().unwrap().remove(0);
        assert_eq!((tracked.version, tracked.complete, tracked.points), (old.version.clone(), false, 1));
    }
    kept(Some(axis(2)));
    new.write(&mut *open("a").writer(&spec()).unwrap());
    kept(Some(axis(1)));
    old.write(&mut *open("a").writer(&spec()).unwrap());
    kept(None);
    // Kept for a document that has no points yet: it is tracked, so that its removal is noticed.
    open("a").writer(&spec()).unwrap().keep_vectors(&Doc::new("b.md", &["x"]).version, &[(three, &axis(2))]).unwrap();
    kept(Some(axis(2)));
    assert_eq!(open("a").tracked().unwrap()[1].points, 0);
    open("a").writer(&spec()).unwrap().remove_document(Doc::new("b.md", &[]).id()).unwrap();
    kept(None);
}

/// The same points with other payloads, in the opposite order, and with vectors that say nothing.
fn rewritten<'a>(points: &[Point<'a>], payload: &'a str) -> Vec<Point<'a>> {
    let last = points.len() as u32 - 1;
    points.iter().map(|point| Point { order: last - point.order, payload, vector: None, ..*point }).collect()
}

fn payloads_are_set_beside_vectors_and_words(open: Open<'_>) {
    let (mut doc, other) = (Doc::new("a.md", &["some night", "a day", "blind"]), Doc::new("b.md", &["some night"]));
    doc.chunks[0].payload = r#"{"stage": "old"}"#.into();
    doc.chunks[2].vector = None;
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    doc.write(&mut *writer);
    other.write(&mut *writer);
    doc.version.recipe = "recipe 2".into();
    let payload = r#"{"chapter":  7, "tags": ["new"]}"#;
    writer.set_payloads(&rewritten(&doc.points(), payload)).unwrap();
    let tracked = &store.tracked().unwrap()[0];
    assert_eq!((tracked.committed, tracked.complete, tracked.version.recipe.as_str()), (true, false, "recipe 1"));
    writer.commit(&[&doc.version]).unwrap();
    writer.remove_stale(doc.id(), &doc.ids()).unwrap();
    let mut stored = doc.stored();
    for (order, point) in [2, 1, 0].into_iter().zip(&mut stored) {
        (point.order, point.payload) = (order, payload.into());
    }
    stored.reverse();
    assert_eq!(contents(&*open("a")), [(doc.tracked(), stored), (other.tracked(), other.stored())]);
    let new = [Filter { field: "tags".into(), value: "new".into() }];
    let question =
        Query { text: "night", vector: Some(&axis(2)), retriever: Retriever::Hybrid, limit: 9, filters: &new };
    let hits = store.search(&question).unwrap();
    assert_eq!((hits[0].id, hits[0].order, hits[0].payload.as_str()), (doc.chunks[0].id, 2, payload));
    assert!(hits[0].bm25.is_some() && hits[0].dense.is_some() && hits.iter().all(|hit| hit.source == "a.md"));
    let old = [Filter { field: "stage".into(), value: "old".into() }];
    assert_eq!(store.search(&Query { filters: &old, ..question }).unwrap(), []);
}

fn payloads_that_are_no_objects_are_refused(open: Open<'_>) {
    let doc = Doc::new("a.md", &["one", "two"]);
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    doc.write(&mut *writer);
    for payload in ["", "{", "[]", "{\"a\": 1} x"] {
        let mut points = rewritten(&doc.points(), "{}");
        points[1].payload = payload;
        assert_eq!(writer.set_payloads(&points).unwrap_err().kind(), ErrorKind::Store, "{payload}");
        assert_eq!(contents(&*store), written(&[&doc]), "all or none");
    }
    writer.set_payloads(&[]).unwrap();
    assert_eq!(contents(&*store), written(&[&doc]));
}

fn a_sweep_leaves_what_is_needed(open: Open<'_>) {
    let (old, new, other) = (Doc::new("a.md", &["one"]), Doc::new("a.md", &["two"]), Doc::new("b.md", &["three"]));
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    assert_eq!(writer.sweep().unwrap(), 0);
    old.write(&mut *writer);
    other.write(&mut *writer);
    writer.keep_vectors(&new.version, &[(hash("two"), &axis(3))]).unwrap();
    let before = contents(&*store);
    assert_eq!(writer.sweep().unwrap(), 0);
    assert_eq!(contents(&*store), before);
    assert_eq!(store.vectors_by_hash(&[hash("two")]).unwrap(), [Some(axis(3))], "the next run needs it");
}

fn a_sweep_removes_a_shadow_that_nobody_goes_on_with(open: Open<'_>) {
    let other = VectorSpec { model: "stub/other".into(), dimensions: Some(3) };
    let doc = Doc::new("a.md", &["one", "two"]);
    let store = open("a");
    doc.write(&mut *store.writer(&spec()).unwrap());
    let theirs = open("b");
    doc.write(&mut *theirs.writer(&spec()).unwrap());
    for tenant in ["a", "b"] {
        let store = open(tenant);
        let mut writer = store.writer(&other).unwrap();
        let new = Doc::new("a.md", &["one", "two"]).of_length(3);
        new.write(&mut *writer);
        assert_eq!(writer.sweep().unwrap(), 0, "its own");
        assert_eq!(contents(&*store.shadow().unwrap().unwrap().1), written(&[&new]));
    }
    assert_eq!(store.writer(&spec()).unwrap().sweep().unwrap(), 2);
    assert!(store.shadow().unwrap().is_none());
    assert_eq!(contents(&*store), written(&[&doc]));
    assert!(theirs.shadow().unwrap().is_some(), "another tenant's shadow is not ours to remove");
}
