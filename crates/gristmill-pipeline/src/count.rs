//! Counts for the report: what stands in a document and what cleaning changed.

use std::collections::BTreeMap;

use gristmill_core::{Document, Edit, EditKind, Sizer};
use gristmill_format::report::{Inspection, Removal};
use gristmill_text::clean::Repeats;
use gristmill_text::inspect::inspect_window;

/// Declared changes by kind.
#[derive(Debug, Default)]
pub struct Removals(BTreeMap<EditKind, (u64, u64)>);

impl Removals {
    /// Adds edits of `source`. Line ends are no removals: they are the same line ends in another form.
    pub fn add(&mut self, edits: &[Edit], source: &str) {
        for edit in edits.iter().filter(|e| e.kind != EditKind::LineEnd) {
            let entry = self.0.entry(edit.kind).or_default();
            entry.0 += 1;
            entry.1 += source.get(edit.at.range()).map_or(0, |text| text.chars().count() as u64);
        }
    }

    /// One entry a kind.
    pub fn list(&self) -> Vec<Removal> {
        let entry = |(kind, (count, characters)): (&EditKind, &(u64, u64))| Removal {
            kind: kind.name().into(),
            count: *count,
            characters: *characters,
        };
        self.0.iter().map(entry).collect()
    }
}

/// Counts what stands in a cleaned document; blocks that cleaning took out are counted with the rest.
pub fn inspection(document: &Document, tokens: &dyn Sizer, repeats: &mut Repeats) -> Inspection {
    let counts = inspect_window(document, repeats, true);
    let taken = |kind: EditKind| document.edits.iter().filter(|edit| edit.kind == kind).count() as u64;
    Inspection {
        headings: counts.headings,
        paragraphs: counts.paragraphs,
        sentences: counts.sentences,
        fenced_code_blocks: counts.fenced_code_blocks,
        tables: counts.tables,
        lists: counts.lists,
        blockquotes: counts.blockquotes,
        repeated_blocks: counts.repeated_blocks + taken(EditKind::RepeatedBlock),
        boilerplate_lines: counts.boilerplate + taken(EditKind::Boilerplate),
        unclosed_fences: counts.unclosed_fences,
        pages_without_text: 0,
        tokens: tokens.size(&document.text) as u64,
        characters: counts.characters,
        words: counts.words,
    }
}
