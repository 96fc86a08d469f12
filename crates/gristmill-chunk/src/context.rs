//! The path of headings that is put in front of a chunk.

use gristmill_core::{ContextMode, Document, ROOT, Sizer};

/// Stands between the titles of a path.
const SEPARATOR: &str = " > ";

/// Makes and remembers the heading paths of a document.
pub struct Contexts<'a> {
    document: &'a Document,
    sizer: &'a dyn Sizer,
    mode: ContextMode,
    /// The share of the limit that a path may take.
    allowance: usize,
    /// Path and size of each section, made on first use.
    known: Vec<Option<(String, usize)>>,
}

impl<'a> Contexts<'a> {
    /// Paths may take up to a third of `max`.
    pub fn new(document: &'a Document, sizer: &'a dyn Sizer, mode: ContextMode, max: usize) -> Self {
        let known = vec![None; document.sections.len()];
        Self { document, sizer, mode, allowance: max / 3, known }
    }

    /// The section whose path stands in front of text that begins at `at`: a chunk that begins with a heading shows
    /// that heading itself, so its path ends with the one above.
    pub fn section(&self, at: u32) -> u32 {
        let index = self.document.section_at(at);
        let section = &self.document.sections[index as usize];
        let shown = index != ROOT && !section.heading.is_empty() && section.heading.start == at;
        if shown { section.parent } else { index }
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

    /// The longest path of `section` that is no larger than `room`: outer titles go first.
    pub fn shortened(&self, section: u32, room: usize) -> String {
        self.make(section, room.min(self.allowance)).0
    }

    fn make(&self, section: u32, room: usize) -> (String, usize) {
        if self.mode == ContextMode::None {
            return (String::new(), 0);
        }
        let titles = self.document.heading_path(section);
        let titles: Vec<&str> = titles.into_iter().filter(|t| !t.is_empty()).collect();
        for first in 0..titles.len() {
            let path = titles[first..].join(SEPARATOR) + "\n\n";
            let size = self.sizer.size(&path);
            if size <= room {
                return (path, size);
            }
        }
        (String::new(), 0)
    }
}
