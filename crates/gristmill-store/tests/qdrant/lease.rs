//! The right to write: one holder, an end, and clocks that are wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gristmill_core::{ErrorKind, Result, Retry, Store, Writer};

use crate::contract::fixture::{Doc, contents, spec, written};
use crate::double::{Behaviour, Double};
use crate::open::Opened;

fn claims(double: &Double) -> usize {
    double.state(|state| {
        let points = state.collections.values().flat_map(|collection| collection.points.values());
        points.filter(|point| point.payload["kind"] == "claim").count()
    })
}

fn write(doc: &Doc, writer: &mut dyn Writer) -> Result<()> {
    writer.upsert(&doc.points())?;
    writer.commit(&[&doc.version])
}

#[test]
fn ends_with_the_writer() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    let store = opened.store("a");
    drop(store.writer(&spec()).unwrap());
    assert_eq!(claims(&double), 0);
    let writer = store.writer(&spec()).unwrap();
    let error = opened.store("a").writer(&spec()).err().unwrap();
    assert_eq!(error.to_string(), "another run is writing project `a` in the collection: `docs`");
    assert!(matches!(error.retry_advice(), Retry::After(pause) if pause.as_secs() == 60));
    assert!(error.hint_text().unwrap().contains("60 seconds"));
    assert_eq!(claims(&double), 1, "whoever is refused leaves nothing");
    drop(writer);
    assert_eq!(claims(&double), 0);
}

#[test]
fn ends_in_time_when_the_holder_was_killed() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    let killed = opened.store("a");
    std::mem::forget(killed.writer(&spec()).unwrap());
    opened.now.fetch_add(59, Ordering::SeqCst);
    assert!(opened.store("a").writer(&spec()).is_err());
    opened.now.fetch_add(1, Ordering::SeqCst);
    drop(opened.store("a").writer(&spec()).unwrap());
    assert_eq!(claims(&double), 0, "the claim that had expired is gone, too");
}

#[test]
fn is_renewed_by_writing() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    let (store, doc) = (opened.store("a"), Doc::new("a.md", &["one"]));
    let mut writer = store.writer(&spec()).unwrap();
    for _ in 0..10 {
        opened.now.fetch_add(50, Ordering::SeqCst);
        write(&doc, &mut *writer).unwrap();
        assert!(opened.store("a").writer(&spec()).is_err());
    }
    // Too long a pause, but nobody else came.
    opened.now.fetch_add(500, Ordering::SeqCst);
    write(&doc, &mut *writer).unwrap();
}

#[test]
fn a_writer_that_was_overtaken_stops() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    let (late, store, doc) = (opened.store("a"), opened.store("a"), Doc::new("a.md", &["one"]));
    let mut overtaken = late.writer(&spec()).unwrap();
    opened.now.fetch_add(61, Ordering::SeqCst);
    let mut writer = store.writer(&spec()).unwrap();
    let error = write(&Doc::new("a.md", &["two"]), &mut *overtaken).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert!(error.to_string().starts_with("another run has begun to write project `a`"), "{error}");
    doc.write(&mut *writer);
    drop(overtaken);
    assert!(opened.store("a").writer(&spec()).is_err(), "it gives back nothing but its own right");
    assert_eq!(contents(&store), written(&[&doc]));
}

#[test]
fn clocks_that_are_wrong_let_two_write_for_a_third_of_the_time_at_most() {
    let double = Double::start(Behaviour::default());
    let (right, mut ahead) = (Opened::new(&double.url()), Opened::new(&double.url()));
    ahead.now = Arc::new(AtomicU64::new(right.now.load(Ordering::SeqCst) + 86_400));
    let (store, other) = (right.store("a"), ahead.store("a"));
    let mut first = store.writer(&spec()).unwrap();
    // To this one the first has expired long ago.
    let mut second = other.writer(&spec()).unwrap();
    let doc = Doc::new("a.md", &["one"]);
    right.now.fetch_add(19, Ordering::SeqCst);
    write(&doc, &mut *first).unwrap();
    right.now.fetch_add(1, Ordering::SeqCst);
    assert!(write(&doc, &mut *first).is_err());
    write(&doc, &mut *second).unwrap();
    drop(first);
    // A clock that goes back: the claim lies in the future, and is looked at again before the next write.
    ahead.now.store(right.now.load(Ordering::SeqCst), Ordering::SeqCst);
    write(&doc, &mut *second).unwrap();
    assert!(right.store("a").writer(&spec()).is_err());
}

#[test]
fn of_many_that_try_at_once_at_most_one_writes() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    drop(opened.store("a").writer(&spec()).unwrap());
    for _ in 0..10 {
        let held = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let store = opened.store("a");
                    if let Ok(writer) = store.writer(&spec()) {
                        assert_eq!(held.fetch_add(1, Ordering::SeqCst), 0, "two hold the right");
                        held.fetch_sub(1, Ordering::SeqCst);
                        drop(writer);
                    }
                });
            }
        });
        assert_eq!(claims(&double), 0);
    }
}
