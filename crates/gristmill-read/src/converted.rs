//! Documents whose text is made from the file: Markdown that a reader writes, read back into blocks.

use gristmill_core::{Attrs, Diagnostic, Document, Input, OffsetMap, Origin, Outcome, Pages, Span};

use crate::readers::markdown;

/// What a reader has made of a file.
#[derive(Clone, Debug, Default)]
pub struct Converted {
    /// Markdown with LF line ends: CommonMark with tables.
    pub text: String,
    /// For paged formats: where each page begins in `text`, in bytes, and its number from 1, ascending. Text before the first
    /// entry has no page.
    pub pages: Vec<(usize, u32)>,
    /// How many pages have no text.
    pub pages_without_text: u64,
    /// What the file declares of itself.
    pub attrs: Attrs,
    /// The encoding the file was read with; `utf-8` for formats that are no text.
    pub encoding: &'static str,
    /// Problems met on the way.
    pub diagnostics: Vec<Diagnostic>,
}

/// What stands in no document's text.
const NEVER: [char; 3] = ['\r', '\0', '\u{feff}'];

impl Converted {
    /// The document with its blocks. `format` is the reader's name.
    pub fn document(mut self, input: &Input<'_>, format: &'static str) -> Outcome<Document> {
        // Where pages stand by their bytes the reader has seen to it.
        if self.pages.is_empty() && self.text.contains(NEVER) {
            self.text = self.text.replace("\r\n", "\n").replace('\r', "\n").replace(NEVER, "");
        }
        let (blocks, sections) = markdown::outline(&self.text);
        let start = |(at, page): &(usize, u32)| (Span::new(0, self.text.floor_char_boundary(*at)).end, *page);
        let starts = self.pages.iter().map(start).collect();
        let document = Document {
            id: input.id,
            source: input.source.to_owned(),
            format,
            encoding: if self.encoding.is_empty() { "utf-8" } else { self.encoding },
            attrs: self.attrs,
            map: OffsetMap::default(),
            text: self.text,
            blocks,
            sections,
            edits: Vec::new(),
            origin: Origin::default(),
            pages: Pages { starts, without_text: self.pages_without_text },
        };
        Outcome { value: document, diagnostics: self.diagnostics }
    }
}
