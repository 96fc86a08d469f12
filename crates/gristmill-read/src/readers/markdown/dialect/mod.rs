//! What documentation sites add to Markdown, found by lines before the parser reads them.
//!
//! Each such line, or run of lines, becomes a [`Mark`], and a [`Patch`](view::Patch) for the parser puts `<?>` in its place: a
//! processing instruction, which CommonMark takes as a block of its own on one line, and which ends a paragraph, a lazy
//! line and a list item it is not indented for. So the parser itself says in which container the mark stands.
//! Indentation that means nothing in the dialect is taken off for the parser in the same way.
//!
//! A mark that the parser never shows (because it sees code there) is text like any other.

mod bodies;
mod continued;
mod html;
mod lines;
mod math;
mod pairs;
mod recognise;
mod scanner;
mod tag;
mod view;

use gristmill_core::{BlockKind, Span};

pub(super) use view::View;

/// A line or run of lines of the dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Its text. Empty for the end of a container that ends with its indentation.
    pub(super) span: Span,
    /// True when the parser knows it for an HTML block, and where it ends.
    native: bool,
    /// What it is.
    pub(super) kind: MarkKind,
}

/// What a mark does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// It is a block.
    Leaf(BlockKind),
    /// It opens a container, if a mark closes it.
    Open { paired: bool },
    /// It closes the container that the mark of this index opened.
    Close(Option<usize>),
}

/// The text for the parser, and what to make of it.
#[derive(Debug)]
pub(super) struct Dialect<'t> {
    pub(super) view: View<'t>,
    /// In order of the text.
    pub(super) marks: Vec<Mark>,
}

/// Finds the dialect of `text`. In MDX, indentation makes no code.
pub(super) fn dialect(text: &str, mdx: bool) -> Dialect<'_> {
    let (patches, marks) = scanner::Scanner::new(text, mdx).scan();
    Dialect { view: View::new(text, &patches), marks }
}

impl Dialect<'_> {
    /// The mark behind the HTML block that begins at this place of the view, with its index. The block's own range of
    /// the text is `native`.
    pub(super) fn mark(&self, seen: usize, native: Span) -> Option<(usize, Mark)> {
        if let Some(index) = self.view.mark(seen) {
            return self.marks.get(index).map(|mark| (index, *mark));
        }
        let after = self.marks.partition_point(|mark| mark.span.start < native.start);
        let mark = self.marks.get(after).filter(|mark| mark.native && mark.span.start == native.start)?;
        Some((after, Mark { span: native, ..*mark }))
    }
}
