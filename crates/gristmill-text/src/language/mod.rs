//! The language that a text is written in.
//!
//! The script tells it, or leaves a few to choose from; among those the words decide that hold sentences together (`the`,
//! `und`, `для`): in running text every third word or so is one. What has too few of them, or nearly as many of another
//! language, has no language that could be told, and none is guessed.

mod script;
#[cfg(test)]
mod tests;
mod words;

use rustc_hash::FxHashMap;

use crate::plain::plain;
use script::Script;
use words::{LANGUAGES_OF, WORDS};

/// Of longer texts this many characters are looked at.
const SAMPLE: usize = 1_000;

/// Letters of a script that is one language's, or words of another, without which nothing is told.
const LETTERS: usize = 20;
const WORDS_MIN: usize = 12;

/// One of so many words has to be known in the language, and so many different ones.
const KNOWN: usize = 8;
const KINDS: usize = 5;

/// As many words, as a share of those of the likeliest language, may be known in another one.
const CLEAR: (usize, usize) = (4, 5);

/// The language of Markdown text that comes in pieces (paragraphs), by its code of ISO 639-1: `en`, and `zh` for simplified
/// and traditional Chinese alike. `None` for text that is short, mixed, or in a language that is not known here.
pub fn detect<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Option<&'static str> {
    let mut seen = Seen::default();
    let mut left = SAMPLE;
    let mut word = String::new();
    for piece in pieces.into_iter().flat_map(plain) {
        for c in piece.chars().take(left).chain([' ']) {
            left = left.saturating_sub(1);
            match Script::of(c) {
                Some(script) => seen.letter(c, script, &mut word),
                None => seen.word_end(&mut word),
            }
        }
        if left == 0 {
            break;
        }
    }
    seen.language()
}

/// The words that hold sentences of a language together.
#[derive(Clone, Copy, Debug)]
pub struct StopWords {
    /// Its bit in [`LANGUAGES_OF`].
    bit: u64,
}

impl StopWords {
    /// Those of a language by its code, with or without a region; `None` where they are not known.
    pub fn of(language: &str) -> Option<Self> {
        let code = language.split(['-', '_']).next()?;
        let index = WORDS.iter().position(|(known, _)| known.eq_ignore_ascii_case(code))?;
        Some(Self { bit: 1 << index })
    }

    /// True for one of them, in small letters.
    pub fn has(self, word: &str) -> bool {
        LANGUAGES_OF.get(word).is_some_and(|languages| languages & self.bit != 0)
    }
}

#[derive(Default)]
struct Seen {
    letters: [usize; Script::COUNT],
    words: [usize; Script::COUNT],
    known: FxHashMap<&'static str, usize>,
}

impl Seen {
    fn letter(&mut self, c: char, script: Script, word: &mut String) {
        self.letters[script as usize] += 1;
        if script.has_words() {
            self.words[script as usize] += usize::from(word.is_empty());
            word.extend(c.to_lowercase());
        } else {
            self.word_end(word);
        }
    }

    fn word_end(&mut self, word: &mut String) {
        if let Some((known, _)) = LANGUAGES_OF.get_key_value(word.as_str()) {
            *self.known.entry(known).or_insert(0) += 1;
        }
        word.clear();
    }

    fn language(&self) -> Option<&'static str> {
        let weights = Script::ALL.map(|script| self.weight(script));
        let (main, weight) = Script::ALL.into_iter().zip(weights).max_by_key(|(_, weight)| *weight)?;
        let clear = weight * 3 >= weights.iter().sum::<usize>() * 2;
        if !clear {
            return None;
        }
        if main.has_words() { self.by_words(main) } else { self.by_letters(main) }
    }

    /// How much of the text is written in a script, as far as numbers of words and of letters compare.
    fn weight(&self, script: Script) -> usize {
        let letters = self.letters[script as usize];
        match script {
            Script::Kana => 0,
            Script::Han => 2 * (letters + self.letters[Script::Kana as usize]),
            Script::Hangul => 2 * letters,
            _ if script.has_words() => 4 * self.words[script as usize],
            _ => letters,
        }
    }

    fn by_letters(&self, script: Script) -> Option<&'static str> {
        let (letters, kana) = (self.letters[script as usize], self.letters[Script::Kana as usize]);
        if letters + kana < LETTERS {
            return None;
        }
        match script {
            // Japanese has kana in every sentence, and Chinese none but in names.
            Script::Han if kana * 10 >= letters => Some("ja"),
            Script::Han if kana * 50 >= letters => None,
            _ => script.language(),
        }
    }

    fn by_words(&self, script: Script) -> Option<&'static str> {
        let words = self.words[script as usize];
        let mut hits = [(0, 0); WORDS.len()];
        for (word, count) in &self.known {
            for (index, (all, kinds)) in hits.iter_mut().enumerate() {
                let knows = LANGUAGES_OF[word] >> index & 1;
                (*all, *kinds) = (*all + knows as usize * count, *kinds + usize::from(knows == 1 && word.len() > 1));
            }
        }
        let best = (0..WORDS.len()).max_by_key(|&index| hits[index])?;
        let (all, kinds) = std::mem::take(&mut hits[best]);
        let next = hits.iter().max()?.0;
        let told = words >= WORDS_MIN && kinds >= KINDS && all * KNOWN >= words && next * CLEAR.1 <= all * CLEAR.0;
        told.then_some(WORDS[best].0)
    }
}
