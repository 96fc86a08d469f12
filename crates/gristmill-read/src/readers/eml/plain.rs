//! Text of mails: paragraphs, lists and quotes within quotes.

use crate::markup::{Inline, Markdown};

/// Quotes are read so deep; deeper ones count as that.
const QUOTES_MAX: usize = 16;

/// A line was wrapped when the next word would have made it longer than this, in characters.
const WIDTH: usize = 66;

/// The text as Markdown.
pub(super) fn markdown(text: &str) -> String {
    let mut writer = Writer::default();
    for line in text.lines() {
        let (depth, line) = unquoted(line);
        if depth != writer.depth {
            writer.end();
            writer.quote(depth);
        }
        if line.trim().is_empty() {
            writer.end();
        } else {
            writer.lines.push(line);
        }
    }
    writer.end();
    writer.out.finish()
}

/// How deep a line is quoted, and the line without the marks.
fn unquoted(line: &str) -> (usize, &str) {
    let (mut depth, mut rest) = (0, line);
    while let Some(inner) = rest.strip_prefix('>').or_else(|| rest.strip_prefix(" >").filter(|_| depth > 0)) {
        rest = inner;
        depth += 1;
    }
    (depth.min(QUOTES_MAX), if depth > 0 { rest.strip_prefix(' ').unwrap_or(rest) } else { rest })
}

#[derive(Default)]
struct Writer<'t> {
    out: Markdown,
    depth: usize,
    /// The lines of the paragraph at hand.
    lines: Vec<&'t str>,
}

impl Writer<'_> {
    fn quote(&mut self, depth: usize) {
        (depth..self.depth).for_each(|_| self.out.close());
        (self.depth..depth).for_each(|_| self.out.open_quote());
        self.depth = depth;
    }

    /// Writes the lines that have come: words first, then the items of a list.
    fn end(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        let words = lines.iter().position(|line| bullet(line).is_some()).unwrap_or(lines.len());
        let (words, items) = lines.split_at(words);
        self.out.paragraph(wrapped(words));
        if items.is_empty() {
            return;
        }
        self.out.open_list(None);
        for item in items.chunk_by(|_, next| bullet(next).is_none()) {
            let first = item.first().and_then(|line| bullet(line));
            let lines: Vec<&str> = first.into_iter().chain(item.iter().skip(1).copied()).collect();
            self.out.open_item();
            self.out.paragraph(wrapped(&lines));
            self.out.close();
        }
        self.out.close();
    }
}

/// What follows the mark of an item.
fn bullet(line: &str) -> Option<&str> {
    ["- ", "* ", "• "]
        .iter()
        .find_map(|mark| line.trim_start().strip_prefix(mark))
        .filter(|rest| !rest.trim().is_empty())
}

/// Lines as a paragraph: those that were only wrapped are joined.
fn wrapped(lines: &[&str]) -> Inline {
    let mut out = Inline::default();
    for (at, line) in lines.iter().enumerate() {
        out.text(line.trim());
        let Some(next) = lines.get(at + 1) else { break };
        let word = next.split_whitespace().next().map_or(0, |word| word.chars().count());
        if line.trim_end().chars().count() + 1 + word > WIDTH {
            out.text(" ");
        } else {
            out.line_break();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_lines_are_joined_and_short_ones_kept() {
        let text =
            "Dear all,\nthis line goes on until it is so long that it had to be wrapped at\nthe margin.\n\n-- \nAnn\n";
        let expected = "Dear all,  \nthis line goes on until it is so long that it had to be wrapped at the margin.\n\n\\--  \nAnn\n";
        assert_eq!(markdown(text), expected);
    }

    #[test]
    fn deep_quotes_end() {
        let deep = format!("{}a\nb", ">".repeat(100_000));
        assert!(markdown(&deep).ends_with("> a\n\nb\n"));
    }
}
