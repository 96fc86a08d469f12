//! From positions in `Document.text` back to positions in the decoded source file.

use crate::Span;

/// What a declared change of the source text was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EditKind {
    /// A byte order mark at the start of the file.
    ByteOrderMark,
    /// CRLF or CR read as LF.
    LineEnd,
    /// NUL and other control characters.
    Control,
    /// Front matter, which became attributes.
    FrontMatter,
    /// Trailing or repeated blanks in prose.
    Blanks,
    /// Three and more blank lines made one.
    BlankLines,
    /// A whole line from the published list of boilerplate.
    Boilerplate,
    /// A later copy of a block that stands earlier in the document.
    RepeatedBlock,
    /// A long URL replaced by a placeholder.
    LongUrl,
    /// Unicode normalization.
    Unicode,
    /// A block kind that the settings drop (code, quotes, images).
    Dropped,
    /// A pattern from the settings.
    Pattern,
    /// A running head, running foot or page number.
    PageMark,
}

impl EditKind {
    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "byte-order-mark",
            Self::LineEnd => "line-end",
            Self::Control => "control-character",
            Self::FrontMatter => "front-matter",
            Self::Blanks => "blanks",
            Self::BlankLines => "blank-lines",
            Self::Boilerplate => "boilerplate",
            Self::RepeatedBlock => "repeated-block",
            Self::LongUrl => "long-url",
            Self::Unicode => "unicode",
            Self::Dropped => "dropped",
            Self::Pattern => "pattern",
            Self::PageMark => "page-mark",
        }
    }
}

/// One declared change: `at` of the text before it became `with`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Why.
    pub kind: EditKind,
    /// The range replaced, in the text before the change.
    pub at: Span,
    /// What stands there now; empty for a removal.
    pub with: String,
}

/// Maps positions of a text to positions of the text it was made from, by runs of equal bytes.
///
/// An empty map is the identity. Runs are sorted by `text`, and cover the text except for replaced pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetMap {
    runs: Vec<Run>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// Where the run begins in the new text.
    text: u32,
    /// Where the same bytes begin in the source.
    source: u32,
    /// Number of bytes for which both are equal; positions past it belong to a replacement.
    len: u32,
}

impl OffsetMap {
    /// True when positions are the same on both sides.
    pub fn is_identity(&self) -> bool {
        self.runs.is_empty()
    }

    /// The source position of the byte that begins at `at`.
    pub fn start(&self, at: u32) -> u32 {
        let Some(run) = self.run_at(at) else { return at };
        run.source + (at - run.text).min(run.len)
    }

    /// The source position just after the byte that ends at `at`: the end of what stands before it.
    pub fn end(&self, at: u32) -> u32 {
        if at == 0 {
            return self.start(0);
        }
        let Some(run) = self.run_at(at - 1) else { return at };
        let inside = at - run.text;
        // A position inside a replacement ends where the replaced source ends.
        if inside <= run.len { run.source + inside } else { self.next_source(run).unwrap_or(run.source + run.len) }
    }

    /// The source range behind a range of text.
    pub fn span(&self, span: Span) -> Span {
        let start = self.start(span.start);
        Span { start, end: self.end(span.end).max(start) }
    }

    fn run_at(&self, at: u32) -> Option<Run> {
        let after = self.runs.partition_point(|run| run.text <= at);
        after.checked_sub(1).map(|i| self.runs[i])
    }

    fn next_source(&self, run: Run) -> Option<u32> {
        let after = self.runs.partition_point(|r| r.text <= run.text);
        self.runs.get(after).map(|r| r.source)
    }

    /// Applies `edits` (sorted, not overlapping) to `text`; gives the new text and the map from it to the text before.
    pub fn apply(text: &str, edits: &[Edit]) -> (String, OffsetMap) {
        let mut out = String::with_capacity(text.len());
        let mut runs = Vec::with_capacity(edits.len() + 1);
        let mut from = 0;
        let keep = |out: &mut String, from: usize, to: usize, runs: &mut Vec<Run>, with: &str| {
            // An empty run stands before the first edit, so that position 0 is always covered, and between edits side
            // by side, so that what the later one puts in is led back to its own place.
            // One after an edit at the very end says where the replaced text ends.
            if to > from || runs.is_empty() || !with.is_empty() || (to == text.len() && !out.is_empty()) {
                let at = Span::new(from, to);
                runs.push(Run {
                    text: Span::new(out.len(), out.len()).start,
                    source: at.start,
                    len: at.end - at.start,
                });
                out.push_str(&text[from..to]);
            }
        };
        for edit in edits {
            keep(&mut out, from, edit.at.start as usize, &mut runs, &edit.with);
            out.push_str(&edit.with);
            from = edit.at.end as usize;
        }
        keep(&mut out, from, text.len(), &mut runs, "");
        // Removals at the very start leave an empty run before the first real one; the later run wins there.
        runs.dedup_by(|b, a| {
            a.text == b.text && a.len == 0 && {
                *a = *b;
                true
            }
        });
        (out, OffsetMap { runs })
    }

    /// The map that goes through `self` (new text → middle) and then `before` (middle → source).
    pub fn then(&self, before: &OffsetMap) -> OffsetMap {
        if before.is_identity() {
            return self.clone();
        }
        if self.is_identity() {
            return before.clone();
        }
        let mut runs = Vec::with_capacity(self.runs.len() + before.runs.len());
        for run in &self.runs {
            let (mut done, mut index) = (0, before.runs.partition_point(|r| r.text <= run.source).saturating_sub(1));
            while done < run.len || (run.len == 0 && done == 0) {
                let middle = run.source + done;
                let inner = before.runs[index];
                let next = before.runs.get(index + 1).map_or(u32::MAX, |r| r.text);
                let skip = middle - inner.text;
                let until = run.len.min(next - run.source);
                runs.push(Run {
                    text: run.text + done,
                    source: inner.source + skip.min(inner.len),
                    len: inner.len.saturating_sub(skip).min(until - done),
                });
                if run.len == 0 {
                    break;
                }
                done = until;
                index += 1;
            }
        }
        OffsetMap { runs }
    }

    /// The position in this map's text that corresponds to `source`, a position in the text before the edits:
    /// the inverse of [`OffsetMap::start`]. A position inside a removed range goes to where that range stood.
    pub fn from_source(&self, source: u32) -> u32 {
        let after = self.runs.partition_point(|run| run.source <= source);
        let Some(run) = after.checked_sub(1).map(|i| self.runs[i]) else {
            return if self.is_identity() { source } else { 0 };
        };
        let inside = source - run.source;
        if inside <= run.len {
            return run.text + inside;
        }
        self.runs.get(after).map_or(run.text + run.len, |next| next.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(start: usize, end: usize, with: &str) -> Edit {
        Edit { kind: EditKind::Pattern, at: Span::new(start, end), with: with.into() }
    }

    #[test]
    fn positions_go_home_over_removals() {
        let source = "ab\r\ncd\r\nef";
        let (text, map) = OffsetMap::apply(source, &[cut(2, 3, ""), cut(6, 7, "")]);
        assert_eq!(text, "ab\ncd\nef");
        for (at, c) in text.char_indices() {
            let home = map.start(at as u32) as usize;
            assert_eq!(source[home..].chars().next(), Some(c));
        }
        assert_eq!(map.span(Span::new(3, 5)), Span::new(4, 6));
        assert_eq!(map.end(2), 2);
        assert_eq!(map.start(2), 3);
    }

    #[test]
    fn replacement_at_the_very_end() {
        let (text, map) = OffsetMap::apply("see https://long", &[cut(4, 16, "[URL]")]);
        assert_eq!(text, "see [URL]");
        assert_eq!(map.span(Span::new(4, 9)), Span::new(4, 16));
        assert_eq!(map.span(Span::new(0, 3)), Span::new(0, 3));
    }

    #[test]
    fn removal_at_the_start_and_replacement() {
        let source = "\u{feff}one https://long two";
        let (text, map) = OffsetMap::apply(source, &[cut(0, 3, ""), cut(7, 19, "[URL]")]);
        assert_eq!(text, "one [URL] two");
        assert_eq!(map.start(0), 3);
        assert_eq!(map.span(Span::new(4, 9)), Span::new(7, 19));
        assert_eq!(map.span(Span::new(10, 13)), Span::new(20, 23));
        assert_eq!(map.from_source(20), 10);
        assert_eq!(map.from_source(3), 0);
    }

    #[test]
    fn edits_side_by_side_are_told_apart() {
        let source = "\u{feff}\ra\0\rb";
        let edits = [cut(0, 3, ""), cut(3, 4, "\n"), cut(5, 6, ""), cut(6, 7, "\n")];
        let (text, map) = OffsetMap::apply(source, &edits);
        assert_eq!(text, "\na\nb");
        let starts: Vec<u32> = (0..4).map(|at| map.start(at)).collect();
        assert_eq!(starts, [3, 4, 6, 7]);
        let ends: Vec<u32> = (1..5).map(|at| map.end(at)).collect();
        assert_eq!(ends, [4, 5, 7, 8]);
    }

    #[test]
    fn composed_maps_reach_the_first_text() {
        let first = "a\r\nb  c\r\nd";
        let (second, m1) = OffsetMap::apply(first, &[cut(1, 2, ""), cut(7, 8, "")]);
        assert_eq!(second, "a\nb  c\nd");
        let (third, m2) = OffsetMap::apply(&second, &[cut(3, 5, " ")]);
        assert_eq!(third, "a\nb c\nd");
        let map = m2.then(&m1);
        for (at, c) in third.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            assert_eq!(first[map.start(at as u32) as usize..].chars().next(), Some(c), "at {at}");
        }
        assert_eq!(map.end(7), 10);
    }
}
