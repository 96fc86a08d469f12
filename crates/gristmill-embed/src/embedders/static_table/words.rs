//! Normalisation and division into words, as the vocabulary was trained: Unicode NFKC with the changes that
//! SentencePiece calls `nmt_nfkc` (white space of any kind divides, control characters vanish, the full-width tilde
//! stays), and a mark before each word.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Stands before each word in the vocabulary.
pub(super) const MARK: &str = "\u{2581}";

/// A word is handed on when it reaches this many bytes, so that memory stays bounded on text without white space.
const WORD_MAX: usize = 1 << 16;

/// Calls `word` with each normalised word of `text`, mark first. `buffer` is scratch.
pub(super) fn each_word(text: &str, buffer: &mut String, mut word: impl FnMut(&str)) {
    buffer.clear();
    for run in text.split_ascii_whitespace() {
        if run.bytes().all(|byte| byte.is_ascii_graphic()) {
            run.chars().for_each(|c| push(c, buffer, &mut word));
        } else {
            normalised(run, |c| push(c, buffer, &mut word));
        }
        flush(buffer, &mut word);
    }
}

fn normalised(run: &str, mut push: impl FnMut(char)) {
    if is_nfkc_quick(run.chars()) == IsNormalized::Yes {
        return run.chars().for_each(push);
    }
    // NFKC would make a half-width tilde of it.
    for (index, part) in run.split('\u{ff5e}').enumerate() {
        if index > 0 {
            push('\u{ff5e}');
        }
        part.nfkc().for_each(&mut push);
    }
}

fn push(c: char, buffer: &mut String, word: &mut impl FnMut(&str)) {
    if divides(c) {
        return flush(buffer, word);
    }
    if vanishes(c) {
        return;
    }
    if buffer.is_empty() {
        buffer.push_str(MARK);
    }
    buffer.push(c);
    if buffer.len() >= WORD_MAX {
        flush(buffer, word);
    }
}

fn flush(buffer: &mut String, word: &mut impl FnMut(&str)) {
    if !buffer.is_empty() {
        word(buffer);
        buffer.clear();
    }
}

fn divides(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2581}' | '\u{feff}' | '\u{fffd}')
}

fn vanishes(c: char) -> bool {
    c.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let (mut out, mut buffer) = (Vec::new(), String::new());
        each_word(text, &mut buffer, |word| out.push(word.strip_prefix(MARK).unwrap().to_owned()));
        out
    }

    #[test]
    fn white_space_of_any_kind_divides() {
        assert_eq!(
            words("  one\ttwo\r\n\u{3000}three\u{a0}four\u{200b}five  "),
            ["one", "two", "three", "four", "five"]
        );
        assert_eq!(words(" \u{feff}\n"), [""; 0]);
    }

    #[test]
    fn compatibility_forms_are_folded() {
        // Full-width letters, half-width Katakana with its voice mark, a ligature, conjoining Hangul.
        assert_eq!(
            words("\u{ff21}\u{ff22} \u{ff76}\u{ff9e} \u{fb01}t \u{1112}\u{1161}\u{11ab}"),
            ["AB", "ガ", "fit", "한"]
        );
    }

    #[test]
    fn the_full_width_tilde_stays() {
        assert_eq!(words("１～２"), ["1～2"]);
    }

    #[test]
    fn control_characters_vanish() {
        assert_eq!(words("a\u{1}b\u{7f}"), ["ab"]);
        assert_eq!(words("\u{0} \u{9f}"), [""; 0]);
    }

    #[test]
    fn a_character_that_unfolds_to_a_space_divides() {
        // U+00A8 is a space and a combining diaeresis under NFKC.
        assert_eq!(words("a\u{a8}b"), ["a", "\u{308}b"]);
    }

    #[test]
    fn endless_words_are_handed_on() {
        let text = "가".repeat(100_000);
        let words = words(&text);
        assert!(words.len() > 1 && words.iter().all(|word| word.len() <= WORD_MAX));
        assert_eq!(words.concat(), text);
    }
}
