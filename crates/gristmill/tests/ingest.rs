//! A store after any of these histories holds what a first ingest of the present documents would hold, and only changed
//! text was embedded again.

use std::path::Path;

use gristmill::config::{self, Layer, Options, Task};
use gristmill::{ErrorKind, IngestOptions, IngestReport, Inputs, Result, RunCx, SearchOptions, ingest, search};
use gristmill_core::Reads;
use gristmill_core::{DocumentId, Retriever, StoredPoint};
use gristmill_store::SqliteStore;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(place.docs()).unwrap();
        place
    }

    fn docs(&self) -> std::path::PathBuf {
        self.folder.path().join("docs")
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.docs().join(name), text).unwrap();
    }

    fn settings(&self, name: &str, max: u32) -> config::Settings {
        let mut options = Options::default();
        options.store.path = Some(self.folder.path().join(name));
        options.chunk.max = Some(max);
        config::resolve(Task::Ingest, self.folder.path(), &[Layer::flags(options)]).unwrap().value
    }

    fn run(&self, name: &str, max: u32, options: &IngestOptions) -> Result<IngestReport> {
        let inputs = Inputs { folder: self.docs(), paths: vec![self.docs()], ..Inputs::default() };
        let mut cx = RunCx { workers: 2, inspect: false, lint: true, progress: &mut |_, _, _| {} };
        ingest(&self.settings(name, max), &inputs, options, &mut cx)
    }

    fn ingest(&self, max: u32) -> IngestReport {
        self.run("store.db", max, &IngestOptions::default()).unwrap()
    }

    /// Compares the store with a first ingest into an empty one.
    fn equals_fresh(&self, max: u32) {
        let fresh = format!("fresh-{}.db", std::fs::read_dir(self.folder.path()).unwrap().count());
        self.run(&fresh, max, &IngestOptions { allow_empty_source: true, ..IngestOptions::default() }).unwrap();
        assert_eq!(contents(&self.folder.path().join("store.db")), contents(&self.folder.path().join(fresh)));
    }
}

fn contents(path: &Path) -> Vec<(String, String, DocumentId, Vec<StoredPoint>)> {
    let store = SqliteStore::open(path, "default", false).unwrap();
    let tracked = store.tracked().unwrap().into_iter();
    tracked
        .map(|t| {
            assert!(t.complete, "{} is not complete", t.version.source);
            let points = store.points(t.version.document).unwrap();
            (t.version.source, t.version.recipe, t.version.document, points)
        })
        .collect()
}

fn text(word: &str) -> String {
    let sentences =
        |n: usize| (0..6).map(|k| format!("The {word} number {n} has part {k} of {n}. ")).collect::<String>();
    (0..6).map(|n| format!("## Section {n}\n\n{}\n\n", sentences(n))).collect::<String>()
}

#[test]
fn histories_end_where_a_first_ingest_would() {
    let place = Place::new();
    place.write("a.md", &text("apple"));
    place.write("b.md", &text("bolt"));
    let first = place.ingest(120);
    assert_eq!((first.files.new, first.chunks.reused), (2, 0));
    assert!(first.chunks.embedded > 4);
    place.equals_fresh(120);

    let again = place.ingest(120);
    assert_eq!((again.files.unchanged, again.chunks.embedded, again.chunks.upserted), (2, 0, 0));

    place.write("a.md", &text("apple").replace("number 3", "number three"));
    let edited = place.ingest(120);
    assert_eq!((edited.files.modified, edited.files.unchanged), (1, 1));
    assert!(edited.chunks.embedded >= 1 && edited.chunks.embedded < first.chunks.embedded / 2, "{:?}", edited.chunks);
    place.equals_fresh(120);

    std::fs::rename(place.docs().join("b.md"), place.docs().join("moved.md")).unwrap();
    let moved = place.ingest(120);
    assert_eq!((moved.files.moved, moved.files.deleted, moved.chunks.embedded), (1, 0, 0));
    place.equals_fresh(120);

    std::fs::copy(place.docs().join("moved.md"), place.docs().join("copy.md")).unwrap();
    assert_eq!(place.ingest(120).chunks.embedded, 0, "a copy has the same texts");
    std::fs::remove_file(place.docs().join("moved.md")).unwrap();
    assert_eq!(place.ingest(120).files.deleted, 1);
    place.equals_fresh(120);

    let smaller = place.ingest(60);
    assert_eq!((smaller.files.modified, smaller.files.unchanged), (2, 0), "other settings make other chunks");
    place.equals_fresh(60);
}

#[test]
fn an_empty_source_is_no_deleted_source() {
    let place = Place::new();
    place.write("a.md", &text("apple"));
    place.ingest(120);
    std::fs::remove_file(place.docs().join("a.md")).unwrap();
    let error = place.run("store.db", 120, &IngestOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Guard);
    assert_eq!(contents(&place.folder.path().join("store.db")).len(), 1, "nothing was removed");
    let allowed = IngestOptions { allow_empty_source: true, ..IngestOptions::default() };
    assert_eq!(place.run("store.db", 120, &allowed).unwrap().files.deleted, 1);
    place.equals_fresh(120);
}

#[test]
fn one_bad_document_does_not_stop_the_others_and_keeps_its_old_version() {
    let place = Place::new();
    place.write("good.md", &text("apple"));
    // A name of a binary file is passed over and counts as nothing.
    std::fs::write(place.docs().join("picture.png"), b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR").unwrap();
    let report = place.ingest(120);
    assert_eq!((report.files.new, report.files.failed), (1, 0));
    assert_eq!(place.ingest(120).files.unchanged, 1);
    place.equals_fresh(120);
}

#[test]
fn a_document_that_is_none_any_more_is_gone() {
    let place = Place::new();
    place.write("a.md", &text("apple"));
    place.write("b.txt", &text("secret"));
    place.ingest(120);
    std::fs::write(place.docs().join("b.txt"), b"\0\x01\x02binary\0\0\0").unwrap();
    let report = place.ingest(120);
    assert_eq!((report.files.deleted, report.files.unchanged), (1, 1));
    place.equals_fresh(120);
}

#[test]
fn what_was_stored_is_found() {
    let place = Place::new();
    place.write("fruit.md", "# Fruit\n\nApples ripen in September and keep until spring.\n");
    place.write("tools.md", "# Tools\n\nThe torque wrench is kept in the red cupboard.\n");
    place.ingest(120);
    for retriever in [Retriever::Hybrid, Retriever::Bm25, Retriever::Dense] {
        let options = SearchOptions { retriever, limit: 1, ..SearchOptions::default() };
        let hits = search(&place.settings("store.db", 120), "where is the torque wrench kept?", &options).unwrap();
        assert_eq!(hits[0].source, "tools.md", "{}", retriever.name());
    }
}
