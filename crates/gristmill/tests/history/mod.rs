//! A small tree of documents, a store, and what may happen to them.

mod embedder;
mod faulty;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use embedder::Stub;
use faulty::Faulty;
use gristmill::config::{self, Layer, Options, Settings, Task};
use gristmill::format::{Record, Writer};
use gristmill::{IngestOptions, IngestReport, Inputs, Result, RunCx, deliver, ingest_into};
use gristmill_core::{Embedder, Fingerprint, Reads, Store};
use gristmill_store::SqliteStore;
use proptest::prelude::*;
use proptest::sample::select;

/// Documents of the tree.
const PATHS: [&str; 5] = ["a.md", "b.md", "c.md", "sub/d.md", "sub/e.txt"];

/// Something that happens.
#[derive(Clone, Debug)]
pub enum Step {
    /// A document gets another text: some paragraphs, by number.
    Edit(usize, Vec<u8>),
    /// A document goes to another path, over what is there.
    Move(usize, usize),
    /// A document is copied to another path.
    Copy(usize, usize),
    /// A document goes.
    Delete(usize),
    /// A document is written again as it is.
    Touch(usize),
    /// Other sizes, another model, or vectors of another length.
    Settings(u32, u8, usize),
    /// An undisturbed run.
    Run,
    /// All is written anew.
    Rebuild,
    /// A run during which the store stops working after so many calls, having done or not done the last one.
    Crash(usize, bool),
    /// A run during which the model refuses texts with this paragraph.
    Refuse(u8),
    /// A run during which the model stops working after so many requests.
    Dead(usize),
    /// Two runs at the same time.
    Twice,
}

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let path = || 0..PATHS.len();
    let text = || proptest::collection::vec(0..9u8, 0..7);
    let step = prop_oneof![
        6 => (path(), text()).prop_map(|(path, text)| Step::Edit(path, text)),
        2 => (path(), path()).prop_map(|(from, to)| Step::Move(from, to)),
        1 => (path(), path()).prop_map(|(from, to)| Step::Copy(from, to)),
        1 => path().prop_map(Step::Delete),
        1 => path().prop_map(Step::Touch),
        1 => (select(&[60u32, 90, 200][..]), 0..2u8, select(&[4usize, 6][..])).prop_map(|(max, model, length)| {
            Step::Settings(max, model, length)
        }),
        6 => Just(Step::Run),
        1 => Just(Step::Rebuild),
        3 => (0..24usize, any::<bool>()).prop_map(|(calls, done)| Step::Crash(calls, done)),
        1 => (0..9u8).prop_map(Step::Refuse),
        1 => (0..4usize).prop_map(Step::Dead),
        1 => Just(Step::Twice),
    ];
    proptest::collection::vec(step, 3..14)
}

/// A point: order, text, vector, payload.
type Point = (u32, String, Option<Vec<f32>>, String);

/// What a store holds or should hold: documents by path, with their points by identity.
type Contents = BTreeMap<String, BTreeMap<String, Point>>;

pub struct World {
    folder: tempfile::TempDir,
    files: BTreeMap<usize, String>,
    settings: (u32, u8, usize),
    story: Vec<String>,
}

impl World {
    pub fn new() -> Self {
        // In memory where the system has such a folder: what is tested is what is written, not how fast a disk is.
        let memory = PathBuf::from("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
        std::fs::create_dir_all(folder.path().join("docs/sub")).unwrap();
        let mut world = Self { folder, files: BTreeMap::new(), settings: (90, 0, 4), story: Vec::new() };
        world.write(0, "# Start\n\nThe first document is here.\n".to_owned());
        world
    }

    pub fn story(&self) -> String {
        self.story.join("\n")
    }

    fn place(&self, path: usize) -> PathBuf {
        self.folder.path().join("docs").join(PATHS[path])
    }

    fn write(&mut self, path: usize, text: String) {
        std::fs::write(self.place(path), &text).unwrap();
        self.files.insert(path, text);
    }

    pub fn take(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Edit(path, text) => self.write(*path, document(text)),
            Step::Move(from, to) => {
                if let Some(text) = self.files.get(from).cloned().filter(|_| from != to) {
                    self.write(*to, text);
                    std::fs::remove_file(self.place(*from)).unwrap();
                    self.files.remove(from);
                }
            }
            Step::Copy(from, to) => {
                if let Some(text) = self.files.get(from).cloned() {
                    self.write(*to, text);
                }
            }
            Step::Delete(path) => {
                if self.files.remove(path).is_some() {
                    std::fs::remove_file(self.place(*path)).unwrap();
                }
            }
            Step::Touch(path) => {
                if let Some(text) = self.files.get(path).cloned() {
                    self.write(*path, text);
                }
            }
            Step::Settings(max, model, length) => self.settings = (*max, *model, *length),
            Step::Run => return self.run(false),
            Step::Rebuild => return self.run(true),
            Step::Crash(calls, done) => return self.crash(*calls, *done),
            Step::Refuse(paragraph) => return self.refuse(*paragraph),
            Step::Dead(requests) => return self.dead(*requests),
            Step::Twice => return self.twice(),
        }
        Ok(())
    }

    fn settings(&self) -> Settings {
        let mut options = Options::default();
        options.chunk.max = Some(self.settings.0);
        options.chunk.min = Some(0);
        options.chunk.overlap = Some(gristmill::config::Overlap::Size(0));
        options.chunk.unit = Some(gristmill::config::SizeUnit::Chars);
        // Not what fills a request: some vectors wait to be written while others are asked for.
        options.store.batch_size = Some(5);
        config::resolve(Task::Ingest, self.folder.path(), &[Layer::flags(options)]).unwrap().value
    }

    fn inputs(&self) -> Inputs {
        let docs = self.folder.path().join("docs");
        Inputs { folder: docs.clone(), paths: vec![docs], ..Inputs::default() }
    }

    fn stub(&self) -> Stub {
        // The first model says how long its vectors are, and has two lengths; of the second only the first answer tells.
        match self.settings.1 {
            0 => Stub::new("stub/0", self.settings.2).telling(),
            _ => Stub::new("stub/1", 4),
        }
    }

    fn open(&self) -> SqliteStore {
        SqliteStore::open(&self.folder.path().join("store.db"), "default", true).unwrap()
    }

    fn ingest(&mut self, store: &dyn Store, stub: &Stub, rebuild: bool) -> Result<IngestReport> {
        let report = ingest(&self.settings(), &self.inputs(), store, stub, rebuild);
        let told = match &report {
            Ok(report) => format!("{:?} {:?} {:?} {:?}", report.files, report.chunks, report.failures, report.ended_by),
            Err(error) => error.chain(),
        };
        self.story.push(format!("{:?}: {told}; embedded {:?}", self.settings, stub.embedded()));
        report
    }

    /// What a first ingest would store: the records of the present documents, with the vectors of their texts.
    fn expected(&self, stub: &Stub) -> Contents {
        let taken = Taken::default();
        let mut cx = RunCx { workers: 1, inspect: false, lint: true, progress: &mut |_, _, _| {} };
        deliver(&self.settings(), &self.inputs(), Box::new(taken.clone()), &mut cx).unwrap();
        let mut contents: Contents = self.files.keys().map(|path| (PATHS[*path].to_owned(), BTreeMap::new())).collect();
        for (source, id, order, text, payload) in taken.0.lock().unwrap().drain(..) {
            let vector = Some(stub.vector(&text));
            contents.entry(source).or_default().insert(id, (order, text, vector, payload));
        }
        contents
    }

    /// An undisturbed run: the store is as after a first ingest, and only texts it had no vector of were embedded, once.
    fn run(&mut self, rebuild: bool) -> Result<(), String> {
        let (store, stub) = (self.open(), self.stub());
        let expected = self.expected(&stub);
        let missing = missing(&store, &stub, &expected);
        let report = match self.ingest(&store, &stub, rebuild) {
            Err(error) if self.files.is_empty() => {
                let empty = error.to_string().contains("holds no document");
                return if empty { Ok(()) } else { Err(error.chain()) };
            }
            other => other.map_err(|error| error.chain())?,
        };
        if !report.failures.is_empty() || report.ended_by.is_some() || report.unpublished.is_some() {
            return Err(format!("failures: {:?} {:?}", report.failures, report.unpublished));
        }
        same(&contents(&store), &expected)?;
        let sent = stub.embedded();
        let distinct: BTreeSet<&String> = sent.iter().collect();
        if distinct.len() != sent.len() {
            return Err(format!("a text was embedded twice: {sent:?}"));
        }
        let missing: BTreeSet<&String> = missing.iter().collect();
        if distinct != missing {
            return Err(format!("embedded {distinct:?} instead of {missing:?}"));
        }
        Ok(())
    }

    /// The store stops working: what answered before still answers, whole.
    fn crash(&mut self, calls: usize, done: bool) -> Result<(), String> {
        let before = contents(&self.open());
        let (store, stub) = (self.open(), self.stub());
        let had = missing(&store, &stub, &self.expected(&stub));
        let faulty = Faulty::new(store, calls, done);
        let outcome = self.ingest(&faulty, &stub, false);
        let sent = stub.embedded();
        if let Some(again) = sent.iter().find(|text| !had.contains(*text)) {
            return Err(format!("embedded though the store had it: {again:?}"));
        }
        if outcome.is_err() || faulty.broke() {
            return self.still_answers(&before, &stub);
        }
        Ok(())
    }

    /// Each document that was whole before is whole in its old or its new version, or gone from the sources.
    fn still_answers(&self, before: &Contents, stub: &Stub) -> Result<(), String> {
        let (now, expected) = (contents(&self.open()), self.expected(stub));
        for (path, old) in before {
            let listed = self.files.keys().any(|at| PATHS[*at] == path);
            let has = |version: &BTreeMap<String, Point>| {
                let here = now.get(path);
                version.keys().all(|id| here.is_some_and(|points| points.contains_key(id)))
            };
            let new = expected.get(path).is_some_and(has);
            if !(has(old) || new || !listed) {
                return Err(format!("`{path}` is neither as it was nor as it will be"));
            }
        }
        Ok(())
    }

    /// Texts with a paragraph are refused: documents with them fail and are as before, all others are as they should be.
    fn refuse(&mut self, paragraph: u8) -> Result<(), String> {
        if self.files.is_empty() {
            return Ok(());
        }
        let before = contents(&self.open());
        let committed = committed(&self.open());
        let (store, stub) = (self.open(), self.stub().refusing(&word(paragraph)));
        let same_model = store.spec().unwrap().is_none_or(|spec| {
            spec.agrees(&gristmill_core::VectorSpec {
                model: stub.name().to_owned(),
                dimensions: Some(self.stub().length()),
            })
        });
        let expected = self.expected(&stub);
        let known = missing(&store, &stub, &expected);
        let refused = |text: &String| text.contains(&word(paragraph)) && known.contains(text);
        let report = self.ingest(&store, &stub, false).map_err(|error| error.chain())?;
        self.paid_is_kept(&store, &stub, &expected)?;
        if !same_model {
            return Ok(());
        }
        let now = contents(&store);
        for (path, points) in &expected {
            let bad = points.values().any(|(_, text, _, _)| refused(text));
            let failed = report.failures.iter().any(|failure| failure.source == *path);
            if bad != failed {
                return Err(format!("`{path}` has a refused text: {bad}; it failed: {failed}"));
            }
            let here = now.get(path).cloned().unwrap_or_default();
            if !bad && here != *points {
                return Err(format!("`{path}` is not as it should be"));
            }
            if bad && committed.contains(path) && before.get(path) != Some(&here) {
                return Err(format!("`{path}` is not as it was"));
            }
            let good = |(id, point): (&String, &Point)| points.get(id) == Some(point) && !refused(&point.1);
            if bad && !committed.contains(path) && !here.iter().all(good) {
                return Err(format!("`{path}` has chunks that are not its good ones"));
            }
        }
        Ok(())
    }

    /// The model stops working: the run ends, and what answered before still answers.
    fn dead(&mut self, requests: usize) -> Result<(), String> {
        let before = contents(&self.open());
        let (store, stub) = (self.open(), self.stub().dying_after(requests));
        let missing = missing(&store, &stub, &self.expected(&stub));
        let outcome = self.ingest(&store, &stub, false);
        let complained = match &outcome {
            Ok(report) => report.ended_by.is_some(),
            Err(_) => true,
        };
        if stub.died() && !complained {
            return Err("the model died, and nothing was said".to_owned());
        }
        if let Some(again) = stub.embedded().iter().find(|text| !missing.contains(*text)) {
            return Err(format!("embedded though the store had it: {again:?}"));
        }
        self.paid_is_kept(&store, &stub, &self.expected(&stub))?;
        self.still_answers(&before, &stub)
    }

    /// Every vector that came is in the store, whatever ended the run.
    fn paid_is_kept(&self, store: &SqliteStore, stub: &Stub, expected: &Contents) -> Result<(), String> {
        let missing = missing(store, stub, expected);
        match stub.embedded().into_iter().find(|text| missing.contains(text)) {
            Some(lost) => Err(format!("was embedded and is not kept: {lost:?}")),
            None => Ok(()),
        }
    }

    /// Two runs at the same time: one of them is refused, or they follow each other.
    fn twice(&mut self) -> Result<(), String> {
        if self.files.is_empty() {
            return Ok(());
        }
        let (settings, inputs) = (self.settings(), self.inputs());
        let stubs = [self.stub(), self.stub()];
        let expected = self.expected(&stubs[0]);
        let outcomes: Vec<Result<IngestReport>> = std::thread::scope(|scope| {
            let run = |stub| {
                let store = self.open();
                let (settings, inputs) = (&settings, &inputs);
                scope.spawn(move || ingest(settings, inputs, &store, stub, false))
            };
            let runs: Vec<_> = stubs.iter().map(run).collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        });
        let done = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        let barred = |outcome: &Result<IngestReport>| {
            outcome.as_ref().is_err_and(|error| error.to_string().contains("another run is writing"))
        };
        if done == 0 || done + outcomes.iter().filter(|outcome| barred(outcome)).count() != 2 {
            return Err(format!("two runs ended so: {outcomes:?}"));
        }
        let sent: Vec<String> = stubs.iter().flat_map(Stub::embedded).collect();
        if sent.iter().collect::<BTreeSet<_>>().len() != sent.len() {
            return Err(format!("both runs embedded the same text: {sent:?}"));
        }
        same(&contents(&self.open()), &expected)
    }
}

fn ingest(settings: &Settings, inputs: &Inputs, store: &dyn Store, stub: &Stub, rebuild: bool) -> Result<IngestReport> {
    let mut cx = RunCx { workers: 1, inspect: false, lint: true, progress: &mut |_, _, _| {} };
    let options = IngestOptions { rebuild, allow_empty_source: false, ..IngestOptions::default() };
    let embedder: Arc<dyn Embedder> = Arc::new(stub.clone());
    ingest_into(store, &embedder, settings, inputs, &options, &mut cx)
}

/// A text of paragraphs. Some stand under headings of their own; equal numbers are equal paragraphs.
fn document(paragraphs: &[u8]) -> String {
    let mut out = String::from("# Title\n\n");
    for n in paragraphs {
        if n % 4 == 0 {
            out.push_str(&format!("## Part {n}\n\n"));
        }
        out.push_str(&format!("This is {} and it says what it says about {n}.\n\n", word(*n)));
    }
    out
}

fn word(n: u8) -> String {
    format!("paragraph-{n}-")
}

/// What a store holds.
fn contents(store: &dyn Reads) -> Contents {
    let tracked = store.tracked().unwrap();
    let point = |point: gristmill_core::StoredPoint| {
        (point.id.to_string(), (point.order, point.text, point.vector, point.payload))
    };
    let points = |id| store.points(id).unwrap().into_iter().map(point).collect();
    tracked.into_iter().map(|t| (t.version.source.clone(), points(t.version.document))).collect()
}

/// Paths of the documents of which a version answers.
fn committed(store: &dyn Reads) -> BTreeSet<String> {
    let tracked = store.tracked().unwrap();
    tracked.into_iter().filter(|t| t.committed).map(|t| t.version.source).collect()
}

/// Texts that should be in a store and of which it has no vector of this model.
fn missing(store: &SqliteStore, stub: &Stub, expected: &Contents) -> BTreeSet<String> {
    let texts: BTreeSet<String> = expected.values().flat_map(|points| points.values().map(|p| p.1.clone())).collect();
    let wanted = gristmill_core::VectorSpec { model: stub.name().to_owned(), dimensions: Some(stub.length()) };
    let known = |reads: &dyn Reads, text: &String| {
        reads.vectors_by_hash(&[Fingerprint::of(text.as_bytes())]).unwrap()[0].is_some()
    };
    let answering = store.spec().unwrap().is_some_and(|spec| spec.agrees(&wanted));
    let shadow = store.shadow().unwrap().filter(|(spec, _)| spec.agrees(&wanted));
    let has = |text: &String| {
        answering && known(store, text)
            || !answering && shadow.as_ref().is_some_and(|(_, reads)| known(reads.as_ref(), text))
    };
    texts.into_iter().filter(|text| !has(text)).collect()
}

fn same(found: &Contents, expected: &Contents) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    let paths: BTreeSet<&String> = found.keys().chain(expected.keys()).collect();
    for path in paths {
        let (here, there) = (found.get(path), expected.get(path));
        if here != there {
            return Err(format!("`{path}` holds\n  {here:?}\ninstead of\n  {there:?}"));
        }
    }
    Ok(())
}

/// Source, identity, order, text and payload of records.
type Rows = Vec<(String, String, u32, String, String)>;

/// Takes records.
#[derive(Clone, Default)]
struct Taken(Arc<std::sync::Mutex<Rows>>);

impl Writer for Taken {
    fn write(&mut self, record: &Record<'_>) -> Result<()> {
        let payload = serde_json::to_string(record).unwrap();
        let metadata = &record.metadata;
        self.0.lock().unwrap().push((
            metadata.source.to_string(),
            record.chunk_id.to_string(),
            u32::try_from(metadata.chunk_index).unwrap(),
            record.content.to_string(),
            payload,
        ));
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
