//! Trailing and repeated blanks, and runs of blank lines.
//!
//! A blank is a space or a tab. Indentation is structure in Markdown and stays; so do the two spaces that make a hard
//! line break.

use std::ops::Range;

use gristmill_core::{Edit, EditKind, Span};

use super::inline;

/// What a range of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Area {
    /// Between blocks: white space and the marks of containers.
    Gap,
    /// Running text in which two spaces before a line end break the line.
    Prose,
    /// Running text of a format without such breaks.
    Plain,
}

/// Adds the edits for `text[range]` in order. A prose range is one block, from its first to its last character.
pub(super) fn find(text: &str, range: Range<usize>, area: Area, out: &mut Vec<Edit>) {
    if !needs_work(&text[range.clone()], area, range.end == text.len()) {
        return;
    }
    let quiet = if area == Area::Gap { Vec::new() } else { inline::verbatim(&text[range.clone()], range.start) };
    let mut finder = Finder { text, range, area, quiet, next_quiet: 0, run: BlankRun::default(), out };
    finder.lines();
}

/// A quick no for the most frequent texts.
fn needs_work(part: &str, area: Area, at_end: bool) -> bool {
    let bytes = part.as_bytes();
    if area == Area::Gap {
        // Two line ends hold one blank line; anything else is looked at.
        return !matches!(bytes, b"\n" | b"\n\n" | b"")
            && (bytes.iter().any(|b| is_blank(*b)) || bytes.iter().filter(|b| **b == b'\n').count() > 2 || at_end);
    }
    bytes.first().is_some_and(|b| is_blank(*b)) || bytes.last().is_some_and(|b| is_blank(*b)) || has_blank_pair(bytes)
}

/// True when a blank is followed by another or by a line end, or a line end by a line end.
/// Whole pieces are looked at without a branch, which is several times faster.
fn has_blank_pair(bytes: &[u8]) -> bool {
    let Some(next) = bytes.get(1..) else { return false };
    let pair = |(a, b): (&u8, &u8)| (is_blank(*a) & (is_blank(*b) | (*b == b'\n'))) | ((*a == b'\n') & (*b == b'\n'));
    bytes.chunks(64).zip(next.chunks(64)).any(|(a, b)| a.iter().zip(b).fold(false, |any, ab| any | pair(ab)))
}

/// Blank lines in a row.
#[derive(Default)]
struct BlankRun {
    count: usize,
    /// Blanks of the first two of them.
    blanks: [Range<usize>; 2],
    /// From the second one's start to the last one's end.
    rest: Range<usize>,
}

struct Finder<'t, 'o> {
    text: &'t str,
    range: Range<usize>,
    area: Area,
    /// Code, formulas and tags inside the text, in order.
    quiet: Vec<Range<usize>>,
    next_quiet: usize,
    run: BlankRun,
    out: &'o mut Vec<Edit>,
}

impl Finder<'_, '_> {
    fn lines(&mut self) {
        let bytes = self.text.as_bytes();
        let mut start = self.range.start;
        while start < self.range.end {
            let rest = &bytes[start..self.range.end];
            let line_end = memchr::memchr(b'\n', rest).map(|n| start + n);
            let end = line_end.unwrap_or(self.range.end);
            let whole = line_end.is_some() && (start == 0 || bytes[start - 1] == b'\n');
            if whole && bytes[start..end].iter().all(|b| is_blank(*b)) {
                self.blank_line(start, end);
            } else {
                self.flush();
                self.line(start, end, line_end.is_some());
            }
            start = end + 1;
        }
        self.flush();
    }

    fn blank_line(&mut self, start: usize, end: usize) {
        let run = &mut self.run;
        if let Some(blanks) = run.blanks.get_mut(run.count) {
            *blanks = start..end;
        }
        run.count += 1;
        match run.count {
            1 => {}
            2 => run.rest = start..end + 1,
            _ => run.rest.end = end + 1,
        }
    }

    /// Three and more blank lines become the first of them.
    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        let [first, second] = run.blanks;
        self.cut(EditKind::Blanks, first, "");
        if run.count >= 3 {
            self.cut(EditKind::BlankLines, run.rest, "");
        } else {
            self.cut(EditKind::Blanks, second, "");
        }
    }

    fn line(&mut self, start: usize, end: usize, ended: bool) {
        let bytes = self.text.as_bytes();
        let content_end = start + trim_end(&bytes[start..end]).len();
        if self.area != Area::Gap {
            self.inner_blanks(start, content_end);
        }
        if content_end == end || self.is_quiet(content_end) {
            return;
        }
        match self.area {
            // What follows an unfinished line of a gap is the next block, and the blanks are its indentation.
            Area::Gap if !ended && end != self.text.len() => {}
            Area::Prose if ended && bytes[..end].ends_with(b"  ") => {
                self.cut(EditKind::Blanks, content_end..end - 2, "");
            }
            _ => self.cut(EditKind::Blanks, content_end..end, ""),
        }
    }

    /// Runs of blanks between the words of one line.
    fn inner_blanks(&mut self, start: usize, end: usize) {
        let bytes = self.text.as_bytes();
        let mut at = start + prefix_len(&bytes[start..end]);
        if start == self.range.start {
            // A block begins with its first character, unless an earlier edit removed that.
            let blank = bytes[start..end].iter().take_while(|b| is_blank(**b)).count();
            self.cut(EditKind::Blanks, start..start + blank, "");
            at = start + blank;
        }
        while let Some(found) = bytes[at..end].windows(2).position(|w| is_blank(w[0]) && is_blank(w[1])) {
            let from = at + found;
            at = from + bytes[from..end].iter().take_while(|b| is_blank(**b)).count();
            if self.is_quiet(from) {
                continue;
            }
            if bytes[from] == b' ' {
                self.cut(EditKind::Blanks, from + 1..at, "");
            } else {
                self.cut(EditKind::Blanks, from..at, " ");
            }
        }
    }

    /// True inside verbatim text. Asked with rising positions.
    fn is_quiet(&mut self, at: usize) -> bool {
        while self.quiet.get(self.next_quiet).is_some_and(|range| range.end <= at) {
            self.next_quiet += 1;
        }
        self.quiet.get(self.next_quiet).is_some_and(|range| range.start <= at)
    }

    fn cut(&mut self, kind: EditKind, at: Range<usize>, with: &str) {
        if !at.is_empty() {
            self.out.push(Edit { kind, at: Span::from(at), with: with.to_owned() });
        }
    }
}

pub(super) fn is_blank(byte: u8) -> bool {
    (byte == b' ') | (byte == b'\t')
}

fn trim_end(line: &[u8]) -> &[u8] {
    let kept = line.iter().rposition(|b| !is_blank(*b)).map_or(0, |last| last + 1);
    &line[..kept]
}

/// Length of indentation and quote marks at the start of a line.
fn prefix_len(line: &[u8]) -> usize {
    line.iter().take_while(|b| is_blank(**b) || **b == b'>').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_core::OffsetMap;

    fn after(text: &str, area: Area) -> String {
        let mut edits = Vec::new();
        find(text, 0..text.len(), area, &mut edits);
        let once = OffsetMap::apply(text, &edits).0;
        edits.clear();
        find(&once, 0..once.len(), area, &mut edits);
        assert!(edits.is_empty(), "a second time {edits:?} in {once:?}");
        once
    }

    #[test]
    fn runs_of_blanks_become_one_space() {
        assert_eq!(after("one   two\t\tthree \t four\tfive", Area::Prose), "one two three four\tfive");
        assert_eq!(after("tail  \t", Area::Prose), "tail");
    }

    #[test]
    fn hard_breaks_stay_and_are_two_spaces() {
        assert_eq!(after("a  \nb", Area::Prose), "a  \nb");
        assert_eq!(after("a     \nb", Area::Prose), "a  \nb");
        assert_eq!(after("a \nb\t\nc", Area::Prose), "a\nb\nc");
        assert_eq!(after("a  \nb", Area::Plain), "a\nb");
    }

    #[test]
    fn indentation_and_quote_marks_stay() {
        assert_eq!(after("a\n    b   c\n>   d  e", Area::Prose), "a\n    b c\n>   d e");
    }

    #[test]
    fn verbatim_text_stays() {
        for text in ["see `a  b`", "so $x  +  y$ holds", "a <img  src=\"x  y\"> b", "``a `  `` b"] {
            assert_eq!(after(text, Area::Prose), text);
        }
        assert_eq!(after("a \\`b  c`  d", Area::Prose), "a \\`b c` d");
        assert_eq!(after("$5 and  $6", Area::Prose), "$5 and $6");
    }

    #[test]
    fn three_blank_lines_become_one() {
        assert_eq!(after("\n\n\n\n", Area::Gap), "\n");
        assert_eq!(after("x\n\n\n\ny", Area::Gap), "x\n\ny");
        assert_eq!(after("x\n\n\ny", Area::Gap), "x\n\n\ny");
        assert_eq!(after("x \n \t\n\n  \n\n  y", Area::Gap), "x\n\n  y");
        assert_eq!(after("x\n  \n ", Area::Gap), "x\n\n");
    }

    #[test]
    fn a_gap_ends_in_the_indentation_of_what_follows() {
        let text = "a\n\n    code";
        let mut edits = Vec::new();
        find(text, 1..7, Area::Gap, &mut edits);
        assert_eq!(edits, []);
    }
}
