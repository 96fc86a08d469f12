//! The word before a full stop, and whether the full stop after it ends a sentence.

use super::chars::{is_cjk, is_hangul, is_opener};
use super::lang::{self, Abbreviation};
use super::marker::is_bullet;

/// No word that matters is longer, in bytes.
const LONGEST: usize = 48;

/// What stands before a full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An abbreviation of the tables.
    Listed(Abbreviation),
    /// A time of day, "p.m.": it ends a sentence before any word with a capital.
    Clock,
    /// Short parts with full stops between them: "U.S".
    Dotted,
    /// One capital letter.
    Initial,
    /// One small letter, or a short word of a script without capitals.
    Short,
    /// Digits, with separators.
    Number,
    /// Capital letters that make a Roman number.
    Roman,
    /// Any other word.
    Plain,
}

/// The word that ends at `at`, without the quotes and brackets before it.
pub(super) fn word_before(text: &str, at: usize) -> &str {
    text.get(word_start(text, at)..at).unwrap_or("").trim_end_matches(is_hidden)
}

/// Where the word that ends at `at` begins.
pub(super) fn word_start(text: &str, at: usize) -> usize {
    let from = text.floor_char_boundary(at.saturating_sub(LONGEST));
    let piece = text.get(from..at).unwrap_or("").trim_end_matches(is_hidden);
    from + piece.char_indices().rev().find(|(_, c)| is_edge(*c)).map_or(0, |(i, c)| i + c.len_utf8())
}

/// Marks of writing direction.
pub(super) fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_edge(c: char) -> bool {
    c.is_whitespace()
        || is_opener(c)
        || is_hidden(c)
        || is_bullet(c)
        || matches!(
            c,
            '"' | '“'
                | '”'
                | '‘'
                | '«'
                | '»'
                | '‹'
                | '›'
                | '*'
                | '_'
                | '~'
                | '`'
                | '|'
                | '—'
                | '–'
                | ','
                | ';'
                | ':'
                | '='
                | '<'
                | '>'
                | '…'
                | '!'
                | '?'
                | ')'
                | ']'
                | '}'
                | '।'
                | '。'
                | '，'
                | '、'
        )
}

/// What kind of word `word` is.
pub(super) fn kind(word: &str) -> Kind {
    if word.is_empty() {
        return Kind::Plain;
    }
    if word.trim_start_matches(['-', '+']).chars().all(|c| c.is_numeric() || matches!(c, '.' | ',')) {
        return Kind::Number;
    }
    if word.chars().skip(1).all(is_mark) && word.starts_with(char::is_uppercase) {
        return Kind::Initial;
    }
    if is_clock(word) {
        return Kind::Clock;
    }
    if let Some(listed) = listed(word) {
        return Kind::Listed(listed);
    }
    unlisted(word)
}

fn is_clock(word: &str) -> bool {
    ["a.m", "p.m"].iter().any(|clock| word.eq_ignore_ascii_case(clock))
}

/// Looks the word up, then its last part after an apostrophe, hyphen or slash.
fn listed(word: &str) -> Option<Abbreviation> {
    lang::abbreviation(word).or_else(|| {
        let (_, last) = word.rsplit_once(['\'', '’', '-', '/'])?;
        if last.chars().count() < 2 { None } else { lang::abbreviation(last) }
    })
}

fn unlisted(word: &str) -> Kind {
    let mut chars = word.chars();
    let first = chars.next().unwrap_or(' ');
    let single = chars.all(is_mark);
    if is_cjk(first) || is_hangul(first) {
        return Kind::Plain;
    }
    if single && first.is_alphabetic() && !is_devanagari(first) {
        return Kind::Short;
    }
    if word.contains('.') {
        let short = word.split('.').all(|part| is_letters(part) && part.chars().count() <= 3);
        return if short { Kind::Dotted } else { Kind::Plain };
    }
    if word.bytes().all(|b| matches!(b, b'I' | b'V' | b'X' | b'L' | b'C')) {
        return Kind::Roman;
    }
    // German street names: "Goethestr. 8".
    if word.len() > 3 && word.ends_with("str") { Kind::Listed(Abbreviation::Closing) } else { Kind::Plain }
}

/// Hindi ends sentences with words of one letter and its vowel sign; its initials are in the tables.
fn is_devanagari(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{97f}')
}

fn is_letters(part: &str) -> bool {
    !part.is_empty() && part.chars().all(|c| c.is_alphabetic() || is_mark(c))
}

/// Vowel signs, viramas and accents that count as part of the letter before them.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{955}'..='\u{957}'
        | '\u{962}' | '\u{963}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}')
}

/// The word before the position `at`, with white space between.
pub(super) fn previous_word(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or("");
    let white = before.chars().rev().take(4).take_while(|c| c.is_whitespace()).map(char::len_utf8).sum::<usize>();
    if white == 0 { "" } else { word_before(text, at - white) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_words() {
        for (word, expected) in [
            ("Dr", Kind::Listed(Abbreviation::Inner)),
            ("no", Kind::Listed(Abbreviation::Numbered)),
            ("etc", Kind::Listed(Abbreviation::Closing)),
            ("Dipl.-Ing", Kind::Listed(Abbreviation::Closing)),
            ("Goethestr", Kind::Listed(Abbreviation::Closing)),
            ("P.M", Kind::Clock),
            ("J.C", Kind::Dotted),
            ("R", Kind::Initial),
            ("Ж", Kind::Initial),
            ("q", Kind::Short),
            ("3.50", Kind::Number),
            ("XIV", Kind::Roman),
            ("word", Kind::Plain),
            ("a.example", Kind::Plain),
            ("네", Kind::Plain),
            ("है", Kind::Plain),
            ("", Kind::Plain),
        ] {
            assert_eq!(kind(word), expected, "{word}");
        }
    }

    #[test]
    fn word_without_its_brackets() {
        assert_eq!(word_before("see (“Fig.", 11), "Fig");
        assert_eq!(previous_word("am 3.", 3), "am");
        assert_eq!(previous_word("3.", 0), "");
    }
}
