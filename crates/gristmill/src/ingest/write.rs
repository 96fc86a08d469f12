//! Writes the chunks of documents into a store.

use std::collections::HashMap;

use gristmill_core::{
    ChunkId, DocumentId, Embedder, Error, ErrorKind, Fingerprint, Point, Purpose, Result, Store, Version, Writer,
};
use gristmill_format::Record;
use gristmill_pipeline::{Job, Sink, Worked};

use super::IngestReport;
use super::plan::{Change, Work};

/// Texts embedded at a time.
const BATCH: usize = 256;

/// A chunk that waits for the rest of its document.
struct Waiting {
    id: ChunkId,
    text: String,
    content_hash: Fingerprint,
    payload: String,
}

pub(super) struct ToStore<'a> {
    store: &'a dyn Store,
    pub writer: Box<dyn Writer + 'a>,
    embedder: &'a dyn Embedder,
    work: HashMap<DocumentId, Work>,
    current: Option<Current>,
    pub report: IngestReport,
}

impl<'a> ToStore<'a> {
    pub fn new(
        store: &'a dyn Store,
        writer: Box<dyn Writer + 'a>,
        embedder: &'a dyn Embedder,
        work: HashMap<DocumentId, Work>,
        report: IngestReport,
    ) -> Self {
        Self { store, writer, embedder, work, current: None, report }
    }
}

/// The document that is being written.
struct Current {
    version: Version,
    change: Change,
    /// Chunks that are not written yet.
    waiting: Vec<Waiting>,
    /// All chunks so far.
    ids: Vec<ChunkId>,
}

impl Sink for ToStore<'_> {
    fn begin(&mut self, job: &Job, worked: &Worked, chunks: usize) -> Result<()> {
        let work = self.work.remove(&job.id);
        let work = work.ok_or_else(|| Error::bug("a document was worked on that was not planned"))?;
        let version = Version {
            document: job.id,
            source: job.source.clone(),
            source_hash: worked.fingerprint,
            recipe: work.recipe,
            total_chunks: u32::try_from(chunks).unwrap_or(u32::MAX),
        };
        self.current = Some(Current { version, change: work.change, waiting: Vec::new(), ids: Vec::new() });
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        let payload = serde_json::to_string(record).map_err(|e| Error::bug("a record cannot be written").because(e))?;
        let id = record.chunk_id.parse().map_err(|e| Error::bug("a chunk id is no UUID").because(e))?;
        let text = record.content.clone().into_owned();
        let content_hash = Fingerprint::of(text.as_bytes());
        let Some(current) = &mut self.current else { return Err(Error::bug("a record without its document")) };
        current.ids.push(ChunkId(id));
        current.waiting.push(Waiting { id: ChunkId(id), text, content_hash, payload });
        if current.waiting.len() >= BATCH { self.upsert() } else { Ok(()) }
    }

    /// A first ingest would not have it: what an earlier version left goes.
    fn skipped(&mut self, job: &Job) -> Result<()> {
        if self.work.get(&job.id).is_some_and(|work| work.change == Change::Modified) {
            self.report.chunks.deleted += self.writer.remove_document(job.id)?;
            self.report.files.deleted += 1;
        }
        Ok(())
    }

    /// Embed, upsert, commit, remove what is stale: a crash between any two leaves extra points, never missing ones.
    fn document(&mut self, _: &Job, _: &Worked) -> Result<()> {
        self.upsert()?;
        let Some(current) = self.current.take() else { return Ok(()) };
        self.writer.commit(&[&current.version])?;
        self.report.chunks.deleted += self.writer.remove_stale(current.version.document, &current.ids)?;
        match current.change {
            Change::New => self.report.files.new += 1,
            Change::Modified => self.report.files.modified += 1,
            Change::Moved => self.report.files.moved += 1,
        }
        Ok(())
    }
}

impl ToStore<'_> {
    /// Writes the chunks that wait.
    fn upsert(&mut self) -> Result<()> {
        let Some(current) = &mut self.current else { return Ok(()) };
        let batch = std::mem::take(&mut current.waiting);
        let first = current.ids.len() - batch.len();
        let version = current.version.clone();
        let vectors = self.vectors(&batch)?;
        let points: Vec<Point<'_>> = batch
            .iter()
            .zip(&vectors)
            .enumerate()
            .map(|(n, (chunk, vector))| Point {
                id: chunk.id,
                version: &version,
                order: u32::try_from(first + n).unwrap_or(u32::MAX),
                content_hash: chunk.content_hash,
                text: &chunk.text,
                payload: &chunk.payload,
                vector: (!vector.is_empty()).then_some(vector.as_slice()),
            })
            .collect();
        self.report.chunks.upserted += points.len() as u64;
        self.writer.upsert(&points)
    }

    /// A vector for each chunk: a known one, else a new one. Equal texts are embedded once.
    fn vectors(&mut self, batch: &[Waiting]) -> Result<Vec<Vec<f32>>> {
        let hashes: Vec<Fingerprint> = batch.iter().map(|chunk| chunk.content_hash).collect();
        let known = self.store.vectors_by_hash(&hashes)?;
        let mut wanted: Vec<usize> = (0..batch.len()).filter(|&n| known[n].is_none()).collect();
        let mut first = HashMap::new();
        wanted.retain(|&n| *first.entry(hashes[n]).or_insert(n) == n);
        let texts: Vec<&str> = wanted.iter().map(|&n| batch[n].text.as_str()).collect();
        let made = if texts.is_empty() { Vec::new() } else { self.embedder.embed(&texts, Purpose::Passage)? };
        if made.len() != texts.len() {
            let message = format!("the embedder gave {} vectors for {} texts", made.len(), texts.len());
            return Err(Error::new(ErrorKind::Remote, message));
        }
        self.report.chunks.embedded += made.len() as u64;
        self.report.chunks.reused += (batch.len() - made.len()) as u64;
        let made: HashMap<Fingerprint, Vec<f32>> = wanted.iter().map(|&n| hashes[n]).zip(made).collect();
        let vector = |(hash, known): (&Fingerprint, Option<Vec<f32>>)| known.or_else(|| made.get(hash).cloned());
        Ok(hashes.iter().zip(known).map(|pair| vector(pair).unwrap_or_default()).collect())
    }
}
