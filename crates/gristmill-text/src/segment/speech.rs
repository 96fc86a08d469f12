//! Words after a closing quote that go on with the sentence around it: "!" she said; 」と言った; ”他问道.

use super::chars::{is_clause_mark, is_terminator};
use super::lang;
use super::next::{Kind, Next};

/// Verbs with which English narrators name who speaks.
const VERBS: &str = "said asked replied cried shouted answered added exclaimed whispered yelled muttered says asks \
    screamed murmured demanded";

/// Chinese verbs of saying and asking, one of which stands near the quote.
const HAN_VERBS: [char; 20] = [
    '说', '説', '說', '问', '問', '道', '喊', '叫', '答', '笑', '骂', '罵', '吼', '嚷', '想', '写', '寫', '曰', '唱',
    '哭',
];

/// How many characters after a Chinese quote the verb may stand.
const HAN_REACH: usize = 14;

/// Arabic verbs of saying and asking.
const ARABIC_VERBS: &str = "قال قالت سأل سألت صاح أجاب أجابت أضاف تساءل يقول";

/// Kana with which the words begin that tie a Japanese quote or bracket to what follows.
const TYING_KANA: [char; 11] = ['と', 'を', 'が', 'は', 'に', 'も', 'で', 'の', 'や', 'な', 'っ'];

/// Words that begin with such kana and open a sentence.
const OPENING_WORDS: &str = "なぜ なに なお なんと でも では はい とにかく ところ もし もう もちろん やがて やっぱり";

/// Whether a verb of saying follows a Chinese or Arabic quote at `at`: ”他问道, "…" سأل.
pub(super) fn goes_on(text: &str, at: usize) -> bool {
    let rest = text.get(at..text.floor_char_boundary((at + HAN_REACH * 4).min(text.len()))).unwrap_or("");
    let ends = |c: char| is_clause_mark(c) || is_terminator(c);
    let clause = rest.split(ends).next().unwrap_or("");
    let spoken = clause.contains(HAN_VERBS);
    let native = !clause.contains(is_kana) && !clause.contains(['没', '沒']);
    let word = rest.split(char::is_whitespace).next().unwrap_or("");
    spoken && native || lang::lists(ARABIC_VERBS, word)
}

/// Whether a Japanese particle ties what closes before `at` to what follows.
pub(super) fn is_tied(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or("");
    rest.starts_with(TYING_KANA) && !OPENING_WORDS.split_ascii_whitespace().any(|word| rest.starts_with(word))
}

fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}')
}

/// Whether a name and a verb of saying follow an English quote: `"Why?" Mary asked.`
pub(super) fn names_speaker(text: &str, next: &Next<'_>) -> bool {
    let window = text.get(next.word_at..text.floor_char_boundary((next.word_at + 48).min(text.len()))).unwrap_or("");
    let mut words = window.split(' ').take(4).skip(1).map(|word| word.trim_end_matches([',', '.', ':']));
    if next.word == "I" {
        return words.next().is_some_and(|word| lang::lists(VERBS, word));
    }
    next.kind == Kind::Upper && !lang::is_starter(next.word) && words.any(|word| lang::lists(VERBS, word))
}
