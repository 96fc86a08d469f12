//! Stores that others have changed.

use std::path::Path;

use gristmill_core::{ChunkId, Damage, ErrorKind, Query, Reads, Retriever, Store};
use gristmill_store::SqliteStore;
use rusqlite::Connection;

use crate::contract::fixture::{Doc, axis, contents, spec, written};
use crate::{folder, open};

/// Everything a user does with a store; the first error.
fn use_all(path: &Path) -> gristmill_core::Result<()> {
    let store = SqliteStore::open(path, "a", true)?;
    for tracked in store.tracked()? {
        store.points(tracked.version.document)?;
        store.vectors_by_hash(&[tracked.version.source_hash])?;
    }
    let query =
        Query {
            text: "night the 数据", vector: Some(&axis(0)), retriever: Retriever::Hybrid, limit: 9, filters: &[]
        };
    store.search(&query)?;
    let doc = Doc::new("a.md", &["night", "day"]);
    let mut writer = store.writer(&spec())?;
    writer.upsert(&doc.points())?;
    writer.commit(&[&doc.version])?;
    writer.remove_stale(doc.id(), &doc.ids())?;
    writer.remove_document(doc.id())?;
    Ok(())
}

#[test]
fn damage_anywhere_is_an_error_or_harmless() {
    let (_folder, path) = folder();
    let store = open(&path);
    let mut writer = store.writer(&spec()).unwrap();
    for number in 0..40 {
        let texts = [0, 1, 2].map(|part| format!("night {number} day {part} 数据库 {}", "text ".repeat(40)));
        Doc::new(&format!("{number}.md"), &texts.each_ref().map(String::as_str)).write(&mut *writer);
    }
    drop(writer);
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    let (mut refused, step) = (0, whole.len() / 60);
    for at in (0..whole.len()).step_by(step) {
        let mut damaged = whole.clone();
        let end = (at + 700).min(damaged.len());
        damaged[at..end].iter_mut().for_each(|byte| *byte = byte.wrapping_mul(31) ^ 0xa5);
        std::fs::write(&path, &damaged).unwrap();
        if let Err(error) = use_all(&path) {
            assert_eq!(error.kind(), ErrorKind::Store, "{}", error.chain());
            refused += 1;
        }
        std::fs::write(&path, &whole[..at]).unwrap();
        let _ = use_all(&path);
    }
    assert!(refused > 5, "{refused}");
}

#[test]
fn values_we_never_write_are_damage() {
    let (_folder, path) = folder();
    Doc::new("a.md", &["one"]).write(&mut *open(&path).writer(&spec()).unwrap());
    for (change, undo) in [
        ("UPDATE vectors SET vector = x'0102'", "UPDATE vectors SET vector = zeroblob(16)"),
        ("UPDATE documents SET id = x'01'", "DELETE FROM documents"),
    ] {
        let other = Connection::open(&path).unwrap();
        other.execute_batch(change).unwrap();
        let error = use_all(&path).unwrap_err();
        assert_eq!(error.to_string(), format!("the store is damaged: `{}`", path.display()));
        assert!(error.hint_text().is_some());
        other.execute_batch(undo).unwrap();
    }
}

#[test]
fn rows_taken_away_by_others_are_noticed_and_swept() {
    let (_folder, path) = folder();
    let doc = Doc::new("a.md", &["night one", "night two", "day"]);
    let store = open(&path);
    doc.write(&mut *store.writer(&spec()).unwrap());
    Connection::open(&path).unwrap().execute("DELETE FROM chunks WHERE position = 0", []).unwrap();
    assert_eq!(store.tracked().unwrap()[0].points, 2);
    let orders = |retriever| -> Vec<u32> {
        let query = Query { text: "night", vector: Some(&axis(1)), retriever, limit: 9, filters: &[] };
        store.search(&query).unwrap().into_iter().map(|hit| hit.order).collect()
    };
    assert_eq!((orders(Retriever::Dense), orders(Retriever::Bm25)), (vec![1, 2], vec![1]));
    let mut writer = store.writer(&spec()).unwrap();
    assert_eq!((writer.sweep().unwrap(), writer.sweep().unwrap()), (1, 0));
    assert_eq!((orders(Retriever::Dense), orders(Retriever::Bm25)), (vec![1, 2], vec![1]));
    let rows = |table: &str| -> i64 {
        let db = Connection::open(&path).unwrap();
        db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    };
    assert_eq!((rows("vectors"), rows("word_gone")), (2, 1));
    doc.write(&mut *writer);
    assert_eq!(contents(&store), written(&[&doc]));
    Connection::open(&path).unwrap().execute("DELETE FROM documents", []).unwrap();
    assert_eq!((writer.sweep().unwrap(), rows("chunks"), rows("vectors")), (3, 0, 0));
    assert_eq!([rows("word_parts"), rows("word_blocks"), rows("word_gone")], [0; 3]);
}

/// Chunks that are told to be damaged.
fn damaged(store: &dyn Store) -> Vec<(ChunkId, Damage)> {
    store.damaged().unwrap().into_iter().map(|damaged| (damaged.chunk, damaged.what)).collect()
}

/// A store of three texts, one of them in a script without spaces.
fn three() -> (tempfile::TempDir, SqliteStore, Doc, Connection) {
    let (folder, path) = folder();
    let doc = Doc::new("a.md", &["Night one, night 2.5", "每天晚上备份数据库。", "…"]);
    let store = open(&path);
    doc.write(&mut *store.writer(&spec()).unwrap());
    (folder, store, doc, Connection::open(&path).unwrap())
}

#[test]
fn words_that_are_not_those_of_the_text_are_told_and_mended() {
    for (change, hurt) in [
        ("INSERT INTO word_gone SELECT key FROM chunks WHERE position = 0", &[0][..]),
        ("DELETE FROM word_parts", &[0, 1, 2]),
        ("DELETE FROM word_blocks", &[0, 1]),
        ("UPDATE word_parts SET texts = x'00'", &[0, 1, 2]),
        ("UPDATE word_parts SET key = 7", &[0, 1]),
        ("UPDATE word_blocks SET words = zeroblob(length(words))", &[0, 1]),
        ("UPDATE word_blocks SET first = x'62'", &[0, 1, 2]),
        ("UPDATE word_blocks SET words = CAST(words || x'00' AS BLOB)", &[0, 1, 2]),
        ("UPDATE chunks SET text = 'one night 2.5' WHERE position = 0", &[0]),
    ] {
        let (_folder, store, doc, other) = three();
        assert_eq!(damaged(&store), []);
        other.execute_batch(change).unwrap();
        let expected: Vec<(ChunkId, Damage)> = hurt.iter().map(|at| (doc.chunks[*at].id, Damage::Words)).collect();
        let told = damaged(&store);
        assert!(expected.iter().all(|one| told.contains(one)), "{change}: {told:?}");
        assert!(told.iter().all(|(_, what)| *what == Damage::Words), "{change}: {told:?}");
        let mut writer = store.writer(&spec()).unwrap();
        writer.mend().unwrap();
        assert_eq!((damaged(&store), writer.damaged().unwrap()), (vec![], vec![]), "{change}");
        let query = Query { text: "数据库", vector: None, retriever: Retriever::Bm25, limit: 9, filters: &[] };
        let found: Vec<u32> = store.search(&query).unwrap().into_iter().map(|hit| hit.order).collect();
        assert_eq!(found, [1], "{change}");
    }
}

#[test]
fn a_vector_of_another_text_is_told() {
    let (_folder, store, doc, other) = three();
    other
        .execute_batch(
            "CREATE TEMP TABLE copied AS SELECT position, vector, seal FROM chunks JOIN vectors USING(key);
            UPDATE vectors SET (vector, seal) = (SELECT vector, seal FROM copied WHERE position = 1)
                WHERE key = (SELECT key FROM chunks WHERE position = 0);",
        )
        .unwrap();
    assert_eq!(damaged(&store), [(doc.chunks[0].id, Damage::Vector)]);
    other.execute_batch("UPDATE vectors SET vector = zeroblob(16)").unwrap();
    let all: Vec<(ChunkId, Damage)> = doc.ids().into_iter().map(|id| (id, Damage::Vector)).collect();
    assert_eq!(damaged(&store), all);
    doc.write(&mut *store.writer(&spec()).unwrap());
    assert_eq!(damaged(&store), []);
}

#[test]
fn a_store_of_an_older_version_becomes_one_of_this_when_it_is_written() {
    for older in [2, 3] {
        let (_folder, store, doc, other) = three();
        drop(store);
        other
            .execute_batch(
                "DROP TABLE word_parts; DROP TABLE word_blocks; DROP TABLE word_gone;
                CREATE VIRTUAL TABLE words_1 USING fts5(words, content = '', contentless_delete = 1);
                INSERT INTO words_1(rowid, words) SELECT key, text FROM chunks;",
            )
            .unwrap();
        if older == 2 {
            other.execute_batch("ALTER TABLE vectors DROP COLUMN seal").unwrap();
        }
        other.pragma_update(None, "user_version", older).unwrap();
        let path = other.path().unwrap().to_owned();
        let open = |create| SqliteStore::open(Path::new(&path), "a", create);
        let refused = open(false).err().unwrap();
        assert!(refused.hint_text().unwrap().starts_with("run `gristmill ingest`"), "{refused:?}");
        let version = || other.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(version(), older, "reading changes nothing");
        let store = open(true).unwrap();
        assert_eq!((version(), damaged(&store), contents(&store)), (4, vec![], written(&[&doc])));
        let query = Query { text: "数据库", vector: None, retriever: Retriever::Bm25, limit: 9, filters: &[] };
        assert_eq!(store.search(&query).unwrap().len(), 1);
        let left: i64 = other
            .query_row("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'words_1%'", [], |row| row.get(0))
            .unwrap();
        assert_eq!(left, 0);
        let added = Doc::new("b.md", &["two"]);
        added.write(&mut *store.writer(&spec()).unwrap());
        other.execute_batch("UPDATE vectors SET vector = zeroblob(16)").unwrap();
        // Vectors that are older than seals have none.
        assert_eq!(damaged(&store).len(), if older == 2 { 1 } else { 4 });
    }
}
