//! The words of a text for full-text search, the same for passages and queries.
//!
//! Text is folded (NFKC, lower case) and divided at everything that is neither letter, digit nor mark. Scripts that do
//! not put spaces between words (Han, Kana, Thai, …) and Hangul, where endings stick to words, give overlapping pairs
//! of characters; a character that stands alone is a word.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A longer run of letters is cut, so that no word outgrows a page of an index.
const WORD_MAX: usize = 64;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Class {
    /// Divides.
    #[default]
    Other,
    /// Part of a word.
    Letter,
    /// A digit: part of a word; a full stop between two of them is, too.
    Digit,
    /// A script that is indexed by pairs.
    Pairs(Script),
}

impl Class {
    fn is_word(self) -> bool {
        matches!(self, Class::Letter | Class::Digit)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    HanKana,
    Hangul,
    SouthEastAsian,
}

/// Calls `word` with each word of `text` in order.
pub(crate) fn each(text: &str, mut word: impl FnMut(&str)) {
    let mut room = Room::default();
    for (part, ascii) in parts(text) {
        let Room { folded, simple, run } = &mut room;
        if ascii {
            folded.clear();
            folded.push_str(part);
            folded.make_ascii_lowercase();
            divide_ascii(folded, &mut word);
        } else if simple.divide(part) {
            simple.words.iter().for_each(|&(start, end)| word(&simple.folded[start as usize..end as usize]));
        } else {
            divide(part.nfkc().flat_map(char::to_lowercase), run, &mut word);
        }
    }
}

/// What is kept from part to part to save allocations.
#[derive(Default)]
struct Room {
    folded: String,
    simple: Simple,
    run: Run,
}

/// The parts of a text that are folded by themselves, and whether each is ASCII.
fn parts(mut text: &str) -> impl Iterator<Item = (&str, bool)> {
    std::iter::from_fn(move || {
        let (part, ascii) = Some(text).filter(|text| !text.is_empty()).map(first_part)?;
        text = &text[part.len()..];
        Some((part, ascii))
    })
}

/// The text up to a blank or line end, either all ASCII or as short as may be. No word goes on over these, and no
/// character joins with one before it: what stands between them is folded by itself.
fn first_part(text: &str) -> (&str, bool) {
    let bytes = text.as_bytes();
    let divides = |byte: &u8| matches!(byte, b' ' | b'\n');
    // Blocks are looked at as a whole.
    let ascii = bytes.chunks(64).take_while(|block| block.is_ascii()).count() * 64;
    let rest = bytes.get(ascii..).unwrap_or_default();
    let Some(other) = rest.iter().position(|byte| !byte.is_ascii()).map(|at| ascii + at) else { return (text, true) };
    if let Some(last) = bytes[..other].iter().rposition(divides) {
        return (&text[..=last], true);
    }
    let end = memchr::memchr2(b' ', b'\n', &bytes[other..]).map_or(text.len(), |end| other + end + 1);
    (&text[..end], false)
}

/// True for the bytes of words.
const IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    table
};

/// [`divide`] for folded ASCII.
fn divide_ascii(folded: &str, mut word: impl FnMut(&str)) {
    let bytes = folded.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let in_word = |at: usize| bytes.get(at).is_some_and(|byte| IN_WORD[usize::from(*byte)]);
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while in_word(at) || bytes.get(at) == Some(&b'.') && at > start && is_digit(at - 1) && is_digit(at + 1) {
            at += 1;
        }
        let mut rest = &folded[start..at];
        while rest.len() > WORD_MAX {
            word(&rest[..WORD_MAX]);
            rest = &rest[WORD_MAX..];
        }
        if !rest.is_empty() {
            word(rest);
        }
        at += 1;
    }
}

/// A character of one of the common scripts as it is in NFKC and lower case, where that does not depend on what stands
/// beside it, and its class: the tables are looked into for few characters only.
fn simple(c: char) -> Option<(char, Class)> {
    let shifted = |by: u32| char::from_u32(u32::from(c) + by).map(|c| (c, Class::Letter));
    match c {
        'a'..='z' => Some((c, Class::Letter)),
        '0'..='9' => Some((c, Class::Digit)),
        'A'..='Z' => Some((c.to_ascii_lowercase(), Class::Letter)),
        '\0'..='\x7f' | '×' | '÷' => Some((c, Class::Other)),
        'ß'..='ÿ' | 'а'..='џ' | 'α'..='ω' | 'ء'..='غ' | 'ف'..='ي' => Some((c, Class::Letter)),
        'À'..='Þ' | 'А'..='Я' => shifted(0x20),
        // Marks of punctuation.
        '\u{a0}' => Some((' ', Class::Other)),
        '§' | '©' | '«' | '®' | '°' | '±' | '»' | '–'..='―' | '‘'..='„' | '•' | '←'..='↓' | '─'..='╿' => {
            Some((c, Class::Other))
        }
        '\u{3001}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '・' => Some((c, Class::Other)),
        '\u{3005}'..='\u{3007}' | 'ぁ'..='ゖ' | 'ァ'..='ヾ' => Some((c, HAN)),
        c if is_han(c) => Some((c, HAN)),
        '가'..='힣' => Some((c, Class::Pairs(Script::Hangul))),
        // ASCII in full width.
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).and_then(simple),
        _ => None,
    }
}

const HAN: Class = Class::Pairs(Script::HanKana);

fn is_han(c: char) -> bool {
    matches!(c, '一'..='\u{9fff}')
}

/// Divides text of [`simple`] characters.
#[derive(Default)]
struct Simple {
    folded: String,
    /// Where in `folded` each word begins and ends.
    words: Vec<(u32, u32)>,
}

impl Simple {
    /// The words of `text`; false where it has another character or is too long.
    fn divide(&mut self, text: &str) -> bool {
        self.folded.clear();
        self.words.clear();
        if u32::try_from(text.len()).is_err() {
            return false;
        }
        // Where the run of characters of one class begins, how many they are, and where the last of them begins.
        let (mut class, mut start, mut count, mut last) = (Class::Other, 0, 0, 0);
        self.folded.reserve(text.len());
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            let Some((c, mut own)) = (if is_han(c) { Some((c, HAN)) } else { simple(c) }) else { return false };
            let at = self.folded.len() as u32;
            if c == '.' && class == Class::Digit {
                let next = chars.clone().next().and_then(simple);
                own = next.map_or(Class::Other, |(_, next)| if next == Class::Digit { next } else { Class::Other });
            }
            let goes_on = if own.is_word() { class.is_word() && count < WORD_MAX } else { own == class };
            if !goes_on {
                self.end(class, count, start);
                (start, count) = (at, 0);
            }
            class = own;
            if class == Class::Other {
                continue;
            }
            self.folded.push(c);
            if matches!(class, Class::Pairs(_)) && count > 0 {
                self.words.push((last, self.folded.len() as u32));
            }
            (last, count) = (at, count + 1);
        }
        self.end(class, count, start);
        true
    }

    /// Adds what the end of a run makes a word.
    fn end(&mut self, class: Class, count: usize, start: u32) {
        if class.is_word() || count == 1 {
            self.words.push((start, self.folded.len() as u32));
        }
    }
}

/// Calls `word` with each word of a folded text.
fn divide(folded: impl Iterator<Item = char>, run: &mut Run, mut word: impl FnMut(&str)) {
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
#[derive(Default)]
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
    fn a_text_in_parts_gives_the_words_of_the_whole() {
        let ascii: String = (0u8..128).map(char::from).collect::<String>() + " A.b 1.2.3 x_y 7. .8 4..5 END";
        let long = "3.".repeat(40) + "1" + &"x".repeat(200);
        for text in [
            &*ascii,
            &long,
            "e\u{301} \u{301}\u{323}a \n\u{300} ﾃ\u{ff9e} \u{fb01}",
            "ＡＢ x \u{1100}\u{1161} \u{b4} Å\n",
            "one ÉTÉ. two 3.5\nİ ΣΑΣ 数据，API\u{a0}x",
            "数.5 １．５ 3．1、2.x é1.2é ...1.2..é 한글数据 カ・タ 〆 é数é数据é 1.数",
            &"é".repeat(200),
            &format!("{0} {0}b {0}bb", "b".repeat(63)),
            &"数1.5".repeat(50),
            &("x".repeat(63) + "é1.5"),
        ] {
            for text in [text.to_owned(), format!("{text}é"), format!("é {text}")] {
                let mut whole = Vec::new();
                divide(text.nfkc().flat_map(char::to_lowercase), &mut Run::default(), |word| {
                    whole.push(word.to_owned());
                });
                assert_eq!(words(&text), whole, "{text:?}");
            }
        }
    }

    #[test]
    fn the_short_cut_agrees_with_the_tables() {
        for c in '\0'..=char::MAX {
            if let Some((folded, class)) = simple(c) {
                assert!([c].into_iter().nfkc().flat_map(char::to_lowercase).eq([folded]), "{c:?}");
                assert!([Class::Other, Class::Letter].iter().all(|before| classify(folded, *before) == class), "{c:?}");
                // It joins with nothing before it, nor is it put in another order.
                let stays = is_nfkc_quick([folded].into_iter()) == IsNormalized::Yes;
                assert!(stays && canonical_combining_class(folded) == 0, "{c:?}");
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
}
