//! Words after a closing quote that go on with the sentence around it: "!" she said; 」と言った; ”他问道.

use super::chars::{char_at, is_clause_mark, is_terminator};
use super::lang;
use super::next::{Kind, Next};

/// Verbs with which English narrators name who speaks.
const VERBS: [&str; 16] = [
    "said",
    "asked",
    "replied",
    "cried",
    "shouted",
    "answered",
    "added",
    "exclaimed",
    "whispered",
    "yelled",
    "muttered",
    "says",
    "asks",
    "screamed",
    "murmured",
    "demanded",
];

/// Chinese verbs of saying and asking, one of which stands near the quote.
const HAN_VERBS: [char; 22] = [
    '说', '説', '說', '问', '問', '道', '喊', '叫', '答', '笑', '骂', '罵', '吼', '嚷', '回', '想', '写', '寫', '曰',
    '念', '唱', '哭',
];

/// How many characters after a Chinese quote the verb may stand.
const HAN_REACH: usize = 14;

/// Kana with which the words begin that tie a Japanese quote to what follows.
const TYING_KANA: [char; 11] = ['と', 'を', 'が', 'は', 'に', 'も', 'で', 'の', 'や', 'な', 'っ'];

/// Whether Chinese or Japanese text at `at`, right after a closing quote, goes on with the sentence.
pub(super) fn goes_on_in_cjk(text: &str, at: usize) -> bool {
    let Some(first) = char_at(text, at) else { return false };
    if TYING_KANA.contains(&first) {
        return true;
    }
    let clause =
        text.get(at..).unwrap_or("").chars().take(HAN_REACH).take_while(|&c| !(is_clause_mark(c) || is_terminator(c)));
    clause.into_iter().any(|c| HAN_VERBS.contains(&c))
}

/// Whether a name and a verb of saying follow an English quote: `"Why?" Mary asked.`
pub(super) fn names_speaker(text: &str, next: &Next<'_>) -> bool {
    let window = text.get(next.word_at..text.floor_char_boundary((next.word_at + 48).min(text.len()))).unwrap_or("");
    let mut words = window.split(' ').take(4).skip(1).map(|word| word.trim_end_matches([',', '.', ':']));
    next.kind == Kind::Upper && !lang::is_starter(next.word) && words.any(|word| VERBS.contains(&word))
}
