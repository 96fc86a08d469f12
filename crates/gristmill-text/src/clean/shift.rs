//! Moves what has a place in a text along when the text is edited.

use gristmill_core::{Block, BlockKind, Edit, EditKind, ROOT, Section, Span};

/// Answers where a position went.
pub(super) struct Shift<'e> {
    edits: &'e [Edit],
    /// For each edit, the position in the new text just after its replacement.
    ends: Vec<u32>,
}

impl<'e> Shift<'e> {
    /// `edits` are sorted and do not overlap.
    pub(super) fn new(edits: &'e [Edit]) -> Self {
        let (mut ends, mut old, mut new) = (Vec::with_capacity(edits.len()), 0, 0usize);
        for edit in edits {
            new += edit.at.start as usize - old + edit.with.len();
            old = edit.at.end as usize;
            ends.push(Span::new(0, new).end);
        }
        Self { edits, ends }
    }

    /// The new position of `at`. What lies inside an edit goes to where its replacement begins.
    pub(super) fn position(&self, at: u32) -> u32 {
        let passed = self.edits.partition_point(|edit| edit.at.end <= at);
        let (old, new) = match passed.checked_sub(1) {
            Some(last) => (self.edits[last].at.end, self.ends[last]),
            None => (0, 0),
        };
        let inside = self.edits.get(passed).is_some_and(|next| next.at.start < at);
        let at = if inside { self.edits[passed].at.start } else { at };
        new + (at - old)
    }

    fn span(&self, span: Span) -> Span {
        Span { start: self.position(span.start), end: self.position(span.end) }
    }

    /// The blocks that are left, at their new places. `gone[i]` tells why block `i` was removed; `sections` gives the
    /// new number of each section.
    pub(super) fn blocks(&self, blocks: &mut Vec<Block>, gone: &[Option<EditKind>], sections: &[u32], text: &str) {
        let mut index = 0;
        blocks.retain_mut(|block| {
            let keep = !gone.get(index).is_some_and(Option::is_some);
            index += 1;
            if keep {
                self.block(block, text);
                block.section = sections.get(block.section as usize).copied().unwrap_or(block.section);
            }
            keep
        });
    }

    fn block(&self, block: &mut Block, text: &str) {
        block.span = self.span(block.span);
        match &mut block.kind {
            BlockKind::Code { body, .. } => *body = self.span(*body),
            BlockKind::Table { header } => *header = self.span(*header),
            BlockKind::Unit { signature } => *signature = self.span(*signature),
            // A removal at the edge of running text may leave a blank there.
            BlockKind::Paragraph | BlockKind::Turn => block.span = block.span.trimmed(text),
            _ => {}
        }
    }

    /// The sections whose headings are left, and the new number of every old one: that of the section before it when it
    /// is gone. Sections without a heading of their own always stay.
    pub(super) fn sections(&self, sections: Vec<Section>) -> (Vec<Section>, Vec<u32>) {
        let mut kept: Vec<Section> = Vec::with_capacity(sections.len());
        let mut numbers: Vec<u32> = Vec::with_capacity(sections.len());
        for mut section in sections {
            let heading = self.span(section.heading);
            let last = Span::new(0, kept.len()).end;
            if heading.is_empty() && !section.heading.is_empty() {
                numbers.push(last.saturating_sub(1));
                continue;
            }
            section.heading = heading;
            section.parent = parent(&kept, &section, numbers.get(section.parent as usize).copied());
            kept.push(section);
            numbers.push(last);
        }
        (kept, numbers)
    }
}

/// The section around `section`, looked for from `near` outwards.
fn parent(kept: &[Section], section: &Section, near: Option<u32>) -> u32 {
    let mut at = near.unwrap_or(ROOT);
    while at != ROOT && kept[at as usize].level >= section.level {
        at = kept[at as usize].parent;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, with: &str) -> Edit {
        Edit { kind: EditKind::Pattern, at: Span::new(start, end), with: with.into() }
    }

    #[test]
    fn positions_move_with_their_characters() {
        // "abcdefgh" → "aXYdgh"
        let edits = [edit(1, 3, "XY"), edit(4, 6, "")];
        let shift = Shift::new(&edits);
        let moved: Vec<u32> = (0..=8).map(|at| shift.position(at)).collect();
        assert_eq!(moved, [0, 1, 1, 3, 4, 4, 4, 5, 6]);
    }

    #[test]
    fn a_removed_heading_takes_its_section_along() {
        let section =
            |level, parent, start, end| Section { level, title: String::new(), parent, heading: Span::new(start, end) };
        let sections = vec![
            section(0, 0, 0, 0),
            section(1, 0, 0, 3),
            section(4, 1, 4, 5),
            section(2, 1, 5, 8),
            section(3, 3, 10, 13),
        ];
        let edits = [edit(5, 10, "")];
        let (sections, numbers) = Shift::new(&edits).sections(sections);
        assert_eq!(numbers, [0, 1, 2, 2, 3]);
        // What stood under the removed section of level 2 now stands under the one of level 1.
        assert_eq!(sections, [section(0, 0, 0, 0), section(1, 0, 0, 3), section(4, 1, 4, 5), section(3, 1, 5, 8)]);
    }
}
