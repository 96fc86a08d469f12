//! Collections that are shared: by tenants, by other programs, and by name.

use gristmill_core::{ErrorKind, Query, Reads, Retriever, Store};
use gristmill_store::QdrantOptions;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::contract::fixture::{Doc, axis, contents, spec, written};
use crate::double::{Behaviour, Double, Layout, Point, PointId, RawCollection};
use crate::flow::{expect_left, live, other, snapshot};
use crate::open::Opened;

/// Points of another program: without a payload, with fields like ours, with a numeric identity.
fn put_foreign(double: &Double, collection: &str) -> Vec<(PointId, Point)> {
    double.state(|state| {
        let collection = state.collections.get_mut(collection).unwrap();
        let payloads = [json!({}), json!({"source": "a.md", "text": "night", "kind": "chunk"}), json!({"note": 1})];
        let foreign: Vec<(PointId, Point)> = (0..)
            .zip(payloads)
            .map(|(n, payload)| {
                let id = if n == 0 { PointId::Number(7) } else { PointId::Uuid(Uuid::from_u128(n)) };
                let dense = collection.layout.dense.iter().map(|(name, &size)| (name.clone(), vec![0.5; size]));
                let payload = payload.as_object().unwrap().clone();
                (id, Point { dense: dense.collect(), payload, ..Point::default() })
            })
            .collect();
        collection.points.extend(foreign.clone());
        foreign
    })
}

fn still_there(double: &Double, collection: &str, foreign: &[(PointId, Point)]) {
    double.state(|state| {
        let points = &state.collections[collection].points;
        assert!(foreign.iter().all(|(id, point)| points.get(id) == Some(point)));
    });
}

#[test]
fn points_of_other_programs_are_left_alone() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    let store = opened.store("a");
    let doc = Doc::new("a.md", &["a night", "a day"]);
    doc.write(&mut *store.writer(&spec()).unwrap());
    let foreign = put_foreign(&double, "docs");
    assert_eq!(contents(&store), written(&[&doc]));
    let query = Query { text: "night", vector: Some(&axis(0)), retriever: Retriever::Hybrid, limit: 9, filters: &[] };
    assert_eq!(store.search(&query).unwrap().len(), 2);
    // All of a life, with another model at its end: the tenant moves out.
    live(&opened).unwrap();
    expect_left(&opened);
    still_there(&double, "docs", &foreign);
    double.state(|state| {
        let ours = state.collections["docs"].points.values().filter(|point| point.payload.contains_key("tenant"));
        assert!(ours.clone().all(|point| point.payload["kind"] == "control"), "{:?}", ours.collect::<Vec<_>>());
        assert!(state.aliases.is_empty());
    });
}

#[test]
fn a_tenant_that_moved_out_goes_on_and_takes_the_name_when_it_is_free() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    let doc = Doc::new("a.md", &["one"]);
    doc.write(&mut *opened.store("a").writer(&spec()).unwrap());
    let theirs = Doc::new("b.md", &["two"]);
    theirs.write(&mut *opened.store("b").writer(&spec()).unwrap());
    live(&opened).unwrap();
    expect_left(&opened);
    let store = opened.store("b");
    assert_eq!(contents(&store), written(&[&theirs]));
    live(&opened).unwrap();
    expect_left(&opened);
    // Now nobody else is left.
    double.state(|state| {
        let points = &mut state.collections.get_mut("docs").unwrap().points;
        points.retain(|_, point| point.payload.get("tenant") != Some(&json!("b")));
    });
    let third = gristmill_core::VectorSpec { model: "stub/third".into(), dimensions: Some(2) };
    let store = opened.store("a");
    let mut writer = store.writer(&third).unwrap();
    let new = Doc::new("a.md", &["one"]).of_length(2);
    new.write(&mut *writer);
    writer.publish().unwrap();
    assert_eq!(contents(&store), written(&[&new]));
    let (collections, aliases) = snapshot(&double);
    assert_eq!((collections.len(), aliases.len()), (1, 1));
    assert!(collections.contains_key(&aliases["docs"]));
}

#[test]
fn a_first_writer_with_vectors_of_another_length_gets_a_collection_of_its_own() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    Doc::new("a.md", &["one"]).write(&mut *opened.store("a").writer(&spec()).unwrap());
    let (store, doc) = (opened.store("b"), Doc::new("b.md", &["two"]).of_length(3));
    let mut writer = store.writer(&other()).unwrap();
    assert!(!writer.is_shadow());
    doc.write(&mut *writer);
    drop(writer);
    assert_eq!((store.spec().unwrap(), contents(&store)), (Some(other()), written(&[&doc])));
    assert!(!store.writer(&other()).unwrap().is_shadow());
}

#[test]
fn an_alias_is_followed_and_switched_in_one_step() {
    let double = Double::start(Behaviour::default());
    let mut opened = Opened::new(&double.url());
    opened.collection = "real".into();
    drop(opened.store("a").writer(&spec()).unwrap());
    double.state(|state| _ = state.aliases.insert("docs".into(), "real".into()));
    opened.collection = "docs".into();
    let (store, doc) = (opened.store("a"), Doc::new("a.md", &["one"]));
    doc.write(&mut *store.writer(&spec()).unwrap());
    double.state(|state| assert!(state.collections["real"].points.len() > 1));
    let mut writer = store.writer(&other()).unwrap();
    Doc::new("a.md", &["one"]).of_length(3).write(&mut *writer);
    double.strike(None);
    writer.publish().unwrap();
    let changes: Vec<String> =
        double.seen().iter().filter(|seen| seen.writes()).map(|seen| seen.path.clone()).collect();
    assert_eq!(changes.iter().filter(|path| *path == "/collections/aliases").count(), 1, "{changes:?}");
    let dropped = changes.iter().position(|path| path == "/collections/real");
    assert!(changes.iter().position(|path| path == "/collections/aliases") < dropped, "{changes:?}");
    assert_eq!(store.spec().unwrap(), Some(other()));
}

#[test]
fn a_collection_for_other_vectors_is_refused() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    let config = json!({"vectors": {"size": 4, "distance": "Cosine"}});
    let layout = Layout { dense: [(String::new(), 4)].into(), sparse: Vec::new() };
    let theirs = RawCollection { config, layout, ..RawCollection::default() };
    double.state(|state| _ = state.collections.insert("docs".into(), theirs));
    let error = opened.store("a").writer(&spec()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert!(error.to_string().contains("another program") && error.hint_text().unwrap().contains("[store] collection"));
}

#[test]
fn an_absent_collection_is_an_error_only_to_readers_that_may_not_make_it() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    let error = opened.try_store("a", false).err().unwrap();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Store, "there is no store: `docs`"));
    assert_eq!(opened.store("a").tracked().unwrap(), []);
    drop(opened.store("a").writer(&spec()).unwrap());
    assert_eq!(opened.try_store("a", false).unwrap().spec().unwrap(), Some(spec()));
}

#[test]
fn collections_are_made_as_wanted() {
    let double = Double::start(Behaviour::default());
    let mut opened = Opened::new(&double.url());
    drop(opened.store("a").writer(&spec()).unwrap());
    let config = |name: &str| double.state(|state| state.collections[name].config.clone());
    let plain = config("docs");
    assert_eq!(plain["vectors"]["dense"], json!({"size": 4, "distance": "Cosine", "on_disk": false}));
    assert_eq!(plain["vectors"]["kept"]["hnsw_config"], json!({"m": 0}));
    assert_eq!(plain["sparse_vectors"]["bm25"]["modifier"], "idf");
    assert!(plain.get("shard_number").is_none() && plain.get("replication_factor").is_none());
    opened.collection = "wanted".into();
    opened.qdrant =
        QdrantOptions { shard_number: Some(3), replication_factor: Some(2), on_disk: true, quantization: true };
    drop(opened.store("a").writer(&spec()).unwrap());
    let wanted = config("wanted");
    assert_eq!((&wanted["shard_number"], &wanted["replication_factor"]), (&json!(3), &json!(2)));
    assert_eq!(wanted["vectors"]["dense"]["on_disk"], true);
    assert_eq!(wanted["vectors"]["dense"]["quantization_config"]["scalar"]["type"], "int8");
}

#[test]
fn options_that_are_wrong_are_told() {
    let mut opened = Opened::new("localhost:6333");
    let wrong = |opened: &Opened| assert_eq!(opened.try_store("a", true).err().unwrap().kind(), ErrorKind::Config);
    wrong(&opened);
    opened.url = "http://localhost:1".into();
    opened.indexes.insert("chapter".into(), "number".into());
    wrong(&opened);
    opened.indexes.clear();
    opened.names = [("source".to_owned(), "text".to_owned())].into();
    wrong(&opened);
    opened.names.clear();
    opened.collection.clear();
    wrong(&opened);
}

#[test]
fn payloads_are_flat_with_the_names_of_the_user() {
    let double = Double::start(Behaviour::default());
    let mut opened = Opened::new(&double.url());
    opened.names = [("tenant", "book_id"), ("source", "source_file"), ("text", "page_content")]
        .map(|(ours, theirs)| (ours.to_owned(), theirs.to_owned()))
        .into();
    let mut doc = Doc::new("a.md", &["some night"]);
    doc.chunks[0].payload = json!({"chapter": 3, "book_id": "x"}).to_string();
    let store = opened.store("book");
    doc.write(&mut *store.writer(&spec()).unwrap());
    assert_eq!(contents(&store), written(&[&doc]));
    double.state(|state| {
        let points = state.collections["docs"].points.values();
        let chunk = points.clone().find(|point| point.payload["kind"] == "chunk").unwrap();
        let expected: &[(&str, Value)] = &[
            ("book_id", json!("book")),
            ("source_file", json!("a.md")),
            ("page_content", json!("some night")),
            ("chapter", json!(3)),
            ("chunk_index", json!(0)),
            ("total_chunks", json!(1)),
            ("attributes", json!({"book_id": "x"})),
        ];
        for (field, value) in expected {
            assert_eq!(&chunk.payload[*field], value, "{field}");
        }
        // Case readers take points with a text and a source for chunks: there is one.
        assert_eq!(points.filter(|point| point.payload.contains_key("page_content")).count(), 1);
    });
    let query = Query { text: "night", vector: None, retriever: Retriever::Bm25, limit: 3, filters: &[] };
    assert_eq!(store.search(&query).unwrap()[0].source, "a.md");
}
