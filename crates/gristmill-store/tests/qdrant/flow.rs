//! What a store goes through in its life, and what must be left of it.

use std::collections::BTreeMap;

use gristmill_core::{Point, Reads, Result, Store, VectorSpec, Writer};

use crate::contract::fixture::{Doc, axis, contents, hash, spec, written};
use crate::double::{self, Double, PointId};
use crate::open::Opened;

pub fn other() -> VectorSpec {
    VectorSpec { model: "stub/other".into(), dimensions: Some(3) }
}

/// As a run does, and gives up at the first error.
fn write(doc: &Doc, writer: &mut dyn Writer) -> Result<()> {
    writer.upsert(&doc.points())?;
    writer.commit(&[&doc.version])?;
    writer.remove_stale(doc.id(), &doc.ids())?;
    Ok(())
}

/// The documents that are left at the end, as one of them was rewritten in place.
pub fn left() -> [Doc; 2] {
    [Doc::new("a.md", &["one", "five", "six"]).of_length(3), Doc::new("c.md", &["seven seas"]).of_length(3)]
}

/// Three runs: first versions, then changes, then another model.
pub fn live(opened: &Opened) -> Result<()> {
    first(&opened.try_store("a", true)?)?;
    changes(&opened.try_store("a", true)?)?;
    let store = opened.try_store("a", true)?;
    let mut writer = store.writer(&other())?;
    left().iter().try_for_each(|doc| write(doc, &mut *writer))?;
    writer.publish()?;
    writer.sweep()?;
    Ok(())
}

fn first(store: &dyn Store) -> Result<()> {
    let mut writer = store.writer(&VectorSpec { dimensions: None, ..spec() })?;
    let mut blind = Doc::new("c.md", &["seven seas"]);
    blind.chunks[0].vector = None;
    write(&blind, &mut *writer)?;
    write(&Doc::new("a.md", &["one", "two", "three"]), &mut *writer)?;
    write(&Doc::new("b.md", &["four", "one"]), &mut *writer)
}

fn changes(store: &dyn Store) -> Result<()> {
    let mut writer = store.writer(&spec())?;
    let new = Doc::new("a.md", &["one", "five", "six"]);
    writer.keep_vectors(&new.version, &[(hash("five"), &axis(1))])?;
    write(&new, &mut *writer)?;
    let mut moved = Doc::new("a.md", &["one", "five", "six"]);
    moved.version.recipe = "recipe 2".into();
    let points = moved.points();
    let points: Vec<Point<'_>> = points.iter().map(|point| Point { payload: r#"{"stage": 2}"#, ..*point }).collect();
    writer.set_payloads(&points)?;
    writer.commit(&[&moved.version])?;
    writer.remove_stale(moved.id(), &moved.ids())?;
    writer.remove_document(Doc::new("b.md", &[]).id())?;
    writer.sweep()?;
    Ok(())
}

/// By collection what it holds; then the aliases.
pub type Snapshot = (BTreeMap<String, String>, BTreeMap<String, String>);

/// Everything on the server but rights to write.
pub fn snapshot(double: &Double) -> Snapshot {
    double.state(|state| {
        let collections = state.collections.iter().map(|(name, collection)| {
            let kept = |(_, point): &(&PointId, &double::Point)| point.payload["kind"] != "claim";
            let points: Vec<_> = collection.points.iter().filter(kept).collect();
            (name.clone(), format!("{} {:?} {points:#?}", collection.config, collection.indexes))
        });
        (collections.collect(), state.aliases.clone())
    })
}

/// What tenant `a` sees at the end.
pub fn expect_left(opened: &Opened) {
    let store = opened.store("a");
    assert_eq!(store.spec().unwrap(), Some(other()));
    assert!(store.shadow().unwrap().is_none());
    let [a, c] = left();
    assert_eq!(contents(&store), written(&[&a, &c]));
    assert_eq!(store.vectors_by_hash(&[hash("four")]).unwrap(), [None]);
}
