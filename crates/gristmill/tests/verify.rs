//! What someone else does to a store is told and mended.

use std::path::PathBuf;

use gristmill::config::{self, Layer, Options, Settings, Task};
use gristmill::{
    DriftKind, IngestOptions, Inputs, RunCx, SearchOptions, VerifyReport, ingest, search, verify, verify_and_repair,
};
use gristmill_core::{Reads, Retriever};
use gristmill_store::SqliteStore;
use rusqlite::Connection;

struct Place(tempfile::TempDir);

impl Place {
    /// Two documents of several chunks, ingested.
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(place.0.path().join("docs")).unwrap();
        for word in ["pump", "valve"] {
            let part = |n: usize| format!("## Part {n}\n\nThe {word} number {n} is looked after in month {n}.\n\n");
            let text: String = (0..6).map(part).collect();
            std::fs::write(place.0.path().join(format!("docs/{word}.md")), text).unwrap();
        }
        place.with(|settings, inputs, cx| ingest(settings, inputs, &IngestOptions::default(), cx)).unwrap();
        place
    }

    fn with<T>(&self, work: impl FnOnce(&Settings, &Inputs, &mut RunCx<'_>) -> T) -> T {
        let docs = self.0.path().join("docs");
        let inputs = Inputs { folder: docs.clone(), paths: vec![docs], ..Inputs::default() };
        let mut cx = RunCx { workers: 2, inspect: false, lint: true, progress: &mut |_, _, _| {} };
        work(&self.settings(), &inputs, &mut cx)
    }

    fn settings(&self) -> Settings {
        let mut options = Options::default();
        options.store.path = Some(self.file());
        (options.chunk.max, options.chunk.min) = (Some(30), Some(0));
        config::resolve(Task::Ingest, self.0.path(), &[Layer::flags(options)]).unwrap().value
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("store.db")
    }

    fn verify(&self) -> VerifyReport {
        self.with(verify).unwrap()
    }

    fn repair(&self) -> VerifyReport {
        self.with(|settings, inputs, cx| verify_and_repair(settings, inputs, &IngestOptions::default(), cx)).unwrap()
    }

    /// Everything the store holds.
    fn contents(&self) -> Vec<gristmill_core::StoredPoint> {
        let store = SqliteStore::open(&self.file(), "default", false).unwrap();
        let tracked = store.tracked().unwrap();
        tracked.iter().flat_map(|tracked| store.points(tracked.version.document).unwrap()).collect()
    }

    /// Sources of what is found.
    fn found(&self, question: &str, retriever: Retriever) -> Vec<String> {
        let options = SearchOptions { retriever, limit: 3, ..SearchOptions::default() };
        search(&self.settings(), question, &options).unwrap().into_iter().map(|hit| hit.source).collect()
    }
}

fn kinds(report: &VerifyReport) -> Vec<(&str, DriftKind)> {
    let mut kinds: Vec<_> = report.drift.iter().map(|drift| (&*drift.source, drift.kind)).collect();
    kinds.dedup();
    kinds
}

#[test]
fn every_change_by_others_is_told_and_mended() {
    let first = "(SELECT chunks.key FROM chunks JOIN documents ON documents.key = document
        WHERE source = 'pump.md' AND position = 0)";
    let second = first.replace("position = 0", "position = 1");
    // The change, what is told, and whether texts of the document are embedded anew.
    for (change, kind, embeds) in [
        (format!("INSERT INTO word_gone(key) VALUES({first})"), DriftKind::WrongWords, false),
        (
            format!(
                "CREATE TEMP TABLE copied AS SELECT * FROM vectors;
                UPDATE vectors SET vector = (SELECT vector FROM copied WHERE key = {second}) WHERE key = {first};"
            ),
            DriftKind::WrongVector,
            true,
        ),
        (format!("DELETE FROM vectors WHERE key = {first}"), DriftKind::MissingVector, true),
        (format!("UPDATE chunks SET text = text || '!' WHERE key = {first}"), DriftKind::WrongText, true),
        (format!("UPDATE chunks SET payload = '{{}}' WHERE key = {first}"), DriftKind::WrongPayload, false),
        (format!("UPDATE vectors SET vector = x'0001' WHERE key = {first}"), DriftKind::WrongVector, true),
        (format!("UPDATE chunks SET text = CAST(x'ff41' AS TEXT) WHERE key = {first}"), DriftKind::WrongText, true),
        ("UPDATE documents SET source = 'x.md' WHERE source = 'pump.md'".into(), DriftKind::IncompleteDocument, false),
    ] {
        let place = Place::new();
        let before = place.contents();
        assert!(before.len() >= 4 && place.verify().drift.is_empty());
        Connection::open(place.file()).unwrap().execute_batch(&change).unwrap();
        let told = place.verify();
        assert_eq!(kinds(&told), [("pump.md", kind)], "{change}");
        let repaired = place.repair().repaired.unwrap();
        assert_eq!(repaired.chunks.embedded > 0, embeds, "{change}");
        assert_eq!(kinds(&place.verify()), [], "{change}");
        assert_eq!(place.contents(), before, "{change}");
        assert_eq!(place.found("pump", Retriever::Bm25), ["pump.md"; 3], "{change}");
    }
}

#[test]
fn an_index_of_words_that_is_gone_is_made_again() {
    let place = Place::new();
    Connection::open(place.file()).unwrap().execute_batch("DROP TABLE word_blocks").unwrap();
    let error = search(&place.settings(), "pump", &SearchOptions::default()).unwrap_err();
    assert!(error.hint_text().unwrap().contains("gristmill verify --repair"), "{error:?}");
    assert!(place.verify().drift.iter().all(|drift| drift.kind == DriftKind::WrongWords));
    let report = place.repair();
    assert_eq!((report.drift.len() as u64, report.left.len()), (report.chunks, 0));
    assert_eq!(report.repaired.unwrap().chunks.embedded, 0);
    assert_eq!(place.found("pump", Retriever::Bm25), ["pump.md"; 3]);
}

#[test]
fn what_could_not_be_mended_is_left() {
    let place = Place::new();
    let note = place.0.path().join("docs/note.ipynb");
    let cell = r#"{"cell_type": "markdown", "metadata": {}, "source": ["The gauge is read every day."]}"#;
    std::fs::write(&note, format!(r#"{{"cells": [{cell}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}"#))
        .unwrap();
    place.with(|settings, inputs, cx| ingest(settings, inputs, &IngestOptions::default(), cx)).unwrap();
    std::fs::write(&note, "{ not any more").unwrap();
    let pump = "(SELECT chunks.key FROM chunks JOIN documents ON documents.key = document WHERE source = 'pump.md')";
    let lost = format!("DELETE FROM vectors WHERE key IN {pump}");
    Connection::open(place.file()).unwrap().execute_batch(&lost).unwrap();
    let report = place.repair();
    let left: Vec<_> = report.left.iter().map(|drift| (&*drift.source, drift.kind)).collect();
    let repaired = report.repaired.as_ref().unwrap();
    let failed: Vec<&str> = repaired.failures.iter().map(|failure| &*failure.source).collect();
    assert_eq!((left, failed), (vec![("note.ipynb", DriftKind::OutdatedDocument)], vec!["note.ipynb"]));
    assert_eq!(kinds(&report), [("note.ipynb", DriftKind::OutdatedDocument), ("pump.md", DriftKind::MissingVector)]);
}
