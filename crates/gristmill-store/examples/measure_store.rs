//! Measures a store on chunks made up by a formula: `measure [CHUNKS] [DIMENSIONS]`. Times are those of the processor
//! where Linux tells them, else of the clock.

use std::error::Error;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use gristmill_core::{
    ChunkId, DocumentId, Filter, Fingerprint, Point, Query, Reads, Retriever, Store, VectorSpec, Version,
};
use gristmill_store::SqliteStore;

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
    document: usize,
    order: u32,
    text: String,
    payload: String,
    vector: Vec<f32>,
}

fn chunk(numbers: &mut Numbers, versions: &[Version], index: usize, dimensions: usize) -> Chunk {
    let (document, order) = (index / CHUNKS_PER_DOCUMENT, (index % CHUNKS_PER_DOCUMENT) as u32);
    let text = numbers.text(WORDS);
    let mut payload = format!(
        r#"{{"source":"{}","chunk_index":{order},"chapter":{},"tags":["guide","part{}"],"heading_path":["Handbook","Chapter"],"content":"#,
        versions[document].source,
        document % 20,
        order % 5
    );
    let _ = write!(payload, "{text:?}}}");
    let id = ChunkId::new(versions[document].document, &text, 0);
    Chunk { id, document, order, text, payload, vector: numbers.vector(dimensions) }
}

fn version(index: usize, chunks: usize) -> Version {
    let source = format!("folder{}/document{index}.md", index % 40);
    Version {
        document: DocumentId::new("measure", "", &source),
        source_hash: Fingerprint::of(source.as_bytes()),
        source,
        recipe: "measure".into(),
        total_chunks: (chunks - index * CHUNKS_PER_DOCUMENT).min(CHUNKS_PER_DOCUMENT) as u32,
    }
}

/// Time used by this thread, or time passed.
struct Stopwatch {
    clock: Instant,
    processor: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Self {
        Self { clock: Instant::now(), processor: processor_time() }
    }

    fn seconds(&self) -> f64 {
        match (processor_time(), self.processor) {
            (Some(now), Some(then)) => (now - then).as_secs_f64(),
            _ => self.clock.elapsed().as_secs_f64(),
        }
    }
}

fn processor_time() -> Option<Duration> {
    let times = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    times.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

#[expect(clippy::print_stdout, reason = "a command that prints figures")]
fn report(what: &str, count: usize, watch: &Stopwatch) {
    let seconds = watch.seconds();
    let clock = watch.clock.elapsed().as_secs_f64() * 1000.0 / count as f64;
    let (each, rate) = (seconds * 1000.0 / count as f64, count as f64 / seconds);
    println!("{what:<28} {each:>9.3} ms each {rate:>10.0} /s   (clock {clock:.3} ms)");
}

fn ingest(store: &dyn Store, spec: &VectorSpec, versions: &[Version], chunks: &[Chunk]) -> gristmill_core::Result<()> {
    let mut writer = store.writer(spec)?;
    let batches = versions.chunks(BATCH).zip(chunks.chunks(BATCH * CHUNKS_PER_DOCUMENT));
    for (batch, chunks) in batches {
        let points: Vec<_> = chunks
            .iter()
            .map(|chunk| Point {
                id: chunk.id,
                version: &versions[chunk.document],
                order: chunk.order,
                content_hash: Fingerprint::of(chunk.text.as_bytes()),
                text: &chunk.text,
                payload: &chunk.payload,
                vector: Some(&chunk.vector),
            })
            .collect();
        writer.upsert(&points)?;
        writer.commit(&batch.iter().collect::<Vec<_>>())?;
        for (version, chunks) in batch.iter().zip(chunks.chunks(CHUNKS_PER_DOCUMENT)) {
            writer.remove_stale(version.document, &chunks.iter().map(|chunk| chunk.id).collect::<Vec<_>>())?;
        }
    }
    Ok(())
}

fn searches(store: &dyn Store, dimensions: usize) -> gristmill_core::Result<()> {
    let filter = [Filter { field: "chapter".into(), value: 3.into() }];
    for (retriever, filters) in
        [(Retriever::Dense, &[][..]), (Retriever::Bm25, &[]), (Retriever::Hybrid, &[]), (Retriever::Hybrid, &filter)]
    {
        let mut numbers = Numbers(7);
        let start = Stopwatch::start();
        for _ in 0..20 {
            let (text, vector) = (numbers.text(8), numbers.vector(dimensions));
            store.search(&Query { text: &text, vector: Some(&vector), retriever, limit: 10, filters })?;
        }
        report(
            &format!("search {} {}", retriever.name(), if filters.is_empty() { "" } else { "filtered" }),
            20,
            &start,
        );
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a command that prints figures")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<usize>());
    let chunks = args.next().transpose()?.unwrap_or(50_000);
    let dimensions = args.next().transpose()?.unwrap_or(256);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("store.db");
    let versions: Vec<_> = (0..chunks.div_ceil(CHUNKS_PER_DOCUMENT)).map(|index| version(index, chunks)).collect();
    let mut numbers = Numbers(1);
    let all: Vec<_> = (0..chunks).map(|index| chunk(&mut numbers, &versions, index, dimensions)).collect();
    let bytes: usize = all.iter().map(|chunk| chunk.text.len()).sum();
    println!("{chunks} chunks of {} bytes, {dimensions} dimensions", bytes / chunks.max(1));

    let spec = VectorSpec { model: "measure".into(), dimensions: Some(dimensions) };
    let store = SqliteStore::open(&path, "measure", true)?;
    let start = Stopwatch::start();
    ingest(&store, &spec, &versions, &all)?;
    report("write", chunks, &start);
    let start = Stopwatch::start();
    ingest(&store, &spec, &versions, &all)?;
    report("write the same again", chunks, &start);
    let start = Stopwatch::start();
    store.tracked()?;
    report("tracked, a document", versions.len(), &start);
    let hashes: Vec<_> = all.iter().map(|chunk| Fingerprint::of(chunk.text.as_bytes())).collect();
    let start = Stopwatch::start();
    store.vectors_by_hash(&hashes)?;
    report("vectors by hash", hashes.len(), &start);
    let start = Stopwatch::start();
    let fresh = SqliteStore::open(&path, "measure", false)?;
    fresh.search(&Query {
        text: "",
        vector: Some(&all[0].vector),
        retriever: Retriever::Dense,
        limit: 10,
        filters: &[],
    })?;
    report("open and first dense search", 1, &start);
    searches(&store, dimensions)?;
    let mut writer = store.writer(&spec)?;
    let start = Stopwatch::start();
    for version in versions.iter().take(20) {
        writer.remove_document(version.document)?;
    }
    report("remove a document", versions.len().min(20), &start);
    println!("file: {:.1} MB", std::fs::metadata(&path)?.len() as f64 / 1e6);
    Ok(())
}
