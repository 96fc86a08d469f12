//! A text by its lines, with their indentation.

use gristmill_core::Span;

/// Where the lines of a text are. Lines end with LF.
pub(crate) struct Lines<'t> {
    text: &'t str,
    lines: Vec<Line>,
}

#[derive(Clone, Copy)]
struct Line {
    start: u32,
    /// Bytes of blanks and tabs at the start; [`BLANK`] when there is nothing else.
    indent: u32,
}

const BLANK: u32 = u32::MAX;

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain(std::iter::once(text.len()));
        for end in ends {
            let line = &text[start..end];
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            let blank = line[indent..].trim_start().is_empty();
            let at = Span::new(start, start + indent);
            lines.push(Line { start: at.start, indent: if blank { BLANK } else { at.end - at.start } });
            start = end + 1;
        }
        if text.is_empty() || text.ends_with('\n') {
            lines.pop();
        }
        Self { text, lines }
    }

    /// The whole text.
    pub(crate) fn whole(&self) -> &'t str {
        self.text
    }

    /// Number of lines.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Line `at` without its end; empty past the last.
    pub(crate) fn get(&self, at: usize) -> &'t str {
        if at < self.len() { &self.text[self.start(at)..self.end(at)] } else { "" }
    }

    /// Line `at` from [`Lines::content`] on, without white space at its end.
    pub(crate) fn trimmed(&self, at: usize) -> &'t str {
        self.get(at).get(self.indent(at)..).unwrap_or_default().trim_end()
    }

    /// First byte of the line.
    pub(crate) fn start(&self, at: usize) -> usize {
        self.lines.get(at).map_or(self.text.len(), |line| line.start as usize)
    }

    /// One past the last byte of the line, its end not counted.
    pub(crate) fn end(&self, at: usize) -> usize {
        match self.lines.get(at + 1) {
            Some(next) => next.start as usize - 1,
            None => self.text.len() - usize::from(self.text.ends_with('\n')),
        }
    }

    /// Byte of the first character that is neither blank nor tab.
    pub(crate) fn content(&self, at: usize) -> usize {
        self.start(at) + self.indent(at)
    }

    /// Bytes of blanks and tabs at the start; 0 for blank lines.
    pub(crate) fn indent(&self, at: usize) -> usize {
        self.lines.get(at).map_or(0, |line| if line.indent == BLANK { 0 } else { line.indent as usize })
    }

    /// True for lines of white space only, and past the last.
    pub(crate) fn is_blank(&self, at: usize) -> bool {
        self.lines.get(at).is_none_or(|line| line.indent == BLANK)
    }

    /// From the first visible character of line `from` to the last visible one before line `to`.
    pub(crate) fn visible(&self, from: usize, to: usize) -> Span {
        if from >= to {
            return Span::new(self.start(from), self.start(from));
        }
        Span::new(self.start(from), self.end(to - 1)).trimmed(self.text)
    }

    /// Lines `from` up to `to`, each whole, without the end of the last.
    pub(crate) fn span(&self, from: usize, to: usize) -> Span {
        if from >= to {
            return Span::new(self.start(from), self.start(from));
        }
        Span::new(self.start(from), self.end(to - 1))
    }

    /// The first line at or after `from` and before `to` that is not blank, else `to`.
    pub(crate) fn next_filled(&self, from: usize, to: usize) -> usize {
        (from..to).find(|&at| !self.is_blank(at)).unwrap_or(to)
    }

    /// The first blank line at or after `from` and before `to`, else `to`.
    pub(crate) fn next_blank(&self, from: usize, to: usize) -> usize {
        (from..to).find(|&at| self.is_blank(at)).unwrap_or(to)
    }

    /// One past the last line before `to` that is not blank, but at least `from`.
    pub(crate) fn filled_end(&self, from: usize, to: usize) -> usize {
        (from..to).rev().find(|&at| !self.is_blank(at)).map_or(from, |at| at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_their_places() {
        let lines = Lines::of("ab\n\n  c \n\t\nd");
        assert_eq!(lines.len(), 5);
        let all: Vec<_> = (0..6).map(|at| (lines.get(at), lines.is_blank(at), lines.indent(at))).collect();
        assert_eq!(
            all,
            [("ab", false, 0), ("", true, 0), ("  c ", false, 2), ("\t", true, 0), ("d", false, 0), ("", true, 0)]
        );
        assert_eq!(lines.visible(1, 4), Span::new(6, 7));
        assert_eq!(lines.span(2, 3), Span::new(4, 8));
        assert_eq!((lines.next_filled(1, 5), lines.next_blank(2, 5), lines.filled_end(0, 4)), (2, 3, 3));
    }

    #[test]
    fn the_last_line_may_lack_its_end() {
        assert_eq!(Lines::of("").len(), 0);
        assert_eq!(Lines::of("\n").len(), 1);
        assert_eq!((Lines::of("a\n").len(), Lines::of("a\n").end(0)), (1, 1));
        assert_eq!(Lines::of("a\n\n").len(), 2);
        assert_eq!(Lines::of("a").end(0), 1);
    }
}
