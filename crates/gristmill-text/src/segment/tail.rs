//! What belongs to a sentence after its terminator: more marks, closing quotes and brackets, footnote marks.

use super::chars::{char_at, char_before, is_closer, is_closing_bracket, is_opener, is_terminator, is_wide_terminator};
use super::opaque;
use super::word::word_before;

/// The marks at the end of a possible sentence and what closes with them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tail {
    /// Where the white space or the next sentence begins.
    pub(super) end: usize,
    /// Number of full stops.
    pub(super) dots: usize,
    /// Full stops with spaces between them.
    pub(super) spaced: bool,
    /// `…` or its like is among the marks.
    pub(super) ellipsis: bool,
    /// `!` or `?` is among the marks.
    pub(super) strong: bool,
    /// A mark that needs no white space after it.
    pub(super) wide: bool,
    /// The last closing quote or bracket.
    pub(super) closer: Option<char>,
    /// A footnote mark follows, so that what it follows did end.
    pub(super) noted: bool,
    /// Where a sign stands that is known to close.
    close: Option<usize>,
}

impl Tail {
    /// Reads the marks from the first one, at `at`. A sign at `close` is known to close.
    pub(super) fn read(text: &str, at: usize, close: Option<usize>) -> Self {
        let mut tail = Self { end: at, close, ..Self::default() };
        while let Some(step) = tail.step(text) {
            tail.end += step;
        }
        tail.footnote_number(text, at);
        tail.emoji(text);
        tail
    }

    /// True for one plain full stop.
    pub(super) fn is_period(&self) -> bool {
        self.dots == 1 && !self.ellipsis && !self.strong && !self.wide
    }

    /// True for two and more full stops, or the sign for them, and no other mark.
    pub(super) fn is_ellipsis(&self) -> bool {
        (self.ellipsis || self.dots > 1) && !self.strong && !self.wide
    }

    /// The length of what follows at `end` and belongs to the tail.
    fn step(&mut self, text: &str) -> Option<usize> {
        let c = char_at(text, self.end)?;
        let len = c.len_utf8();
        let next = char_at(text, self.end + len);
        if is_terminator(c) {
            return self.mark(text, c, next);
        }
        match c {
            ' ' | '\u{a0}' | '\u{202f}' => self.spaced_step(text, len),
            '[' => note_len(text, self.end).inspect(|_| self.noted = true),
            '<' => closing_tag_len(text, self.end),
            '¹' | '²' | '³' | '⁰' | '⁴'..='⁹' => Some(len),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(len),
            _ if self.closes(c, next) => {
                self.closer = if matches!(c, '*' | '_' | '~' | '`') { self.closer } else { Some(c) };
                Some(len + link_len(text, c, self.end + len))
            }
            _ => None,
        }
    }

    /// Takes the mark `c`, unless it begins a word such as `.NET`.
    fn mark(&mut self, text: &str, c: char, next: Option<char>) -> Option<usize> {
        if c == '.'
            && next.is_some_and(char::is_alphanumeric)
            && char_before(text, self.end).is_none_or(char::is_whitespace)
        {
            return None;
        }
        match c {
            '.' => self.dots += 1,
            '…' => self.ellipsis = true,
            _ if is_wide_terminator(c) => {
                self.wide = true;
                self.strong |= matches!(c, '！' | '？' | '؟');
            }
            _ => self.strong = true,
        }
        Some(c.len_utf8())
    }

    /// A space belongs to the tail before another full stop of a spaced ellipsis and before a French closing quote.
    fn spaced_step(&mut self, text: &str, len: usize) -> Option<usize> {
        let at = self.end + len;
        match char_at(text, at)? {
            '.' if self.dots > 0 && char_at(text, at + 1).is_none_or(|c| !c.is_alphanumeric()) => {
                self.spaced = true;
                Some(len)
            }
            c @ ('»' | '›') if !char_at(text, at + c.len_utf8()).is_some_and(char::is_alphanumeric) => Some(len),
            _ => None,
        }
    }

    /// Whether `c` closes. Signs that can open as well close only where no word follows.
    fn closes(&self, c: char, next: Option<char>) -> bool {
        if is_closing_bracket(c) || matches!(c, '”' | '’' | '›') || self.close == Some(self.end) {
            return true;
        }
        is_closer(c) && next.is_none_or(|n| !n.is_alphanumeric() && !is_opener(n))
    }

    /// A footnote number set against the full stop, as left by text extraction: `ended.12 The next`.
    fn footnote_number(&mut self, text: &str, at: usize) {
        if !self.is_period() || !ends_for_note(text, at, self.closer) {
            return;
        }
        let Some(rest) = text.get(self.end..) else { return };
        let number = rest.bytes().take(16).take_while(|b| b.is_ascii_digit() || matches!(b, b' ' | b',')).count();
        let number = rest.get(..number).map_or("", str::trim_end);
        let after = rest.get(number.len()..).unwrap_or("");
        let groups = number.split([' ', ',']).all(|group| group.len() <= 3);
        if number.starts_with(|c: char| c.is_ascii_digit())
            && groups
            && after.trim_start().starts_with(char::is_uppercase)
            && after.starts_with(char::is_whitespace)
        {
            self.end += number.len();
            self.noted = true;
        }
    }

    /// Emoji after the mark belong to the sentence that they comment on.
    fn emoji(&mut self, text: &str) {
        let mut at = self.end;
        if char_at(text, at) == Some(' ') {
            at += 1;
        }
        let run = text
            .get(at..)
            .unwrap_or("")
            .chars()
            .take_while(|&c| is_emoji(c))
            .take(32)
            .map(char::len_utf8)
            .sum::<usize>();
        if run > 0 && char_at(text, at + run).is_none_or(char::is_whitespace) {
            self.end = at + run;
        }
    }
}

/// Whether the word before the full stop at `at` is one that a footnote number may follow.
fn ends_for_note(text: &str, at: usize, closer: Option<char>) -> bool {
    let word = word_before(text, at);
    let long = word.chars().count() >= 4 && word.chars().all(|c| c.is_lowercase() || c == '-');
    closer.is_some() || long || char_before(text, at).is_some_and(is_closing_bracket)
}

/// The length of `[^note]`, `[12]`, `[3, 4]` or `[2–11]` at `at`.
fn note_len(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at + 1..)?;
    let (len, _) = rest.char_indices().take(40).find(|(_, c)| *c == ']')?;
    let inner = rest.get(..len)?;
    let numbers = !inner.is_empty() && inner.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ' | '-' | '–'));
    (inner.starts_with('^') || numbers).then_some(len + 2)
}

/// The length of a closing tag, or of a short `<sup>…</sup>`, at `at`.
fn closing_tag_len(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if rest.starts_with("</") {
        return opaque::tag_end(text, at).map(|end| end - at);
    }
    let (len, _) = rest.strip_prefix("<sup>")?.char_indices().take(40).find(|(_, c)| *c == '<')?;
    rest.get(5 + len..)?.starts_with("</sup>").then_some(5 + len + 6)
}

/// The length of the destination that follows the bracket `c` of a link's text.
fn link_len(text: &str, c: char, at: usize) -> usize {
    if c != ']' {
        return 0;
    }
    opaque::destination_end(text, at).map_or(0, |end| end - at)
}

/// Pictographs and what joins and colours them.
pub(super) fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{200d}' | '\u{20e3}' | '\u{e0020}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What belongs to the sentence from its first mark on.
    fn tail(text: &str) -> &str {
        let at = text.find(is_terminator).unwrap();
        &text[at..Tail::read(text, at, None).end]
    }

    #[test]
    fn closers_and_notes_follow_the_mark() {
        assert_eq!(tail("a.” B"), ".”");
        assert_eq!(tail("a?!\") B"), "?!\")");
        assert_eq!(tail("a.** B"), ".**");
        assert_eq!(tail("a.[^1][2] B"), ".[^1][2]");
        assert_eq!(tail("a.</em> B"), ".</em>");
        assert_eq!(tail("a.<sup>3</sup> B"), ".<sup>3</sup>");
        assert_eq!(tail("a! 🎉🎉 B"), "! 🎉🎉");
        assert_eq!(tail("ici !\u{a0}» Bon"), "!\u{a0}»");
    }

    #[test]
    fn what_opens_does_not_belong_to_it() {
        assert_eq!(tail("a. \"B"), ".");
        assert_eq!(tail("水。“火"), "。");
        assert_eq!(tail("a.[see b] C"), ".");
    }

    #[test]
    fn spaced_ellipsis_is_one_mark() {
        assert_eq!(tail("a . . . . B"), ". . . .");
        assert_eq!(tail("a. .NET"), ".");
    }

    #[test]
    fn footnote_numbers_need_a_word_before_and_a_capital_after() {
        assert_eq!(tail("ended.12 The"), ".12");
        assert_eq!(tail("no.5 The"), ".");
        assert_eq!(tail("ended.12 the"), ".");
    }
}
