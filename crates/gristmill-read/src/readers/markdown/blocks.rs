//! From the parser's events to blocks and sections.

use std::ops::Range;

use gristmill_core::{Block, BlockKind, Section, Span};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::containers::{Frame, marker_len};
use super::dialect::{Dialect, MarkKind, dialect};
use super::title::Title;
use crate::outline::Outline;

/// What a Markdown text consists of.
pub(super) struct Found {
    pub(super) blocks: Vec<Block>,
    pub(super) sections: Vec<Section>,
    /// Where fences begin that are never closed.
    pub(super) unclosed: Vec<u32>,
}

/// Finds the blocks of `text`. `open` are the sections of an earlier window.
pub(super) fn blocks(text: &str, mdx: bool, open: &[(u8, String)]) -> Found {
    let dialect = dialect(text, mdx);
    let mut builder = Builder {
        text,
        dialect: &dialect,
        opened: vec![0; dialect.marks.len()],
        outline: Outline::new(open),
        frames: Vec::new(),
        covered: 0,
        inside: Inside::Nothing,
        unclosed: Vec::new(),
    };
    for (event, at) in Parser::new_ext(&dialect.view.seen, options()).into_offset_iter() {
        builder.take(event, at);
    }
    builder.finish()
}

/// Attributes of headings are left to [`Title`]: the parser takes `{id}` in `GET /users/{id}` for one.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
}

/// What the events at hand belong to.
enum Inside<'t> {
    Nothing,
    /// A block whose inner events tell nothing.
    Leaf,
    /// Words of a list item without a paragraph of its own: where they begin and end in the parsed text.
    Words(Range<usize>),
    Heading(Title<'t>),
    /// A code block; `end` is where its last line ends in the parsed text.
    Code {
        fenced: bool,
        end: Option<usize>,
    },
}

pub(super) struct Builder<'t> {
    pub(super) text: &'t str,
    pub(super) dialect: &'t Dialect<'t>,
    /// For each mark, one more than the index of the open frame that it began; 0 for none.
    pub(super) opened: Vec<usize>,
    pub(super) outline: Outline,
    pub(super) frames: Vec<Frame>,
    /// Everything before this position is in a block or is a container's mark.
    pub(super) covered: usize,
    inside: Inside<'t>,
    pub(super) unclosed: Vec<u32>,
}

impl<'t> Builder<'t> {
    fn take(&mut self, event: Event<'t>, at: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, at),
            Event::End(tag) => self.end(tag, at),
            Event::Rule => {
                self.end_words();
                let span = self.span(&at);
                self.leaf(BlockKind::Rule, span);
            }
            event => self.inline(&event, at),
        }
    }

    fn start(&mut self, tag: &Tag<'t>, at: Range<usize>) {
        if is_inline(tag) {
            return self.words(at);
        }
        self.end_words();
        match tag {
            Tag::BlockQuote(kind) => self.quote(*kind, &at),
            Tag::List(first) => {
                let start = self.marker(at.start);
                self.enter(BlockKind::List { ordered: first.is_some() }, start, start);
            }
            Tag::Item => {
                let start = self.marker(at.start);
                self.enter(BlockKind::Item, start, start + marker_len(&self.text[start..]));
            }
            Tag::FootnoteDefinition(_) => {
                let start = self.marker(at.start);
                let label = self.text[start..].find("]:").map_or(0, |len| len + 2);
                self.enter(BlockKind::Footnote, start, start + label);
            }
            Tag::Table(_) => self.table(&at),
            Tag::Heading { .. } => self.inside = Inside::Heading(Title::new(&self.dialect.view.seen, at)),
            Tag::CodeBlock(kind) => self.inside = Inside::Code { fenced: kind.is_fenced(), end: None },
            _ => self.inside = Inside::Leaf,
        }
    }

    fn end(&mut self, tag: TagEnd, at: Range<usize>) {
        match tag {
            TagEnd::Paragraph => self.end_leaf(BlockKind::Paragraph, &at),
            TagEnd::TableRow => self.end_leaf(BlockKind::Row, &at),
            TagEnd::Heading(level) => self.end_heading(level as u8, &at),
            TagEnd::CodeBlock => self.end_code(&at),
            TagEnd::HtmlBlock => self.end_html(&at),
            TagEnd::TableHead => self.inside = Inside::Nothing,
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::FootnoteDefinition | TagEnd::Table => {
                self.end_words();
                self.leave_native(&at);
            }
            _ => {}
        }
    }

    fn inline(&mut self, event: &Event<'_>, at: Range<usize>) {
        match &mut self.inside {
            Inside::Heading(title) => title.take(event, at),
            Inside::Code { end, .. } => *end = Some(at.end),
            Inside::Leaf => {
                // A task's box lies before its paragraph.
                if matches!(event, Event::TaskListMarker(_)) {
                    self.inside = Inside::Words(at);
                }
            }
            Inside::Nothing | Inside::Words(_) => self.words(at),
        }
    }

    /// Words in an item without a paragraph around them.
    fn words(&mut self, at: Range<usize>) {
        match &mut self.inside {
            Inside::Nothing => self.inside = Inside::Words(at),
            Inside::Words(words) => words.end = words.end.max(at.end),
            _ => {}
        }
    }

    fn end_words(&mut self) {
        if let Inside::Words(words) = std::mem::replace(&mut self.inside, Inside::Nothing) {
            let span = self.span(&words);
            let start = self.escaped_start(span.start as usize);
            self.leaf(BlockKind::Paragraph, Span::new(start, span.end as usize));
        }
    }

    fn end_leaf(&mut self, kind: BlockKind, at: &Range<usize>) {
        let from = match std::mem::replace(&mut self.inside, Inside::Nothing) {
            Inside::Words(words) => words.start.min(at.start),
            _ => at.start,
        };
        let span = self.span(&(from..at.end));
        self.leaf(kind, span);
    }

    /// A heading opens a section, except in lists, quotes and footnotes, where it is prose.
    fn end_heading(&mut self, level: u8, at: &Range<usize>) {
        let Inside::Heading(title) = std::mem::replace(&mut self.inside, Inside::Nothing) else { return };
        let span = self.span(at);
        if self.natives() > 0 {
            return self.leaf(BlockKind::Paragraph, span);
        }
        self.cover(span.start as usize);
        self.outline.heading(level, title.finish(), span);
        self.covered = span.end as usize;
    }

    fn end_code(&mut self, at: &Range<usize>) {
        let Inside::Code { fenced, end } = std::mem::replace(&mut self.inside, Inside::Nothing) else { return };
        let span = self.span(at);
        if !fenced {
            let body = Span { start: self.indented_start(span.start), ..span };
            return self.leaf(BlockKind::Code { body, closed: true }, body);
        }
        let block = &self.text[span.range()];
        let first = block.find('\n').map_or(block.len(), |at| at + 1);
        let after = end.map_or(span.start as usize + first, |end| self.position(end)).min(span.end as usize);
        let closed = block.len() > first
            && self.text[after..span.end as usize].trim_start_matches([' ', '\t', '>', '\n']).starts_with(['`', '~']);
        let last = if closed { block.rfind('\n').map_or(block.len(), |at| at + 1) } else { block.len() };
        let start = span.start as usize;
        let body = Span::new(start + first.min(last), start + last);
        if !closed {
            self.unclosed.push(span.start);
        }
        self.leaf(BlockKind::Code { body, closed }, span);
    }

    fn end_html(&mut self, at: &Range<usize>) {
        self.inside = Inside::Nothing;
        let native = self.span(at);
        let Some((index, mark)) = self.dialect.mark(at.start, native) else {
            return self.leaf(BlockKind::Html, native);
        };
        let span = mark.span;
        match mark.kind {
            MarkKind::Leaf(kind) => self.leaf(kind, span),
            MarkKind::Open { paired } => {
                if paired {
                    self.open(index, span.start as usize);
                }
                self.leaf(BlockKind::Html, span);
            }
            MarkKind::Close(opener) => {
                if !span.is_empty() {
                    self.leaf(BlockKind::Html, span);
                }
                self.close(opener);
            }
        }
    }
}

/// True for tags within a line of words, and for table cells, which lie within a row.
fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. }
            | Tag::TableCell
    )
}
