//! Whether the text after the border can begin a sentence.

use super::end::ends_before;
use super::words;
use crate::segment::chars::{is_cjk, is_clause_mark, is_closing_bracket, is_hangul, is_opener, is_terminator};

/// Why a text is the continuation of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// It begins with a comma, a closing bracket or the like.
    Punctuation,
    /// It begins with a word in small letters that is no name or command.
    LowerCase,
    /// It begins with a number and its unit or the word that it counts.
    Quantity,
    /// It begins with a particle or ending that needs a word before it.
    Particle,
}

/// How the text after the border begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// As a sentence does: with a capital.
    Fresh {
        /// With a word that opens sentences.
        opener: bool,
    },
    /// With the label of an entry: "(b)", "c.", "Note:".
    Label,
    /// With code, a name, a number or a sign: anything may follow.
    Other,
    /// With a letter of a script without capitals, which does not say.
    Caseless,
    /// As no sentence does.
    Resumed(Continuation),
}

impl Start {
    pub(super) fn read(text: &str) -> Self {
        let body = text.trim_start_matches(['*', '_', '~']);
        let mark = text.len() - body.len();
        if mark > 0 && body.chars().next().is_none_or(char::is_whitespace) {
            return if mark > 1 { Self::Resumed(Continuation::Punctuation) } else { Self::Other };
        }
        if is_label(body) {
            return Self::Label;
        }
        let body = if body.starts_with('[') && body.contains("](") { body.trim_start_matches('[') } else { body };
        let Some(first) = body.chars().next() else { return Self::Other };
        if first.is_lowercase() {
            return Self::word(body);
        }
        if first.is_uppercase() {
            return Self::Fresh { opener: opens(body) };
        }
        if first.is_numeric() || matches!(first, '$' | '€' | '£') {
            return Self::number(body);
        }
        if first.is_alphabetic() {
            let bound = words::is_bound(body);
            return if bound { Self::Resumed(Continuation::Particle) } else { Self::Caseless };
        }
        Self::sign(body, first)
    }

    pub(super) fn continuation(self) -> Option<Continuation> {
        if let Self::Resumed(why) = self { Some(why) } else { None }
    }

    /// A word that begins with a small letter.
    fn word(text: &str) -> Self {
        let token = text.split(char::is_whitespace).next().unwrap_or("");
        let rest = text.get(token.len()..).unwrap_or("");
        let bare = token.trim_end_matches(|c: char| !c.is_alphanumeric());
        let tail = token.get(bare.len()..).unwrap_or("");
        let plain = bare.chars().all(|c| c.is_lowercase() || is_mark(c) || matches!(c, '\'' | '’' | '-' | '\u{ad}'));
        let label = bare.chars().count() == 1 && tail.starts_with([')', '.']);
        let key = tail.starts_with([':', '=', '(']) || rest.trim_start().starts_with(['=', '|']);
        if plain && !label && !key && !words::is_name(bare) {
            return Self::Resumed(Continuation::LowerCase);
        }
        Self::Other
    }

    /// A number: with a unit or the word it counts it needs a sentence around it.
    fn number(text: &str) -> Self {
        let text = text.trim_start_matches(['$', '€', '£']);
        let end = text.find(|c: char| !(c.is_numeric() || matches!(c, '.' | ','))).unwrap_or(text.len());
        let number = text.get(..end).unwrap_or("");
        let rest = text.get(end..).unwrap_or("");
        let next = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
        let Some(c) = next.chars().next() else { return Self::Other };
        let spaced = next.len() < rest.len();
        if number.ends_with('.') || c == ')' && !spaced {
            return Self::Other;
        }
        let counted = match c {
            '%' | '％' | '‰' | '°' | '℃' => true,
            '，' | '、' | '；' | '）' | ';' | '」' => !spaced,
            _ if number.ends_with(',') => true,
            _ if is_hangul(c) => true,
            _ if is_cjk(c) => !is_date(text) && (!spaced || words::is_measure(next)),
            _ if c.is_lowercase() => spaced && matches!(Self::word(next), Self::Resumed(_)),
            _ => spaced && c.is_alphabetic() && !c.is_uppercase(),
        };
        if counted { Self::Resumed(Continuation::Quantity) } else { Self::Other }
    }

    /// Punctuation and other signs.
    fn sign(text: &str, first: char) -> Self {
        let next = text.chars().nth(1);
        let glued = next.is_some_and(char::is_alphanumeric);
        let joins = match first {
            ':' | '=' | '|' | '!' => next.is_some_and(char::is_whitespace) && first == ':',
            '.' => !glued && next != Some('.'),
            '"' => next.is_none_or(|c| c.is_whitespace() || is_clause_mark(c) || is_terminator(c)),
            '\'' | '’' => glued && text.chars().nth(2).is_none_or(|c| !c.is_alphanumeric()),
            '%' | '”' | '»' => !glued,
            '—' | '–' | '·' => false,
            _ => is_clause_mark(first) || is_closing_bracket(first) || is_terminator(first),
        };
        if joins {
            return Self::Resumed(Continuation::Punctuation);
        }
        let quoted = is_opener(first) || matches!(first, '"' | '“' | '‘' | '«');
        let inner = text.get(first.len_utf8()..).and_then(|rest| rest.chars().next());
        match inner {
            Some(c) if quoted && c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase() => Self::Caseless,
            Some(c) if quoted && c.is_lowercase() && first != '[' && first != '{' => {
                Self::word(text.get(first.len_utf8()..).unwrap_or(""))
            }
            _ => Self::Other,
        }
    }
}

/// The label of an entry: "(b)", "c.", "IV.", "Note:".
fn is_label(text: &str) -> bool {
    let inner = text.strip_prefix('(').unwrap_or(text);
    let end = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
    let rest = inner.get(end..).unwrap_or("");
    let short = (1..=3).contains(&end) && inner.get(..end).is_some_and(is_counter);
    let marked = rest.starts_with(") ") || inner.len() == text.len() && rest.starts_with(". ");
    let line = text.split('\n').next().unwrap_or("");
    let key = line.split_once(':').is_some_and(|(key, value)| {
        let ends = value.starts_with(' ') || value.starts_with("**");
        ends && key.len() <= 32 && key.split(' ').count() <= 4 && key.starts_with(char::is_uppercase)
    });
    let address = ["https://", "http://", "[:"].iter().any(|start| text.starts_with(start));
    short && marked || key || address || is_cjk_label(text)
}

/// "（一）", "二、", "（2）".
fn is_cjk_label(text: &str) -> bool {
    let inner = text.strip_prefix(['（', '(']).unwrap_or(text);
    let counter = |c: char| "一二三四五六七八九十".contains(c) || c.is_ascii_digit();
    let rest = inner.trim_start_matches(counter);
    let len = inner.len() - rest.len();
    (1..=9).contains(&len)
        && (inner.len() < text.len() && rest.starts_with(['）', ')'])
            || rest.starts_with('、') && !inner.starts_with(|c: char| c.is_ascii_digit()))
}

/// One letter, digits, or a Roman number.
fn is_counter(text: &str) -> bool {
    text.len() == 1
        || text.bytes().all(|b| b.is_ascii_digit())
        || text.bytes().all(|b| matches!(b.to_ascii_lowercase(), b'i' | b'v' | b'x'))
}

/// Whether the segmenter knows the first word to open sentences: it then ends one after "etc.".
fn opens(text: &str) -> bool {
    let word = text.split(char::is_whitespace).next().unwrap_or("");
    word != "I" && word.len() <= 32 && ends_before("Nuts etc.", word)
}

/// A date or time at the start of an entry: 2024年3月1日, then a line end or colon.
fn is_date(text: &str) -> bool {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '年' | '月' | '日' | '号' | ' ')))
        .unwrap_or(text.len());
    let date = text.get(..end).unwrap_or("");
    date.contains('月') && text.get(end..).unwrap_or("").starts_with(['\n', ':', '：'])
        || date.contains('月') && end == text.len()
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Whether the digits that `text` begins with may be decimals: no number of an entry, "7.2 Scope".
pub(super) fn is_fraction(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let next = rest.trim_start();
    !(next.len() < rest.len() && next.starts_with(char::is_uppercase))
}
