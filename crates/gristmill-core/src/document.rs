//! A document as a reader leaves it: text, blocks and sections with exact ranges, and the way back to the source.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{DocumentId, Edit, OffsetMap, Span};

/// Typed facts that a source declares of itself (front matter, path rules). Sorted by name.
pub type Attrs = BTreeMap<String, Value>;

/// Where a window of text begins in its decoded source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Bytes of decoded (UTF-8) source before the window.
    pub byte: u64,
    /// Code points before the window.
    pub char: u64,
    /// Lines that end before the window.
    pub line: u64,
}

/// A document, or one window of a very large one.
#[derive(Clone, Debug)]
pub struct Document {
    /// Identity.
    pub id: DocumentId,
    /// Path relative to the source's root, with `/`, or a URL.
    pub source: String,
    /// Kind of file: the reader's name (`markdown`, `text`, `rst`, …).
    pub format: &'static str,
    /// The encoding it was read with, by its WHATWG name in lower case (`utf-8`, `windows-1252`, …).
    pub encoding: &'static str,
    /// What the source declares: front matter, path fields.
    pub attrs: Attrs,
    /// Canonical text: Markdown for formats that are turned into it, else the file's own text. LF line ends.
    pub text: String,
    /// Blocks in order of their start, containers before what they hold.
    pub blocks: Vec<Block>,
    /// Sections in order. The first, [`ROOT`], is the document itself; it has no heading.
    pub sections: Vec<Section>,
    /// Declared changes between the decoded source and `text`, in positions of the decoded source window.
    pub edits: Vec<Edit>,
    /// From positions of `text` to positions of the decoded source, counted from `origin`.
    pub map: OffsetMap,
    /// Where this window begins.
    pub origin: Origin,
    /// Its pages.
    pub pages: Pages,
}

/// The pages of a document; none for formats without.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pages {
    /// Where the text of each page begins in `Document.text`, in its order, and the number of the page from 1.
    pub starts: Vec<(u32, u32)>,
    /// How many pages have no text.
    pub without_text: u64,
}

/// Index of the section that stands for the document itself.
pub const ROOT: u32 = 0;

/// A heading and what it governs.
///
/// Source code has no headings: there a section begins where a definition does, and again, under the same title, where the
/// text around a definition goes on after it. Its `heading` is empty and tells the place only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// 1 to 6; 0 for the root.
    pub level: u8,
    /// The heading as plain text; empty for the root.
    pub title: String,
    /// Index of the section around it; the root is its own parent.
    pub parent: u32,
    /// Its heading in `Document.text`; empty for the root, for sections opened in an earlier window and in source code.
    pub heading: Span,
}

/// A structural unit of the text.
///
/// A block's span runs from its first character (list marker, `>`, indentation of a fence left out) to its last, without
/// the line end after it. A container's span covers the spans of the blocks in it, which follow it with greater `depth`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Where it is.
    pub span: Span,
    /// Index of the section it belongs to. A heading belongs to the section it opens.
    pub section: u32,
    /// Number of containers around it.
    pub depth: u8,
}

/// Kinds of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading line (with its underline).
    Heading {
        /// 1 to 6.
        level: u8,
    },
    /// Prose.
    Paragraph,
    /// A code block; `body` is the code without fence lines. Everything of the span before `body` opens the block and
    /// everything after it closes it.
    Code {
        /// The code lines, each whole.
        body: Span,
        /// False when the fence is never closed.
        closed: bool,
    },
    /// Container of [`BlockKind::Row`]s; `header` covers header row and delimiter row, empty when there is none.
    Table {
        /// Lines to repeat when the table is cut.
        header: Span,
    },
    /// A table row after the header.
    Row,
    /// Container of [`BlockKind::Item`]s.
    List {
        /// Numbered.
        ordered: bool,
    },
    /// Container: a list item with its marker.
    Item,
    /// Container: block quote.
    Quote,
    /// Container: admonition, `:::` block, details, JSX component with Markdown inside.
    Admonition,
    /// Container: footnote definition.
    Footnote,
    /// Link reference definitions.
    Definition,
    /// Display mathematics.
    Math,
    /// Raw HTML, JSX, directives, comments.
    Html,
    /// Thematic break.
    Rule,
    /// One turn of a conversation.
    Turn,
    /// Container: a question with its answer.
    Pair,
    /// One line of a log or of other text in which lines are the units.
    Line,
    /// Container: a definition in source code (function, method, class, …) with the comments, attributes and decorators in
    /// front of it, or a statement that holds others. Unlike in other containers, every character of it is in a leaf.
    Unit {
        /// What it is declared as, without its body; repeated when the unit is cut. Empty for what defines nothing.
        signature: Span,
    },
    /// Source code that belongs together: a statement, a declaration, a comment, or lines of which no more is known.
    Statement,
}

impl BlockKind {
    /// The name used in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Heading { .. } => "heading",
            Self::Paragraph => "paragraph",
            Self::Code { .. } => "code",
            Self::Table { .. } => "table",
            Self::Row => "row",
            Self::List { .. } => "list",
            Self::Item => "item",
            Self::Quote => "quote",
            Self::Admonition => "admonition",
            Self::Footnote => "footnote",
            Self::Definition => "definition",
            Self::Math => "math",
            Self::Html => "html",
            Self::Rule => "rule",
            Self::Turn => "turn",
            Self::Pair => "pair",
            Self::Line => "line",
            Self::Unit { .. } => "unit",
            Self::Statement => "statement",
        }
    }

    /// True for kinds whose content is given by the blocks that follow them.
    pub fn is_container(self) -> bool {
        matches!(
            self,
            Self::Table { .. }
                | Self::List { .. }
                | Self::Item
                | Self::Quote
                | Self::Admonition
                | Self::Footnote
                | Self::Pair
                | Self::Unit { .. }
        )
    }
}

impl Document {
    /// Titles from the outermost heading to `section`'s own.
    pub fn heading_path(&self, section: u32) -> Vec<&str> {
        let mut path = Vec::new();
        let mut at = section;
        while at != ROOT {
            let section = &self.sections[at as usize];
            path.push(section.title.as_str());
            at = section.parent;
        }
        path.reverse();
        path
    }

    /// The page on which the character at `position` stands.
    pub fn page_at(&self, position: u32) -> Option<u32> {
        let starts = &self.pages.starts;
        let after = starts.partition_point(|(start, _)| *start <= position);
        after.checked_sub(1).map(|index| starts[index].1)
    }

    /// The pages that the text of `span` stands on, in the order of the text.
    pub fn pages_of(&self, span: Span) -> Vec<u32> {
        let starts = &self.pages.starts;
        let first = starts.partition_point(|(start, _)| *start <= span.start).saturating_sub(1);
        let here = starts[first..].iter().take_while(|(start, _)| *start < span.end).enumerate();
        let stands = here.filter(|(index, (start, _))| {
            let end = starts.get(first + index + 1).map_or(span.end, |(next, _)| span.end.min(*next));
            // Of a page may be left no more than the blank lines around what was taken out.
            !self.text[span.start.max(*start) as usize..end as usize].trim().is_empty()
        });
        stands.map(|(_, (_, page))| *page).collect()
    }

    /// The section that governs the byte at `position`: that of the last heading at or before it.
    pub fn section_at(&self, position: u32) -> u32 {
        let after = self.sections[1..].partition_point(|s| s.heading.start <= position);
        u32::try_from(after).unwrap_or(ROOT)
    }
}
