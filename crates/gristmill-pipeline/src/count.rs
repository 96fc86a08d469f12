//! Counts for the report: what stands in a document and what cleaning changed.

use std::collections::BTreeMap;

use gristmill_core::{Document, Edit, EditKind, Sizer};
use gristmill_format::report::{Inspection, Removal};
use gristmill_text::clean::Repeats;
use gristmill_text::inspect::inspect_window;

use crate::position::{Cursor, Position};

/// Declared changes by kind.
#[derive(Debug, Default)]
pub struct Removals(BTreeMap<EditKind, Removal>);

impl Removals {
    /// Adds the edits (sorted) of a window's `source`, which begins at `origin` of its file. Line ends are no removals:
    /// they are the same line ends in another form.
    pub fn add(&mut self, edits: &[Edit], source: &str, origin: Position) {
        let mut cursor = Cursor::new(source, origin);
        for edit in edits.iter().filter(|e| e.kind != EditKind::LineEnd) {
            let start = cursor.to(edit.at.start as usize).char;
            let end = cursor.to(edit.at.end as usize).char;
            let empty = || Removal { kind: edit.kind.name().into(), ..Removal::default() };
            self.0.entry(edit.kind).or_insert_with(empty).add(start, end);
        }
    }

    /// One entry a kind.
    pub fn list(self) -> Vec<Removal> {
        self.0.into_values().collect()
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
        pages_without_text: document.pages.without_text,
        tokens: tokens.size(&document.text) as u64,
        characters: counts.characters,
        words: counts.words,
    }
}

#[cfg(test)]
mod tests {
    use gristmill_core::Span;

    use super::*;

    fn edit(kind: EditKind, start: usize, end: usize) -> Edit {
        Edit { kind, at: Span::new(start, end), with: String::new() }
    }

    #[test]
    fn ranges_are_code_points_of_the_file() {
        // Bytes: é 0–2, blanks 2–4, CR 4, LF 5, 한 6–9, blank 9, NUL 10, x 11.
        let edits = [
            edit(EditKind::Blanks, 2, 4),
            edit(EditKind::LineEnd, 4, 5),
            edit(EditKind::Blanks, 9, 10),
            edit(EditKind::Control, 10, 11),
        ];
        let mut removals = Removals::default();
        removals.add(&edits, "é  \r\n한 \0x", Position::default());
        // The next window begins after these nine code points.
        let origin = Position { byte: 12, char: 9, line: 1 };
        removals.add(&[edit(EditKind::Blanks, 3, 5)], "한\t \n", origin);
        let removal = |kind: EditKind, count, characters, ranges: &[[u64; 2]]| Removal {
            kind: kind.name().into(),
            count,
            characters,
            ranges: ranges.to_vec(),
            ranges_omitted: 0,
        };
        assert_eq!(
            removals.list(),
            [removal(EditKind::Control, 1, 1, &[[7, 8]]), removal(EditKind::Blanks, 3, 5, &[[1, 3], [6, 7], [10, 12]]),]
        );
    }

    #[test]
    fn places_beyond_the_listed_ones_are_counted() {
        let source = "a ".repeat(1_200);
        let edits: Vec<Edit> = (0..1_200).map(|i| edit(EditKind::Blanks, 2 * i + 1, 2 * i + 2)).collect();
        let mut removals = Removals::default();
        removals.add(&edits, &source, Position::default());
        let blanks = removals.list().remove(0);
        assert_eq!((blanks.count, blanks.characters, blanks.ranges_omitted), (1_200, 1_200, 200));
        assert_eq!((blanks.ranges.len(), blanks.ranges[999]), (1_000, [1_999, 2_000]));
    }
}
