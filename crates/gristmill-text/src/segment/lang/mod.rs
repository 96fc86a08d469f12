//! Abbreviations and sentence openers, one small table per language, merged into one look-up.
//!
//! The language of a text is not known here, and one paragraph may mix several: all tables hold at once. An entry in
//! lower case matches any case; an entry with a capital matches only words with a capital, so that "Sat." is a day and
//! "sat." is not.

mod arabic;
mod dutch;
mod english;
mod french;
mod german;
mod indic;
mod italian;
mod nordic;
mod portuguese;
mod russian;
mod slavic;
mod spanish;
mod thai;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The words of one language, each field a list separated by white space.
struct Language {
    /// Abbreviations after which a sentence goes on: titles, "e.g.", "vs.".
    inner: &'static str,
    /// Abbreviations that stand before a number or a single letter and are full words elsewhere: "No. 5", "p. 3".
    numbered: &'static str,
    /// Abbreviations that may also be the last word of a sentence: "etc.", "Inc.", "U.S.".
    closing: &'static str,
    /// Words that open a sentence and seldom follow an abbreviation inside one.
    starters: &'static str,
    /// Words before an ordinal number written with a full stop: "am 3. Oktober".
    before_ordinal: &'static str,
    /// Words after one.
    after_ordinal: &'static str,
}

/// A language without words: the base of the tables.
const NO_WORDS: Language =
    Language { inner: "", numbered: "", closing: "", starters: "", before_ordinal: "", after_ordinal: "" };

static LANGUAGES: [&Language; 13] = [
    &english::ENGLISH,
    &german::GERMAN,
    &french::FRENCH,
    &spanish::SPANISH,
    &italian::ITALIAN,
    &portuguese::PORTUGUESE,
    &dutch::DUTCH,
    &nordic::NORDIC,
    &slavic::SLAVIC,
    &russian::RUSSIAN,
    &arabic::ARABIC,
    &indic::INDIC,
    &thai::THAI,
];

/// What kind of abbreviation a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abbreviation {
    Inner,
    Numbered,
    Closing,
}

/// What the tables say about one word.
#[derive(Clone, Copy, Default)]
struct Entry {
    abbreviation: Option<Abbreviation>,
    needs_capital: bool,
    starter: bool,
    before_ordinal: bool,
    after_ordinal: bool,
}

/// No entry is longer, in bytes.
const LONGEST: usize = 32;

static WORDS: LazyLock<FxHashMap<Box<str>, Entry>> = LazyLock::new(|| {
    let mut words = FxHashMap::default();
    // The same letters can be different abbreviations in two languages: the later, more cautious kind holds.
    for language in LANGUAGES {
        abbreviate(&mut words, language.inner, Abbreviation::Inner);
    }
    for language in LANGUAGES {
        abbreviate(&mut words, language.closing, Abbreviation::Closing);
    }
    for language in LANGUAGES {
        abbreviate(&mut words, language.numbered, Abbreviation::Numbered);
        language.starters.split_whitespace().for_each(|w| entry_of(&mut words, w).starter = true);
        language.before_ordinal.split_whitespace().for_each(|w| entry_of(&mut words, w).before_ordinal = true);
        language.after_ordinal.split_whitespace().for_each(|w| entry_of(&mut words, w).after_ordinal = true);
    }
    words
});

fn abbreviate(words: &mut FxHashMap<Box<str>, Entry>, list: &str, kind: Abbreviation) {
    for word in list.split_whitespace() {
        let entry = entry_of(words, word);
        let capital = word.starts_with(char::is_uppercase);
        entry.needs_capital = capital && (entry.needs_capital || entry.abbreviation.is_none());
        entry.abbreviation = Some(kind);
    }
}

fn entry_of<'m>(words: &'m mut FxHashMap<Box<str>, Entry>, word: &str) -> &'m mut Entry {
    words.entry(word.to_lowercase().into_boxed_str()).or_default()
}

/// The kind of abbreviation that `word` (without its last full stop) is, if it is one.
pub(super) fn abbreviation(word: &str) -> Option<Abbreviation> {
    let entry = find(word)?;
    if entry.needs_capital && !word.starts_with(char::is_uppercase) { None } else { entry.abbreviation }
}

/// Whether `word` opens sentences. Its case is not looked at.
pub(super) fn is_starter(word: &str) -> bool {
    find(word).is_some_and(|entry| entry.starter)
}

/// Whether a number with a full stop after `word` is an ordinal.
pub(super) fn is_before_ordinal(word: &str) -> bool {
    find(word).is_some_and(|entry| entry.before_ordinal)
}

/// Whether a number with a full stop before `word` is an ordinal.
pub(super) fn is_after_ordinal(word: &str) -> bool {
    find(word).is_some_and(|entry| entry.after_ordinal)
}

/// Whether `word` is one of `list`, whose words have white space between them. ASCII letters match in either case.
pub(super) fn lists(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry.eq_ignore_ascii_case(word))
}

/// Looks a word up in lower case, on the stack.
fn find(word: &str) -> Option<&'static Entry> {
    let mut folded = [0u8; LONGEST];
    let mut len = 0;
    for c in word.chars().flat_map(char::to_lowercase) {
        let end = len + c.len_utf8();
        c.encode_utf8(folded.get_mut(len..end)?);
        len = end;
    }
    WORDS.get(std::str::from_utf8(folded.get(..len)?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_of_an_entry_is_a_condition() {
        assert_eq!(abbreviation("Sat"), Some(Abbreviation::Closing));
        assert_eq!(abbreviation("sat"), None);
        assert_eq!(abbreviation("DR"), Some(Abbreviation::Inner));
        assert_eq!(abbreviation("Т.Е"), Some(Abbreviation::Inner));
    }

    #[test]
    fn every_entry_can_be_found() {
        for word in WORDS.keys() {
            assert!(word.len() <= LONGEST && find(word).is_some(), "{word}");
        }
    }
}
