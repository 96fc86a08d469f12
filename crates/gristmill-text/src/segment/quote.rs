//! Quotations and brackets: spans inside which no sentence of the text around them ends.

use super::chars::{char_at, char_before, is_cjk, is_clause_mark, is_opener, is_terminator, is_wide_terminator};
use super::lang;
use super::opaque::has_blank_line;

/// How far a quotation or bracket may reach and still keep its sentences together, in bytes. A longer one is cut at
/// the sentences in it.
const REACH: usize = 640;

/// Apostrophes at the beginning of a word that open nothing.
const ELISIONS: &str = "tis twas em round til cause n bout cos nineties";

/// No more apostrophes than these are looked at to find one that closes.
const MOST_APOSTROPHES: usize = 24;

/// A quotation or bracket that is open.
pub(super) struct Span {
    /// Where its text begins.
    pub(super) inner: usize,
    /// Where the closing sign stands.
    pub(super) close: usize,
    /// The closing sign.
    pub(super) closer: char,
}

impl Span {
    /// The span that the sign `c` at `at` opens, if it is closed near enough.
    pub(super) fn open(text: &str, at: usize, c: char) -> Option<Self> {
        let closers = closers_of(c);
        if closers.is_empty() {
            return None;
        }
        let inner = at + c.len_utf8();
        if char_at(text, inner).is_none_or(char::is_whitespace) && !matches!(c, '«' | '‹' | '(' | '[') {
            return None;
        }
        let window = text.get(inner..text.floor_char_boundary((inner + REACH).min(text.len())))?;
        let (offset, closer) = match c {
            '"' => straight_end(text, at, window)?,
            '\'' => single_end(text, at, window, '\'')?,
            '‘' => single_end(text, at, window, '’')?,
            _ => nested_end(text, at, window, c, closers)?,
        };
        if has_blank_line(window.get(..offset)?) {
            return None;
        }
        Some(Self { inner, close: inner + offset, closer })
    }

    /// Where the marks begin with which the span's text ends, if it ends with some and has words before them.
    pub(super) fn final_marks(&self, text: &str) -> Option<usize> {
        if matches!(self.closer, '》' | '〉') {
            return None;
        }
        let inner = text.get(self.inner..self.close)?;
        let words = inner.trim_end_matches(|c: char| c.is_whitespace() || super::chars::is_closer(c));
        let marks = words.trim_end_matches(|c: char| is_terminator(c) || c == ' ');
        let spaces = words.get(marks.len()..)?.chars().take_while(|&c| c == ' ').count();
        let at = marks.len() + spaces;
        (at < words.len() && marks.chars().next_back().is_some_and(|c| !is_opener(c))).then_some(self.inner + at)
    }

    /// Whether the text in the span breaks off with a dash.
    pub(super) fn breaks_off(&self, text: &str) -> bool {
        text.get(self.inner..self.close).is_some_and(|inner| inner.ends_with("--") || inner.ends_with('—'))
    }
}

/// Whether a sign that can open and close opens at `at`: nothing or an opening sign stands before it.
fn may_open(text: &str, at: usize) -> bool {
    char_before(text, at).is_none_or(|c| {
        c.is_whitespace()
            || is_opener(c)
            || is_clause_mark(c)
            || is_cjk(c)
            || is_wide_terminator(c)
            || matches!(c, '“' | '‘' | '"' | '\'' | '-' | '–' | '*' | '_' | '>' | '=' | '/')
    })
}

/// The end of a span in straight double quotes.
fn straight_end(text: &str, at: usize, window: &str) -> Option<(usize, char)> {
    if !may_open(text, at) {
        return None;
    }
    let end = memchr::memchr(b'"', window.as_bytes())?;
    let inner = window.get(..end)?;
    // After a colon or a blank the next sign opens, so the one at `at` was the end of a span too long to be seen.
    let detached = inner.ends_with(|c: char| c.is_whitespace() || c == '：');
    let opens = detached && window.get(end + 1..)?.starts_with(char::is_alphanumeric);
    (end > 0 && !opens).then_some((end, '"'))
}

/// The end of a span in single quotes: a sign that is no apostrophe inside or at the beginning of a word.
fn single_end(text: &str, at: usize, window: &str, closer: char) -> Option<(usize, char)> {
    let word = window.split(|c: char| !c.is_alphanumeric()).next()?;
    if !may_open(text, at) || word.starts_with(|c: char| c.is_ascii_digit()) || lang::lists(ELISIONS, word) {
        return None;
    }
    let mut signs = window.match_indices(closer).map(|(end, _)| end).take(MOST_APOSTROPHES);
    let end = signs.find(|&end| {
        let before = char_before(window, end);
        let after = char_at(window, end + closer.len_utf8());
        before.is_some_and(|c| !c.is_whitespace()) && !after.is_some_and(char::is_alphanumeric)
    })?;
    Some((end, closer))
}

/// The end of a span with distinct signs, which may hold spans of its kind.
fn nested_end(text: &str, at: usize, window: &str, opener: char, closers: &[char]) -> Option<(usize, char)> {
    if matches!(opener, '“' | '”' | '«' | '»') && !may_open(text, at) {
        return None;
    }
    if !closers.iter().any(|&closer| window.contains(closer)) {
        return None;
    }
    let mut depth = 1usize;
    for (i, c) in window.char_indices() {
        if closers.contains(&c) {
            depth -= 1;
            if depth == 0 {
                return Some((i, c));
            }
        } else if c == opener {
            depth += 1;
        }
    }
    None
}

/// The signs that close what `opener` opens.
fn closers_of(opener: char) -> &'static [char] {
    match opener {
        '"' => &['"'],
        '\'' => &['\''],
        '‘' => &['’'],
        '(' => &[')'],
        '[' => &[']'],
        '{' => &['}'],
        '“' | '”' => &['”'],
        '„' => &['“', '”'],
        '‚' => &['‘', '’'],
        '«' => &['»'],
        '»' => &['«'],
        '‹' => &['›'],
        '「' => &['」'],
        '『' => &['』'],
        '【' => &['】'],
        '（' => &['）'],
        '《' => &['》'],
        '〈' => &['〉'],
        '［' => &['］'],
        '｛' => &['｝'],
        '〔' => &['〕'],
        '〖' => &['〗'],
        '〘' => &['〙'],
        '〝' => &['〟'],
        '｢' => &['｣'],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text inside the span that the first character opens.
    fn inner(text: &str) -> Option<&str> {
        let span = Span::open(text, 0, text.chars().next()?)?;
        text.get(span.inner..span.close)
    }

    #[test]
    fn pairs_of_many_languages() {
        for text in ["(a)", "[a]", "“a”", "„a“", "„a”", "«a»", "»a«", "‘a’", "'a'", "\"a\"", "「a」", "（a）", "《a》"]
        {
            assert_eq!(inner(text), Some("a"), "{text}");
        }
    }

    #[test]
    fn brackets_nest() {
        assert_eq!(inner("(a (b) c) d)"), Some("a (b) c"));
        assert_eq!(inner("((a)"), None);
    }

    #[test]
    fn apostrophes_do_not_close() {
        assert_eq!(inner("'I don't know' he"), Some("I don't know"));
        assert_eq!(inner("'tis the dogs' day"), None);
        assert_eq!(inner("‘it’s one’ he"), Some("it’s one"));
    }

    #[test]
    fn marks_at_the_end_of_the_span() {
        let span = Span::open("(One. Two!?) x", 0, '(').unwrap();
        assert_eq!(span.final_marks("(One. Two!?) x"), Some(9));
        let span = Span::open("[...] x", 0, '[').unwrap();
        assert_eq!(span.final_marks("[...] x"), None, "nothing but marks");
    }
}
