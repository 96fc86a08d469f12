//! Delimited blocks, and paragraphs with a style.

use gristmill_core::{BlockKind, Span};

use super::line::{self, ADMONITIONS, Delimited};
use super::parser::Parser;
use super::table;

impl<'t> Parser<'_, 't> {
    /// A block that begins with a delimiter line at `at`.
    pub(super) fn delimited(&mut self, at: usize, kind: Delimited, mark: &'t str) -> usize {
        let style = self.style();
        match kind {
            Delimited::Example if mark == "--" && matches!(style, Some("source" | "listing")) => {
                self.verbatim(at, mark)
            }
            Delimited::Example | Delimited::Quote if !self.has_room() => {
                self.flush();
                self.leaf(BlockKind::Html, at, at + 1)
            }
            Delimited::Example => self.container(BlockKind::Admonition, at, mark),
            Delimited::Quote => self.container(BlockKind::Quote, at, mark),
            Delimited::Verbatim => self.verbatim(at, mark),
            Delimited::Passthrough if is_formula(style) => self.opaque(BlockKind::Math, at, mark),
            Delimited::Passthrough | Delimited::Comment => self.opaque(BlockKind::Html, at, mark),
            Delimited::Table => self.table(at, mark),
        }
    }

    /// The style that the waiting attribute lines give: `source` of `[source%linenums,ruby]`.
    fn style(&self) -> Option<&'t str> {
        let (from, to) = self.pending()?;
        (from..to).rev().find_map(|at| {
            let inner = self.lines.trimmed(at).strip_prefix('[')?.strip_suffix(']')?;
            if inner.starts_with('[') {
                return None;
            }
            // `[,ruby]` is short for `[source,ruby]`.
            if inner.starts_with(',') {
                return Some("source");
            }
            let style = inner.split([',', '%', '#', '.']).next()?.trim().trim_matches('"');
            (!style.is_empty() && !style.contains('=')).then_some(style)
        })
    }

    /// The byte at which the block at line `at` begins, with the attribute lines before it.
    fn start(&mut self, at: usize) -> usize {
        let from = self.take_pending().map_or(at, |(from, _)| from);
        self.lines.content(from)
    }

    /// The line that closes a block opened before line `from`, else one past the last line.
    fn closing(&self, from: usize, mark: &str) -> usize {
        (from..self.lines.len()).find(|&at| self.lines.get(at).trim_end() == mark).unwrap_or(self.lines.len())
    }

    /// From byte `start` to the last visible character up to the closing line, that line included.
    fn whole(&self, start: usize, at: usize, close: usize) -> Span {
        let end = (close + 1).min(self.lines.len()).max(at + 1);
        Span::new(start, self.lines.end(end - 1)).trimmed(self.lines.whole())
    }

    fn verbatim(&mut self, at: usize, mark: &str) -> usize {
        let close = self.closing(at + 1, mark);
        let closed = close < self.lines.len();
        let start = self.start(at);
        let span = self.whole(start, at, close);
        let end = if closed { Span::new(self.lines.start(close), self.lines.start(close)).start } else { span.end };
        let first = self.lines.start(at + 1).min(end as usize);
        self.outline.block(BlockKind::Code { body: Span::new(first, end as usize), closed }, span);
        close + 1
    }

    fn opaque(&mut self, kind: BlockKind, at: usize, mark: &str) -> usize {
        let close = self.closing(at + 1, mark);
        let start = self.start(at);
        let span = self.whole(start, at, close);
        self.outline.block(kind, span);
        close + 1
    }

    fn container(&mut self, kind: BlockKind, at: usize, mark: &'t str) -> usize {
        self.enter(kind, at);
        self.push(mark, self.lines.visible(at, at + 1).end as usize);
        at + 1
    }

    /// Goes into a container that begins with the waiting attribute lines; a title among them is its first block.
    fn enter(&mut self, kind: BlockKind, at: usize) {
        let (from, to) = self.take_pending().unwrap_or((at, at));
        self.outline.enter(kind, self.lines.content(from));
        for title in (from..to).filter(|&at| line::is_block_title(self.lines.get(at).trim_end())) {
            self.leaf(BlockKind::Paragraph, title, title + 1);
        }
    }

    fn table(&mut self, at: usize, mark: &str) -> usize {
        let close = self.closing(at + 1, mark);
        let pending = self.take_pending();
        let from = pending.map_or(at, |(from, _)| from);
        let attributes = &self.lines.whole()[self.lines.start(from)..self.lines.start(at)];
        let sign = mark.chars().next().filter(|sign| matches!(sign, '|' | '!'));
        let rows = table::rows(self.lines, at + 1, close, attributes, sign);
        let start = self.lines.content(from);
        let span = self.whole(start, at, close);
        if rows.begins.is_empty() {
            self.outline.block(BlockKind::Html, span);
            return close + 1;
        }
        let head_end = rows.header.map_or(start, |line| self.lines.visible(at, line).end as usize);
        self.outline.enter(BlockKind::Table { header: Span::new(start, head_end) }, start);
        for (index, begin) in rows.begins.iter().enumerate() {
            let begin = if index == 0 && rows.header.is_none() { start } else { self.lines.content(*begin) };
            let end = match rows.begins.get(index + 1) {
                Some(next) => self.lines.end(next - 1),
                None => span.end as usize,
            };
            self.outline.block(BlockKind::Row, Span::new(begin, end).trimmed(self.lines.whole()));
        }
        self.outline.leave(span.end as usize);
        close + 1
    }

    /// A paragraph, by its style or first word an admonition, a quote, code or a formula.
    pub(super) fn prose(&mut self, at: usize) -> usize {
        let style = self.style();
        let end = self.prose_end(at).max(at + 1);
        let marked = line::admonition(self.lines.trimmed(at));
        match style {
            Some("source" | "listing" | "literal") => return self.code(at, end),
            Some(style) if ADMONITIONS.contains(&style) => self.held(BlockKind::Admonition, at, 0, end),
            Some("quote" | "verse") => self.held(BlockKind::Quote, at, 0, end),
            _ if is_formula(style) => {
                let start = self.start(at);
                let span = self.whole(start, at, end - 1);
                self.outline.block(BlockKind::Math, span);
            }
            _ if self.lines.indent(at) > 0 && !self.takes_text() => return self.code(at, end),
            _ => {
                self.flush();
                match marked {
                    Some(width) => self.held(BlockKind::Admonition, at, width, end),
                    None => {
                        self.leaf(BlockKind::Paragraph, at, end);
                    }
                }
            }
        }
        end
    }

    /// A container of one paragraph, whose text begins `width` bytes into the line.
    fn held(&mut self, kind: BlockKind, at: usize, width: usize, end: usize) {
        self.enter(kind, at);
        let span = Span::new(self.lines.content(at) + width, self.lines.end(end - 1)).trimmed(self.lines.whole());
        self.outline.block(BlockKind::Paragraph, span);
        self.outline.leave(span.end as usize);
    }

    /// Lines that are code without delimiters.
    fn code(&mut self, at: usize, end: usize) -> usize {
        let waiting = self.take_pending();
        let visible = self.lines.visible(at, end);
        let body = Span { end: visible.end, ..self.lines.span(at, end) };
        let start = waiting.map_or(body.start as usize, |(from, _)| self.lines.content(from));
        self.outline.block(BlockKind::Code { body, closed: true }, Span::new(start, body.end as usize));
        end
    }
}

fn is_formula(style: Option<&str>) -> bool {
    matches!(style, Some("stem" | "latexmath" | "asciimath"))
}
