//! The path of headings that is put in front of a chunk.

use gristmill_core::{ContextMode, Document, ROOT, Sizer};

use crate::units::is_definition;

/// Stands between the titles of a path.
pub const SEPARATOR: &str = " > ";

/// Begins the line in front of a chunk.
pub const NOTE_START: &str = "[";

/// Ends the line in front of a chunk, with the blank line after it.
pub const NOTE_END: &str = "]\n\n";

/// Makes and remembers the heading paths of a document.
pub struct Contexts<'a> {
    document: &'a Document,
    sizer: &'a dyn Sizer,
    mode: ContextMode,
    /// The share of the limit that a path may take.
    allowance: usize,
    /// Path and size of each section, made on first use.
    known: Vec<Option<(String, usize)>>,
    /// Size of the last title alone.
    least: Vec<Option<usize>>,
}

impl<'a> Contexts<'a> {
    /// Paths may take up to a third of `max`.
    pub fn new(document: &'a Document, sizer: &'a dyn Sizer, mode: ContextMode, max: usize) -> Self {
        let count = document.sections.len();
        Self { document, sizer, mode, allowance: max / 3, known: vec![None; count], least: vec![None; count] }
    }

    /// The section whose path stands in front of text that begins at `at`: a chunk that begins with a heading shows
    /// that heading itself, so its path ends with the one above. So does one that begins with a definition.
    pub fn section(&self, at: u32) -> u32 {
        let index = self.document.section_at(at);
        let section = &self.document.sections[index as usize];
        let begins = index != ROOT && section.heading.start == at;
        let shown = begins && (!section.heading.is_empty() || self.is_definition(at));
        if shown { section.parent } else { index }
    }

    /// True when the block that begins at or next after `at` is a definition in source code.
    fn is_definition(&self, at: u32) -> bool {
        let blocks = &self.document.blocks;
        let next = blocks.partition_point(|block| block.span.start < at);
        blocks.get(next).is_some_and(|block| is_definition(block.kind))
    }

    /// The path of `section` with the blank line after it, and its size. Empty when there is none to show.
    pub fn path(&mut self, section: u32) -> (&str, usize) {
        let index = section as usize;
        if self.known[index].is_none() {
            let made = self.make(section, self.allowance);
            self.known[index] = Some(made);
        }
        self.known[index].as_ref().map_or(("", 0), |(path, size)| (path.as_str(), *size))
    }

    /// The size of the shortest path of `section` that is not empty: its own title.
    pub fn least(&mut self, section: u32) -> usize {
        let full = self.path(section).1;
        if let Some(least) = self.least[section as usize] {
            return least;
        }
        let alone = self.document.sections[section as usize].parent == ROOT;
        let least = if full == 0 || alone { full } else { self.sizer.size(&Self::note(&[self.as_written(section)])) };
        let least = least.min(full);
        self.least[section as usize] = Some(least);
        least
    }

    fn note(titles: &[&str]) -> String {
        format!("{NOTE_START}{}{NOTE_END}", titles.join(SEPARATOR))
    }

    /// The longest path of `section` that is no larger than `room`: outer titles go first.
    pub fn shortened(&self, section: u32, room: usize) -> String {
        self.make(section, room.min(self.allowance)).0
    }

    /// The titles above as plain text, the heading that governs the text as the source writes it, in brackets, so that it
    /// reads as a note and not as a line of the document.
    fn make(&self, section: u32, room: usize) -> (String, usize) {
        if self.mode == ContextMode::None {
            return (String::new(), 0);
        }
        let mut titles = self.document.heading_path(section);
        if let Some(last) = titles.last_mut() {
            *last = self.as_written(section);
        }
        titles.retain(|title| !title.is_empty());
        for first in 0..titles.len() {
            let path = Self::note(&titles[first..]);
            let size = self.sizer.size(&path);
            if size <= room {
                return (path, size);
            }
        }
        (String::new(), 0)
    }

    /// The text of a heading with its inline marks, without the marks that make it a heading.
    fn as_written(&self, section: u32) -> &str {
        let section = &self.document.sections[section as usize];
        let lines = self.document.text[section.heading.range()].lines().map(str::trim);
        let mut texts = lines.filter(|line| line.chars().any(char::is_alphanumeric));
        let Some(line) = texts.next().filter(|_| texts.next().is_none()) else { return &section.title };
        let line = line.trim_start_matches(['#', '=']).trim_start();
        let closed = line.trim_end_matches('#');
        // `C#` is a title, `Title ##` is a closed heading.
        if closed.ends_with([' ', '\t']) { closed.trim_end() } else { line }
    }
}
