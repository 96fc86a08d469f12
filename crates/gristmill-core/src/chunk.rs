//! Chunks and the parts that tile them.

use crate::Span;

/// What a part of a chunk's content is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// The chunk's own text: an exact range of `Document.text`.
    Body,
    /// Text repeated from the chunk before: an exact range of `Document.text`.
    Overlap,
    /// Injected: the path of headings.
    Heading,
    /// Injected: a table's header and delimiter rows.
    TableHeader,
    /// Injected: the line that opens a code fence.
    Opener,
    /// Injected: the line that closes a code fence.
    Closer,
    /// Injected: the line or sentence that introduces a list, or the item that a nested list belongs to.
    LeadIn,
}

impl PartKind {
    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Overlap => "overlap",
            Self::Heading => "heading",
            Self::TableHeader => "table_header",
            Self::Opener => "opener",
            Self::Closer => "closer",
            Self::LeadIn => "lead_in",
        }
    }
}

/// A piece of a chunk's content. Parts tile the content: each begins where the one before ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// Bytes of `Chunk.content`.
    pub range: Span,
    /// For body and overlap: the same bytes in `Document.text`. Injected parts have none.
    pub origin: Option<Span>,
}

/// A chunk: the exact text that is embedded, and where each piece of it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The chunk's own range of `Document.text`, no white space at its ends.
    pub body: Span,
    /// Exactly the text that is embedded.
    pub content: String,
    /// Tile `content`. Exactly one is the body.
    pub parts: Vec<Part>,
    /// Size of `content` in the unit of the limits, counted on the final text.
    pub size: u32,
    /// Size of the overlap part alone, in the same unit; 0 without one.
    pub overlap_size: u32,
    /// Section of the first character of the body.
    pub section: u32,
    /// True when the body begins or ends where nothing in the text ends: inside a sentence, row or line too large for
    /// one chunk.
    pub fallback_split: bool,
}

impl Chunk {
    /// The chunk's own text.
    pub fn body_text<'d>(&self, text: &'d str) -> &'d str {
        &text[self.body.range()]
    }
}
