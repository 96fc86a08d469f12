//! Whether the marks at one place end a sentence.

use super::chars::{char_at, char_before, is_cjk, is_clause_mark, is_closing_bracket, is_hangul, is_terminator};
use super::lang::{self, Abbreviation};
use super::next::{Kind, Next};
use super::period;
use super::speech;
use super::tail::Tail;
use super::word::word_before;

/// Names that are written with an exclamation mark.
const EXCLAIMED_NAMES: &str = "Yahoo Jeopardy Joomla Yum Wham";

/// A place at which a sentence may end.
pub(super) struct Stop<'t> {
    pub(super) text: &'t str,
    /// Where the sentence began.
    pub(super) sentence: usize,
    /// Where its last marks begin.
    pub(super) at: usize,
    /// Those marks.
    pub(super) tail: Tail,
    /// Where what follows begins.
    pub(super) next_at: usize,
}

impl Stop<'_> {
    /// Whether the sentence ends here.
    pub(super) fn ends(&self) -> bool {
        let spaced = self.next_at > self.tail.end;
        if self.tail.wide {
            return self.wide_ends(spaced);
        }
        if !spaced {
            return self.glued_ends();
        }
        let mut next = Next::read(self.text, self.next_at);
        if next.kind == Kind::Lower && self.before().is_some_and(is_caseless) {
            next.kind = Kind::Caseless;
        }
        match next.kind {
            Kind::End | Kind::Joint => false,
            _ if self.tail.noted => next.kind != Kind::Lower,
            _ if next.bracket && matches!(self.tail.closer, Some('\'' | '’')) => false,
            _ if self.tail.is_period() => period::ends(self, &next),
            _ if self.tail.is_ellipsis() => self.ellipsis_ends(&next),
            _ => self.exclamation_ends(&next),
        }
    }

    /// After `。` and its like: unless what follows goes on.
    fn wide_ends(&self, spaced: bool) -> bool {
        let Some(c) = char_at(self.text, self.next_at) else { return false };
        let joint = is_clause_mark(c)
            || is_closing_bracket(c)
            || is_terminator(c)
            || !spaced && matches!(c, '-' | '–' | '～' | '~');
        let number = c.is_numeric()
            && !spaced
            && char_at(self.text, self.at) == Some('．')
            && self.before().is_some_and(char::is_numeric);
        let quote = self.tail.closer.is_some_and(|c| !matches!(c, ')' | '）' | ']' | '］'));
        let spoken = quote && speech::goes_on(self.text, self.next_at);
        let tied = self.tail.closer.is_some() && !spaced && speech::is_tied(self.text, self.next_at);
        !(joint || number || spoken || tied)
    }

    /// After ASCII marks without white space after them.
    fn glued_ends(&self) -> bool {
        let (Some(before), Some(after)) = (self.before(), char_at(self.text, self.tail.end)) else { return false };
        let exclaimed = self.tail.strong && before.is_alphanumeric();
        if is_cjk(after) && (is_cjk(before) || exclaimed) {
            let ends = if self.tail.is_ellipsis() { self.clause_is_long() } else { self.tail.closer.is_none() };
            return ends && !before.is_ascii_digit() && !word_before(self.text, self.at).contains("://")
                || ends && self.tail.noted;
        }
        if is_hangul(before) && is_hangul(after) {
            return self.tail.closer.is_none() && matches!(before, '다' | '요' | '까' | '죠');
        }
        after.is_ascii_uppercase() && before.is_ascii_alphanumeric() && self.tail.is_period() && self.glued_starter()
    }

    /// Two sentences without a space: "world.Today is". The words must leave no doubt, for names in code look the same.
    fn glued_starter(&self) -> bool {
        let next = Next::read(self.text, self.tail.end);
        let after = char_at(self.text, next.word_at + next.word.len());
        let title = after == Some('.') && lang::abbreviation(next.word) == Some(Abbreviation::Inner);
        let whole = title || after == Some(' ') && lang::is_starter(next.word);
        let word = word_before(self.text, self.at);
        let plain = word.len() > 1 && word.chars().all(|c| c.is_lowercase() || c.is_ascii_digit() || c == ',')
            || word.chars().skip(1).all(char::is_lowercase) && word.len() > 2;
        whole && next.word.chars().skip(1).all(char::is_lowercase) && plain
    }

    /// After `...` and `…`.
    fn ellipsis_ends(&self, next: &Next<'_>) -> bool {
        let detached = self.before().is_none_or(char::is_whitespace);
        match next.kind {
            Kind::Lower => false,
            _ if self.tail.spaced && self.tail.dots == 3 && detached => false,
            _ if detached && self.tail.dots < 4 => lang::is_starter(next.word) && next.word != "I",
            _ => true,
        }
    }

    /// After `!` and `?`.
    fn exclamation_ends(&self, next: &Next<'_>) -> bool {
        let named = self.tail.closer.is_none()
            && lang::lists(EXCLAIMED_NAMES, word_before(self.text, self.at))
            && !lang::is_starter(next.word);
        let quoted = matches!(self.tail.closer, Some('"' | '”' | '\'' | '’'));
        next.kind != Kind::Lower && !named && !(quoted && speech::names_speaker(self.text, next))
    }

    /// Whether enough of the clause stands before the marks for it to be a sentence.
    fn clause_is_long(&self) -> bool {
        let before = self.text.get(self.sentence..self.at).unwrap_or("");
        before
            .chars()
            .rev()
            .take(3)
            .take_while(|&c| !(is_clause_mark(c) || is_terminator(c) || is_closing_bracket(c)))
            .count()
            == 3
    }

    fn before(&self) -> Option<char> {
        char_before(self.text, self.at)
    }
}

/// Letters of scripts without capitals: a small Latin letter after them says nothing.
fn is_caseless(c: char) -> bool {
    c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase()
}
