//! Builds the blocks and sections of a document while a reader walks through its text.

use gristmill_core::{Block, BlockKind, ROOT, Section, Span};

/// The longest title in bytes: every chunk below a heading carries it.
pub const TITLE_MAX: usize = 2000;

/// Containers within containers: deeper ones count as part of the one around them. A block's depth is a byte.
const DEEPEST: usize = 200;

/// Takes headings and blocks in the order of the text and keeps count of sections, containers and depths.
///
/// ```
/// use gristmill_core::{BlockKind, Span};
/// use gristmill_read::outline::Outline;
///
/// // "# A\n\n- one\n"
/// let mut outline = Outline::new(&[]);
/// outline.heading(1, "A", Span::new(0, 3));
/// outline.enter(BlockKind::List { ordered: false }, 5);
/// outline.enter(BlockKind::Item, 5);
/// outline.block(BlockKind::Paragraph, Span::new(7, 10));
/// outline.leave(10);
/// outline.leave(10);
/// let (blocks, sections) = outline.finish();
/// assert_eq!(blocks[3].depth, 2);
/// assert_eq!((sections[1].title.as_str(), blocks[3].section), ("A", 1));
/// ```
#[derive(Debug)]
pub struct Outline {
    blocks: Vec<Block>,
    sections: Vec<Section>,
    /// Sections that are open at this place, outermost first, without the root.
    open: Vec<u32>,
    /// Indices of the blocks that are open containers, outermost first.
    containers: Vec<usize>,
    /// Number of containers that are open within the deepest that counts.
    uncounted: usize,
}

impl Outline {
    /// Begins with the sections that an earlier window left open: level and title, outermost first ([`Input::open`]).
    ///
    /// [`Input::open`]: gristmill_core::Input::open
    pub fn new(open: &[(u8, String)]) -> Self {
        let root = Section { level: 0, title: String::new(), parent: ROOT, heading: Span::default() };
        let mut outline =
            Self { blocks: Vec::new(), sections: vec![root], open: Vec::new(), containers: Vec::new(), uncounted: 0 };
        for (level, title) in open {
            outline.open_section(*level, title.clone(), Span::default());
        }
        outline
    }

    /// A heading: opens a section under the nearest open one of a smaller level. `level` is 1 to 6, `title` plain text.
    /// Text of more than [`TITLE_MAX`] bytes that only looks like a heading is a paragraph.
    pub fn heading(&mut self, level: u8, title: impl Into<String>, span: Span) {
        let (level, title) = (level.clamp(1, 6), title.into());
        if title.len() > TITLE_MAX {
            return self.block(BlockKind::Paragraph, span);
        }
        self.open_section(level, title, span);
        self.block(BlockKind::Heading { level }, span);
    }

    fn open_section(&mut self, level: u8, title: String, heading: Span) {
        while self.open.last().is_some_and(|&inner| self.sections[inner as usize].level >= level) {
            self.open.pop();
        }
        let index = u32::try_from(self.sections.len()).unwrap_or(u32::MAX);
        self.sections.push(Section { level, title, parent: self.section(), heading });
        self.open.push(index);
    }

    /// A block without blocks in it.
    pub fn block(&mut self, kind: BlockKind, span: Span) {
        let depth = u8::try_from(self.containers.len()).unwrap_or(u8::MAX);
        self.blocks.push(Block { kind, span, section: self.section(), depth });
    }

    /// Begins a container at `start`. Blocks that follow are in it, until [`Outline::leave`]. False when it lies too deep to
    /// be one: what marks it is in no block then.
    pub fn enter(&mut self, kind: BlockKind, start: usize) -> bool {
        if self.containers.len() >= DEEPEST {
            self.uncounted += 1;
            return false;
        }
        self.block(kind, Span::new(start, start));
        self.containers.push(self.blocks.len() - 1);
        true
    }

    /// Ends the innermost container at `end`, or where the last block in it ends if that is later.
    pub fn leave(&mut self, end: usize) {
        if self.uncounted > 0 {
            self.uncounted -= 1;
            return;
        }
        let Some(index) = self.containers.pop() else { return };
        let last = self.blocks.last().map_or(0, |block| block.span.end);
        let span = &mut self.blocks[index].span;
        span.end = span.end.max(Span::new(end, end).end).max(last);
        let end = span.end;
        if let Some(&outer) = self.containers.last() {
            let span = &mut self.blocks[outer].span;
            span.end = span.end.max(end);
        }
    }

    /// The innermost open container, whose kind may become known late.
    pub fn innermost(&mut self) -> Option<&mut Block> {
        let index = self.containers.last().filter(|_| self.uncounted == 0)?;
        self.blocks.get_mut(*index)
    }

    /// Number of open containers.
    pub fn depth(&self) -> usize {
        self.containers.len() + self.uncounted
    }

    /// Index of the innermost open section.
    pub fn section(&self) -> u32 {
        self.open.last().copied().unwrap_or(ROOT)
    }

    /// The blocks and sections. Containers still open end with their last block.
    pub fn finish(mut self) -> (Vec<Block>, Vec<Section>) {
        self.uncounted = 0;
        while !self.containers.is_empty() {
            self.leave(0);
        }
        (self.blocks, self.sections)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_too_long_is_no_heading() {
        let mut outline = Outline::new(&[]);
        outline.heading(1, "x".repeat(TITLE_MAX), Span::new(0, TITLE_MAX));
        outline.heading(2, "x".repeat(TITLE_MAX + 1), Span::new(TITLE_MAX + 1, 2 * TITLE_MAX + 2));
        let (blocks, sections) = outline.finish();
        assert_eq!(sections.len(), 2);
        assert_eq!(blocks[1].kind, BlockKind::Paragraph);
    }

    fn span(start: usize) -> Span {
        Span::new(start, start + 1)
    }

    #[test]
    fn sections_nest_by_level() {
        let mut outline = Outline::new(&[]);
        outline.block(BlockKind::Paragraph, span(0));
        for (at, level) in [2, 3, 1, 3, 2].into_iter().enumerate() {
            outline.heading(level, format!("h{at}"), span(at * 2 + 2));
        }
        outline.block(BlockKind::Paragraph, span(20));
        let (blocks, sections) = outline.finish();
        let parents: Vec<u32> = sections.iter().map(|s| s.parent).collect();
        assert_eq!(parents, [0, 0, 1, 0, 3, 3]);
        let of: Vec<u32> = blocks.iter().map(|b| b.section).collect();
        assert_eq!(of, [0, 1, 2, 3, 4, 5, 5]);
    }

    #[test]
    fn sections_of_an_earlier_window_stay_open() {
        let mut outline = Outline::new(&[(1, "Book".into()), (2, "Chapter".into())]);
        outline.block(BlockKind::Paragraph, span(0));
        outline.heading(2, "Next", span(5));
        let (blocks, sections) = outline.finish();
        assert_eq!(blocks[0].section, 2);
        assert_eq!((sections[3].parent, sections[2].parent), (1, 1));
        assert!(sections[1].heading.is_empty() && sections[2].heading.is_empty());
    }

    #[test]
    fn what_is_nested_too_deep_is_part_of_what_is_around_it() {
        let mut outline = Outline::new(&[]);
        let counted = (0..300).filter(|at| outline.enter(BlockKind::Quote, *at)).count();
        assert_eq!((counted, outline.depth()), (DEEPEST, 300));
        outline.block(BlockKind::Paragraph, Span::new(300, 310));
        (0..290).for_each(|_| outline.leave(310));
        outline.block(BlockKind::Paragraph, Span::new(320, 330));
        let (blocks, _) = outline.finish();
        assert_eq!(blocks.len(), DEEPEST + 2);
        let leaves: Vec<_> = blocks[DEEPEST..].iter().map(|b| (b.depth, b.span)).collect();
        assert_eq!(leaves, [(200, Span::new(300, 310)), (10, Span::new(320, 330))]);
        assert_eq!((blocks[10].span, blocks[9].span), (Span::new(10, 310), Span::new(9, 330)));
    }

    #[test]
    fn containers_cover_what_is_in_them() {
        let mut outline = Outline::new(&[]);
        outline.enter(BlockKind::Quote, 0);
        outline.enter(BlockKind::List { ordered: true }, 2);
        outline.block(BlockKind::Paragraph, Span::new(4, 6));
        outline.leave(9);
        outline.leave(3);
        outline.block(BlockKind::Rule, Span::new(10, 13));
        let (blocks, _) = outline.finish();
        let shape: Vec<_> = blocks.iter().map(|b| (b.depth, b.span)).collect();
        assert_eq!(shape, [(0, Span::new(0, 9)), (1, Span::new(2, 9)), (2, Span::new(4, 6)), (0, Span::new(10, 13))]);
    }
}
