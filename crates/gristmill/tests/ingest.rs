//! A store after any of these histories holds what a first ingest of the present documents would hold, and only changed
//! text was embedded again.

use std::path::Path;

use gristmill::config::{self, Layer, Options, Task};
use gristmill::{
    ErrorKind, Given, IngestOptions, IngestReport, Inputs, Result, RunCx, SearchOptions, ingest, ingest_given, search,
};
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

#[test]
fn many_workers_bring_in_a_share_each() {
    let place = Place::new();
    let name = |n: usize| format!("{n}.md");
    for n in 0..24 {
        // Every third text stands in two documents, which different workers bring in.
        place.write(&name(n), &format!("# Pump {}\n\nIt moves {} liters.\n", n / 3 * 3, n / 3 * 3));
    }
    let share = |worker: usize| -> Vec<Given> {
        let mine = (0..24).filter(|n| n % 4 == worker).map(name);
        mine.map(|name| Given { bytes: std::fs::read(place.docs().join(&name)).unwrap(), name }).collect()
    };
    let bring = |given: Vec<Given>, gone: &[String]| {
        let mut cx = RunCx { workers: 1, inspect: false, lint: false, progress: &mut |_, _, _| {} };
        let wait = std::time::Duration::from_secs(60);
        ingest_given(&place.settings("store.db", 200), given, gone, wait, &mut cx).unwrap()
    };
    let reports: Vec<IngestReport> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|worker| scope.spawn(move || bring(share(worker), &[]))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    assert!(reports.iter().all(|report| report.files.new == 6 && report.failures.is_empty()));
    place.equals_fresh(200);

    // Once more, as when a worker was killed and its share is done again.
    let again = bring(share(2), &[]);
    assert_eq!((again.files.unchanged, again.chunks.upserted, again.chunks.embedded), (6, 0, 0));

    place.write("5.md", "# Valve\n\nIt closes.\n");
    std::fs::remove_file(place.docs().join("9.md")).unwrap();
    let changed = Given { name: "5.md".into(), bytes: std::fs::read(place.docs().join("5.md")).unwrap() };
    let report = bring(vec![changed], &["9.md".into()]);
    assert_eq!((report.files.modified, report.files.deleted, report.chunks.embedded), (1, 1, 1));
    place.equals_fresh(200);
}

#[test]
fn a_document_of_a_share_has_no_others_below_it() {
    let place = Place::new();
    let bring = |names: &[&str]| {
        let given = names.iter().map(|name| Given { name: (*name).into(), bytes: b"# A\n\nText.\n".to_vec() });
        let mut cx = RunCx { workers: 1, inspect: false, lint: false, progress: &mut |_, _, _| {} };
        let settings = place.settings("store.db", 200);
        ingest_given(&settings, given.collect(), &[], std::time::Duration::ZERO, &mut cx)
    };
    assert_eq!(bring(&["a/b.md", "c.md"]).unwrap().files.new, 2);
    assert_eq!(bring(&["a"]).unwrap().files.deleted, 0);
    assert_eq!(contents(&place.folder.path().join("store.db")).len(), 3);
    let twice = bring(&["a", "a"]).unwrap_err();
    assert!(twice.to_string().contains("with the same path: `a`"), "{twice}");
}

#[test]
fn a_run_waits_for_another_only_when_it_is_told_to() {
    let place = Place::new();
    place.write("a.md", "# A\n\nText.\n");
    let settings = place.settings("store.db", 200);
    let store = SqliteStore::open(&settings.store.path, "default", true).unwrap();
    let spec = gristmill_core::VectorSpec { model: "static/other".into(), dimensions: None };
    let writer = gristmill_core::Store::writer(&store, &spec).unwrap();
    let busy = place.run("store.db", 200, &IngestOptions::default()).unwrap_err();
    assert!(busy.to_string().contains("another run is writing"), "{busy}");
    let told = IngestOptions { wait: std::time::Duration::from_secs(60), ..IngestOptions::default() };
    std::thread::scope(|scope| {
        let run = scope.spawn(|| place.run("store.db", 200, &told));
        std::thread::sleep(std::time::Duration::from_millis(100));
        drop(writer);
        assert_eq!(run.join().unwrap().unwrap().files.new, 1);
    });
}

/// A model whose vectors tell its number and the length of the text, and that counts texts.
struct Numbered(&'static str, f32, std::sync::atomic::AtomicUsize);

impl gristmill_core::Embedder for Numbered {
    fn name(&self) -> &str {
        self.0
    }

    fn dimensions(&self) -> Option<usize> {
        Some(2)
    }

    fn limits(&self) -> gristmill_core::EmbedLimits {
        let all = usize::MAX;
        gristmill_core::EmbedLimits { inputs: 8, tokens: all, bytes: all, input_tokens: all, requests: 1 }
    }

    fn embed(
        &self,
        texts: &[&str],
        _: gristmill_core::Purpose,
    ) -> std::result::Result<Vec<Vec<f32>>, gristmill_core::EmbedError> {
        self.2.fetch_add(texts.len(), std::sync::atomic::Ordering::Relaxed);
        let turned = |text: &&str| (text.len() as f32 + self.1).sin_cos();
        Ok(texts.iter().map(turned).map(|(y, x)| vec![x, y]).collect())
    }
}

#[test]
fn another_model_answers_once_every_share_is_in() {
    let place = Place::new();
    let share = |numbers: std::ops::Range<usize>| -> Vec<Given> {
        let text = |n: usize| format!("# Pump {n}\n\nIt moves {n} liters.\n").into_bytes();
        numbers.map(|n| Given { name: format!("{n}.md"), bytes: text(n) }).collect()
    };
    let (old, new) = (Numbered("test/old", 0.0, 0.into()), Numbered("test/new", 1.0, 0.into()));
    let (old, new) = (std::sync::Arc::new(old), std::sync::Arc::new(new));
    let bring = |embedder: &std::sync::Arc<Numbered>, given: Vec<Given>| {
        let mut cx = RunCx { workers: 1, inspect: false, lint: false, progress: &mut |_, _, _| {} };
        let settings = place.settings("store.db", 200);
        let store = SqliteStore::open(&settings.store.path, "default", true).unwrap();
        let embedder: std::sync::Arc<dyn gristmill_core::Embedder> = std::sync::Arc::clone(embedder) as _;
        let wait = std::time::Duration::ZERO;
        let report = gristmill::ingest_given_into(&store, &embedder, &settings, given, &[], wait, &mut cx).unwrap();
        let answers = gristmill_core::Store::spec(&store).unwrap().unwrap().model;
        (report, answers, store.tracked().unwrap().len())
    };
    bring(&old, share(0..6));
    let (report, answers, documents) = bring(&new, share(0..2));
    assert_eq!((answers.as_str(), documents, report.published), ("test/old", 6, false));
    assert!(report.unpublished.unwrap().contains("4 of the documents that answer now are not complete, first `2.md`"));
    let (_, answers, documents) = bring(&new, share(2..4));
    assert_eq!((answers.as_str(), documents), ("test/old", 6));
    let (report, answers, documents) = bring(&new, share(4..6));
    assert_eq!((answers.as_str(), documents, report.published), ("test/new", 6, true));
    let made = |model: &Numbered| model.2.load(std::sync::atomic::Ordering::Relaxed);
    assert_eq!((made(&old), made(&new)), (6, 6), "each text was embedded once by each");
}
