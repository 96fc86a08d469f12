//! Measures the SQLite store on chunks made up by a formula: `measure_store [CHUNKS] [DIMENSIONS] [FILE [STEP…]]`. Without a
//! file it uses one that is removed afterwards. Steps are `write`, `again`, `read`, `search`, `change`, `publish`; all
//! without any. Times are those of the processor where Linux tells them, and those of the clock.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gristmill_core::{
    ChunkId, DocumentId, Filter, Fingerprint, Point, Query, Reads, Retriever, Store, VectorSpec, Version, Writer,
};
use gristmill_store::SqliteStore;

type Done = Result<(), Box<dyn Error>>;
type Step = fn(&Corpus) -> Done;

const CHUNKS_PER_DOCUMENT: usize = 25;
/// Documents written together.
const BATCH: usize = 20;
const WORDS: usize = 110;

/// SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A word, frequent ones first, about as Zipf's law has it.
    fn word(&mut self) -> String {
        let rank = (50_000f64.powf(self.unit()) - 1.0) as u64;
        let mut word = String::new();
        let mut rest = rank + 27;
        while rest > 0 {
            word.push(char::from(b'a' + (rest % 26) as u8));
            rest /= 26;
        }
        word
    }

    fn text(&mut self, words: usize) -> String {
        (0..words).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    fn vector(&mut self, dimensions: usize) -> Vec<f32> {
        let numbers: Vec<f32> = (0..dimensions).map(|_| (self.unit() - 0.5) as f32).collect();
        let length = numbers.iter().map(|x| x * x).sum::<f32>().sqrt();
        numbers.iter().map(|x| x / length).collect()
    }
}

struct Chunk {
    id: ChunkId,
    hash: Fingerprint,
    text: String,
    payload: String,
    vector: Vec<f32>,
}

struct Doc {
    version: Version,
    chunks: Vec<Chunk>,
}

impl Doc {
    /// The document with this number, always the same.
    fn new(index: usize, chunks: usize, dimensions: usize) -> Self {
        let source = format!("folder{}/document{index}.md", index % 40);
        let document = DocumentId::new("measure", "", &source);
        let count = (chunks - index * CHUNKS_PER_DOCUMENT).min(CHUNKS_PER_DOCUMENT);
        let mut numbers = Numbers(index as u64 + 1);
        let chunks = (0..count).map(|order| chunk(&mut numbers, document, index, order, dimensions)).collect();
        let source_hash = Fingerprint::of(source.as_bytes());
        let version = Version { document, source, source_hash, recipe: "measure".into(), total_chunks: count as u32 };
        Self { version, chunks }
    }

    fn points(&self) -> impl Iterator<Item = Point<'_>> {
        self.chunks.iter().zip(0..).map(|(chunk, order)| Point {
            id: chunk.id,
            version: &self.version,
            order,
            content_hash: chunk.hash,
            text: &chunk.text,
            payload: &chunk.payload,
            vector: Some(&chunk.vector),
        })
    }

    fn ids(&self) -> Vec<ChunkId> {
        self.chunks.iter().map(|chunk| chunk.id).collect()
    }
}

fn chunk(numbers: &mut Numbers, document: DocumentId, index: usize, order: usize, dimensions: usize) -> Chunk {
    let text = numbers.text(WORDS);
    let mut payload = format!(
        r#"{{"source":"folder{}/document{index}.md","chunk_index":{order},"chapter":{},"tags":["guide","part{}"],"heading_path":["Handbook","Chapter"],"content":"#,
        index % 40,
        index % 20,
        order % 5
    );
    let _ = write!(payload, "{text:?}}}");
    let (id, hash) = (ChunkId::new(document, &text, 0), Fingerprint::of(text.as_bytes()));
    Chunk { id, hash, text, payload, vector: numbers.vector(dimensions) }
}

/// Time used by this thread, and time passed.
#[derive(Default)]
struct Stopwatch {
    clock: Duration,
    processor: Duration,
}

impl Stopwatch {
    fn run<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (clock, processor) = (Instant::now(), processor_time());
        let out = work();
        self.clock += clock.elapsed();
        self.processor += processor_time().saturating_sub(processor);
        out
    }

    #[expect(clippy::print_stdout, reason = "a command that prints figures")]
    fn report(&self, what: &str, count: usize) {
        let each = |time: Duration| time.as_secs_f64() * 1000.0 / count as f64;
        let (processor, clock) = (each(self.processor), each(self.clock));
        let rate = count as f64 / self.clock.as_secs_f64();
        println!("{what:<34} {processor:>9.3} ms each, clock {clock:>9.3} ms, {rate:>8.0} /s");
    }
}

fn processor_time() -> Duration {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    times.split(' ').next().and_then(|nanos| nanos.parse().ok()).map_or(Duration::ZERO, Duration::from_nanos)
}

/// Memory at its highest so far.
#[expect(clippy::print_stdout, reason = "a command that prints figures")]
fn report_memory(when: &str) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM: unknown");
    println!("  {when}: {peak}");
}

/// What is measured on.
struct Corpus {
    chunks: usize,
    dimensions: usize,
    path: PathBuf,
}

impl Corpus {
    fn documents(&self) -> usize {
        self.chunks.div_ceil(CHUNKS_PER_DOCUMENT)
    }

    fn doc(&self, index: usize) -> Doc {
        Doc::new(index, self.chunks, self.dimensions)
    }

    fn spec(&self) -> VectorSpec {
        VectorSpec { model: "measure".into(), dimensions: Some(self.dimensions) }
    }

    fn open(&self) -> gristmill_core::Result<SqliteStore> {
        SqliteStore::open(&self.path, "measure", true)
    }
}

#[derive(Default)]
struct WriteTimes {
    upsert: Stopwatch,
    commit: Stopwatch,
    remove_stale: Stopwatch,
}

impl WriteTimes {
    fn write(&mut self, writer: &mut dyn Writer, docs: &[Doc]) -> Done {
        let points: Vec<_> = docs.iter().flat_map(Doc::points).collect();
        self.upsert.run(|| writer.upsert(&points))?;
        let versions: Vec<_> = docs.iter().map(|doc| &doc.version).collect();
        self.commit.run(|| writer.commit(&versions))?;
        for doc in docs {
            let ids = doc.ids();
            self.remove_stale.run(|| writer.remove_stale(doc.version.document, &ids))?;
        }
        Ok(())
    }

    fn report(&self, what: &str, chunks: usize) {
        self.upsert.report(&format!("{what}: upsert"), chunks);
        self.commit.report(&format!("{what}: commit"), chunks);
        self.remove_stale.report(&format!("{what}: remove_stale"), chunks);
    }
}

fn write(corpus: &Corpus) -> Done {
    let store = corpus.open()?;
    let mut writer = store.writer(&corpus.spec())?;
    let mut times = WriteTimes::default();
    let step = corpus.documents().div_ceil(4).next_multiple_of(BATCH);
    for first in (0..corpus.documents()).step_by(BATCH) {
        let docs: Vec<_> = (first..corpus.documents().min(first + BATCH)).map(|index| corpus.doc(index)).collect();
        times.write(&mut *writer, &docs)?;
        let written = first + docs.len();
        if written % step == 0 || written == corpus.documents() {
            times.report(&format!("write up to {}", written * CHUNKS_PER_DOCUMENT), step * CHUNKS_PER_DOCUMENT);
            times = WriteTimes::default();
        }
    }
    report_memory("written");
    Ok(())
}

/// Writes some documents as they are, and sets the payloads of some.
fn again(corpus: &Corpus) -> Done {
    let store = corpus.open()?;
    let mut writer = store.writer(&corpus.spec())?;
    let mut times = WriteTimes::default();
    let docs: Vec<_> = spread(corpus, 200).map(|index| corpus.doc(index)).collect();
    docs.chunks(BATCH).try_for_each(|docs| times.write(&mut *writer, docs))?;
    times.report("write the same", docs.len() * CHUNKS_PER_DOCUMENT);
    let mut watch = Stopwatch::default();
    for docs in docs.chunks(BATCH) {
        let points: Vec<_> = docs.iter().flat_map(Doc::points).collect();
        watch.run(|| writer.set_payloads(&points))?;
        times.write(&mut *writer, docs)?;
    }
    watch.report("set payloads", docs.len() * CHUNKS_PER_DOCUMENT);
    Ok(())
}

/// Numbers of documents from all parts of the corpus.
fn spread(corpus: &Corpus, count: usize) -> impl Iterator<Item = usize> {
    (0..corpus.documents()).step_by(corpus.documents().div_ceil(count).max(1))
}

fn read(corpus: &Corpus) -> Done {
    let mut watch = Stopwatch::default();
    let store = watch.run(|| corpus.open())?;
    watch.run(|| store.spec())?;
    watch.report("open", 1);
    for what in ["tracked", "tracked again"] {
        let mut watch = Stopwatch::default();
        watch.run(|| store.tracked())?;
        watch.report(what, 1);
    }
    report_memory("tracked");
    let docs: Vec<_> = spread(corpus, 400).map(|index| corpus.doc(index)).collect();
    let hashes: Vec<_> = docs.iter().flat_map(|doc| doc.chunks.iter().map(|chunk| chunk.hash)).collect();
    let mut watch = Stopwatch::default();
    watch.run(|| store.vectors_by_hash(&hashes))?;
    watch.report("vectors by hash", hashes.len());
    let unknown: Vec<_> = (0..10_000u32).map(|n| Fingerprint::of(&n.to_le_bytes())).collect();
    let mut watch = Stopwatch::default();
    watch.run(|| store.vectors_by_hash(&unknown))?;
    watch.report("vectors by unknown hash", unknown.len());
    let mut watch = Stopwatch::default();
    docs.iter().try_for_each(|doc| watch.run(|| store.points_within(doc.version.document, 9..=11).map(drop)))?;
    watch.report("three neighbours", docs.len());
    let mut watch = Stopwatch::default();
    docs.iter().try_for_each(|doc| watch.run(|| store.contents(doc.version.document).map(drop)))?;
    watch.report("contents of a document", docs.len());
    Ok(())
}

fn search(corpus: &Corpus) -> Done {
    let store = corpus.open()?;
    let filter = [Filter { field: "chapter".into(), value: 3.into() }];
    for (retriever, filters) in
        [(Retriever::Dense, &[][..]), (Retriever::Bm25, &[]), (Retriever::Hybrid, &[]), (Retriever::Hybrid, &filter)]
    {
        let what = format!("search {} {}", retriever.name(), if filters.is_empty() { "" } else { "filtered" });
        let mut numbers = Numbers(7);
        for (what, count) in [(format!("{what}, first"), 1), (what, 10)] {
            let mut watch = Stopwatch::default();
            for _ in 0..count {
                let (text, vector) = (numbers.text(8), numbers.vector(corpus.dimensions));
                let query = Query { text: &text, vector: Some(&vector), retriever, limit: 10, filters };
                watch.run(|| store.search(&query))?;
            }
            watch.report(&what, count);
        }
    }
    report_memory("searched");
    Ok(())
}

fn change(corpus: &Corpus) -> Done {
    let store = corpus.open()?;
    let mut watch = Stopwatch::default();
    let mut writer = watch.run(|| store.writer(&corpus.spec()))?;
    watch.report("open a writer", 1);
    let docs: Vec<_> = spread(corpus, 100).map(|index| corpus.doc(index)).collect();
    let mut watch = Stopwatch::default();
    docs.iter().try_for_each(|doc| watch.run(|| writer.remove_document(doc.version.document).map(drop)))?;
    watch.report("remove a document", docs.len());
    docs.chunks(BATCH).try_for_each(|docs| WriteTimes::default().write(&mut *writer, docs))?;
    let mut watch = Stopwatch::default();
    watch.run(|| writer.sweep())?;
    watch.report("sweep", 1);
    Ok(())
}

/// Lets a small collection take the place of the large one.
fn publish(corpus: &Corpus) -> Done {
    let store = corpus.open()?;
    let mut writer = store.writer(&VectorSpec { model: "other".into(), ..corpus.spec() })?;
    WriteTimes::default().write(&mut *writer, &[corpus.doc(0)])?;
    let mut watch = Stopwatch::default();
    watch.run(|| writer.publish())?;
    watch.report("publish", 1);
    report_memory("published");
    let mut watch = Stopwatch::default();
    watch.run(|| writer.sweep())?;
    watch.report("sweep after it", 1);
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a command that prints figures")]
fn run(corpus: &Corpus, steps: &[String]) -> Done {
    println!("{} chunks, {} dimensions", corpus.chunks, corpus.dimensions);
    let all: [(&str, Step); 6] = [
        ("write", write),
        ("again", again),
        ("read", read),
        ("search", search),
        ("change", change),
        ("publish", publish),
    ];
    for (name, step) in all {
        if steps.is_empty() || steps.iter().any(|wanted| wanted == name) {
            step(corpus)?;
            println!("  file: {:.1} MB", std::fs::metadata(&corpus.path)?.len() as f64 / 1e6);
        }
    }
    Ok(())
}

fn main() -> Done {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default| args.get(at).map_or(Ok(default), |arg| arg.parse::<usize>());
    let (chunks, dimensions) = (number(0, 50_000)?, number(1, 256)?);
    let folder = tempfile::tempdir()?;
    let path = args.get(2).map_or(folder.path().join("store.db"), |path| Path::new(path).to_owned());
    run(&Corpus { chunks, dimensions, path }, args.get(3..).unwrap_or_default())
}
