//! The lines that a finding is about.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

/// Lines that a snippet holds at most.
const LINES: usize = 4;

/// Bytes that a snippet holds at most on each side of where its place begins.
const REACH: usize = 1200;

/// A few lines of a chunk, with a part that is underlined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Snippet {
    /// Whole lines, or a part of a very long one.
    pub text: String,
    /// Where the underlined part begins, in code points of `text`.
    pub start: u64,
    /// Where it ends, exclusive.
    pub end: u64,
    /// The chunk's line that `text` begins on, from 1.
    pub line: u64,
}

impl Snippet {
    /// The lines of a chunk's `text` that hold `place` (bytes): at most four, and of very long ones the part around
    /// the place. A place that reaches further is cut.
    pub fn of(text: &str, place: Range<usize>) -> Self {
        let start = text.floor_char_boundary(place.start);
        let end = text.ceil_char_boundary(place.end).max(start);
        let reach = text.floor_char_boundary(start.saturating_sub(REACH));
        let from = text[reach..start].rfind('\n').map_or(reach, |at| reach + at + 1);
        let limit = text.floor_char_boundary(start.saturating_add(REACH)).max(start);
        let end = end.min(limit);
        // A place that ends with a line does not reach the next one.
        let last = end - usize::from(end > start && text[..end].ends_with('\n'));
        let to = text[last..limit].find('\n').map_or(limit, |at| last + at);
        let to = text[from..to].match_indices('\n').nth(LINES - 1).map_or(to, |(at, _)| from + at);
        let count = |to: usize| text[from..to].chars().count() as u64;
        let above = text[..from].bytes().filter(|byte| *byte == b'\n').count() as u64;
        Self { text: text[from..to].to_owned(), start: count(start), end: count(end.min(to)), line: above + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, place: Range<usize>) -> (String, u64, u64, u64) {
        let Snippet { text, start, end, line } = Snippet::of(text, place);
        (text, start, end, line)
    }

    #[test]
    fn whole_lines_are_taken() {
        let text = "one\n가나 three\nfour\nfive\nsix\nseven\n";
        assert_eq!(of(text, 7..10), ("가나 three".to_owned(), 1, 2, 2));
        assert_eq!(of(text, 0..0), ("one".to_owned(), 0, 0, 1));
        assert_eq!(of(text, 8..22), ("가나 three\nfour".to_owned(), 1, 13, 2));
        assert_eq!(of(text, 0..text.len()), ("one\n가나 three\nfour\nfive".to_owned(), 0, 22, 1));
        assert_eq!(of(text, text.len()..usize::MAX), (String::new(), 0, 0, 7));
        assert_eq!(of("", Range { start: 3, end: 1 }), (String::new(), 0, 0, 1));
    }

    #[test]
    fn of_long_lines_the_part_around_is_taken() {
        let text = format!("x\n{}NEEDLE{}", "é".repeat(5000), "ü".repeat(5000));
        let (part, start, end, line) = of(&text, 10_002..10_008);
        assert_eq!((start, end, line), (600, 606, 2));
        assert_eq!(part, format!("{}NEEDLE{}", "é".repeat(600), "ü".repeat(597)));
        let (part, start, end, _) = of(&text, 2..text.len());
        assert_eq!((part.chars().count(), start, end), (600, 0, 600));
    }
}
