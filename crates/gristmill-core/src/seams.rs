//! The traits at which the parts of gristmill meet. Implementations live side by side and never know one another.

use std::ops::Range;

use crate::{Chunk, Document, DocumentId, Outcome, Part, Result, Similarity, Threshold};

/// What sizes are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Tokens of a named tokenizer.
    Tokens,
    /// Unicode code points.
    Chars,
    /// Runs of characters that are not white space.
    Words,
}

impl Unit {
    /// The name used in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Chars => "chars",
            Self::Words => "words",
        }
    }
}

/// Counts the size of text.
pub trait Sizer: Send + Sync {
    /// The tokenizer's name, or the unit's.
    fn name(&self) -> &str;

    /// What it counts.
    fn unit(&self) -> Unit;

    /// The exact size of `text`.
    fn size(&self, text: &str) -> usize;

    /// Reads `text` once and answers for ranges of it afterwards.
    fn measure<'t>(&'t self, text: &'t str) -> Box<dyn Measured + 't>;
}

/// A text whose sizes are known. Ranges are bytes on character borders.
pub trait Measured {
    /// The size of `text[range]` taken alone. Exact when [`Measured::is_exact`] holds, else close.
    fn size(&self, range: Range<usize>) -> usize;

    /// The greatest end such that `text[start..end]` is no larger than `max`: on a character border, greater than
    /// `start` unless `max` is 0 or not even one character fits.
    fn reach(&self, start: usize, max: usize) -> usize;

    /// The exact size of a chunk's `content`, whose body and overlap parts are cut from this text.
    /// Costs time for the edges and the injected parts only, where the tokenizer allows it.
    fn content_size(&self, content: &str, parts: &[Part]) -> usize;

    /// True when [`Measured::size`] is exact.
    fn is_exact(&self) -> bool;
}

/// What to read: the bytes of a file or of a window of a very large one.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Identity of the document.
    pub id: DocumentId,
    /// Path relative to the source's root.
    pub source: &'a str,
    /// The raw bytes.
    pub bytes: &'a [u8],
    /// Sections that are open where a later window begins, outermost first: level and title. Empty at the start.
    pub open: &'a [(u8, String)],
    /// False for windows after the first, which have neither byte order mark nor front matter.
    pub first: bool,
}

/// Turns bytes into a document. Pure: no file, no network, never a panic.
pub trait Reader: Send + Sync {
    /// Kind of file; becomes `Document.format`.
    fn name(&self) -> &'static str;

    /// One line for people.
    fn summary(&self) -> &'static str;

    /// File name extensions without the dot, in lower case.
    fn extensions(&self) -> &'static [&'static str];

    /// True when the text is made from the file instead of being the file's own: positions are those of the text as it leaves
    /// the reader, before cleaning, and the file is read whole, never in windows.
    fn converts(&self) -> bool {
        false
    }

    /// Reads.
    ///
    /// # Errors
    /// When nothing of the document can be read.
    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>>;
}

/// How much of the context is put in front of a chunk's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextMode {
    /// The path of headings.
    Headings,
    /// Nothing.
    None,
}

/// The sizes a chunk is to have, in the sizer's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The size to aim at.
    pub target: usize,
    /// Never exceeded by the final content.
    pub max: usize,
    /// Chunks below this are merged with a neighbour where they fit.
    pub min: usize,
    /// Size of the text to repeat from the chunk before; 0 for none.
    pub overlap: usize,
}

/// What a chunker needs besides the document.
pub struct ChunkCx<'a> {
    /// Sizes.
    pub limits: Limits,
    /// Counts sizes.
    pub sizer: &'a dyn Sizer,
    /// What is injected.
    pub context: ContextMode,
    /// For the sentence strategy: this many sentences a chunk, whatever their size.
    pub sentences_per_chunk: Option<usize>,
    /// For the semantic strategy: knows how alike sentences are.
    pub similarity: Option<&'a dyn Similarity>,
    /// For the semantic strategy: how unlike two neighbours are between which a topic ends.
    pub threshold: Threshold,
}

impl<'a> ChunkCx<'a> {
    /// These sizes, nothing injected, and none of what single strategies take.
    pub fn new(limits: Limits, sizer: &'a dyn Sizer) -> Self {
        Self {
            limits,
            sizer,
            context: ContextMode::None,
            sentences_per_chunk: None,
            similarity: None,
            threshold: Threshold::default(),
        }
    }
}

/// Cuts a document.
pub trait Chunker: Send + Sync {
    /// Cuts.
    ///
    /// # Errors
    /// When the limits leave no room for any text.
    fn chunk(&self, document: &Document, cx: &ChunkCx<'_>) -> Result<Outcome<Vec<Chunk>>>;
}

/// One way to plug anything in: a name, a line for people, and the thing.
pub struct Entry<T: ?Sized + 'static> {
    /// The name used in options.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// The thing itself.
    pub item: &'static T,
}
