//! What a run is put together from. The pipeline knows these shapes and never who fills them.

use std::borrow::Cow;
use std::sync::Arc;

use gristmill_core::{
    Attrs, Chunk, ChunkCx, Chunker, ContextMode, Document, DocumentId, Fingerprint, Limits, Reader, Result, Severity,
    Similarity, Sizer, Threshold,
};
use gristmill_text::clean::Cleaner;

/// One document to work on.
#[derive(Clone, Debug)]
pub struct Job {
    /// Identity.
    pub id: DocumentId,
    /// Path relative to the source's root, with `/`.
    pub source: String,
    /// Facts that the source gives: fields of the path.
    pub attrs: Attrs,
    /// Kind of document, set on the source.
    pub document_type: Option<String>,
    /// When the document was made, for one that does not say.
    pub created_at: Option<String>,
}

/// The bytes of one document.
pub trait Content {
    /// Number of bytes.
    fn size(&self) -> u64;

    /// The bytes from `start`, `len` of them or as many as there are.
    ///
    /// # Errors
    /// When they cannot be read.
    fn window(&self, start: u64, len: usize) -> Result<Cow<'_, [u8]>>;

    /// SHA-256 of all bytes.
    ///
    /// # Errors
    /// When they cannot be read.
    fn fingerprint(&self) -> Result<Fingerprint>;

    /// Fails when the bytes are no longer what they were when the document was opened.
    ///
    /// # Errors
    /// When they have changed.
    fn ensure_unchanged(&self) -> Result<()>;
}

/// Who reads a document.
#[derive(Clone)]
pub enum Pick<'a> {
    /// This reader.
    Reader(&'a dyn Reader),
    /// Nobody, for this reason.
    Skip(Cow<'static, str>),
}

/// How one kind of document is cut.
#[derive(Clone)]
pub struct Cutting {
    /// The strategy.
    pub chunker: &'static dyn Chunker,
    /// Counts sizes for the limits.
    pub sizer: Arc<dyn Sizer>,
    /// Sizes.
    pub limits: Limits,
    /// What is injected.
    pub context: ContextMode,
    /// For the sentence strategy.
    pub sentences_per_chunk: Option<usize>,
    /// For the semantic strategy: knows how alike sentences are.
    pub similarity: Option<Arc<dyn Similarity>>,
    /// For the semantic strategy: where a topic ends.
    pub threshold: Threshold,
}

impl Cutting {
    /// What a chunker is given.
    pub fn cx(&self) -> ChunkCx<'_> {
        ChunkCx {
            limits: self.limits,
            sizer: self.sizer.as_ref(),
            context: self.context,
            sentences_per_chunk: self.sentences_per_chunk,
            similarity: self.similarity.as_deref(),
            threshold: self.threshold,
        }
    }
}

/// Looks at the chunks of a window once they are cut, and mends what it may.
pub trait Lint: Sync {
    /// The chunks as they are to be delivered, and what is wrong with them. Bodies stay ranges of the document, in order.
    fn lint(&self, document: &Document, chunks: Vec<Chunk>, cutting: &Cutting) -> Linted;
}

/// Chunks that were looked at.
pub struct Linted {
    /// The chunks.
    pub chunks: Vec<Chunk>,
    /// What is wrong with them.
    pub remarks: Vec<Remark>,
    /// What was repaired, by rule.
    pub repaired: Vec<&'static str>,
    /// Mistakes of ours.
    pub faults: Vec<String>,
}

/// Something that is wrong with a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The chunk, by its place in the list.
    pub chunk: usize,
    /// Line ends of its body before the place.
    pub lines: u64,
    /// The rule that found it.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
}

/// The stages of a run.
pub struct Stages<'a> {
    /// Opens a document.
    pub fetch: &'a (dyn Fn(usize) -> Result<Box<dyn Content>> + Sync),
    /// Chooses the reader by path and first bytes.
    pub pick: &'a (dyn Fn(&str, &[u8]) -> Pick<'a> + Sync),
    /// The decoded source behind some bytes of a document, given its encoding.
    pub decoded: &'a (dyn for<'b> Fn(&'b [u8], &'static str) -> Cow<'b, str> + Sync),
    /// Where a window of text may end: a position at or before the given one.
    pub window_end: &'a (dyn Fn(&[u8], usize) -> usize + Sync),
    /// How documents of a kind are cut; `None` for documents without a kind.
    pub cutting: &'a (dyn Fn(Option<&str>) -> Cutting + Sync),
    /// Counts the tokens of records; the sizer itself where sizes are tokens.
    pub tokens: &'a dyn Sizer,
    /// Looks for damage; `None` when that is not asked for.
    pub lint: Option<&'a dyn Lint>,
    /// Cleans.
    pub cleaner: &'a Cleaner,
    /// What is copied into records.
    pub enrich: &'a EnrichOptions,
    /// Whether blocks and sentences are counted for the report.
    pub inspect: bool,
}

/// Which facts go into each record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnrichOptions {
    /// Names of front-matter fields that are copied into `attributes`; `*` copies all.
    pub copy: Vec<String>,
    /// Whether the language of documents that declare none is found out.
    pub detect_language: bool,
    /// How many keywords are extracted at most.
    pub extract_keywords: usize,
}
