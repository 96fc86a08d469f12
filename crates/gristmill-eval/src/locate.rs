//! Quotes, found in the text they were taken from.
//!
//! First as they are, then with every run of white space as one blank and in lower case, then by their words: the
//! stretch of the text that shares most pairs of neighbouring letters with the quote.

use std::collections::HashMap;

use crate::ranges::Range;

/// Where a quote was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    /// Code points of the text.
    pub span: Range,
    /// How alike the place and the quote are: 1 where they are the same up to white space and case.
    pub score: f64,
    /// How it was found.
    pub by: How,
}

/// How a quote was found, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// As it is.
    Exact,
    /// With other white space or capitals.
    Folded,
    /// With other words.
    Fuzzy,
}

/// A place is taken for the quote when it is at least so alike.
pub const LEAST_SCORE: f64 = 0.8;

/// A longer quote is not looked for by its words: the time for it grows with the text and not with the quote, but a quote of
/// a whole document is a mistake.
const LONGEST: usize = 20_000;

/// A text in which quotes are looked for.
pub struct Haystack<'a> {
    text: &'a str,
    folded: Folded,
}

/// The first place of a quote as it is; `None` for a blank one.
pub fn find_exact(text: &str, quote: &str) -> Option<Located> {
    let quote = quote.trim();
    let at = text.find(quote).filter(|_| !quote.is_empty())?;
    let start = count(&text[..at]);
    Some(Located { span: (start, start + count(quote)), score: 1.0, by: How::Exact })
}

/// A text with white space and case folded, and where each of its characters comes from.
struct Folded {
    text: String,
    chars: Vec<char>,
    /// For each character, its code point in the text as it is.
    from: Vec<u64>,
}

impl Folded {
    fn of(text: &str) -> Self {
        let mut out = Self { text: String::with_capacity(text.len()), chars: Vec::new(), from: Vec::new() };
        for (at, c) in text.chars().enumerate() {
            if !c.is_whitespace() {
                c.to_lowercase().for_each(|c| out.push(c, at as u64));
            } else if out.chars.last().is_some_and(|last| *last != ' ') {
                out.push(' ', at as u64);
            }
        }
        out
    }

    fn push(&mut self, c: char, from: u64) {
        self.text.push(c);
        self.chars.push(c);
        self.from.push(from);
    }

    /// The range of the text as it is behind characters of the folded one.
    fn span(&self, start: usize, end: usize) -> Range {
        (self.from[start], self.from[end - 1] + 1)
    }
}

impl<'a> Haystack<'a> {
    /// Takes a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, folded: Folded::of(text) }
    }

    /// The first place of a quote, or the one most like it; `None` when nothing is like it. `most` is how far to go: with
    /// [`How::Folded`] other words are not looked for.
    pub fn find(&self, quote: &str, most: How) -> Option<Located> {
        let found = find_exact(self.text, quote);
        found.or_else(|| if most == How::Exact { None } else { self.like(&Folded::of(quote.trim()), most) })
    }

    fn like(&self, quote: &Folded, most: How) -> Option<Located> {
        if quote.chars.is_empty() {
            return None;
        }
        if let Some(at) = self.folded.text.find(&quote.text) {
            let start = self.folded.text[..at].chars().count();
            let span = self.folded.span(start, start + quote.chars.len());
            return Some(Located { span, score: 1.0, by: How::Folded });
        }
        if most == How::Fuzzy { self.fuzzy(&quote.chars) } else { None }
    }

    /// A window as long as the quote is moved over the text, and the pairs of letters in both are counted.
    fn fuzzy(&self, quote: &[char]) -> Option<Located> {
        let (text, width) = (&self.folded.chars, quote.len());
        if !(2..=LONGEST).contains(&width) || text.len() < 2 {
            return None;
        }
        let width = width.min(text.len());
        let mut pairs = Pairs::of(quote);
        text[..width].windows(2).for_each(|pair| pairs.enter(pair));
        let mut best = (pairs.shared, 0);
        for start in 1..=text.len() - width {
            pairs.leave(&text[start - 1..=start]);
            pairs.enter(&text[start + width - 2..start + width]);
            if pairs.shared > best.0 {
                best = (pairs.shared, start);
            }
        }
        let score = 2.0 * best.0 as f64 / (quote.len() + width - 2) as f64;
        let (start, end) = self.whole_words(best.1, best.1 + width);
        (score >= LEAST_SCORE).then(|| Located { span: self.folded.span(start, end), score, by: How::Fuzzy })
    }

    /// A window without the torn word at its ends: to the nearer border, where words have borders.
    fn whole_words(&self, start: usize, end: usize) -> (usize, usize) {
        const REACH: usize = 12;
        let chars = &self.folded.chars;
        let is_border = |at: usize| {
            at == 0 || at == chars.len() || !(chars[at - 1].is_alphanumeric() && chars[at].is_alphanumeric())
        };
        let near = |at: usize| {
            let moved = (0..REACH).flat_map(|by| [at.checked_sub(by), Some(at + by)]);
            moved.flatten().find(|at| *at <= chars.len() && is_border(*at)).unwrap_or(at)
        };
        let (start, end) = (near(start), near(end));
        let blank = |at: &usize| chars.get(*at) == Some(&' ');
        let start = if blank(&start) { start + 1 } else { start };
        let end = if end > start + 1 && blank(&(end - 1)) { end - 1 } else { end };
        (start, end.max(start + 1).min(chars.len()))
    }
}

/// How many pairs of letters a window shares with a quote.
struct Pairs {
    /// Pairs of the quote that are not in the window; below zero for those the window has more of.
    left: HashMap<(char, char), i64>,
    shared: usize,
}

impl Pairs {
    fn of(quote: &[char]) -> Self {
        let mut left = HashMap::new();
        quote.windows(2).for_each(|pair| *left.entry((pair[0], pair[1])).or_insert(0) += 1);
        Self { left, shared: 0 }
    }

    fn enter(&mut self, pair: &[char]) {
        if let Some(left) = self.left.get_mut(&(pair[0], pair[1])) {
            self.shared += usize::from(*left > 0);
            *left -= 1;
        }
    }

    fn leave(&mut self, pair: &[char]) {
        if let Some(left) = self.left.get_mut(&(pair[0], pair[1])) {
            *left += 1;
            self.shared -= usize::from(*left > 0);
        }
    }
}

fn count(text: &str) -> u64 {
    text.chars().count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, quote: &str) -> Option<(String, How)> {
        let located = Haystack::new(text).find(quote, How::Fuzzy)?;
        let (start, end) = (located.span.0 as usize, located.span.1 as usize);
        Some((text.chars().skip(start).take(end - start).collect(), located.by))
    }

    #[test]
    fn a_quote_is_found_as_it_is() {
        let (text, by) = found("한국 é – the pump stops.", "the pump").unwrap();
        assert_eq!((text.as_str(), by), ("the pump", How::Exact));
    }

    #[test]
    fn other_white_space_and_capitals_do_not_matter() {
        let text = "Intro.\n\nThe pump\n  stops\tat 60 °C. End.";
        let (text, by) = found(text, " the pump stops at  60 °C ").unwrap();
        assert_eq!((text.as_str(), by), ("The pump\n  stops\tat 60 °C", How::Folded));
    }

    #[test]
    fn a_quote_with_other_words_is_found_by_what_it_shares() {
        let text =
            "Before it. The pump stops at once when the oil is above 60 degrees. After it comes more of the same.";
        let quote = "The pump stops when the oil is above 60 degrees.";
        let located = Haystack::new(text).find(quote, How::Fuzzy).unwrap();
        assert_eq!(located.by, How::Fuzzy);
        assert!(located.score < 1.0 && located.score >= LEAST_SCORE);
        // Most of the sentence, which is text 11..67.
        assert!(located.span.0 >= 11 && located.span.1 <= 67, "{located:?}");
    }

    #[test]
    fn no_more_is_tried_than_was_asked_for() {
        let text = "Intro. The pump stops at once.";
        let by = |quote: &str, most| Haystack::new(text).find(quote, most).map(|located| located.by);
        assert_eq!(by("the  pump", How::Exact), None);
        assert_eq!(by("the  pump", How::Folded), Some(How::Folded));
        assert_eq!(by("The pump stops at onse.", How::Folded), None);
        assert_eq!(by("The pump stops at onse.", How::Fuzzy), Some(How::Fuzzy));
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let text = "The pump stops at once when the oil is above 60 degrees.";
        for quote in ["A wholly different sentence about chess.", "x", " ", "여기에는 없는 문장입니다."] {
            assert_eq!(found(text, quote), None, "{quote}");
        }
        assert_eq!(found("", "a b c"), None);
    }

    #[test]
    fn the_score_is_that_of_shared_pairs() {
        // "abcde" has ab bc cd de; of the windows of "abcdf" all four but de are there: 2 · 3 / 8.
        assert!(found("abcdf", "abcde").is_none());
        // "abcdefghijk": 10 pairs, 9 shared: 0.9.
        let located = Haystack::new("abcdefghijx").find("abcdefghijk", How::Fuzzy).unwrap();
        assert!((located.score - 0.9).abs() < 1e-12);
    }
}
