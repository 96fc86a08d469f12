//! The walk over the lines. Open blocks and lists are on a stack: depth costs no recursion.

use gristmill_core::{Attrs, BlockKind, Span};

use super::lists::{self, Marker};
use super::{header, inline, line, titles};
use crate::lines::Lines;
use crate::outline::Outline;

/// Tells the outline the blocks of a whole text; gives what its header declares. Only the first window has a header.
pub(super) fn parse(lines: &Lines<'_>, has_header: bool, outline: &mut Outline) -> Attrs {
    let (attrs, mut at) = if has_header { header::read(lines, outline) } else { (Attrs::new(), 0) };
    let mut parser = Parser { lines, outline, open: Vec::new(), pending: None, attached: false };
    let mut after_blank = false;
    while at < lines.len() {
        if lines.is_blank(at) {
            after_blank = true;
            at += 1;
            continue;
        }
        at = parser.block(at, after_blank);
        after_blank = false;
    }
    parser.flush();
    parser.close(0, 0);
    attrs
}

/// Blocks within one another; what is deeper is not taken apart.
const DEEPEST: usize = 32;

pub(super) struct Parser<'a, 't> {
    pub(super) lines: &'a Lines<'t>,
    pub(super) outline: &'a mut Outline,
    open: Vec<Open<'t>>,
    /// Attribute lines and titles that wait for their block: the first and the line after the last.
    pending: Option<(usize, usize)>,
    /// A line `+` says that the next block belongs to the list item.
    attached: bool,
}

/// What is open.
enum Open<'t> {
    /// A block that ends with this line.
    Block {
        mark: &'t str,
        /// Its least end.
        tail: usize,
    },
    /// A list with an item in it.
    List {
        marker: Marker,
        /// The least end of the item.
        tail: usize,
        /// The item is a term that waits for its text.
        bare: bool,
    },
}

impl<'t> Parser<'_, 't> {
    /// Takes what begins at line `at`; gives the line after it.
    fn block(&mut self, at: usize, after_blank: bool) -> usize {
        let line = self.lines.get(at).trim_end();
        if let Some(depth) =
            self.open.iter().rposition(|open| matches!(open, Open::Block { mark, .. } if *mark == line))
        {
            self.flush();
            self.close(depth, self.lines.visible(at, at + 1).end as usize);
            return at + 1;
        }
        if self.in_list() && line == "+" {
            self.attached = true;
            return at + 1;
        }
        if line::is_comment(line) {
            return self.comment(at);
        }
        let attached = std::mem::take(&mut self.attached);
        let item = lists::item(line).filter(|_| !line::is_block_macro(line));
        let goes_on = after_blank && self.lines.indent(at) > 0;
        if !attached && item.is_none() && !goes_on {
            self.close_lists();
        }
        if item.is_none() && (line::is_attributes(line) || line::is_block_title(line)) {
            self.wait(at);
            self.attached = attached;
            return at + 1;
        }
        if item.is_none()
            && let Some(next) = self.heading(at)
        {
            return next;
        }
        match line::delimiter(line) {
            Some((kind, mark)) => self.delimited(at, kind, mark),
            None if self.is_single(line) => self.single(at, line),
            None => match item {
                Some((marker, width)) => self.item(at, marker, width),
                None => self.prose(at),
            },
        }
    }

    /// Adds a line to the attribute lines that wait.
    fn wait(&mut self, at: usize) {
        let from = self.pending.map_or(at, |(from, _)| from);
        self.pending = Some((from, at + 1));
    }

    fn comment(&mut self, at: usize) -> usize {
        if self.pending.is_some() {
            self.wait(at);
            return at + 1;
        }
        self.leaf(BlockKind::Html, at, at + 1)
    }

    fn is_single(&self, line: &str) -> bool {
        line::is_rule(line) || line::is_block_macro(line) || line::attribute(line).is_some()
    }

    /// Blocks of one line: breaks, macros, attributes.
    fn single(&mut self, at: usize, line: &str) -> usize {
        self.flush();
        self.leaf(if line::is_rule(line) { BlockKind::Rule } else { BlockKind::Html }, at, at + 1)
    }

    pub(super) fn leaf(&mut self, kind: BlockKind, from: usize, to: usize) -> usize {
        let span = self.lines.visible(from, to);
        self.outline.block(kind, span);
        to
    }

    fn heading(&mut self, at: usize) -> Option<usize> {
        if self.open.iter().any(|open| matches!(open, Open::Block { .. })) {
            return None;
        }
        let title = titles::title_at(self.lines, at)?;
        self.close_lists();
        self.flush();
        let end = at + title.lines;
        self.outline.heading(title.level, inline::plain(title.text), self.lines.visible(at, end));
        Some(end)
    }

    fn item(&mut self, at: usize, marker: Marker, width: usize) -> usize {
        self.flush();
        let block = self.open.iter().rposition(|open| matches!(open, Open::Block { .. })).map_or(0, |at| at + 1);
        let same = |open: &Open<'_>| matches!(open, Open::List { marker: other, .. } if *other == marker);
        let mut depth = self.open[block..].iter().rposition(same).map(|at| at + block);
        if depth.is_none() && self.open.len() >= DEEPEST && self.in_list() {
            depth = Some(self.open.len() - 1);
        }
        let start = self.lines.content(at);
        match depth {
            Some(depth) => {
                self.close(depth + 1, 0);
                self.leave_item();
            }
            None => {
                self.outline.enter(BlockKind::List { ordered: marker.is_ordered() }, start);
                self.open.push(Open::List { marker, tail: 0, bare: false });
            }
        }
        self.outline.enter(BlockKind::Item, start);
        let end = self.prose_end(at + 1);
        let text = Span::new(self.lines.start(at) + width, self.lines.end(end - 1)).trimmed(self.lines.whole());
        self.outline.block(BlockKind::Paragraph, text);
        let is_bare = matches!(marker, Marker::Term(..)) && self.lines.trimmed(end - 1).ends_with([':', ';']);
        if let Some(Open::List { tail, bare, .. }) = self.open.last_mut() {
            (*tail, *bare) = (text.end as usize, is_bare);
        }
        end
    }

    fn leave_item(&mut self) {
        if let Some(Open::List { tail, .. }) = self.open.last() {
            self.outline.leave(*tail);
        }
    }

    pub(super) fn in_list(&self) -> bool {
        matches!(self.open.last(), Some(Open::List { .. }))
    }

    /// The item at hand is a term that waits for its text.
    pub(super) fn takes_text(&mut self) -> bool {
        match self.open.last_mut() {
            Some(Open::List { bare, .. }) => std::mem::take(bare),
            _ => false,
        }
    }

    /// True when another block can be opened.
    pub(super) fn has_room(&self) -> bool {
        self.open.len() < DEEPEST
    }

    /// Opens a block that ends with the line `mark`, at byte `tail` at the least.
    pub(super) fn push(&mut self, mark: &'t str, tail: usize) {
        self.open.push(Open::Block { mark, tail });
    }

    /// Ends all but the outer `keep`; the outermost of them ends at `end`.
    fn close(&mut self, keep: usize, end: usize) {
        while self.open.len() > keep {
            let outermost = self.open.len() == keep + 1;
            match self.open.pop() {
                Some(Open::List { tail, .. }) => {
                    self.outline.leave(tail);
                    self.outline.leave(tail);
                }
                Some(Open::Block { tail, .. }) => self.outline.leave(if outermost { end.max(tail) } else { tail }),
                None => {}
            }
        }
    }

    fn close_lists(&mut self) {
        let keep = self.open.iter().rposition(|open| matches!(open, Open::Block { .. })).map_or(0, |at| at + 1);
        self.close(keep, 0);
    }

    /// The attribute lines that wait for their block.
    pub(super) fn pending(&self) -> Option<(usize, usize)> {
        self.pending
    }

    /// The attribute lines that wait, taken for the block that begins now.
    pub(super) fn take_pending(&mut self) -> Option<(usize, usize)> {
        self.pending.take()
    }

    /// Tells the attribute lines that wait as blocks of their own.
    pub(super) fn flush(&mut self) {
        let Some((from, to)) = self.pending.take() else { return };
        for at in (from..to).filter(|&at| !self.lines.is_blank(at)) {
            let is_title = line::is_block_title(self.lines.get(at).trim_end());
            self.leaf(if is_title { BlockKind::Paragraph } else { BlockKind::Html }, at, at + 1);
        }
    }

    /// The end of the prose that goes on at line `from`.
    pub(super) fn prose_end(&self, from: usize) -> usize {
        let in_list = self.in_list();
        let ends = |at: usize| {
            let line = self.lines.get(at).trim_end();
            self.lines.is_blank(at)
                || line::delimiter(line).is_some()
                || line::is_attributes(line)
                || line::is_comment(line)
                || (in_list && (line == "+" || lists::item(line).is_some()))
        };
        (from..self.lines.len()).find(|&at| ends(at)).unwrap_or(self.lines.len())
    }
}
