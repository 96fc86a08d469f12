//! Servers with limits: strict mode, small requests, small pages, old versions.

use gristmill_core::{ErrorKind, Filter, Query, Reads, Retriever, Store};
use serde_json::json;

use crate::contract::fixture::{Doc, axis, contents, spec, written};
use crate::double::{Behaviour, Double};
use crate::flow::{expect_left, live};
use crate::open::Opened;

fn strict() -> Behaviour {
    Behaviour { strict: true, query_limit: 50, ..Behaviour::default() }
}

#[test]
fn strict_mode_refuses_nothing_of_ours() {
    let double = Double::start(strict());
    let opened = Opened::new(&double.url());
    live(&opened).unwrap();
    expect_left(&opened);
}

#[test]
fn indexes_that_are_missing_are_made_again() {
    let double = Double::start(strict());
    let opened = Opened::new(&double.url());
    let (a, b) = (Doc::new("a.md", &["one"]), Doc::new("b.md", &["two"]));
    let store = opened.store("a");
    a.write(&mut *store.writer(&spec()).unwrap());
    let drop_all = || double.state(|state| state.collections.get_mut("docs").unwrap().indexes.clear());
    drop_all();
    assert_eq!(contents(&store), written(&[&a]));
    drop_all();
    b.write(&mut *store.writer(&spec()).unwrap());
    drop_all();
    store.writer(&spec()).unwrap().remove_document(a.id()).unwrap();
    assert_eq!(contents(&store), written(&[&b]));
}

#[test]
fn indexes_are_there_before_the_first_filter() {
    let double = Double::start(Behaviour { strict: true, ..Behaviour::default() });
    let mut opened = Opened::new(&double.url());
    opened.indexes = [("chapter", "integer"), ("metadata.attributes.version", "keyword")]
        .map(|(field, kind)| (field.to_owned(), kind.to_owned()))
        .into();
    opened.names = [("tenant".to_owned(), "book_id".to_owned())].into();
    live(&opened).unwrap();
    let refused = double.seen().into_iter().filter(|seen| !(200..300).contains(&seen.status) && seen.status != 404);
    assert_eq!(refused.map(|seen| seen.path).collect::<Vec<_>>(), Vec::<String>::new());
    double.state(|state| {
        let indexes = &state.collections.values().next().unwrap().indexes;
        for (field, kind) in [("book_id", "keyword"), ("source_hash", "keyword"), ("content_hash", "keyword")] {
            assert_eq!(indexes[field], kind, "{field}");
        }
        assert_eq!((indexes["chapter"].as_str(), indexes["attributes.version"].as_str()), ("integer", "keyword"));
        assert!(!indexes.contains_key("tenant"));
    });
    // Another type than the one it has.
    opened.indexes.insert("chapter".into(), "keyword".into());
    drop(opened.store("a").writer(&crate::flow::other()).unwrap());
    double.state(|state| assert_eq!(state.collections.values().next().unwrap().indexes["chapter"], "keyword"));
}

#[test]
fn a_filter_without_an_index_is_refused_with_advice() {
    let double = Double::start(strict());
    let mut opened = Opened::new(&double.url());
    let mut doc = Doc::new("a.md", &["text"]);
    doc.chunks[0].payload = json!({"chapter": 3}).to_string();
    doc.write(&mut *opened.store("a").writer(&spec()).unwrap());
    let filters = [Filter { field: "chapter".into(), value: json!(3) }];
    let query =
        Query { text: "text", vector: Some(&axis(0)), retriever: Retriever::Hybrid, limit: 5, filters: &filters };
    let error = opened.store("a").search(&query).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert!(error.chain().contains("chapter") && error.hint_text().unwrap().contains("payload_indexes"));
    opened.indexes = [("chapter".to_owned(), "integer".to_owned())].into();
    assert_eq!(opened.store("a").search(&query).unwrap().len(), 1);
}

/// A document with many chunks.
fn large(chunks: usize) -> Doc {
    let texts: Vec<String> = (0..chunks).map(|n| format!("Record {n} has a text of its own.")).collect();
    Doc::new("large.md", &texts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn requests_are_halved_until_they_fit_and_the_limit_is_remembered() {
    let double = Double::start(Behaviour { body_limit: 20_000, ..Behaviour::default() });
    let opened = Opened::new(&double.url());
    let (store, doc) = (opened.store("a"), large(600));
    doc.write(&mut *store.writer(&spec()).unwrap());
    let upserts: Vec<_> = double.seen().into_iter().filter(|seen| seen.path.contains("/points?wait=true")).collect();
    let refused = upserts.iter().filter(|seen| seen.status == 413).count();
    assert!((1..=6).contains(&refused), "{refused}");
    assert!(upserts.iter().filter(|seen| seen.status == 200).all(|seen| seen.bytes <= 20_000));
    double.behave(|behaviour| behaviour.body_limit = 32 << 20);
    assert_eq!(contents(&store), written(&[&doc]));
}

#[test]
fn a_chunk_that_no_request_can_hold_is_told() {
    let double = Double::start(Behaviour { body_limit: 1500, ..Behaviour::default() });
    let opened = Opened::new(&double.url());
    let store = opened.store("a");
    let doc = Doc::new("a.md", &["short", &"word ".repeat(1000)]);
    let error = store.writer(&spec()).unwrap().upsert(&doc.points()).unwrap_err();
    assert!(error.to_string().contains("status 413") && error.hint_text().unwrap().contains("max_request_size_mb"));
}

#[test]
fn requests_hold_no_more_points_than_wanted() {
    let double = Double::start(Behaviour::default());
    let mut opened = Opened::new(&double.url());
    opened.batch = 7;
    let doc = large(50);
    doc.write(&mut *opened.store("a").writer(&spec()).unwrap());
    let upserts = double.seen().into_iter().filter(|seen| seen.path.contains("/points?wait=true")).count();
    assert!(upserts >= 50usize.div_ceil(7), "{upserts}");
    assert_eq!(contents(&opened.store("a")), written(&[&doc]));
}

#[test]
fn small_pages_and_old_servers_tell_the_same() {
    let doc = large(120);
    for behaviour in [
        Behaviour { page_size: 7, ..Behaviour::default() },
        Behaviour { facets: false, has_vector: false, ..Behaviour::default() },
        Behaviour { query_limit: 10, ..strict() },
    ] {
        let double = Double::start(behaviour.clone());
        let opened = Opened::new(&double.url());
        let store = opened.store("a");
        doc.write(&mut *store.writer(&spec()).unwrap());
        Doc::new("other.md", &["Record of its own"]).write(&mut *opened.store("b").writer(&spec()).unwrap());
        assert_eq!(contents(&store), written(&[&doc]), "{behaviour:?}");
        let query = Query { text: "77", vector: None, retriever: Retriever::Bm25, limit: 3, filters: &[] };
        assert_eq!(store.search(&query).unwrap()[0].text, doc.chunks[77].text, "{behaviour:?}");
        live(&opened).unwrap();
    }
}

#[test]
fn points_that_others_took_away_are_noticed() {
    for facets in [true, false] {
        let double = Double::start(Behaviour { facets, ..Behaviour::default() });
        let opened = Opened::new(&double.url());
        let (a, b) = (Doc::new("a.md", &["one", "two"]), Doc::new("b.md", &["three"]));
        let store = opened.store("a");
        for doc in [&a, &b] {
            doc.write(&mut *store.writer(&spec()).unwrap());
        }
        let remove = |source: &str, kind: &str| {
            double.state(|state| {
                let points = &mut state.collections.get_mut("docs").unwrap().points;
                points.retain(|_, point| {
                    point.payload.get("source") != Some(&json!(source)) || point.payload["kind"] != kind
                });
            });
        };
        remove("a.md", "chunk");
        let mut emptied = a.tracked();
        emptied.points = 0;
        assert_eq!(store.tracked().unwrap(), [emptied, b.tracked()]);
        // Marks can be made again from the points alone.
        remove("b.md", "document");
        let mut unmarked = b.tracked();
        (unmarked.committed, unmarked.complete) = (false, false);
        assert_eq!(store.tracked().unwrap()[1], unmarked);
        for doc in [&a, &b] {
            doc.write(&mut *store.writer(&spec()).unwrap());
        }
        assert_eq!(contents(&store), written(&[&a, &b]));
    }
}

#[test]
fn a_plan_costs_requests_by_documents() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    let store = opened.store("a");
    {
        let mut writer = store.writer(&spec()).unwrap();
        let docs: Vec<Doc> = (0..30).map(|n| Doc::new(&format!("{n:02}.md"), &["one", "two", "three"])).collect();
        docs.iter().for_each(|doc| doc.write(&mut *writer));
    }
    double.strike(None);
    assert_eq!(store.tracked().unwrap().len(), 30);
    assert_eq!(double.seen().len(), 3, "{:?}", double.seen());
}
