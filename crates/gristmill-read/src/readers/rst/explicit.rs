//! Explicit markup: directives, comments, footnotes, targets and substitutions.

use gristmill_core::BlockKind;

use super::directives::{Shape, shape};
use super::fields;
use super::parser::{First, Parser};

/// Name of the directive in the text after `.. `, and the bytes up to its argument.
pub(super) fn directive(text: &str) -> Option<(&str, usize)> {
    let end = text.find("::")?;
    let name = &text[..end];
    let after = &text[end + 2..];
    let named = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b':' | b'.'));
    (named && (after.is_empty() || after.starts_with([' ', '\t'])))
        .then(|| (name, text.len() - after.trim_start().len()))
}

/// Bytes of the label of a footnote or citation: `[1]`, `[#name]`, `[*]`, `[CIT2002]`.
fn label(text: &str) -> Option<usize> {
    let end = text.strip_prefix('[')?.find(']')? + 1;
    let named = text[1..end].chars().all(|c| c.is_alphanumeric() || "#*-_.:".contains(c));
    (named && end > 1 && !text[end + 1..].starts_with(|c: char| !c.is_whitespace())).then_some(end + 1)
}

/// A directive on the way.
#[derive(Clone, Copy)]
struct Found {
    at: usize,
    /// Byte of its argument.
    argument: usize,
    /// One past its last line.
    end: usize,
}

impl Parser<'_, '_> {
    pub(super) fn explicit(&mut self, at: usize) {
        let text = self.text(at);
        let end = self.body_end(at + 1, self.frame().indent + 1);
        let rest = text.get(2..).unwrap_or_default().trim_start();
        let skipped = self.begin(at) + (text.len() - rest.len());
        if text.starts_with("__") || rest.starts_with('_') || (rest.starts_with('|') && rest.contains("::")) {
            return self.leaf(BlockKind::Definition, at, self.last(at, end));
        }
        if let Some(label) = label(rest) {
            return self.footnote(at, skipped + label, end);
        }
        if let Some((name, width)) = directive(rest) {
            return self.directive(name, Found { at, argument: skipped + width, end });
        }
        // `..` with nothing after it comments nothing out.
        let end = if rest.is_empty() && self.lines.is_blank(at + 1) { at + 1 } else { self.last(at, end) };
        self.leaf(BlockKind::Html, at, end);
    }

    /// One past the last line up to `end` that is not blank.
    fn last(&self, at: usize, end: usize) -> usize {
        self.lines.filled_end(at, end).max(at + 1)
    }

    fn footnote(&mut self, at: usize, byte: usize, end: usize) {
        let start = self.begin(at);
        let text = &self.lines.whole()[byte..self.lines.end(at).max(byte)];
        let byte = byte + (text.len() - text.trim_start().len());
        let first = (!text.trim().is_empty()).then_some(First { line: at, byte, plain: true });
        self.enter(BlockKind::Footnote, start, first, at + 1, end);
    }

    fn directive(&mut self, name: &str, found: Found) {
        let Found { at, end, .. } = found;
        if name == "meta" {
            let from = self.lines.next_filled(at + 1, end);
            self.attrs.extend(fields::declared(self.lines, from, end));
        }
        match shape(name) {
            Shape::Code => self.code_directive(found),
            Shape::Math => self.leaf(BlockKind::Math, at, self.last(at, end)),
            Shape::Opaque => self.leaf(BlockKind::Html, at, self.last(at, end)),
            Shape::Rows => self.list_table(at, end),
            Shape::Prose => self.prose_directive(found),
            Shape::Titled => self.titled_directive(found),
        }
    }

    fn code_directive(&mut self, found: Found) {
        let options = self.options_end(found.at + 1, found.end);
        let from = self.lines.next_filled(options, found.end);
        if from >= found.end {
            return self.leaf(BlockKind::Html, found.at, self.last(found.at, found.end));
        }
        self.code(self.begin(found.at), from, found.end);
    }

    /// The line after the options that begin at line `from`.
    fn options_end(&self, from: usize, end: usize) -> usize {
        let is_option = |at: usize| {
            let text = self.lines.trimmed(at);
            text.starts_with(':') && text[1..].contains(':') && !text.starts_with("::")
        };
        (from..end).find(|&at| !is_option(at)).unwrap_or(end)
    }

    fn prose_directive(&mut self, found: Found) {
        let Found { at, argument, end } = found;
        let start = self.begin(at);
        let text = &self.lines.whole()[argument.min(self.lines.end(at))..self.lines.end(at)];
        if !text.trim().is_empty() {
            let first = First { line: at, byte: argument, plain: true };
            return self.enter(BlockKind::Admonition, start, Some(first), at + 1, end);
        }
        let options = self.options_end(at + 1, end);
        self.enter(BlockKind::Admonition, start, None, options, end);
        if options > at + 1 {
            let span = self.lines.visible(at + 1, options);
            self.outline.block(BlockKind::Html, span);
        }
    }

    /// The argument with its further lines and the options up to a blank line is the first block; without prose after
    /// them, all is one directive.
    fn titled_directive(&mut self, found: Found) {
        let Found { at, argument, end } = found;
        let head = self.lines.next_blank(at, end);
        if self.lines.next_filled(head, end) >= end {
            return self.leaf(BlockKind::Html, at, self.last(at, end));
        }
        let start = self.begin(at);
        let title =
            gristmill_core::Span::new(argument, self.lines.end(head - 1).max(argument)).trimmed(self.lines.whole());
        self.enter(BlockKind::Admonition, start, None, head, end);
        if !title.is_empty() {
            self.outline.block(BlockKind::Paragraph, title);
        }
    }
}
