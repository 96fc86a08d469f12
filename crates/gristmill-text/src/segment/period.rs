//! Whether one full stop ends a sentence or belongs to an abbreviation, initial, label or ordinal.

use super::chars::char_at;
use super::lang::{self, Abbreviation};
use super::next::{Kind, Next};
use super::stop::Stop;
use super::word::{self, is_hidden, previous_word, word_start};

/// Sentence openers that are also names, and so say nothing after an initial.
const ALSO_NAMES: &str =
    "le la el los las lo les a an das han hun hon min my per so son ma sa on use don to ty ja add such";

/// Words that open sentences also where capitals are not used.
const BARE_STARTERS: &str = "i it he she they we the this there";

/// What follows a time of day and belongs to it.
const AFTER_CLOCK: &str = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Eastern Pacific Central Mountain EST EDT \
    PST PDT GMT UTC CET";

/// Whether the full stop at `stop`, followed by white space and `next`, ends the sentence.
pub(super) fn ends(stop: &Stop<'_>, next: &Next<'_>) -> bool {
    let word = Word::before(stop);
    if word.is_label() {
        return false;
    }
    let opens = next.kind == Kind::Upper && next.is_starter() && !next.is_initial(stop.text);
    match word::kind(word.text) {
        word::Kind::Listed(Abbreviation::Inner) => false,
        word::Kind::Listed(Abbreviation::Numbered) => numbered_ends(next),
        word::Kind::Listed(Abbreviation::Closing) | word::Kind::Dotted => {
            opens || next.kind == Kind::Caseless && stop.tail.closer.is_some()
        }
        word::Kind::Clock => {
            let part_of_it = lang::lists(AFTER_CLOCK, next.word) || lang::abbreviation(next.word).is_some();
            next.kind == Kind::Upper && !part_of_it
        }
        word::Kind::Initial => opens && !lang::lists(ALSO_NAMES, next.word),
        word::Kind::Short => opens,
        word::Kind::Number => word.number_ends(stop.text, next),
        word::Kind::Roman => next.kind != Kind::Lower,
        word::Kind::Plain => next.kind != Kind::Lower || word.bare_ends(stop, next),
    }
}

/// After an abbreviation that stands before numbers: in "no. 5" and "fig. B", but not in "The answer is no. Then".
fn numbered_ends(next: &Next<'_>) -> bool {
    let label = next.word.chars().count() == 1 || word::kind(next.word) == word::Kind::Roman;
    match next.kind {
        Kind::Upper => next.is_starter() || !label,
        Kind::Caseless => true,
        _ => false,
    }
}

/// The word before the full stop, as far as it belongs to the sentence.
struct Word<'t> {
    text: &'t str,
    at: usize,
    /// Only signs stand before it in its sentence.
    first: bool,
}

impl<'t> Word<'t> {
    fn before(stop: &Stop<'t>) -> Self {
        let at = word_start(stop.text, stop.at).max(stop.sentence).min(stop.at);
        let text = stop.text.get(at..stop.at).unwrap_or("").trim_end_matches(is_hidden);
        let signs = stop.text.get(stop.sentence..at).unwrap_or("");
        Self { text, at, first: signs.len() <= 24 && !signs.contains(char::is_alphanumeric) }
    }

    /// Whether the word is the label of an item or heading: "1. Open", "A. Open", "2.1.b. Open", "IV. Open".
    fn is_label(&self) -> bool {
        let short = self.text.split('.').all(|part| part.len() <= 3 && part.chars().all(char::is_alphanumeric));
        let counts = self.text.contains(|c: char| c.is_ascii_digit());
        let letter = self.text.chars().count() == 1 && word::kind(self.text) != word::Kind::Plain;
        let roman = self.text.len() <= 5 && word::kind(self.text) == word::Kind::Roman;
        self.first && (letter || short && counts || roman)
    }

    /// After a number: not in an ordinal or a row of numbers.
    fn number_ends(&self, text: &str, next: &Next<'_>) -> bool {
        let row = next.kind == Kind::Digit && char_at(text, next.word_at + next.word.len()) == Some('.');
        if row || next.kind == Kind::Lower {
            return false;
        }
        let small = self.text.trim_start_matches(['-', '–']).len() <= 2 && !next.is_starter();
        let named = matches!(next.kind, Kind::Upper | Kind::Digit);
        !(small && named && (lang::is_after_ordinal(next.word) || self.is_ordinal(text)))
    }

    /// Whether the word before makes the number an ordinal. "I am 25." is English.
    fn is_ordinal(&self, text: &str) -> bool {
        let before = previous_word(text, self.at);
        let english = before == "am" && previous_word(text, self.at.saturating_sub(3)) == "I";
        lang::is_before_ordinal(before) && !english
    }

    /// After an ordinary word, before one without a capital: only where capitals are not used at all.
    fn bare_ends(&self, stop: &Stop<'_>, next: &Next<'_>) -> bool {
        let ordinary = self.text.len() > 1 && self.text.chars().all(char::is_alphabetic);
        stop.tail.closer.is_none() && ordinary && lang::lists(BARE_STARTERS, next.word)
    }
}
