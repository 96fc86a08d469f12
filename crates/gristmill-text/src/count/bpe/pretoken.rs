//! Cutting text into the pieces within which byte pairs are merged.
//!
//! The published patterns, as state machines. `\s+(?!\S)` takes a run of white space but for its last character when
//! something follows, and all of it at the end of the text. Newer releases of the reference put `\s++$` before
//! `\s*[\r\n]+` in `cl100k_base`; no token has white space after a line break, so the counts are the same.

use super::ascii;
use super::classes::{CASELESS, Classes, LOWER, MARK, NEWLINE, NUMBER, OTHER, SPACE, UPPER};

const LETTER: u8 = UPPER | LOWER | CASELESS;
const PUNCTUATION: u8 = OTHER | MARK;

/// A pattern that cuts text into pieces.
pub(super) trait Pattern: Send + Sync + 'static {
    /// The end of the piece that begins at `at`, which is before the end of `text`. Never looks left of `at`.
    fn end(classes: &Classes, text: &[u8], at: usize) -> usize;
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
pub(super) struct Cl100k;

impl Pattern for Cl100k {
    fn end(classes: &Classes, text: &[u8], at: usize) -> usize {
        let (class, length) = classes.at(text, at);
        let next = at + length;
        if class & LETTER != 0 {
            return letters(classes, text, next);
        }
        if class & (NUMBER | NEWLINE) != 0 {
            return number_or_newline(classes, text, at, class);
        }
        if let Some(end) = contraction(text, at) {
            return end;
        }
        let end = letters(classes, text, next);
        if end > next {
            return end;
        }
        match punctuation(classes, text, at) {
            Some(end) => classes.run(text, end, NEWLINE),
            None => white_space(classes, text, at),
        }
    }
}

/// With `C` for `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`, `U` for `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]` and `L` for
/// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`:
/// `[^\r\n\p{L}\p{N}]?U*L+C|[^\r\n\p{L}\p{N}]?U+L*C|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
pub(super) struct O200k;

impl Pattern for O200k {
    fn end(classes: &Classes, text: &[u8], at: usize) -> usize {
        let (class, length) = classes.at(text, at);
        if class & (NUMBER | NEWLINE) != 0 {
            return number_or_newline(classes, text, at, class);
        }
        // A mark may be the character in front of the word, too, but the word then ends in the same place.
        let start = if class & (LETTER | MARK) == 0 { at + length } else { at };
        if let Some(end) = word(classes, text, start) {
            return contraction(text, end).unwrap_or(end);
        }
        match punctuation(classes, text, at) {
            Some(end) => newlines_and_slashes(text, end),
            None => white_space(classes, text, at),
        }
    }
}

/// The end of `\p{L}*` at `at`.
#[inline]
fn letters(classes: &Classes, text: &[u8], at: usize) -> usize {
    let end = ascii::letters(text, at);
    match text.get(end) {
        Some(0x80..) => classes.run(text, end, LETTER),
        _ => end,
    }
}

/// `U*L+|U+L*` at `at`. `U*` first takes all it can and gives back until `L+` finds something: when no lower case
/// letter follows, that is the last character of the run that is in both sets.
fn word(classes: &Classes, text: &[u8], at: usize) -> Option<usize> {
    let (mut end, mut both) = (at, None);
    loop {
        let (class, length) = classes.at(text, end);
        if class & LOWER != 0 {
            let end = ascii::lower(text, end);
            return Some(match text.get(end) {
                Some(0x80..) => classes.run(text, end, LOWER | CASELESS | MARK),
                _ => end,
            });
        }
        if class & (UPPER | CASELESS | MARK) == 0 {
            return both.or((end > at).then_some(end));
        }
        end += length;
        if class & UPPER == 0 {
            both = Some(end);
        }
    }
}

fn number_or_newline(classes: &Classes, text: &[u8], at: usize, class: u8) -> usize {
    if class & NEWLINE != 0 {
        return white_space(classes, text, at);
    }
    let mut end = at;
    for _ in 0..3 {
        let (class, length) = classes.at(text, end);
        if class & NUMBER == 0 {
            break;
        }
        end += length;
    }
    end
}

/// The end of `(?i:'s|'t|'re|'ve|'m|'ll|'d)` at `at`. Case folding makes `ſ` an `s`.
fn contraction(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..)? {
        [b'\'', b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => Some(at + 2),
        [b'\'', b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..] | [b'\'', b'l' | b'L', b'l' | b'L', ..] => Some(at + 3),
        [b'\'', 0xc5, 0xbf, ..] => Some(at + 3),
        _ => None,
    }
}

/// The end of ` ?[^\s\p{L}\p{N}]+` at `at`.
fn punctuation(classes: &Classes, text: &[u8], at: usize) -> Option<usize> {
    let start = if text.get(at) == Some(&b' ') { at + 1 } else { at };
    let end = classes.run(text, start, PUNCTUATION);
    (end > start).then_some(end)
}

fn newlines_and_slashes(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n' | b'/')).count()
}

/// `\s*[\r\n]+|\s+(?!\S)|\s+` at white space.
fn white_space(classes: &Classes, text: &[u8], at: usize) -> usize {
    let (mut end, mut last, mut newline) = (at, at, None);
    loop {
        let (class, length) = classes.at(text, end);
        if class & (SPACE | NEWLINE) == 0 {
            break;
        }
        last = end;
        end += length;
        if class & NEWLINE != 0 {
            newline = Some(end);
        }
    }
    let all_but_last = (end < text.len() && last > at).then_some(last);
    newline.or(all_but_last).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use fancy_regex::Regex;
    use proptest::prelude::*;

    use super::*;
    use crate::count::bpe::testing::{CL100K, O200K, rich_text};

    fn pieces<P: Pattern>(text: &str) -> Vec<&str> {
        let mut at = 0;
        let mut out = Vec::new();
        while at < text.len() {
            let end = P::end(Classes::get(), text.as_bytes(), at);
            out.push(&text[at..end]);
            at = end;
        }
        out
    }

    fn reference<'t>(pattern: &str, text: &'t str) -> Vec<&'t str> {
        Regex::new(pattern).unwrap().find_iter(text).map(|found| found.unwrap().as_str()).collect()
    }

    #[test]
    fn cl100k_base_cuts_where_its_pattern_says() {
        let cut = pieces::<Cl100k>("I'll don't  go\n\n 1234567 a\u{301}b: (x)!?\n\n  é\r\n");
        let expected = [
            "I", "'ll", " don", "'t", " ", " go", "\n\n", " ", "123", "456", "7", " a", "\u{301}b", ":", " (", "x",
            ")!?\n\n", " ", " é", "\r\n",
        ];
        assert_eq!(cut, expected);
    }

    #[test]
    fn o200k_base_cuts_where_its_pattern_says() {
        let cut = pieces::<O200k>("We'll HTTPServer 中ABC a\u{301}b ./\n/\n x//");
        assert_eq!(cut, ["We'll", " HTTPServer", " 中", "ABC", " a\u{301}b", " ./\n/\n", " x", "//"]);
    }

    proptest! {
        #[test]
        fn cl100k_base_equals_the_regular_expression(text in rich_text(60)) {
            prop_assert_eq!(pieces::<Cl100k>(&text), reference(CL100K, &text));
        }

        #[test]
        fn o200k_base_equals_the_regular_expression(text in rich_text(60)) {
            prop_assert_eq!(pieces::<O200k>(&text), reference(O200K, &text));
        }
    }
}
