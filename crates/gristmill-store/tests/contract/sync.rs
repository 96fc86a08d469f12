//! Writing, restarting, crashing.

use gristmill_core::{ErrorKind, Fingerprint};

use super::fixture::{Doc, axis, contents, spec};
use super::{Check, Open};

pub const CHECKS: &[Check] = &[
    what_is_written_is_read_after_a_restart,
    writing_twice_is_writing_once,
    a_new_version_replaces_the_old,
    a_document_without_points_is_tracked,
    a_crash_anywhere_is_healed_by_the_next_run,
    a_crash_followed_by_a_return_to_the_old_version_is_healed,
    a_commit_without_its_points_is_refused,
    a_wrong_vector_is_refused_and_nothing_is_written,
    a_payload_that_is_no_object_is_refused,
    one_writer_at_a_time,
    removal_leaves_nothing,
    tenants_never_see_each_other,
];

fn what_is_written_is_read_after_a_restart(open: Open<'_>) {
    let mut doc = Doc::new("a.md", &["one", "two", "one"]);
    doc.chunks[1].vector = None;
    doc.chunks[2].payload = "{\"keys\":  \"kept\\u0020as written\", \"\u{d55c}\": 1.50}".into();
    doc.write(&mut *open("a").writer(&spec()).unwrap());
    let store = open("a");
    assert_eq!(store.spec().unwrap(), Some(spec()));
    assert_eq!(contents(&*store), [(doc.tracked(), doc.stored())]);
}

fn writing_twice_is_writing_once(open: Open<'_>) {
    let (a, b) = (Doc::new("a.md", &["one", "two"]), Doc::new("b.md", &["three"]));
    for _ in 0..2 {
        let store = open("a");
        let mut writer = store.writer(&spec()).unwrap();
        b.write(&mut *writer);
        a.write(&mut *writer);
        writer.upsert(&[]).unwrap();
        writer.commit(&[]).unwrap();
    }
    assert_eq!(contents(&*open("a")), [(a.tracked(), a.stored()), (b.tracked(), b.stored())]);
}

fn a_new_version_replaces_the_old(open: Open<'_>) {
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    let (old, new) = (Doc::new("a.md", &["one", "two", "three"]), Doc::new("a.md", &["zero", "three"]));
    old.write(&mut *writer);
    writer.upsert(&new.points()).unwrap();
    writer.commit(&[&new.version]).unwrap();
    assert_eq!(writer.remove_stale(new.id(), &new.ids()).unwrap(), 2);
    assert_eq!(contents(&*store), [(new.tracked(), new.stored())]);
}

fn a_document_without_points_is_tracked(open: Open<'_>) {
    let store = open("a");
    let doc = Doc::new("empty.md", &[]);
    doc.write(&mut *store.writer(&spec()).unwrap());
    assert_eq!(contents(&*store), [(doc.tracked(), vec![])]);
}

/// Runs the steps of a write and stops before step `crash`, as a killed process would.
fn write_until(open: Open<'_>, doc: &Doc, crash: usize) {
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    let points = doc.points();
    let (first, second) = points.split_at(points.len() / 2);
    for step in 0..crash {
        match step {
            0 => writer.upsert(first).unwrap(),
            1 => writer.upsert(second).unwrap(),
            2 => writer.commit(&[&doc.version]).unwrap(),
            _ => assert!(writer.remove_stale(doc.id(), &doc.ids()).is_ok()),
        }
    }
}

fn a_crash_anywhere_is_healed_by_the_next_run(open: Open<'_>) {
    let old = Doc::new("a.md", &["one", "two", "three", "four"]);
    let new = Doc::new("a.md", &["zero", "two", "five"]);
    for crash in 0..=4 {
        write_until(open, &old, 4);
        write_until(open, &new, crash);
        let store = open("a");
        let [tracked] = &store.tracked().unwrap()[..] else { panic!("one document") };
        let texts: Vec<_> = store.points(old.id()).unwrap().into_iter().map(|point| point.text).collect();
        let answering = if crash >= 3 { &new } else { &old };
        assert_eq!(tracked.version, answering.version, "crash {crash}");
        assert_eq!(tracked.complete, crash == 0 || crash == 4, "crash {crash}");
        for chunk in &answering.chunks {
            assert!(texts.contains(&chunk.text), "crash {crash}: `{}` is missing", chunk.text);
        }
        write_until(open, &new, 4);
        assert_eq!(contents(&*open("a")), [(new.tracked(), new.stored())], "crash {crash}");
    }
}

fn a_crash_followed_by_a_return_to_the_old_version_is_healed(open: Open<'_>) {
    let old = Doc::new("a.md", &["one", "two"]);
    let new = Doc::new("a.md", &["two", "three"]);
    write_until(open, &old, 4);
    write_until(open, &new, 2);
    // The mark says what the source is again; that it is not complete tells the planner to write it once more.
    let tracked = &open("a").tracked().unwrap()[0];
    assert_eq!((&tracked.version, tracked.complete), (&old.version, false));
    write_until(open, &old, 4);
    assert_eq!(contents(&*open("a")), [(old.tracked(), old.stored())]);
}

fn a_commit_without_its_points_is_refused(open: Open<'_>) {
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    let (whole, part) = (Doc::new("a.md", &["one"]), Doc::new("b.md", &["one", "two"]));
    writer.upsert(&whole.points()).unwrap();
    writer.upsert(&part.points()[..1]).unwrap();
    let error = writer.commit(&[&whole.version, &part.version]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Bug);
    assert_eq!(error.to_string(), "`b.md` has 1 points in the store instead of 2");
    assert!(store.tracked().unwrap().iter().all(|tracked| !tracked.complete));
    writer.remove_stale(whole.id(), &whole.ids()).unwrap();
    assert!(store.tracked().unwrap().iter().all(|tracked| !tracked.complete), "nothing was committed");
}

fn a_wrong_vector_is_refused_and_nothing_is_written(open: Open<'_>) {
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    let mut doc = Doc::new("a.md", &["one", "two"]);
    for (wrong, message) in [
        (vec![1.0; 3], "a vector of `stub/four` has 3 numbers instead of 4"),
        (vec![], "a vector of `stub/four` has 0 numbers instead of 4"),
        (vec![0.0, f32::NAN, 0.0, 1.0], "a vector of `stub/four` holds a number that is not finite"),
        (vec![0.0, f32::INFINITY, 0.0, 1.0], "a vector of `stub/four` holds a number that is not finite"),
    ] {
        let error = writer.keep_vectors(&doc.version, &[(Fingerprint::of(b"x"), &wrong)]).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Store, message));
        doc.chunks[1].vector = Some(wrong);
        let error = writer.upsert(&doc.points()).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Store, message));
    }
    assert_eq!(contents(&*store), []);
}

fn a_payload_that_is_no_object_is_refused(open: Open<'_>) {
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    let mut doc = Doc::new("a.md", &["one", "two"]);
    for payload in ["", "{", "[]", "null", "{\"a\": 1} x"] {
        doc.chunks[1].payload = payload.into();
        assert_eq!(writer.upsert(&doc.points()).unwrap_err().kind(), ErrorKind::Store, "{payload}");
    }
    assert_eq!(contents(&*store), []);
    Doc::new("a.md", &["one", "two"]).write(&mut *writer);
    assert_eq!(writer.set_payloads(&doc.points()).unwrap_err().kind(), ErrorKind::Store);
}

fn one_writer_at_a_time(open: Open<'_>) {
    let (first, second, other) = (open("a"), open("a"), open("b"));
    let writer = first.writer(&spec()).unwrap();
    for store in [&first, &second] {
        let error = store.writer(&spec()).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Store);
        assert!(error.to_string().contains("another run is writing project `a`"), "{error}");
    }
    other.writer(&spec()).unwrap();
    assert_eq!(contents(&*second), [], "reading needs no lock");
    drop(writer);
    second.writer(&spec()).unwrap();
}

fn removal_leaves_nothing(open: Open<'_>) {
    let store = open("a");
    let mut writer = store.writer(&spec()).unwrap();
    let (a, b) = (Doc::new("a.md", &["same words", "here"]), Doc::new("b.md", &["same words"]));
    a.write(&mut *writer);
    b.write(&mut *writer);
    assert_eq!(writer.remove_document(a.id()).unwrap(), 2);
    assert_eq!(writer.remove_document(a.id()).unwrap(), 0);
    assert_eq!(writer.remove_stale(a.id(), &[]).unwrap(), 0);
    assert_eq!(contents(&*store), [(b.tracked(), b.stored())]);
    let found = store.vectors_by_hash(&["here", "same words"].map(|text| Fingerprint::of(text.as_bytes()))).unwrap();
    assert_eq!(found, [None, Some(axis(2))]);
}

fn tenants_never_see_each_other(open: Open<'_>) {
    // The same identities in both, as when two projects share a name.
    let (a, b) = (Doc::new("a.md", &["one", "two"]), Doc::new("a.md", &["two", "three"]));
    a.write(&mut *open("a").writer(&spec()).unwrap());
    b.write(&mut *open("b").writer(&spec()).unwrap());
    assert_eq!(contents(&*open("a")), [(a.tracked(), a.stored())]);
    assert_eq!(contents(&*open("b")), [(b.tracked(), b.stored())]);
    assert_eq!(open("a").vectors_by_hash(&[Fingerprint::of(b"three")]).unwrap(), [None]);
    let (store, others) = (open("b"), contents(&*open("a")));
    let mut writer = store.writer(&spec()).unwrap();
    assert_eq!(writer.remove_stale(b.id(), &[]).unwrap(), 2);
    writer.remove_document(b.id()).unwrap();
    assert_eq!(contents(&*store), []);
    assert_eq!(contents(&*open("a")), others);
}
