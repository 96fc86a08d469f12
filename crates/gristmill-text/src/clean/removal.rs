//! Removal of whole blocks, so that what stands around them keeps its borders.

use std::ops::Range;

use gristmill_core::{Block, BlockKind, Edit, EditKind, Span};

use super::blanks::is_blank;

/// Marks containers of which nothing is left, and everything inside of what is marked already.
/// `gone[i]` is the reason why block `i` goes.
pub(super) fn spread(blocks: &[Block], gone: &mut [Option<EditKind>]) {
    let mut inside: Option<(u8, EditKind)> = None;
    for (block, gone) in blocks.iter().zip(gone.iter_mut()) {
        inside = inside.filter(|(depth, _)| block.depth > *depth);
        match inside {
            Some((_, why)) => *gone = Some(why),
            None => inside = gone.map(|why| (block.depth, why)),
        }
    }
    // From the last block to the first: what is known of the children of the container that comes next, by depth.
    let mut children = [Children::default(); 257];
    for (block, gone) in blocks.iter().zip(gone.iter_mut()).rev() {
        let below = std::mem::take(&mut children[usize::from(block.depth) + 1]);
        if gone.is_none() && block.kind.is_container() && !below.alive {
            *gone = below.why;
        }
        let here = &mut children[usize::from(block.depth)];
        match *gone {
            Some(why) => here.why = Some(why),
            None => here.alive = true,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Children {
    alive: bool,
    why: Option<EditKind>,
}

/// One edit for each block that goes as a whole, in order, with as much of the white space around it as leaves what
/// stands before and after apart.
pub(super) fn edits(text: &str, blocks: &[Block], gone: &[Option<EditKind>]) -> Vec<Edit> {
    let mut walk = Walk { text, blocks, levels: Vec::new(), edits: Vec::new() };
    let mut skipped: Option<u8> = None;
    for (index, (block, why)) in blocks.iter().zip(gone).enumerate() {
        skipped = skipped.filter(|depth| block.depth > *depth);
        if skipped.is_some() {
            continue;
        }
        if why.is_some() {
            skipped = Some(block.depth);
        }
        walk.block(index, *why);
    }
    walk.close_below(0);
    walk.edits
}

/// What is known of the children of one container.
#[derive(Default)]
struct Level {
    /// The last child that stays.
    alive: Option<usize>,
    /// Children after it that go, with the reason.
    run: Vec<(usize, EditKind)>,
}

struct Walk<'a> {
    text: &'a str,
    blocks: &'a [Block],
    levels: Vec<Level>,
    edits: Vec<Edit>,
}

impl Walk<'_> {
    fn block(&mut self, index: usize, why: Option<EditKind>) {
        let depth = usize::from(self.blocks[index].depth);
        self.close_below(depth + 1);
        self.levels.resize_with(depth + 1, Level::default);
        let level = &mut self.levels[depth];
        if let Some(why) = why {
            level.run.push((index, why));
            return;
        }
        let (before, run) = (level.alive.replace(index), std::mem::take(&mut level.run));
        self.close(before, &run, Some(index));
    }

    /// Ends the containers that are open at `depth` and deeper.
    fn close_below(&mut self, depth: usize) {
        while self.levels.len() > depth {
            if let Some(level) = self.levels.pop() {
                self.close(level.alive, &level.run, None);
            }
        }
    }

    fn close(&mut self, before: Option<usize>, run: &[(usize, EditKind)], next: Option<usize>) {
        let (Some((first, _)), Some((last, _))) = (run.first(), run.last()) else { return };
        let span = self.blocks[*first].span.start as usize..self.blocks[*last].span.end as usize;
        let range = self.range(before.map(|i| self.blocks[i]), &span, next.map(|i| self.blocks[i]));
        let done = self.edits.last().map_or(0, |edit| edit.at.end as usize);
        let mut start = range.start.max(done);
        for (at, (_, kind)) in run.iter().enumerate() {
            let next = run.get(at + 1).map_or(range.end, |(next, _)| self.blocks[*next].span.start as usize);
            if next > start {
                self.edits.push(Edit { kind: *kind, at: Span::new(start, next), with: String::new() });
                start = next;
            }
        }
    }

    /// Of the gaps around what goes, one stays: a gap with a blank line when there is one.
    fn range(&self, before: Option<Block>, run: &Range<usize>, next: Option<Block>) -> Range<usize> {
        match (before, next) {
            (None, None) if self.text[run.end..].trim().is_empty() => 0..self.text.len(),
            (None, None) => self.alone(run),
            (Some(before), None) => before.span.end as usize..run.end,
            (None, Some(next)) => self.up_to(run, next),
            (Some(before), Some(next)) => {
                let from = before.span.end as usize;
                let stands_apart = matches!(before.kind, BlockKind::Heading { .. } | BlockKind::Code { .. })
                    || next.kind == BlockKind::Item
                    || self.has_blank_line(from..run.start);
                if stands_apart {
                    self.up_to(run, next)
                } else if self.has_blank_line(run.end..next.span.start as usize) {
                    from..run.end
                } else {
                    self.alone(run)
                }
            }
        }
    }

    /// To where the next block or its line begins.
    fn up_to(&self, run: &Range<usize>, next: Block) -> Range<usize> {
        let next_start = next.span.start as usize;
        match (self.line_start(run.start), self.line_start(next_start)) {
            (Some(start), Some(end)) => start..end,
            _ if matches!(next.kind, BlockKind::Code { .. }) => self.alone(run),
            _ => run.start..next_start,
        }
    }

    /// The lines stay as a blank line.
    fn alone(&self, run: &Range<usize>) -> Range<usize> {
        self.blanks_before(run.start)..run.end
    }

    fn has_blank_line(&self, gap: Range<usize>) -> bool {
        self.text.as_bytes().get(gap).is_some_and(|gap| memchr::memchr_iter(b'\n', gap).count() >= 2)
    }

    fn blanks_before(&self, at: usize) -> usize {
        self.text.as_bytes()[..at].iter().rposition(|b| !is_blank(*b)).map_or(0, |last| last + 1)
    }

    /// The start of the line when nothing but blanks stands before `at`.
    fn line_start(&self, at: usize) -> Option<usize> {
        let start = self.blanks_before(at);
        (start == 0 || self.text.as_bytes()[start - 1] == b'\n').then_some(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_core::OffsetMap;

    /// Removes the blocks that hold an `X`. Each block: depth, kind, its text.
    fn after(text: &str, parts: &[(u8, BlockKind, &str)]) -> String {
        let mut from = 0;
        let blocks: Vec<Block> = parts
            .iter()
            .map(|(depth, kind, part)| {
                let start = from + text[from..].find(part).expect("in order");
                // Containers begin where their first block may begin as well.
                from = if kind.is_container() { start } else { start + part.len() };
                Block { kind: *kind, span: Span::new(start, start + part.len()), section: 0, depth: *depth }
            })
            .collect();
        let is_x = |b: &Block| !b.kind.is_container() && text[b.span.range()].contains('X');
        let mut gone: Vec<_> = blocks.iter().map(|b| is_x(b).then_some(EditKind::Boilerplate)).collect();
        spread(&blocks, &mut gone);
        OffsetMap::apply(text, &edits(text, &blocks, &gone)).0
    }

    const P: BlockKind = BlockKind::Paragraph;

    #[test]
    fn paragraphs_go_with_one_of_the_gaps() {
        assert_eq!(after("a\n\nX\n\nb\n", &[(0, P, "a"), (0, P, "X"), (0, P, "b")]), "a\n\nb\n");
        assert_eq!(after("X\n\n  b\n", &[(0, P, "X"), (0, P, "b")]), "  b\n");
        assert_eq!(after("a\n\nX\nX2\n", &[(0, P, "a"), (0, P, "X\nX2")]), "a\n");
        assert_eq!(after("\n X\n\n", &[(0, P, "X")]), "");
    }

    #[test]
    fn neighbours_never_run_together() {
        let code = BlockKind::Code { body: Span::default(), closed: true };
        assert_eq!(after("a\n~X~\nb", &[(0, P, "a"), (0, code, "~X~"), (0, P, "b")]), "a\n\nb");
        assert_eq!(after("a\n~X~\n\nb", &[(0, P, "a"), (0, code, "~X~"), (0, P, "b")]), "a\n\nb");
        let heading = BlockKind::Heading { level: 1 };
        assert_eq!(after("# a\nX\n\nb", &[(0, heading, "# a"), (0, P, "X"), (0, P, "b")]), "# a\nb");
    }

    #[test]
    fn empty_containers_go() {
        let (list, item) = (BlockKind::List { ordered: false }, BlockKind::Item);
        let text = "a\n\n- X\n- b\n- X\n\nc";
        let parts = [
            (0, P, "a"),
            (0, list, "- X\n- b\n- X"),
            (1, item, "- X"),
            (2, P, "X"),
            (1, item, "- b"),
            (2, P, "b"),
            (1, item, "- X"),
            (2, P, "X"),
            (0, P, "c"),
        ];
        assert_eq!(after(text, &parts), "a\n\n- b\n\nc");
        let text = "a\n\n- X\n\nc";
        let parts = [(0, P, "a"), (0, list, "- X"), (1, item, "- X"), (2, P, "X"), (0, P, "c")];
        assert_eq!(after(text, &parts), "a\n\nc");
    }

    #[test]
    fn what_else_a_container_holds_moves_up() {
        let quote = BlockKind::Quote;
        let text = "> X\n>\n> b\n>\n> X";
        let parts = [(0, quote, text), (1, P, "X"), (1, P, "b"), (1, P, "X")];
        assert_eq!(after(text, &parts), "> b");
        let text = "- X\n\n  b";
        let parts =
            [(0, BlockKind::List { ordered: false }, text), (1, BlockKind::Item, text), (2, P, "X"), (2, P, "b")];
        assert_eq!(after(text, &parts), "- b");
    }
}
