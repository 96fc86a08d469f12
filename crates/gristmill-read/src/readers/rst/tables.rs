//! Grid tables, simple tables and tables written as lists.

use gristmill_core::{BlockKind, Span};

use super::parser::Parser;

impl Parser<'_, '_> {
    /// Tells the table that begins at line `at`, if one does.
    pub(super) fn table(&mut self, at: usize) -> bool {
        let text = self.text(at);
        if is_grid_rule(text) {
            return self.grid_table(at);
        }
        is_simple_rule(text) && self.simple_table(at)
    }

    /// Rows end with the rule under them; the rule of `=` ends the header.
    fn grid_table(&mut self, at: usize) -> bool {
        let frame = self.frame();
        let end = (at..frame.end).find(|&line| !self.text(line).starts_with(['+', '|'])).unwrap_or(frame.end);
        let rules: Vec<usize> = (at + 1..end).filter(|&line| is_grid_rule(self.text(line))).collect();
        let Some(&last) = rules.last() else { return false };
        let header = rules.iter().copied().find(|&line| self.text(line).contains('='));
        // What follows the last rule is malformed: it stays in the last row.
        let borders = rules.iter().map(|&rule| if rule == last { end } else { rule + 1 });
        self.rows(at, header.map(|line| line + 1).filter(|after| *after < end), borders.collect());
        true
    }

    /// Rows begin at lines with text in the first column.
    fn simple_table(&mut self, at: usize) -> bool {
        let frame = self.frame();
        let border = |from: usize| (from..frame.end).find(|&line| is_simple_rule(self.lines.trimmed(line)));
        let Some(second) = border(at + 1) else { return false };
        let is_last = |line: usize| line + 1 >= frame.end || self.lines.is_blank(line + 1);
        let (header, last) = if is_last(second) {
            (None, second)
        } else {
            let Some(third) = border(second + 1) else { return false };
            (Some(second + 1), third)
        };
        let first = header.unwrap_or(at + 1);
        let begins = |line: &usize| {
            let text = self.lines.trimmed(*line);
            let spanned = text.starts_with('-') && text.bytes().all(|byte| matches!(byte, b'-' | b' '));
            !self.lines.is_blank(*line) && self.lines.indent(*line) <= frame.indent && !spanned
        };
        let mut borders: Vec<usize> = (first + 1..last).filter(begins).collect();
        borders.push(last + 1);
        self.rows(at, header, borders);
        true
    }

    /// Tells a table from line `at`: its header up to line `header`, then rows that end before `borders`.
    fn rows(&mut self, at: usize, header: Option<usize>, borders: Vec<usize>) {
        let start = self.begin(at);
        let empty = Span::new(start, start);
        let head = header.map_or(empty, |end| self.span(at, end));
        self.outline.enter(BlockKind::Table { header: head }, start);
        let mut from = header.unwrap_or(at);
        for border in borders.into_iter().filter(|border| *border > header.unwrap_or(0)) {
            let row = self.span(from, border);
            if !row.is_empty() {
                self.outline.block(BlockKind::Row, row);
            }
            from = border;
        }
        self.outline.leave(head.end as usize);
        self.go(from);
    }

    /// `.. list-table::`: each item of the outer list is a row.
    pub(super) fn list_table(&mut self, at: usize, end: usize) {
        let is_row = |line: &usize| self.lines.trimmed(*line).starts_with("* ");
        let Some(first) = (at + 1..end).find(is_row) else {
            return self.leaf(BlockKind::Html, at, self.lines.filled_end(at, end).max(at + 1));
        };
        let indent = self.lines.indent(first);
        let mut rows = (first..end).filter(is_row).filter(|&line| self.lines.indent(line) == indent);
        let heads = (at + 1..first).find_map(|line| self.lines.trimmed(line).strip_prefix(":header-rows:"));
        let heads: usize = heads.and_then(|count| count.trim().parse().ok()).unwrap_or(0);
        let header = if heads > 0 { rows.nth(heads) } else { None };
        let mut borders: Vec<usize> = rows.skip(usize::from(header.is_none())).collect();
        borders.push(end);
        self.rows(at, header, borders);
    }
}

/// `+----+===+`.
fn is_grid_rule(text: &str) -> bool {
    text.len() >= 3
        && text.starts_with('+')
        && text.ends_with('+')
        && text.bytes().all(|byte| matches!(byte, b'+' | b'-' | b'='))
}

/// `====  ====`.
fn is_simple_rule(text: &str) -> bool {
    text.starts_with('=') && text.contains(' ') && text.bytes().all(|byte| matches!(byte, b'=' | b' '))
}
