//! Documents to write, and stores to look at.

use gristmill_core::{
    ChunkId, DocumentId, Fingerprint, OccurrenceCounter, Point, Reads, StoredPoint, Tracked, VectorSpec, Version,
    Writer,
};

/// Numbers in each vector.
pub const DIMENSIONS: usize = 4;

pub fn spec() -> VectorSpec {
    VectorSpec { model: "stub/four".into(), dimensions: Some(DIMENSIONS) }
}

/// A version of a document and its points.
pub struct Doc {
    pub version: Version,
    pub chunks: Vec<Chunk>,
}

pub struct Chunk {
    pub id: ChunkId,
    pub text: String,
    pub payload: String,
    pub vector: Option<Vec<f32>>,
}

impl Doc {
    /// One chunk a text; its vector points along the axis of its length.
    pub fn new(source: &str, texts: &[&str]) -> Self {
        let document = DocumentId::new("contract", "", source);
        let mut ids = OccurrenceCounter::default();
        let chunks = texts
            .iter()
            .enumerate()
            .map(|(index, text)| Chunk {
                id: ids.next(document, text),
                text: (*text).to_owned(),
                payload: format!(r#"{{"source": "{source}", "chunk_index": {index}}}"#),
                vector: Some(axis(text.chars().count() % DIMENSIONS)),
            })
            .collect();
        let version = Version {
            document,
            source: source.into(),
            source_hash: Fingerprint::of(texts.join("\n").as_bytes()),
            recipe: "recipe 1".into(),
            total_chunks: texts.len() as u32,
        };
        Self { version, chunks }
    }

    /// The same with vectors of another length.
    pub fn of_length(mut self, length: usize) -> Self {
        for chunk in &mut self.chunks {
            chunk.vector = Some(axis_of(chunk.text.chars().count() % length, length));
        }
        self
    }

    pub fn id(&self) -> DocumentId {
        self.version.document
    }

    pub fn points(&self) -> Vec<Point<'_>> {
        self.chunks
            .iter()
            .enumerate()
            .map(|(order, chunk)| Point {
                id: chunk.id,
                version: &self.version,
                order: order as u32,
                content_hash: Fingerprint::of(chunk.text.as_bytes()),
                text: &chunk.text,
                payload: &chunk.payload,
                vector: chunk.vector.as_deref(),
            })
            .collect()
    }

    pub fn ids(&self) -> Vec<ChunkId> {
        self.chunks.iter().map(|chunk| chunk.id).collect()
    }

    /// What the store must hold of it.
    pub fn stored(&self) -> Vec<StoredPoint> {
        let stored = |point: Point<'_>| StoredPoint {
            id: point.id,
            order: point.order,
            content_hash: point.content_hash,
            text: point.text.into(),
            payload: point.payload.into(),
            vector: point.vector.map(Into::into),
        };
        self.points().into_iter().map(stored).collect()
    }

    /// What the store must know of it once it is written.
    pub fn tracked(&self) -> Tracked {
        Tracked { version: self.version.clone(), committed: true, complete: true, points: self.chunks.len() as u64 }
    }

    /// Writes it as a run does.
    pub fn write(&self, writer: &mut dyn Writer) {
        writer.upsert(&self.points()).unwrap();
        writer.commit(&[&self.version]).unwrap();
        writer.remove_stale(self.id(), &self.ids()).unwrap();
    }
}

/// The unit vector along an axis.
pub fn axis(index: usize) -> Vec<f32> {
    axis_of(index, DIMENSIONS)
}

fn axis_of(index: usize, length: usize) -> Vec<f32> {
    (0..length).map(|at| if at == index { 1.0 } else { 0.0 }).collect()
}

/// The hash of a text.
pub fn hash(text: &str) -> Fingerprint {
    Fingerprint::of(text.as_bytes())
}

/// Everything a collection holds.
pub fn contents(reads: &dyn Reads) -> Vec<(Tracked, Vec<StoredPoint>)> {
    let tracked = reads.tracked().unwrap();
    tracked.into_iter().map(|t| (t.clone(), reads.points(t.version.document).unwrap())).collect()
}

/// What [`contents`] must give for documents that were written.
pub fn written(docs: &[&Doc]) -> Vec<(Tracked, Vec<StoredPoint>)> {
    docs.iter().map(|doc| (doc.tracked(), doc.stored())).collect()
}
