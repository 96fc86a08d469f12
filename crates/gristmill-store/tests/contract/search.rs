//! What is found.

use gristmill_core::{ErrorKind, Filter, Hit, Query, Result, Retriever, Store};
use serde_json::{Value, json};

use super::Check;
use super::Open;
use super::fixture::{Doc, axis, spec};

pub const CHECKS: &[Check] = &[
    words_find_texts_of_three_languages,
    a_word_in_more_texts_weighs_less,
    vectors_are_ranked_by_cosine,
    equal_scores_are_ordered_by_place,
    both_together_find_what_either_finds,
    filters_look_into_the_payload,
    fields_that_documents_declare_are_named,
    filters_that_mean_nothing_are_refused,
    questions_of_the_wrong_form_are_refused,
    any_question_is_answered,
    tenants_find_only_their_own,
    a_store_that_was_edited_answers_like_a_fresh_one,
];

const BY_WORDS: Query<'_> = Query { text: "", vector: None, retriever: Retriever::Bm25, limit: 10, filters: &[] };

fn texts(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.text.as_str()).collect()
}

fn by_words(store: &dyn Store, text: &str) -> Vec<Hit> {
    store.search(&Query { text, ..BY_WORDS }).unwrap()
}

fn write(store: &dyn Store, docs: &[Doc]) {
    let mut writer = store.writer(&spec()).unwrap();
    docs.iter().for_each(|doc| doc.write(&mut *writer));
}

fn corpus() -> [Doc; 3] {
    [
        Doc::new("en.md", &["Install the package with the installer.", "Back up the database every night."]),
        Doc::new("ko.md", &["패키지를 설치하는 방법을 설명합니다.", "데이터베이스는 매일 밤 백업합니다."]),
        Doc::new("zh.md", &["使用安装程序安装软件包。", "每天晚上备份数据库。"]),
    ]
}

fn words_find_texts_of_three_languages(open: Open<'_>) {
    let store = open("a");
    write(&*store, &corpus());
    for (question, best) in [
        ("How often is the DATABASE backed up?", "Back up the database every night."),
        ("패키지 설치", "패키지를 설치하는 방법을 설명합니다."),
        ("백업은 언제 하나요", "데이터베이스는 매일 밤 백업합니다."),
        ("如何备份数据库", "每天晚上备份数据库。"),
        ("软件包", "使用安装程序安装软件包。"),
    ] {
        let hits = by_words(&*store, question);
        assert_eq!(texts(&hits).first(), Some(&best), "{question}");
        assert!(hits.iter().all(|hit| hit.bm25 == Some(hit.score) && hit.score > 0.0 && hit.dense.is_none()));
    }
    let hits = by_words(&*store, "night");
    assert_eq!((hits.len(), hits[0].source.as_str(), hits[0].order), (1, "en.md", 1));
    assert_eq!(hits[0].id, corpus()[0].chunks[1].id);
    assert_eq!(hits[0].document, corpus()[0].id());
    assert_eq!(hits[0].payload, corpus()[0].chunks[1].payload);
}

fn a_word_in_more_texts_weighs_less(open: Open<'_>) {
    let store = open("a");
    let texts_of_three_words =
        ["common alpha one", "common beta two", "common gamma three", "rare delta four", "x y z", "u v w"];
    write(&*store, &[Doc::new("a.md", &texts_of_three_words)]);
    let hits = by_words(&*store, "common rare");
    assert_eq!(texts(&hits)[0], "rare delta four");
    assert_eq!(hits.len(), 4);
    let again = Doc::new("b.md", &["alpha alpha one", "alpha two one"]);
    write(&*store, &[again]);
    assert_eq!(texts(&by_words(&*store, "alpha"))[0], "alpha alpha one", "a word that is repeated weighs more");
}

fn vectors_are_ranked_by_cosine(open: Open<'_>) {
    let store = open("a");
    let mut doc = Doc::new("a.md", &["axis 0", "axis 1", "axis 2", "no vector", "opposite"]);
    for (index, chunk) in doc.chunks.iter_mut().enumerate() {
        chunk.vector = (index < 3).then(|| axis(index));
    }
    doc.chunks[4].vector = Some(vec![0.0, -1.0, 0.0, 0.0]);
    write(&*store, &[doc]);
    let question = Query { vector: Some(&[0.6, 0.8, 0.0, 0.0]), retriever: Retriever::Dense, ..BY_WORDS };
    let hits = store.search(&question).unwrap();
    assert_eq!(texts(&hits), ["axis 1", "axis 0", "axis 2", "opposite"]);
    for (hit, cosine) in hits.iter().zip([0.8, 0.6, 0.0, -0.8]) {
        assert!((hit.score - cosine).abs() < 1e-6 && hit.dense == Some(hit.score) && hit.bm25.is_none());
    }
    let two = store.search(&Query { limit: 2, ..question }).unwrap();
    assert_eq!(texts(&two), ["axis 1", "axis 0"]);
}

fn equal_scores_are_ordered_by_place(open: Open<'_>) {
    let store = open("a");
    // The last in order is written first.
    let docs = ["c.md", "b.md", "a.md"].map(|source| Doc::new(source, &["same text", "same text"]));
    write(&*store, &docs);
    let places = |query: &Query<'_>| -> Vec<(String, u32)> {
        store.search(query).unwrap().into_iter().map(|hit| (hit.source, hit.order)).collect()
    };
    let expected = [("a.md", 0), ("a.md", 1), ("b.md", 0)].map(|(source, order)| (source.to_owned(), order));
    for retriever in [Retriever::Dense, Retriever::Bm25, Retriever::Hybrid] {
        let query = Query { text: "text", vector: Some(&axis(1)), retriever, limit: 3, filters: &[] };
        assert_eq!(places(&query), expected, "{}", retriever.name());
    }
}

fn both_together_find_what_either_finds(open: Open<'_>) {
    let store = open("a");
    let mut doc = Doc::new("a.md", &["near pump", "near only", "word pump", "far only", "blind pump"]);
    for (chunk, vector) in doc.chunks.iter_mut().zip([Some(0), Some(0), Some(1), Some(1), None]) {
        chunk.vector = vector.map(axis);
    }
    write(&*store, &[doc]);
    let question =
        Query { text: "pump", vector: Some(&axis(0)), retriever: Retriever::Hybrid, limit: 10, filters: &[] };
    let hits = store.search(&question).unwrap();
    // Both, then the one whose vector is unknown, then words alone, then vectors alone, then neither.
    assert_eq!(texts(&hits), ["near pump", "blind pump", "word pump", "near only", "far only"]);
    assert!(hits[0].dense.is_some() && hits[0].bm25.is_some());
    assert!(hits[1].dense.is_none() && hits[1].bm25.is_some());
    assert!(hits[3].dense.is_some() && hits[3].bm25.is_none());
    assert!(hits.is_sorted_by(|a, b| a.score >= b.score));
    let blind = Query { vector: None, ..question };
    assert_eq!(store.search(&blind).unwrap(), by_words(&*store, "pump"));
    let wordless = Query { text: "…", ..question };
    assert_eq!(texts(&store.search(&wordless).unwrap())[..2], ["near pump", "near only"]);
}

fn filter(field: &str, value: Value) -> Filter {
    Filter { field: field.into(), value }
}

fn filtered(store: &dyn Store, filters: &[Filter]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for retriever in [Retriever::Dense, Retriever::Bm25, Retriever::Hybrid] {
        let query = Query { text: "text", vector: Some(&axis(0)), retriever, limit: 10, filters };
        let mut texts: Vec<_> = store.search(&query)?.into_iter().map(|hit| hit.text).collect();
        texts.sort();
        found.push(texts);
    }
    assert!(found.iter().all(|texts| *texts == found[0]), "{filters:?}: {found:?}");
    Ok(found.remove(0))
}

fn filters_look_into_the_payload(open: Open<'_>) {
    let store = open("a");
    let mut doc = Doc::new("a.md", &["text A", "text B", "text C"]);
    for (chunk, payload) in doc.chunks.iter_mut().zip([
        json!({"chapter": 3, "draft": true, "tags": ["setup", "linux"], "meta": {"layer": "L1", "가": "나"}}),
        json!({"chapter": 3.0, "draft": false, "tags": ["setup"], "meta": {"layer": "L2"}, "a'b": "it's"}),
        json!({"chapter": "3", "tags": [], "meta": "L1"}),
    ]) {
        chunk.payload = payload.to_string();
    }
    write(&*store, &[doc]);
    for (field, value, expected) in [
        ("chapter", json!(3), &["text A", "text B"][..]),
        ("chapter", json!("3"), &["text C"]),
        ("chapter", json!(4), &[]),
        ("draft", json!(true), &["text A"]),
        ("draft", json!(false), &["text B"]),
        ("draft", json!(1), &[]),
        ("tags", json!("setup"), &["text A", "text B"]),
        ("tags", json!("linux"), &["text A"]),
        ("meta.layer", json!("L1"), &["text A"]),
        ("meta.가", json!("나"), &["text A"]),
        ("meta", json!("L1"), &["text C"]),
        ("a'b", json!("it's"), &["text B"]),
        ("absent", json!("x"), &[]),
        ("absent.deeper", json!("x"), &[]),
    ] {
        assert_eq!(filtered(&*store, &[filter(field, value.clone())]).unwrap(), expected, "{field} = {value}");
    }
    let both = [filter("tags", json!("setup")), filter("meta.layer", json!("L2"))];
    assert_eq!(filtered(&*store, &both).unwrap(), ["text B"]);
}

fn fields_that_documents_declare_are_named(open: Open<'_>) {
    let store = open("a");
    assert!(store.attributes().unwrap().is_none_or(|names| names.is_empty()));
    let mut docs = ["a.md", "b.md", "c.md"].map(|source| Doc::new(source, &["text A", "text B"]));
    for (doc, attributes) in docs.iter_mut().zip([json!({"chapter": 3, "가": 1}), json!({"layer": [1]}), Value::Null])
    {
        for chunk in &mut doc.chunks {
            chunk.payload = json!({"metadata": {"attributes": attributes}}).to_string();
        }
    }
    write(&*store, &docs);
    let names = store.attributes().unwrap().unwrap();
    assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), ["chapter", "layer", "가"]);
    assert!(open("b").attributes().unwrap().is_none_or(|names| names.is_empty()), "another tenant declares nothing");
}

fn filters_that_mean_nothing_are_refused(open: Open<'_>) {
    let store = open("a");
    for one in [
        filter("chapter", Value::Null),
        filter("chapter", json!([1])),
        filter("chapter", json!({})),
        filter("", json!(1)),
        filter("a..b", json!(1)),
        filter("a\"b", json!(1)),
    ] {
        assert_eq!(filtered(&*store, std::slice::from_ref(&one)).unwrap_err().kind(), ErrorKind::Usage, "{one:?}");
    }
}

fn questions_of_the_wrong_form_are_refused(open: Open<'_>) {
    let store = open("a");
    write(&*store, &corpus());
    for retriever in [Retriever::Dense, Retriever::Hybrid] {
        let error = store.search(&Query { vector: Some(&[1.0, 0.0]), retriever, ..BY_WORDS }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Store);
        assert_eq!(error.to_string(), "the vector of the question has 2 numbers, those of `stub/four` have 4");
    }
    let error = store.search(&Query { retriever: Retriever::Dense, ..BY_WORDS }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.hint_text().is_some());
}

fn any_question_is_answered(open: Open<'_>) {
    let store = open("a");
    write(&*store, &corpus());
    for text in ["", " \n", "…!?", "()*^:\"'", "\0", "\u{10ffff}"] {
        assert_eq!(by_words(&*store, text), [], "{text:?}");
    }
    for text in
        ["night AND NOT (night)", "\"night", "night*", "words:night", "NEAR(night, 2)", "-night", "night' OR 1=1"]
    {
        assert_eq!(texts(&by_words(&*store, text))[0], "Back up the database every night.", "{text:?}");
    }
    let long: String = (0..20_000).map(|n| format!("word{n} ")).chain(["night".to_owned()]).collect();
    assert_eq!(by_words(&*store, &long).len(), 1);
    let question = Query { text: "night", vector: Some(&axis(0)), ..BY_WORDS };
    for retriever in [Retriever::Dense, Retriever::Bm25, Retriever::Hybrid] {
        assert_eq!(store.search(&Query { limit: 0, retriever, ..question }).unwrap(), []);
        assert_eq!(open("nobody").search(&Query { retriever, ..question }).unwrap(), []);
    }
    let all = store.search(&Query { limit: usize::MAX, retriever: Retriever::Hybrid, ..question }).unwrap();
    assert_eq!(all.len(), 6);
}

fn tenants_find_only_their_own(open: Open<'_>) {
    let question =
        Query { text: "database night", vector: Some(&axis(1)), retriever: Retriever::Hybrid, limit: 10, filters: &[] };
    write(&*open("a"), &corpus());
    let alone = open("a").search(&question).unwrap();
    // Texts that would change how rare the words are, and identities that are the same.
    write(
        &*open("b"),
        &[Doc::new("en.md", &["database", "night", "database night", "Back up the database every night."])],
    );
    assert_eq!(open("a").search(&question).unwrap(), alone);
    assert!(open("b").search(&question).unwrap().iter().all(|hit| hit.source == "en.md" && hit.text.len() < 40));
    assert_eq!(open("b").search(&question).unwrap().len(), 4);
}

fn a_store_that_was_edited_answers_like_a_fresh_one(open: Open<'_>) {
    let new = corpus();
    let store = open("edited");
    let old = Doc::new("en.md", &["Install nothing.", "night night night", "Back up the database every night."]);
    write(&*store, &[Doc::new("gone.md", &["database night", "备份"]), old]);
    store.writer(&spec()).unwrap().remove_document(Doc::new("gone.md", &[]).id()).unwrap();
    write(&*store, &new);
    let [en, ko, zh] = corpus();
    write(&*open("fresh"), &[zh, en, ko]);
    for (text, retriever) in ["database night", "备份", "설치", "install"]
        .into_iter()
        .flat_map(|text| [(text, Retriever::Bm25), (text, Retriever::Hybrid)])
    {
        let question = Query { text, vector: Some(&[0.5, 0.5, 0.5, 0.5]), retriever, limit: 10, filters: &[] };
        assert_eq!(store.search(&question).unwrap(), open("fresh").search(&question).unwrap(), "{text}");
    }
}
