//! Words and phrases that a text is about, by what is said in it.
//!
//! A phrase is up to three words between stop words and marks, or up to six Chinese characters. It counts by its C-value (K.
//! Frantzi, S. Ananiadou, H. Mima: Automatic recognition of multi-word terms, 2000): how often it is said, less how often
//! that is inside longer phrases, times a logarithm of its length,
//!
//! ```text
//! C(a) = log2(1 + |a|) · (f(a) − mean of f(b) over the longer phrases b that hold a)
//! ```
//!
//! with `1 +` so that single words count, a Chinese character as half a word, and `f` of 2 and more.

#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use unicode_segmentation::UnicodeSegmentation;

use crate::language::StopWords;
use crate::plain::plain;
use crate::segment::chars::is_hangul;

/// Of longer texts this many bytes are looked at.
const SAMPLE: usize = 100_000;

/// Units in a phrase: words, or single characters of Chinese and Japanese.
const LONGEST: usize = 6;

/// Half words in a phrase.
const HALVES: u32 = 6;

/// A phrase by the numbers of its units; 0 where it has ended.
type Key = [u32; LONGEST];

/// Korean particles, longest first: the word before one is the same with another.
const PARTICLES: &str =
    "에서는 으로는 에게서 에서 으로 까지 부터 에게 에는 처럼 보다 은 는 이 가 을 를 의 에 로 과 와 도 만";

/// At most `most` phrases of Markdown text that comes in pieces (paragraphs), the most telling first, each as it is written
/// where it is first said. None in languages whose stop words are not known, and Thai, which puts no spaces between words.
pub fn extract<'a>(pieces: impl IntoIterator<Item = &'a str>, language: &str, most: usize) -> Vec<String> {
    let Some(stop_words) = StopWords::of(language) else { return Vec::new() };
    let mut said = Said { stop_words, ids: FxHashMap::default(), phrases: FxHashMap::default() };
    let mut left = SAMPLE;
    for piece in pieces.into_iter().flat_map(plain) {
        said.piece(piece);
        left = left.saturating_sub(piece.len());
        if left == 0 {
            break;
        }
    }
    said.best(most)
}

struct Said {
    stop_words: StopWords,
    /// The number of a word, in small letters.
    ids: FxHashMap<String, u32>,
    phrases: FxHashMap<Key, Phrase>,
}

struct Phrase {
    text: String,
    /// Where it was first said among all.
    rank: usize,
    count: u32,
    halves: u32,
}

/// A word in its piece.
#[derive(Clone, Copy)]
struct Unit {
    id: u32,
    start: usize,
    end: usize,
    halves: u32,
}

impl Said {
    fn piece(&mut self, text: &str) {
        let mut run: Vec<Unit> = Vec::new();
        let mut before = 0;
        for (start, word) in text.unicode_word_indices() {
            if !matches!(&text[before..start], "" | " " | "\n" | "-") {
                self.run(text, &run);
                run.clear();
            }
            before = start + word.len();
            match self.unit(start, word, &text[before..]) {
                Some(unit) => run.push(unit),
                None => {
                    self.run(text, &run);
                    run.clear();
                }
            }
        }
        self.run(text, &run);
    }

    /// `None` for what ends a phrase.
    fn unit(&mut self, start: usize, word: &str, after: &str) -> Option<Unit> {
        let stem = stem(word);
        let folded = stem.to_lowercase();
        let is_word = stem.chars().all(char::is_alphanumeric) && stem.chars().any(char::is_alphabetic);
        let is_scheme = after.starts_with("://");
        // What stands in code is left out, and the particle after it left behind.
        let is_particle = PARTICLES.split(' ').any(|particle| particle == word);
        if !is_word || is_scheme || is_particle || stem.chars().any(is_hiragana) || self.stop_words.has(&folded) {
            return None;
        }
        let halves = if stem.chars().nth(1).is_none() { 1 } else { 2 };
        let next = u32::try_from(self.ids.len() + 1).ok()?;
        let id = *self.ids.entry(folded).or_insert(next);
        Some(Unit { id, start, end: start + stem.len(), halves })
    }

    /// Counts the phrases in words that follow one another.
    fn run(&mut self, text: &str, run: &[Unit]) {
        for first in 0..run.len() {
            let (mut key, mut halves) = (Key::default(), 0);
            for (place, unit) in run[first..].iter().take(LONGEST).enumerate() {
                halves += unit.halves;
                key[place] = unit.id;
                if halves > HALVES {
                    break;
                }
                let rank = self.phrases.len();
                let phrase = || {
                    let text = text[run[first].start..unit.end].replace('\n', " ");
                    Phrase { text, rank, count: 0, halves }
                };
                if halves > 1 {
                    self.phrases.entry(key).or_insert_with(phrase).count += 1;
                }
            }
        }
    }

    fn best(self, most: usize) -> Vec<String> {
        let often = || self.phrases.iter().filter(|(_, phrase)| phrase.count > 1);
        let mut within: FxHashMap<Key, (u32, u32)> = FxHashMap::default();
        for (key, phrase) in often() {
            for part in parts(key) {
                let (sum, number) = within.entry(part).or_default();
                (*sum, *number) = (*sum + phrase.count, *number + 1);
            }
        }
        let mut scored: Vec<(f64, &Phrase)> = often()
            .map(|(key, phrase)| {
                let (sum, number) = within.get(key).copied().unwrap_or((0, 1));
                let alone = f64::from(phrase.count) - f64::from(sum) / f64::from(number);
                ((1.0 + f64::from(phrase.halves) / 2.0).log2() * alone, phrase)
            })
            // A stop word of two characters is told by the phrase that it makes.
            .filter(|(score, phrase)| *score > 0.0 && !self.stop_words.has(&phrase.text))
            .collect();
        scored.sort_by(|(one, a), (other, b)| other.total_cmp(one).then(a.rank.cmp(&b.rank)));
        scored.into_iter().take(most).map(|(_, phrase)| phrase.text.clone()).collect()
    }
}

/// All phrases inside a phrase that are shorter.
fn parts(key: &Key) -> Vec<Key> {
    let len = key.iter().position(|id| *id == 0).unwrap_or(LONGEST);
    let ranges = (0..len).flat_map(|start| (start + 1..=len).map(move |end| start..end));
    let part = |range: std::ops::Range<usize>| {
        let mut part = Key::default();
        part[..range.len()].copy_from_slice(&key[range]);
        part
    };
    ranges.filter(|range| range.len() < len).map(part).collect()
}

fn is_hiragana(c: char) -> bool {
    ('\u{3041}'..='\u{309f}').contains(&c)
}

/// A Korean word without its particle; every other word as it is.
fn stem(word: &str) -> &str {
    let mut particles = PARTICLES.split(' ').filter_map(|particle| word.strip_suffix(particle));
    particles.find(|stem| stem.chars().nth(1).is_some() && stem.chars().all(is_hangul)).unwrap_or(word)
}
