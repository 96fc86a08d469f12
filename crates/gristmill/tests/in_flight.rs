//! A document that waits for a vector while others are committed keeps what it has found in the store.

use std::path::Path;
use std::sync::{Arc, Mutex};

use gristmill::config::{self, Layer, Options, Overlap, Settings, SizeUnit, Task};
use gristmill::{IngestOptions, Inputs, RunCx, ingest_into};
use gristmill_core::{EmbedError, EmbedLimits, Embedder, Purpose, Reads};
use gristmill_store::SqliteStore;

/// Remembers what it embedded. Two texts never fill a request, so that they wait until all documents were read.
#[derive(Default)]
struct Stub(Mutex<Vec<String>>);

impl Embedder for Stub {
    fn name(&self) -> &str {
        "stub/lengths"
    }

    fn dimensions(&self) -> Option<usize> {
        Some(2)
    }

    fn limits(&self) -> EmbedLimits {
        EmbedLimits { inputs: 5000, tokens: usize::MAX, bytes: usize::MAX, input_tokens: usize::MAX, requests: 1 }
    }

    fn embed(&self, texts: &[&str], _: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.0.lock().unwrap().extend(texts.iter().map(|text| (*text).to_owned()));
        Ok(texts.iter().map(|text| vec![1.0, text.len() as f32]).collect())
    }
}

fn settings(folder: &Path) -> Settings {
    let mut options = Options::default();
    options.chunk.unit = Some(SizeUnit::Chars);
    (options.chunk.max, options.chunk.min) = (Some(60), Some(0));
    options.chunk.overlap = Some(Overlap::Size(0));
    config::resolve(Task::Ingest, folder, &[Layer::flags(options)]).unwrap().value
}

/// Ingests a folder; gives the texts that were embedded.
fn run(folder: &Path, store: &SqliteStore) -> Vec<String> {
    let stub = Arc::new(Stub::default());
    let embedder: Arc<dyn Embedder> = Arc::clone(&stub) as Arc<dyn Embedder>;
    let docs = folder.join("docs");
    let inputs = Inputs { folder: docs.clone(), paths: vec![docs], ..Inputs::default() };
    let mut cx = RunCx { workers: 1, inspect: false, lint: false, progress: &mut |_, _, _| {} };
    let report = ingest_into(store, &embedder, &settings(folder), &inputs, &IngestOptions::default(), &mut cx).unwrap();
    assert!(report.failures.is_empty() && report.ended_by.is_none(), "{:?}", report.failures);
    std::mem::take(&mut stub.0.lock().unwrap())
}

#[test]
fn a_paragraph_that_goes_to_another_document_keeps_its_vector_whatever_is_committed_between() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("docs")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join("docs").join(name), text).unwrap();
    let (stays, goes) = (
        "A paragraph that stays where it is, of fifty letters.\n",
        "A paragraph that goes elsewhere, of fifty letters.\n",
    );
    write("a.md", &format!("{stays}\n{goes}"));
    write("b.md", "The paragraph that another document has from the start.\n");
    // More documents than are committed together.
    for number in 0..600 {
        write(&format!("c{number}.md"), &format!("Document number {number} says nothing else.\n"));
    }
    let store = SqliteStore::open(&folder.path().join("store.db"), "default", true).unwrap();
    assert_eq!(run(folder.path(), &store).len(), 603);
    write("a.md", stays);
    write("b.md", &format!("The paragraph that another document has now, all new.\n\n{goes}"));
    for number in 0..600 {
        // Other bytes, the same text.
        write(&format!("c{number}.md"), &format!("Document number {number} says nothing else.\n\n"));
    }
    assert_eq!(run(folder.path(), &store), ["The paragraph that another document has now, all new."]);
    for tracked in store.tracked().unwrap() {
        let points = store.points(tracked.version.document).unwrap();
        let expected = if tracked.version.source == "b.md" { 2 } else { 1 };
        assert_eq!(points.len(), expected, "{}", tracked.version.source);
        for point in points {
            assert_eq!(
                point.vector,
                Some(vec![1.0, point.text.len() as f32]),
                "{}: {}",
                tracked.version.source,
                point.text
            );
        }
    }
}
