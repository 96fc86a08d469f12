//! What is found.

use gristmill_core::{Hit, Query, Retriever, Store};

use super::Open;
use super::fixture::{Doc, spec};

pub const CHECKS: &[fn(Open<'_>)] = &[words_find_texts_of_three_languages];

const BY_WORDS: Query<'_> = Query { text: "", vector: None, retriever: Retriever::Bm25, limit: 10, filters: &[] };

fn texts(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.text.as_str()).collect()
}

fn corpus(store: &dyn Store) {
    let mut writer = store.writer(&spec()).unwrap();
    for (source, chunks) in [
        ("en.md", ["Install the package with the installer.", "Back up the database every night."]),
        ("ko.md", ["패키지를 설치하는 방법을 설명합니다.", "데이터베이스는 매일 밤 백업합니다."]),
        ("zh.md", ["使用安装程序安装软件包。", "每天晚上备份数据库。"]),
    ] {
        Doc::new(source, &chunks).write(&mut *writer);
    }
}

fn words_find_texts_of_three_languages(open: Open<'_>) {
    let store = open("a");
    corpus(&*store);
    for (question, best) in [
        ("How often is the DATABASE backed up?", "Back up the database every night."),
        ("패키지 설치", "패키지를 설치하는 방법을 설명합니다."),
        ("백업은 언제 하나요", "데이터베이스는 매일 밤 백업합니다."),
        ("如何备份数据库", "每天晚上备份数据库。"),
        ("软件包", "使用安装程序安装软件包。"),
    ] {
        let hits = store.search(&Query { text: question, ..BY_WORDS }).unwrap();
        assert_eq!(texts(&hits).first(), Some(&best), "{question}");
    }
}
