//! What follows a possible sentence end.

use super::chars::{char_at, is_clause_mark, is_closing_bracket, is_opener, is_terminator, skip_white};
use super::lang;
use super::marker::Marker;
use super::opaque;

/// No more signs than these are looked through to find the first word.
const MOST_SIGNS: usize = 12;

/// No word that matters is longer, in bytes.
const LONGEST_WORD: usize = 32;

/// The first thing of what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The text ends.
    End,
    /// A word with a capital, or with one inside: `iPhone`.
    Upper,
    /// A word without.
    Lower,
    /// A number.
    Digit,
    /// A word of a script without capitals.
    Caseless,
    /// Something that opens a sentence: `¿`, code, a list marker, a symbol.
    Opening,
    /// Something that goes on with what stands before: a comma, a closing bracket.
    Joint,
}

/// What follows, from the first position that is not white space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next<'t> {
    /// What it is.
    pub(super) kind: Kind,
    /// The first word, if it begins with one.
    pub(super) word: &'t str,
    /// Where that word begins.
    pub(super) word_at: usize,
    /// A round bracket or quote stands before the word.
    pub(super) bracket: bool,
}

impl<'t> Next<'t> {
    /// Reads what follows at `at`.
    pub(super) fn read(text: &'t str, at: usize) -> Self {
        let mut next = Self { kind: Kind::End, word: "", word_at: at, bracket: false };
        for _ in 0..MOST_SIGNS {
            let Some(c) = char_at(text, next.word_at) else { return next };
            if Marker::at(text, next.word_at).is_some_and(|marker| marker.is_certain()) {
                next.kind = Kind::Opening;
                return next;
            }
            let Some(len) = next.sign_len(text, c) else {
                next.classify(text, c);
                return next;
            };
            next.word_at += len;
        }
        next.kind = Kind::Joint;
        next
    }

    /// Whether the word opens sentences, alone or after an elided article: "L'eau".
    pub(super) fn is_starter(&self) -> bool {
        let elided = self.word.split_once(['\'', '’']).is_some_and(|(article, _)| article.len() <= 2);
        lang::is_starter(self.word) || elided
    }

    /// Whether the word is a letter with a full stop of its own: "z. Z.", "А. И. Семёнов".
    pub(super) fn is_initial(&self, text: &str) -> bool {
        self.word.chars().count() == 1 && char_at(text, self.word_at + self.word.len()) == Some('.')
    }

    /// The length of a sign that is looked through: a quote, bracket, dash or emphasis mark before a word.
    fn sign_len(&mut self, text: &str, c: char) -> Option<usize> {
        let after = char_at(text, self.word_at + c.len_utf8());
        match c {
            '"' | '\'' | '“' | '‘' | '«' | '»' | '‹' | '›' | '”' | '*' | '_' | '~' | '\\' => {
                after.is_some_and(|c| !c.is_whitespace() || self.is_french(c)).then_some(c.len_utf8())
            }
            '-' | '–' | '—' | '•' | '⁃' | '#' | '>' => {
                let white = skip_white(text, self.word_at + c.len_utf8()) - self.word_at;
                (white > c.len_utf8() || !after.is_some_and(char::is_numeric)).then_some(white)
            }
            '<' => opaque::tag_end(text, self.word_at).map(|end| end - self.word_at),
            ' ' | '\u{a0}' | '\u{202f}' => Some(c.len_utf8()),
            _ if is_opener(c) => {
                self.bracket |= matches!(c, '(' | '[' | '（' | '［');
                Some(c.len_utf8())
            }
            _ => None,
        }
    }

    /// French puts a no-break space after its opening quote.
    fn is_french(&self, c: char) -> bool {
        matches!(c, '\u{a0}' | '\u{202f}')
    }

    /// Says what begins with `c`.
    fn classify(&mut self, text: &'t str, c: char) {
        self.word = word_at(text, self.word_at);
        self.kind = if c.is_lowercase() {
            if self.word.chars().skip(1).take(4).any(char::is_uppercase) { Kind::Upper } else { Kind::Lower }
        } else if c.is_uppercase() {
            Kind::Upper
        } else if c.is_numeric() || c == '-' {
            Kind::Digit
        } else if c.is_alphabetic() {
            Kind::Caseless
        } else if c == '.' && char_at(text, self.word_at + 1).is_some_and(char::is_alphanumeric) {
            Kind::Opening
        } else if is_terminator(c)
            || is_clause_mark(c)
            || is_closing_bracket(c)
            || matches!(c, '/' | '&' | '%' | '=' | '|' | '+' | '’' | '"' | '\'')
        {
            Kind::Joint
        } else {
            Kind::Opening
        };
    }
}

/// The word that begins at `at`, apostrophes inside it included.
fn word_at(text: &str, at: usize) -> &str {
    let window = text.get(at..text.floor_char_boundary((at + LONGEST_WORD).min(text.len()))).unwrap_or("");
    let end = window.find(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’'))).unwrap_or(window.len());
    window.get(..end).unwrap_or("").trim_end_matches(['\'', '’'])
}
