//! One group of lines after the other: a heading, a rule, a list or paragraphs.

use gristmill_core::{BlockKind, Span};

use super::{headings, lists};
use crate::lines::Lines;
use crate::outline::Outline;

/// Walks over ranges of lines of one text.
pub(crate) struct Walk<'a, 't> {
    lines: &'a Lines<'t>,
    /// False for texts in capitals, where capitals do not make a heading.
    mixed_case: bool,
}

/// Lines wider than this are not hard-wrapped prose: each is a paragraph of its own.
const WRAPPED: usize = 120;

impl<'a, 't> Walk<'a, 't> {
    pub(crate) fn new(lines: &'a Lines<'t>) -> Self {
        Self { lines, mixed_case: headings::is_mixed_case(lines.whole()) }
    }

    /// Lines `from` up to `to`, with their headings.
    pub(crate) fn range(&self, from: usize, to: usize, outline: &mut Outline) {
        let mut at = self.lines.next_filled(from, to);
        while at < to {
            at =
                if self.heading(at, to, outline) { self.lines.next_blank(at, to) } else { self.group(at, to, outline) };
            at = self.lines.next_filled(at, to);
        }
    }

    /// Tells the heading that the group of lines at `at` is, if it is one.
    fn heading(&self, at: usize, to: usize, outline: &mut Outline) -> bool {
        let end = self.group_end(at, to);
        let Some(heading) = headings::of_group(self.lines, at, end, self.mixed_case) else { return false };
        outline.heading(heading.level, heading.title, self.lines.visible(at, end));
        true
    }

    /// True when the group of lines at `at` is a heading.
    pub(crate) fn is_heading(&self, at: usize, to: usize) -> bool {
        headings::of_group(self.lines, at, self.group_end(at, to), self.mixed_case).is_some()
    }

    /// The end of the group at `at`, as far as headings go.
    fn group_end(&self, at: usize, to: usize) -> usize {
        self.lines.next_blank(at, to.min(at + headings::MAX_LINES + 1))
    }

    /// Tells the blocks of the group of lines that begins at `at`, and of a list that goes on after it. Gives the line
    /// after them.
    pub(crate) fn group(&self, at: usize, to: usize, outline: &mut Outline) -> usize {
        let end = self.lines.next_blank(at, to);
        if end == at + 1 && is_rule(self.lines.trimmed(at)) {
            outline.block(BlockKind::Rule, self.lines.visible(at, end));
            return end;
        }
        match lists::first_item(self.lines, at, end) {
            Some(first) => {
                self.paragraphs(at, first, outline);
                lists::walk(self.lines, first, to, outline)
            }
            None => {
                self.paragraphs(at, end, outline);
                end
            }
        }
    }

    fn paragraphs(&self, from: usize, to: usize, outline: &mut Outline) {
        let unwrapped = (from..to).any(|at| is_wide(self.lines.get(at)));
        let mut start = from;
        for next in from + 1..=to {
            if next == to || unwrapped || self.lines.get(next).starts_with('\u{3000}') {
                self.paragraph(start, next, outline);
                start = next;
            }
        }
    }

    fn paragraph(&self, from: usize, to: usize, outline: &mut Outline) {
        let span: Span = self.lines.visible(from, to);
        outline.block(BlockKind::Paragraph, span);
    }
}

/// A line of nothing but `-`, `=`, `*`, `_`, `~`, `#` or `+`, three and more of one, perhaps with blanks between.
fn is_rule(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| *c != ' ');
    let Some(first) = marks.next() else { return false };
    matches!(first, '-' | '=' | '*' | '_' | '~' | '#' | '+') && line.len() >= 3 && {
        let mut count = 1;
        marks.all(|c| {
            count += 1;
            c == first
        }) && count >= 3
    }
}

/// Wider than wrapped prose, and not just one long word such as a URL.
fn is_wide(line: &str) -> bool {
    line.len() > WRAPPED
        && columns(line, WRAPPED + 1) > WRAPPED
        && (line.split_whitespace().nth(8).is_some() || line.chars().filter(|c| is_wide_char(*c)).nth(30).is_some())
}

/// Columns a line takes, counted up to `limit`.
pub(super) fn columns(line: &str, limit: usize) -> usize {
    let mut sum = 0;
    for c in line.chars() {
        sum += if is_wide_char(c) { 2 } else { 1 };
        if sum >= limit {
            break;
        }
    }
    sum
}

/// Characters of East Asian scripts, which take two columns.
fn is_wide_char(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}')
        || matches!(c, '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3fffd}')
}
