//! What a store holds: told, written out, tidied and traced back.

use std::fs::File;
use std::path::{Path, PathBuf};

use gristmill::config::{self, Layer, Options, Settings, SourceOptions, Task};
use gristmill::{
    ChunkChange, ErrorKind, ExportOptions, IngestOptions, Inputs, PresentState, RunCx, chunk_file, compare, export, gc,
    ingest, lineage, status,
};
use gristmill_core::{ChunkId, DocumentId, Fingerprint, Point, Reads, Store, Tracked, VectorSpec, Version};
use gristmill_format::chunk_file::{ChunkFile, ChunkFormat};
use gristmill_store::SqliteStore;
use serde_json::Value;

struct Place(tempfile::TempDir);

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(place.at("docs")).unwrap();
        files.iter().for_each(|(name, text)| place.write(name, text));
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.at("docs").join(name), text).unwrap();
    }

    fn settings(&self, max: u32) -> Settings {
        let mut options = Options::default();
        options.store.path = Some(self.at("store.db"));
        options.chunk.max = Some(max);
        options.source = Some(vec![SourceOptions { path: Some(self.at("docs")), ..SourceOptions::default() }]);
        config::resolve(Task::Ingest, self.0.path(), &[Layer::flags(options)]).unwrap().value
    }

    fn inputs(&self) -> Inputs {
        Inputs { folder: self.0.path().to_owned(), ..Inputs::default() }
    }

    fn ingest(&self, max: u32) {
        let report = with_cx(|cx| ingest(&self.settings(max), &self.inputs(), &IngestOptions::default(), cx)).unwrap();
        assert!(report.failures.is_empty(), "{:?}", report.failures);
    }

    fn store(&self) -> SqliteStore {
        SqliteStore::open(&self.at("store.db"), "default", true).unwrap()
    }

    fn export(&self, name: &str, with_vectors: bool) -> PathBuf {
        let path = self.at(name);
        let format = path.extension().unwrap().to_str().unwrap().to_owned();
        let options = ExportOptions { format, with_vectors };
        let out = Box::new(File::create(&path).unwrap());
        export(&self.settings(80), &options, out, &mut |_, _, _| {}).unwrap();
        path
    }

    fn lines(&self, with_vectors: bool) -> Vec<Value> {
        let text = std::fs::read_to_string(self.export("all.jsonl", with_vectors)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn with_cx<T>(work: impl FnOnce(&mut RunCx<'_>) -> T) -> T {
    work(&mut RunCx { workers: 2, inspect: false, lint: false, progress: &mut |_, _, _| {} })
}

const GUIDE: &str =
    "# Guide\n\nThe pump moves water. It is green.\n\n## Care\n\nOil it in spring. Clean it in autumn.\n";
const OTHER: &str = "# Other\n\nA valve closes. A valve opens.\n";

/// Points of one document, the first `present` of `total`.
fn put(store: &SqliteStore, source: &str, (present, total): (u32, u32), model: &str, commit: bool) {
    let document = DocumentId::new("default", "", source);
    let version = Version {
        document,
        source: source.to_owned(),
        source_hash: Fingerprint::of(b"bytes"),
        recipe: "read:1".to_owned(),
        total_chunks: total,
    };
    let texts: Vec<String> = (0..present).map(|n| format!("text {n} of {source}")).collect();
    let payloads: Vec<String> = texts
        .iter()
        .map(|text| format!("{{\"content\":\"{text}\",\"metadata\":{{\"source\":\"{source}\"}}}}"))
        .collect();
    // The settings' own model has vectors of 256 numbers.
    let vector = vec![0.0625; 256];
    let points: Vec<Point<'_>> = (0..present)
        .zip(texts.iter().zip(&payloads))
        .map(|(order, (text, payload))| Point {
            id: ChunkId::new(document, text, 0),
            version: &version,
            order,
            content_hash: Fingerprint::of(text.as_bytes()),
            text,
            payload,
            vector: Some(&vector),
        })
        .collect();
    let spec = VectorSpec { model: model.to_owned(), dimensions: Some(vector.len()) };
    let mut writer = store.writer(&spec).unwrap();
    writer.upsert(&points).unwrap();
    if commit {
        writer.commit(&[&version]).unwrap();
        let ids: Vec<ChunkId> = points.iter().map(|point| point.id).collect();
        writer.remove_stale(document, &ids).unwrap();
    }
}

#[test]
fn an_absent_store_is_told_and_nothing_is_made() {
    let place = Place::new(&[]);
    let told = status(&place.settings(80)).unwrap();
    assert_eq!((told.store.exists, told.model, told.documents), (false, None, 0));
    assert!(!gc(&place.settings(80)).unwrap().exists);
    let options = ExportOptions { format: "jsonl".to_owned(), with_vectors: false };
    let error = export(&place.settings(80), &options, Box::new(std::io::sink()), &mut |_, _, _| {}).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert!(!place.at("store.db").exists());
}

#[test]
fn documents_that_are_not_complete_are_named() {
    let place = Place::new(&[("a.md", GUIDE), ("b.md", OTHER)]);
    place.ingest(80);
    let model = place.store().spec().unwrap().unwrap();
    let told = status(&place.settings(80)).unwrap();
    assert_eq!((told.documents, told.incomplete.len()), (2, 0));
    assert_eq!(told.model.as_ref().map(|told| (&*told.name, told.dimensions)), Some((&*model.model, model.dimensions)));
    assert!(told.store.bytes.is_some_and(|bytes| bytes > 1000));

    let place = Place::new(&[]);
    let store = place.store();
    put(&store, "done.md", (2, 2), "m", true);
    put(&store, "torn.md", (3, 7), "m", false);
    drop(store);
    let told = status(&place.settings(80)).unwrap();
    let incomplete: Vec<_> = told.incomplete.iter().map(|d| (&*d.source, d.chunks, d.of, d.answers)).collect();
    assert_eq!((told.documents, told.chunks, incomplete), (2, 5, vec![("torn.md", 3, 7, false)]));
}

#[test]
fn a_model_in_the_making_is_told_and_swept_when_nobody_wants_it() {
    let place = Place::new(&[]);
    let store = place.store();
    put(&store, "a.md", (2, 2), "m", true);
    put(&store, "b.md", (1, 1), "m", true);
    put(&store, "a.md", (2, 2), "next", true);
    drop(store);
    let next = status(&place.settings(80)).unwrap().next.unwrap();
    assert_eq!((&*next.model.name, next.documents, next.chunks), ("next", 1, 2));

    // The settings name the model inside the program.
    let report = gc(&place.settings(80)).unwrap();
    assert_eq!((report.abandoned.as_deref(), report.in_making, report.removed), (Some("next"), None, 2));
    let told = status(&place.settings(80)).unwrap();
    assert_eq!((told.next, told.documents, told.chunks), (None, 2, 3), "what answers stays");
    assert_eq!(gc(&place.settings(80)).unwrap().removed, 0);

    let own = "static/gm-multi-66k-256-i4";
    put(&place.store(), "a.md", (2, 2), own, true);
    let report = gc(&place.settings(80)).unwrap();
    assert_eq!((report.in_making.as_deref(), report.removed), (Some(own), 0), "it is being made for these settings");
}

#[test]
fn every_chunk_is_written_once_by_source_and_order() {
    let place = Place::new(&[]);
    let store = place.store();
    // More than a slice, and what a longer version left behind.
    put(&store, "z.md", (1300, 1300), "m", true);
    put(&store, "a.md", (3, 3), "m", true);
    put(&store, "m.md", (5, 2), "m", false);
    drop(store);
    let texts: Vec<String> =
        place.lines(false).iter().map(|line| line["content"].as_str().unwrap().to_owned()).collect();
    let of = |source: &str, count: usize| (0..count).map(|n| format!("text {n} of {source}")).collect::<Vec<_>>();
    assert_eq!(texts, [of("a.md", 3), of("m.md", 5), of("z.md", 1300)].concat());
}

#[test]
fn what_is_exported_is_what_is_stored() {
    let place = Place::new(&[("a.md", GUIDE), ("b.md", OTHER)]);
    place.ingest(20);
    let store = place.store();
    let stored: Vec<_> =
        store.tracked().unwrap().iter().flat_map(|t: &Tracked| store.points(t.version.document).unwrap()).collect();
    assert!(stored.len() > 2);
    let text = std::fs::read_to_string(place.export("records.jsonl", false)).unwrap();
    assert_eq!(text.lines().collect::<Vec<_>>(), stored.iter().map(|point| &*point.payload).collect::<Vec<_>>());
    for (line, point) in place.lines(true).iter().zip(&stored) {
        let vector: Vec<f32> = serde_json::from_value(line["vector"].clone()).unwrap();
        assert_eq!((&line["point_id"], Some(vector)), (&point.id.to_string().into(), point.vector.clone()));
        let payload = &line["payload"];
        assert_eq!((&payload["text"], &payload["tenant"]), (&point.text.clone().into(), &"default".into()));
        assert_eq!(payload["source"], line["metadata"]["source"]);
    }
    #[cfg(feature = "parquet")]
    {
        let table = place.export("points.parquet", true);
        let compared = compare(&place.settings(20), &place.at("store.db"), &table).unwrap();
        assert_eq!((compared.totals.kept, compared.totals.is_empty()), (stored.len() as u64, true));
    }
}

fn ids(place: &Place) -> Vec<String> {
    place.lines(false).iter().map(|line| line["chunk_id"].as_str().unwrap().to_owned()).collect()
}

fn state(place: &Place, id: &str, max: u32) -> (PresentState, String) {
    let told = with_cx(|cx| lineage(&place.settings(max), &place.inputs(), id, cx)).unwrap();
    (told.now.state, told.now.reasons.join("; "))
}

#[test]
fn a_chunk_is_traced_back_and_compared_with_its_source() {
    let place = Place::new(&[("a.md", GUIDE), ("b.md", OTHER)]);
    place.ingest(20);
    let ids = ids(&place);
    let second = with_cx(|cx| lineage(&place.settings(20), &place.inputs(), &ids[1], cx)).unwrap();
    assert_eq!((&*second.source, second.has_vector, second.complete), ("a.md", true, true));
    assert!(second.own_text().starts_with("## Care"), "{}", second.own_text());
    let before = second.previous.unwrap();
    assert_eq!((&before.chunk_id, &*before.first_line), (&ids[0], "# Guide"));
    assert_eq!(state(&place, &ids[1], 20), (PresentState::Same, String::new()));

    let (now, why) = state(&place, &ids[1], 200);
    assert_eq!((now, &*why), (PresentState::Recut, "settings have changed: chunk"));
    place.write("a.md", &GUIDE.replace("green", "not green"));
    let (now, why) = state(&place, &ids[1], 20);
    assert_eq!((now, &*why), (PresentState::Facts, "the document has changed"), "its place is another");
    place.write("a.md", &GUIDE.replace("spring", "winter"));
    assert_eq!(state(&place, &ids[1], 20).0, PresentState::Recut);
    std::fs::remove_file(place.at("docs/a.md")).unwrap();
    assert_eq!(state(&place, &ids[1], 20).0, PresentState::Gone);

    let nobody = "00000000-0000-0000-0000-000000000000";
    let error = with_cx(|cx| lineage(&place.settings(20), &place.inputs(), nobody, cx)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
}

/// The changes of a comparison, each with its first words.
fn changes(place: &Place, before: &Path, after: &Path) -> (Vec<(ChunkChange, String)>, gristmill::ChunkChanges) {
    let compared = compare(&place.settings(80), before, after).unwrap();
    let short = |text: &str| text.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    (compared.changes.iter().map(|chunk| (chunk.change, short(&chunk.text))).collect(), compared.totals)
}

fn file(place: &Place, name: &str, chunks: &[(&str, &str)]) -> PathBuf {
    let chunk = |(source, text): &(&str, &str)| serde_json::json!({ "text": text, "source": source });
    let list: Vec<Value> = chunks.iter().map(chunk).collect();
    std::fs::write(place.at(name), serde_json::to_string(&list).unwrap()).unwrap();
    place.at(name)
}

#[test]
fn every_fate_of_a_chunk_is_told_apart() {
    let place = Place::new(&[]);
    let before = file(
        &place,
        "before.json",
        &[
            ("a", "The same text stays where it is."),
            ("a", "One chunk of two sentences about the pump. It is cut anew between them, or within one."),
            ("a", "Nothing of these words is found again anywhere."),
            ("b", "This goes to another document as it is."),
            ("b", "潮位站的电池每十八个月更换一次，请在春天检查密封圈。"),
            ("c", "Title"),
            ("c", "Body below the title with words of its own."),
        ],
    );
    let after = file(
        &place,
        "after.json",
        &[
            ("a", "the SAME text\nstays where it is."),
            ("a", "One chunk of two sentences about the pump. It is"),
            ("a", "cut anew between them, or within one."),
            ("b", "潮位站的电池每十八个月更换"),
            ("b", "一次，请在春天检查密封圈。"),
            ("c", "This goes to another document as it is."),
            ("c", "Title\nBody below the title with words of its own."),
            ("d", "Fresh words in a new document."),
        ],
    );
    let (told, totals) = changes(&place, &before, &after);
    use ChunkChange::{Gone, Moved, New, Recut, RecutBefore};
    let expected = [
        (Recut, "One chunk"),
        (Recut, "cut anew"),
        (RecutBefore, "One chunk"),
        (Gone, "Nothing of"),
        (Recut, "潮位站的电池每十八个月更换"),
        (Recut, "一次，请在春天检查密封圈。"),
        (RecutBefore, "潮位站的电池每十八个月更换一次，请在春天检查密封圈。"),
        (Moved, "This goes"),
        (Recut, "Title"),
        (RecutBefore, "Title"),
        (RecutBefore, "Body below"),
        (New, "Fresh words"),
    ];
    assert_eq!(told, expected.map(|(change, text)| (change, text.to_owned())));
    assert_eq!((totals.kept, totals.recut_before, totals.recut_after), (1, 4, 5));
    assert_eq!(
        (totals.moved, totals.new, totals.gone, totals.other_context),
        (1, 1, 1, 1),
        "the text that is embedded"
    );
    assert!(changes(&place, &before, &before).1.is_empty());
}

#[test]
fn equal_chunks_are_paired_one_by_one() {
    let place = Place::new(&[]);
    let thrice = file(&place, "3.json", &[("a", "same"), ("a", "same"), ("b", "same")]);
    let twice = file(&place, "2.json", &[("a", "same"), ("c", "same")]);
    let (told, totals) = changes(&place, &thrice, &twice);
    assert_eq!((totals.kept, totals.moved, totals.gone, totals.new), (1, 1, 1, 0));
    assert_eq!(told.iter().map(|(change, _)| *change).collect::<Vec<_>>(), [ChunkChange::Gone, ChunkChange::Moved]);
}

#[test]
fn two_stores_and_files_of_any_form_are_compared() {
    let place = Place::new(&[("a.md", GUIDE)]);
    place.ingest(20);
    std::fs::copy(place.at("store.db"), place.at("old.db")).unwrap();
    place.write("b.md", OTHER);
    place.ingest(20);
    let (told, totals) = changes(&place, &place.at("old.db"), &place.at("store.db"));
    assert_eq!(told, [(ChunkChange::New, "# Other".to_owned())]);
    assert_eq!(totals.gone, 0);

    std::fs::write(place.at("c.txt"), "First chunk.\n\nSecond chunk.\n").unwrap();
    std::fs::write(place.at("c.jsonl"), "\"Second chunk.\"\n\"Third one.\"\n").unwrap();
    let (_, totals) = changes(&place, &place.at("c.txt"), &place.at("c.jsonl"));
    assert_eq!((totals.kept, totals.new, totals.gone), (1, 1, 1), "chunks without a source");
    assert!(ChunkFile::open(&place.at("c.jsonl"), "c", ChunkFormat::JsonLines).is_ok());
    let error = compare(&place.settings(80), &place.at("none.db"), &place.at("c.txt")).unwrap_err();
    assert_eq!(
        error.kind(),
        chunk_file::ChunkFile::open(Path::new("none"), "n", ChunkFormat::Json).unwrap_err().kind()
    );
}
