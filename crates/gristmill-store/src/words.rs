//! The words of a text for full-text search, the same for passages and queries.
//!
//! Text is folded (NFKC, lower case) and divided at everything that is neither letter, digit nor mark. Scripts that do
//! not put spaces between words (Han, Kana, Thai, …) and Hangul, where endings stick to words, give overlapping pairs
//! of characters; a character that stands alone is a word.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A longer run of letters is cut, so that no word outgrows a page of an index.
const WORD_MAX: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Divides.
    Other,
    /// Part of a word.
    Letter,
    /// A digit: part of a word; a full stop between two of them is, too.
    Digit,
    /// A script that is indexed by pairs.
    Pairs(Script),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    HanKana,
    Hangul,
    SouthEastAsian,
}

/// The words of `text`, each followed by a space.
pub(crate) fn indexed(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    each(text, |word| {
        out.push_str(word);
        out.push(' ');
    });
    out
}

/// Calls `word` with each word of `text` in order.
pub(crate) fn each(text: &str, word: impl FnMut(&str)) {
    if text.is_ascii() {
        divide(text.bytes().map(|byte| char::from(byte.to_ascii_lowercase())), word);
    } else {
        divide(folded(text).chars(), word);
    }
}

/// NFKC in lower case. No character joins with a blank or line end before it, so that what stands between them is folded
/// by itself: the tables are looked into for few words only.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive([' ', '\n']) {
        let begins = out.len();
        let done = part.chars().all(|c| {
            let simple = simply_folded(c);
            out.extend(simple);
            simple.is_some()
        });
        if !done {
            out.truncate(begins);
            out.extend(part.nfkc().flat_map(char::to_lowercase));
        }
    }
    out
}

/// The character that one of the common scripts becomes, where that does not depend on what stands beside it.
fn simply_folded(c: char) -> Option<char> {
    let shifted = |by: u32| char::from_u32(u32::from(c) + by);
    match c {
        '\0'..='\x7f' => Some(c.to_ascii_lowercase()),
        'à'..='ÿ' | 'а'..='џ' | '–'..='―' | '‘'..='„' | '•' | '→' => Some(c),
        'À'..='Ö' | 'Ø'..='Þ' | 'А'..='Я' => shifted(0x20),
        // Marks of punctuation, kana, Han, Hangul.
        '\u{3001}'..='\u{3020}' | 'ぁ'..='ゖ' | 'ァ'..='ヾ' | '一'..='\u{9fff}' | '가'..='힣' => Some(c),
        // ASCII in full width.
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).map(|c| c.to_ascii_lowercase()),
        _ => None,
    }
}

/// Calls `word` with each word of a folded text.
fn divide(folded: impl Iterator<Item = char>, mut word: impl FnMut(&str)) {
    let mut run = Run { class: Class::Other, text: String::new(), chars: 0, marks: Vec::new() };
    let mut folded = folded.peekable();
    while let Some(c) = folded.next() {
        let class = match classify(c, run.class) {
            Class::Other if c == '.' && run.class == Class::Digit => match folded.peek() {
                Some(&next) if classify(next, Class::Other) == Class::Digit => Class::Digit,
                _ => Class::Other,
            },
            class => class,
        };
        if !run.takes(class) {
            run.end(&mut word);
        }
        run.push(c, class);
    }
    run.end(&mut word);
}

/// Characters of one class that stand together.
struct Run {
    class: Class,
    text: String,
    chars: usize,
    /// Where each character of a run of pairs begins.
    marks: Vec<usize>,
}

impl Run {
    fn takes(&self, class: Class) -> bool {
        let word = |class| matches!(class, Class::Letter | Class::Digit);
        match (self.class, class) {
            (Class::Other, _) => true,
            (Class::Pairs(a), Class::Pairs(b)) => a == b,
            (a, b) => word(a) && word(b) && self.chars < WORD_MAX,
        }
    }

    fn push(&mut self, c: char, class: Class) {
        self.class = class;
        if class != Class::Other {
            if matches!(class, Class::Pairs(_)) {
                self.marks.push(self.text.len());
            }
            self.text.push(c);
            self.chars += 1;
        }
    }

    fn end(&mut self, word: &mut impl FnMut(&str)) {
        if matches!(self.class, Class::Pairs(_)) && self.chars > 1 {
            let ends = self.marks.iter().skip(2).copied().chain([self.text.len()]);
            self.marks.iter().zip(ends).for_each(|(&start, end)| word(&self.text[start..end]));
        } else if !self.text.is_empty() {
            word(&self.text);
        }
        self.class = Class::Other;
        self.text.clear();
        self.chars = 0;
        self.marks.clear();
    }
}

/// The class of a character that follows one of class `before`.
fn classify(c: char, before: Class) -> Class {
    match c {
        'a'..='z' => Class::Letter,
        '0'..='9' => Class::Digit,
        '\0'..='\x7f' => Class::Other,
        _ => script(c).map_or_else(|| classify_word(c, before), Class::Pairs),
    }
}

fn classify_word(c: char, before: Class) -> Class {
    if c.is_numeric() {
        Class::Digit
    } else if c.is_alphabetic() {
        Class::Letter
    } else if is_combining_mark(c) {
        // A mark belongs to what it stands on.
        before
    } else {
        Class::Other
    }
}

/// The script of characters that are indexed by pairs. Blocks after Unicode 17.
fn script(c: char) -> Option<Script> {
    match c {
        // Thai, Lao, Myanmar, Khmer; their digits and marks of punctuation are left out.
        '\u{e01}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' | '\u{e81}'..='\u{ece}' => Some(Script::SouthEastAsian),
        '\u{1000}'..='\u{103f}' | '\u{1050}'..='\u{108f}' | '\u{1780}'..='\u{17d3}' => Some(Script::SouthEastAsian),
        '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{ac00}'..='\u{d7fb}' => Some(Script::Hangul),
        // Iteration marks, Kana with its marks of length, ideographs and their extensions.
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{309f}' => Some(Script::HanKana),
        '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => Some(Script::HanKana),
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => Some(Script::HanKana),
        '\u{20000}'..='\u{3fffd}' => Some(Script::HanKana),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use unicode_normalization::char::canonical_combining_class;
    use unicode_normalization::{IsNormalized, is_nfkc_quick};

    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        each(text, |word| out.push(word.to_owned()));
        out
    }

    #[test]
    fn latin_words_are_folded_and_whole() {
        assert_eq!(words("The QUICK brown-fox, ﬁne! Größe"), ["the", "quick", "brown", "fox", "fine", "größe"]);
        assert_eq!(words("max_tokens=512"), ["max", "tokens", "512"]);
    }

    #[test]
    fn ascii_gives_the_same_words_in_any_company() {
        let ascii: String = (0u8..128).map(char::from).collect::<String>() + " A.b 1.2.3 x_y END";
        let mut expected = words(&ascii);
        expected.push("é".into());
        assert_eq!(words(&(ascii + " É")), expected);
    }

    #[test]
    fn what_stands_between_blanks_is_folded_alone() {
        for text in
            ["e\u{301} \u{301}\u{323}a \n\u{300} ﾃ\u{ff9e} \u{fb01}", "ＡＢ \u{1100}\u{1161} \u{b4} Å\n", "İ ΣΑΣ"]
        {
            let whole: String = text.nfkc().flat_map(char::to_lowercase).collect();
            assert_eq!(folded(text), whole, "{text:?}");
        }
    }

    #[test]
    fn the_short_cut_agrees_with_the_tables() {
        for c in '\0'..=char::MAX {
            if let Some(simple) = simply_folded(c) {
                assert!([c].into_iter().nfkc().flat_map(char::to_lowercase).eq([simple]), "{c:?}");
                // It joins with nothing before it, nor is it put in another order.
                let stays = is_nfkc_quick([simple].into_iter()) == IsNormalized::Yes;
                assert!(stays && canonical_combining_class(simple) == 0, "{c:?}");
            }
        }
    }

    #[test]
    fn versions_stay_whole() {
        assert_eq!(words("Python 3.11. Then v1.2.3, 5."), ["python", "3.11", "then", "v1.2.3", "5"]);
        assert_eq!(words("a.b .5 6."), ["a", "b", "5", "6"]);
    }

    #[test]
    fn han_kana_hangul_and_thai_become_pairs() {
        assert_eq!(words("数据库。备份"), ["数据", "据库", "备份"]);
        assert_eq!(words("東京の天気"), ["東京", "京の", "の天", "天気"]);
        assert_eq!(words("データ"), ["デー", "ータ"]);
        assert_eq!(words("설치하나요? 내 집"), ["설치", "치하", "하나", "나요", "내", "집"]);
        assert_eq!(words("สวย ลาว"), ["สว", "วย", "ลา", "าว"]);
    }

    #[test]
    fn scripts_meet_without_running_together() {
        assert_eq!(words("Rust로 쓴 API를"), ["rust", "로", "쓴", "api", "를"]);
        assert_eq!(words("第3章"), ["第", "3", "章"]);
    }

    #[test]
    fn width_is_folded() {
        assert_eq!(words("ＡＰＩ ﾃﾞｰﾀ"), words("api データ"));
    }

    #[test]
    fn marks_stay_on_their_letters() {
        // Hindi with a virama, which is a mark but not alphabetic.
        assert_eq!(words("हिन्दी भाषा"), ["हिन्दी", "भाषा"]);
        assert_eq!(words("\u{301}a"), ["a"]);
    }

    #[test]
    fn long_runs_are_cut() {
        let words = words(&"x".repeat(1000));
        assert!(words.iter().all(|word| word.len() <= WORD_MAX));
        assert_eq!(words.concat().len(), 1000);
    }

    #[test]
    fn indexed_text_divides_at_its_spaces() {
        assert_eq!(indexed("数据库 v1.2"), "数据 据库 v1.2 ");
        assert_eq!(indexed(" …!? "), "");
    }
}
