//! The edits inside one block of running text.

use std::borrow::Cow;

use gristmill_core::{BlockKind, Edit, EditKind, OffsetMap, Span};
use regex::Regex;

use super::blanks::{self, Area};
use super::compose::compose;
use super::{Cleaner, Dropped, Unicode, images, unicode, urls};

/// A block's text after some rounds of edits.
pub(super) struct Rewritten<'t> {
    pub(super) text: Cow<'t, str>,
    /// In positions of the block's own text.
    pub(super) edits: Vec<Edit>,
    map: OffsetMap,
}

impl<'t> Rewritten<'t> {
    fn new(text: &'t str) -> Self {
        Self { text: Cow::Borrowed(text), edits: Vec::new(), map: OffsetMap::default() }
    }

    fn push(&mut self, round: Vec<Edit>) {
        if round.is_empty() {
            return;
        }
        let (text, map) = OffsetMap::apply(&self.text, &round);
        self.edits = compose(std::mem::take(&mut self.edits), &self.map, &self.text, round);
        self.map = map.then(&self.map);
        self.text = Cow::Owned(text);
    }

    /// True when the edits have left nothing but white space and quote marks.
    pub(super) fn is_empty(&self) -> bool {
        !self.edits.is_empty() && self.text.chars().all(|c| c.is_whitespace() || c == '>')
    }
}

/// Which rounds a kind of block takes part in.
fn is_prose(kind: BlockKind) -> bool {
    matches!(kind, BlockKind::Paragraph | BlockKind::Turn)
}

fn is_text(kind: BlockKind) -> bool {
    is_prose(kind) || matches!(kind, BlockKind::Row | BlockKind::Line | BlockKind::Definition)
}

impl Cleaner {
    /// Rewrites the text of one leaf block. Later rounds see what earlier ones have made, so that one cleaning is enough.
    pub(super) fn rewrite<'t>(&self, kind: BlockKind, text: &'t str, area: Area) -> Rewritten<'t> {
        let mut leaf = Rewritten::new(text);
        if self.options.unicode != Unicode::None && is_text(kind) {
            leaf.push(unicode::find(&leaf.text, self.options.unicode));
        }
        if is_text(kind) || kind == BlockKind::Html {
            for pattern in &self.patterns {
                leaf.push(matches(pattern, &leaf.text, kind));
            }
        }
        if self.options.drop.contains(&Dropped::Images) && (is_prose(kind) || kind == BlockKind::Row) {
            leaf.push(images::find(&leaf.text));
        }
        if let Some(limit) = self.options.long_urls.filter(|_| is_text(kind)) {
            leaf.push(urls::find(&leaf.text, limit));
        }
        if kind == BlockKind::Paragraph && !leaf.edits.is_empty() {
            leaf.push(emptied_lines(&leaf.text));
        }
        if self.options.blanks && is_prose(kind) {
            let mut found = Vec::new();
            blanks::find(&leaf.text, 0..leaf.text.len(), area, &mut found);
            leaf.push(found);
        }
        leaf
    }
}

/// What the pattern matches. A table row keeps its cells and its line.
fn matches(pattern: &Regex, text: &str, kind: BlockKind) -> Vec<Edit> {
    let whole = |part: &str| kind != BlockKind::Row || !part.contains(['|', '\n']);
    pattern
        .find_iter(text)
        .filter(|found| !found.is_empty() && whole(found.as_str()))
        .map(|found| Edit { kind: EditKind::Pattern, at: Span::from(found.range()), with: String::new() })
        .collect()
}

/// Lines of a paragraph of which an edit has left nothing: a blank line would end the paragraph.
fn emptied_lines(text: &str) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = Span::new(start, start + line.len());
        start += line.len();
        if line.trim_matches([' ', '\t', '>', '\n']).is_empty() {
            match edits.last_mut() {
                Some(Edit { at, .. }) if at.end == range.start => at.end = range.end,
                _ => edits.push(Edit { kind: EditKind::Blanks, at: range, with: String::new() }),
            }
        }
    }
    with_last_line_end(text, edits)
}

/// A paragraph ends without a line end: when its last lines go, so does the line end before them.
fn with_last_line_end(text: &str, mut edits: Vec<Edit>) -> Vec<Edit> {
    let end = Span::new(0, text.len()).end;
    match edits.last_mut() {
        Some(Edit { at, .. }) if at.end == end => at.start = at.start.saturating_sub(1),
        _ if text.ends_with('\n') => {
            let at = Span::new(text.len() - 1, text.len());
            edits.push(Edit { kind: EditKind::Blanks, at, with: String::new() });
        }
        _ => {}
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emptied_lines_do_not_end_a_paragraph() {
        let after = |text: &str| OffsetMap::apply(text, &emptied_lines(text)).0;
        assert_eq!(after("a\n \nb"), "a\nb");
        assert_eq!(after("a\n> \n>\n> b\n> "), "a\n> b");
        assert_eq!(after(" \n\nb\n"), "b");
        assert_eq!(after("a  \n>  \n> "), "a  ");
        assert_eq!(after("a\nb"), "a\nb");
    }
}
