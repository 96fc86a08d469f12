//! What can be read of a collection.

use std::ops::RangeInclusive;

use super::fixture::{Doc, contents, hash, spec};
use super::{Check, Open};

pub const CHECKS: &[Check] = &[
    an_unknown_tenant_is_empty,
    a_point_is_found_by_its_identity,
    neighbours_are_read_by_their_order,
    points_of_one_order_are_ordered_by_identity,
    contents_are_identities_and_hashes,
    a_mark_tells_what_was_committed_and_what_is_complete,
    a_writer_reads_what_it_has_written,
];

fn an_unknown_tenant_is_empty(open: Open<'_>) {
    let store = open("nobody");
    assert_eq!(store.tenant(), "nobody");
    assert_eq!(store.spec().unwrap(), None);
    assert!(store.shadow().unwrap().is_none());
    assert_eq!(contents(&*store), []);
    let doc = Doc::new("a.md", &["one"]);
    assert_eq!(store.points(doc.id()).unwrap(), []);
    assert_eq!(store.point(doc.chunks[0].id).unwrap(), None);
    assert_eq!(store.contents(doc.id()).unwrap(), []);
    assert_eq!(store.vectors_by_hash(&[hash("x")]).unwrap(), [None]);
}

fn a_point_is_found_by_its_identity(open: Open<'_>) {
    let (a, b) = (Doc::new("a.md", &["one", "two"]), Doc::new("b.md", &["one"]));
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    a.write(&mut *writer);
    b.write(&mut *writer);
    for doc in [&a, &b] {
        for point in doc.stored() {
            assert_eq!(store.point(point.id).unwrap(), Some((doc.id(), point)));
        }
    }
    assert_eq!(store.point(Doc::new("c.md", &["one"]).chunks[0].id).unwrap(), None);
    assert_eq!(open("b").point(a.chunks[0].id).unwrap(), None);
}

fn neighbours_are_read_by_their_order(open: Open<'_>) {
    let doc = Doc::new("a.md", &["zero", "one", "two", "three", "four"]);
    let store = open("a");
    doc.write(&mut *store.writer(&spec()).unwrap());
    let orders = |range: RangeInclusive<u32>| -> Vec<u32> {
        store.points_within(doc.id(), range).unwrap().into_iter().map(|point| point.order).collect()
    };
    assert_eq!(store.points_within(doc.id(), 1..=3).unwrap(), doc.stored()[1..=3]);
    assert_eq!(orders(4..=u32::MAX), [4]);
    assert_eq!(orders(0..=0), [0]);
    assert!(orders(5..=9).is_empty());
    assert!(orders(RangeInclusive::new(3, 2)).is_empty());
    assert_eq!(store.points_within(Doc::new("b.md", &[]).id(), 0..=9).unwrap(), []);
}

fn points_of_one_order_are_ordered_by_identity(open: Open<'_>) {
    let versions = ["one", "two", "three"].map(|text| Doc::new("a.md", &[text]));
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    versions.iter().for_each(|doc| writer.upsert(&doc.points()).unwrap());
    let mut expected: Vec<_> = versions.iter().flat_map(Doc::stored).collect();
    expected.sort_by_key(|point| point.id);
    assert_eq!(store.points(versions[0].id()).unwrap(), expected);
}

fn contents_are_identities_and_hashes(open: Open<'_>) {
    let (a, b) = (Doc::new("a.md", &["one", "two", "one"]), Doc::new("b.md", &["other"]));
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    a.write(&mut *writer);
    b.write(&mut *writer);
    let sorted = |mut contents: Vec<_>| {
        contents.sort();
        contents
    };
    let expected = a.points().iter().map(|point| (point.id, point.content_hash)).collect();
    assert_eq!(sorted(store.contents(a.id()).unwrap()), sorted(expected));
}

fn a_mark_tells_what_was_committed_and_what_is_complete(open: Open<'_>) {
    let (old, new) = (Doc::new("a.md", &["one"]), Doc::new("a.md", &["two", "three"]));
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    let is = |doc: &Doc, committed, complete, points| {
        let mut expected = doc.tracked();
        (expected.committed, expected.complete, expected.points) = (committed, complete, points);
        assert_eq!(store.tracked().unwrap(), [expected]);
    };
    writer.upsert(&old.points()).unwrap();
    is(&old, false, false, 1);
    writer.commit(&[&old.version]).unwrap();
    is(&old, true, false, 1);
    writer.remove_stale(old.id(), &old.ids()).unwrap();
    is(&old, true, true, 1);
    writer.upsert(&new.points()).unwrap();
    is(&old, true, false, 3);
    writer.commit(&[&new.version]).unwrap();
    is(&new, true, false, 3);
    writer.remove_stale(new.id(), &new.ids()).unwrap();
    is(&new, true, true, 2);
    writer.remove_document(new.id()).unwrap();
    assert_eq!(store.tracked().unwrap(), []);
    writer.upsert(&old.points()).unwrap();
    writer.upsert(&new.points()).unwrap();
    is(&new, false, false, 3);
    writer.remove_stale(new.id(), &new.ids()).unwrap();
    is(&new, false, false, 2);
}

fn a_writer_reads_what_it_has_written(open: Open<'_>) {
    let doc = Doc::new("a.md", &["one", "two"]);
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    assert_eq!((writer.spec(), writer.is_shadow()), (&spec(), false));
    assert_eq!(contents(&*writer), []);
    doc.write(&mut *writer);
    assert_eq!(contents(&*writer), [(doc.tracked(), doc.stored())]);
    assert_eq!(writer.point(doc.chunks[1].id).unwrap(), Some((doc.id(), doc.stored().remove(1))));
    assert_eq!(writer.contents(doc.id()).unwrap().len(), 2);
    assert_eq!(writer.vectors_by_hash(&[hash("two"), hash("x")]).unwrap(), [doc.chunks[1].vector.clone(), None]);
}
