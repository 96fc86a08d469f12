//! Models, and the shadow that grows while another one answers.

use gristmill_core::{ErrorKind, Hit, Query, Retriever, Store, VectorSpec};

use super::fixture::{Doc, axis, contents, hash, spec, written};
use super::{Check, Open};

pub const CHECKS: &[Check] = &[
    the_old_one_answers_until_a_shadow_is_published,
    a_run_that_ends_before_it_publishes_is_continued,
    a_third_model_begins_the_shadow_anew,
    another_length_of_the_same_model_goes_to_the_shadow,
    what_is_removed_from_a_shadow_stays_where_answers_come_from,
    going_back_to_the_old_model_writes_what_answers,
    an_empty_shadow_may_be_published,
    shadows_of_tenants_are_apart,
    a_shadow_has_one_writer,
    a_tenant_without_vectors_may_change_its_model,
    the_first_vector_settles_the_length,
    a_kept_vector_settles_the_length,
    a_refused_vector_settles_nothing,
];

fn model(name: &str, length: usize) -> VectorSpec {
    VectorSpec { model: name.into(), dimensions: Some(length) }
}

fn other() -> VectorSpec {
    model("stub/other", 3)
}

fn unknown_length() -> VectorSpec {
    VectorSpec { dimensions: None, ..spec() }
}

fn search(store: &dyn Store, text: &str, vector: &[f32], retriever: Retriever) -> Vec<Hit> {
    store.search(&Query { text, vector: Some(vector), retriever, limit: 9, filters: &[] }).unwrap()
}

fn shadow_contents(store: &dyn Store) -> Option<(VectorSpec, usize)> {
    store.shadow().unwrap().map(|(spec, reads)| (spec, contents(&*reads).len()))
}

fn the_old_one_answers_until_a_shadow_is_published(open: Open<'_>) {
    let (old, new) = (Doc::new("a.md", &["old night"]), Doc::new("a.md", &["new night", "day"]).of_length(3));
    let store = open("a");
    old.write(&mut *store.writer(&spec()).unwrap());
    let before = search(&*store, "night", &axis(1), Retriever::Hybrid);
    let mut writer = store.writer(&other()).unwrap();
    assert_eq!((writer.spec(), writer.is_shadow()), (&other(), true));
    assert_eq!(contents(&*writer), [], "it begins empty");
    assert_eq!(writer.vectors_by_hash(&[hash("old night")]).unwrap(), [None], "vectors of two models never meet");
    new.write(&mut *writer);
    assert_eq!(contents(&*writer), written(&[&new]));
    for store in [&store, &open("a")] {
        assert_eq!(store.spec().unwrap(), Some(spec()));
        assert_eq!(contents(&**store), written(&[&old]));
        assert_eq!(search(&**store, "night", &axis(1), Retriever::Hybrid), before);
        assert_eq!(store.point(new.chunks[0].id).unwrap(), None);
        assert_eq!(store.vectors_by_hash(&[hash("day")]).unwrap(), [None]);
        let (spec, shadow) = store.shadow().unwrap().unwrap();
        assert_eq!((spec, contents(&*shadow)), (other(), written(&[&new])));
    }
    writer.publish().unwrap();
    assert!(!writer.is_shadow());
    writer.publish().unwrap();
    assert_eq!(contents(&*writer), written(&[&new]));
    for store in [&store, &open("a")] {
        assert_eq!(store.spec().unwrap(), Some(other()));
        assert!(store.shadow().unwrap().is_none());
        assert_eq!(contents(&**store), written(&[&new]));
        assert_eq!(store.vectors_by_hash(&[hash("old night")]).unwrap(), [None]);
        for retriever in [Retriever::Dense, Retriever::Bm25, Retriever::Hybrid] {
            let hits = search(&**store, "night", &[1.0, 0.0, 0.0], retriever);
            assert_eq!((hits[0].id, hits[0].text.as_str()), (new.chunks[0].id, "new night"), "{}", retriever.name());
        }
    }
    let question = Query { text: "", vector: Some(&axis(1)), retriever: Retriever::Dense, limit: 9, filters: &[] };
    let error = store.search(&question).unwrap_err();
    assert_eq!(error.to_string(), "the vector of the question has 4 numbers, those of `stub/other` have 3");
    drop(writer);
    assert!(!store.writer(&other()).unwrap().is_shadow());
}

fn a_run_that_ends_before_it_publishes_is_continued(open: Open<'_>) {
    let old = Doc::new("a.md", &["one", "two"]);
    let (a, b) = (Doc::new("a.md", &["one", "two"]).of_length(3), Doc::new("b.md", &["three"]).of_length(3));
    old.write(&mut *open("a").writer(&spec()).unwrap());
    {
        let store = open("a");
        let mut writer = store.writer(&other()).unwrap();
        a.write(&mut *writer);
        writer.upsert(&b.points()).unwrap();
        writer.keep_vectors(&b.version, &[(hash("four"), &[0.0, 1.0, 0.0])]).unwrap();
    }
    let store = open("a");
    assert_eq!((store.spec().unwrap(), contents(&*store)), (Some(spec()), written(&[&old])));
    let mut writer = store.writer(&VectorSpec { dimensions: None, ..other() }).unwrap();
    assert_eq!((writer.spec(), writer.is_shadow()), (&other(), true));
    let mut half = b.tracked();
    (half.committed, half.complete) = (false, false);
    assert_eq!(contents(&*writer), [(a.tracked(), a.stored()), (half, b.stored())]);
    let found = writer.vectors_by_hash(&["two", "three", "four"].map(hash)).unwrap();
    assert_eq!(found, [a.chunks[1].vector.clone(), b.chunks[0].vector.clone(), Some(vec![0.0, 1.0, 0.0])]);
    b.write(&mut *writer);
    writer.publish().unwrap();
    assert_eq!(contents(&*open("a")), written(&[&a, &b]));
}

fn a_third_model_begins_the_shadow_anew(open: Open<'_>) {
    let old = Doc::new("a.md", &["one"]);
    let store = open("a");
    old.write(&mut *store.writer(&spec()).unwrap());
    Doc::new("a.md", &["one"]).of_length(3).write(&mut *store.writer(&other()).unwrap());
    for third in [model("stub/third", 3), model("stub/third", 2)] {
        let mut writer = store.writer(&third).unwrap();
        assert_eq!((writer.spec(), writer.is_shadow()), (&third, true));
        assert_eq!(contents(&*writer), []);
        assert_eq!(shadow_contents(&*store), Some((third.clone(), 0)));
        assert_eq!(writer.vectors_by_hash(&[hash("one")]).unwrap(), [None]);
        Doc::new("a.md", &["one"]).of_length(third.dimensions.unwrap()).write(&mut *writer);
        assert_eq!(contents(&*store), written(&[&old]));
    }
}

fn another_length_of_the_same_model_goes_to_the_shadow(open: Open<'_>) {
    let (old, new) = (Doc::new("a.md", &["one"]), Doc::new("a.md", &["one"]).of_length(8));
    let (long, store) = (model("stub/four", 8), open("a"));
    old.write(&mut *store.writer(&spec()).unwrap());
    let mut writer = store.writer(&long).unwrap();
    assert!(writer.is_shadow());
    new.write(&mut *writer);
    assert_eq!((contents(&*store), shadow_contents(&*store)), (written(&[&old]), Some((long.clone(), 1))));
    writer.publish().unwrap();
    assert_eq!((store.spec().unwrap(), contents(&*store)), (Some(long), written(&[&new])));
}

fn what_is_removed_from_a_shadow_stays_where_answers_come_from(open: Open<'_>) {
    let (a, b) = (Doc::new("a.md", &["one", "two"]), Doc::new("b.md", &["three"]));
    let store = open("a");
    {
        let mut writer = store.writer(&spec()).unwrap();
        a.write(&mut *writer);
        b.write(&mut *writer);
    }
    let mut writer = store.writer(&other()).unwrap();
    // The same identities in both.
    let docs = [Doc::new("a.md", &["one", "two"]).of_length(3), Doc::new("b.md", &["three"]).of_length(3)];
    docs.iter().for_each(|doc| doc.write(&mut *writer));
    assert_eq!(writer.remove_stale(a.id(), &a.ids()[..1]).unwrap(), 1);
    assert_eq!(writer.remove_document(b.id()).unwrap(), 1);
    assert_eq!(contents(&*store), written(&[&a, &b]));
    assert_eq!(search(&*store, "two three", &axis(1), Retriever::Bm25).len(), 2);
    assert_eq!(writer.points(a.id()).unwrap(), docs[0].stored()[..1]);
}

fn going_back_to_the_old_model_writes_what_answers(open: Open<'_>) {
    let (old, new) = (Doc::new("a.md", &["one"]), Doc::new("a.md", &["two"]));
    let store = open("a");
    old.write(&mut *store.writer(&spec()).unwrap());
    Doc::new("a.md", &["two"]).of_length(3).write(&mut *store.writer(&other()).unwrap());
    let mut writer = store.writer(&spec()).unwrap();
    assert!(!writer.is_shadow());
    new.write(&mut *writer);
    writer.publish().unwrap();
    assert_eq!((store.spec().unwrap(), contents(&*store)), (Some(spec()), written(&[&new])));
    assert_eq!(shadow_contents(&*store), Some((other(), 1)), "only a sweep removes it");
}

fn an_empty_shadow_may_be_published(open: Open<'_>) {
    let store = open("a");
    Doc::new("a.md", &["one"]).write(&mut *store.writer(&spec()).unwrap());
    let mut writer = store.writer(&other()).unwrap();
    writer.publish().unwrap();
    assert_eq!((store.spec().unwrap(), contents(&*store)), (Some(other()), vec![]));
    let new = Doc::new("a.md", &["one"]).of_length(3);
    new.write(&mut *writer);
    assert_eq!(contents(&*store), written(&[&new]));
}

fn shadows_of_tenants_are_apart(open: Open<'_>) {
    let (a, b) = (Doc::new("a.md", &["one"]), Doc::new("a.md", &["two"]));
    let new = Doc::new("a.md", &["one"]).of_length(3);
    for (tenant, doc) in [("a", &a), ("b", &b)] {
        doc.write(&mut *open(tenant).writer(&spec()).unwrap());
    }
    let store = open("a");
    let mut writer = store.writer(&other()).unwrap();
    new.write(&mut *writer);
    assert!(open("b").shadow().unwrap().is_none());
    let theirs = open("b");
    Doc::new("b.md", &["three"]).of_length(2).write(&mut *theirs.writer(&model("stub/third", 2)).unwrap());
    writer.publish().unwrap();
    assert_eq!((open("b").spec().unwrap(), contents(&*open("b"))), (Some(spec()), written(&[&b])));
    assert_eq!(shadow_contents(&*open("b")), Some((model("stub/third", 2), 1)));
    assert_eq!(contents(&*store), written(&[&new]));
}

fn a_shadow_has_one_writer(open: Open<'_>) {
    let store = open("a");
    Doc::new("a.md", &["one"]).write(&mut *store.writer(&spec()).unwrap());
    let writer = store.writer(&other()).unwrap();
    for wanted in [other(), spec(), model("stub/third", 2)] {
        let error = open("a").writer(&wanted).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Store);
        assert!(error.to_string().contains("another run is writing project `a`"), "{error}");
    }
    assert_eq!(shadow_contents(&*store), Some((other(), 0)), "a run that may not write changes nothing");
    drop(writer);
}

fn a_tenant_without_vectors_may_change_its_model(open: Open<'_>) {
    let mut doc = Doc::new("a.md", &["one"]);
    doc.chunks[0].vector = None;
    for wanted in [spec(), other(), unknown_length(), other()] {
        let store = open("a");
        let mut writer = store.writer(&wanted).unwrap();
        assert_eq!((writer.spec(), writer.is_shadow()), (&wanted, false));
        doc.write(&mut *writer);
        assert_eq!((store.spec().unwrap(), contents(&*store)), (Some(wanted), written(&[&doc])));
    }
    let store = open("a");
    let version = Doc::new("b.md", &["two"]).version;
    store.writer(&spec()).unwrap().keep_vectors(&version, &[(hash("two"), &axis(0))]).unwrap();
    assert!(store.writer(&other()).unwrap().is_shadow(), "a kept vector is held, too");
    assert_eq!(store.spec().unwrap(), Some(spec()));
}

fn the_first_vector_settles_the_length(open: Open<'_>) {
    let (mut blind, doc) = (Doc::new("a.md", &["one"]), Doc::new("b.md", &["two", "three"]));
    blind.chunks[0].vector = None;
    let store = open("a");
    let mut writer = store.writer(&unknown_length()).unwrap();
    blind.write(&mut *writer);
    assert_eq!(writer.spec(), &unknown_length());
    assert_eq!(store.spec().unwrap(), Some(unknown_length()));
    assert_eq!(search(&*store, "one", &[1.0, 0.0], Retriever::Dense), []);
    assert_eq!(search(&*store, "one", &[1.0, 0.0], Retriever::Hybrid).len(), 1);
    doc.write(&mut *writer);
    assert_eq!(writer.spec(), &spec());
    assert_eq!(contents(&*writer), written(&[&blind, &doc]));
    drop(writer);
    assert_eq!(open("a").spec().unwrap(), Some(spec()));
    let writer = store.writer(&unknown_length()).unwrap();
    assert_eq!((writer.spec(), writer.is_shadow()), (&spec(), false));
}

fn a_kept_vector_settles_the_length(open: Open<'_>) {
    let store = open("a");
    let version = Doc::new("a.md", &["one"]).version;
    let mut writer = store.writer(&unknown_length()).unwrap();
    writer.keep_vectors(&version, &[]).unwrap();
    assert_eq!(writer.spec(), &unknown_length());
    writer.keep_vectors(&version, &[(hash("one"), &axis(2))]).unwrap();
    assert_eq!((writer.spec(), store.spec().unwrap()), (&spec(), Some(spec())));
    assert_eq!(writer.vectors_by_hash(&[hash("one")]).unwrap(), [Some(axis(2))]);
    let error = writer.keep_vectors(&version, &[(hash("two"), &[1.0])]).unwrap_err();
    assert_eq!(error.to_string(), "a vector of `stub/four` has 1 numbers instead of 4");
}

fn a_refused_vector_settles_nothing(open: Open<'_>) {
    let store = open("a");
    let mut writer = store.writer(&unknown_length()).unwrap();
    let mut doc = Doc::new("a.md", &["one", "two"]);
    for (first, second) in [
        (vec![1.0; 3], vec![1.0; 4]),
        (vec![], vec![]),
        (vec![1.0, f32::NAN], vec![1.0; 2]),
        (vec![1.0; 2], vec![f32::INFINITY, 0.0]),
    ] {
        (doc.chunks[0].vector, doc.chunks[1].vector) = (Some(first), Some(second));
        assert_eq!(writer.upsert(&doc.points()).unwrap_err().kind(), ErrorKind::Store);
        assert_eq!((writer.spec(), store.spec().unwrap()), (&unknown_length(), Some(unknown_length())));
        assert_eq!(contents(&*store), []);
    }
    let whole = Doc::new("a.md", &["one", "two"]).of_length(3);
    whole.write(&mut *writer);
    assert_eq!(writer.spec(), &VectorSpec { dimensions: Some(3), ..spec() });
    assert_eq!(contents(&*store), written(&[&whole]));
}
