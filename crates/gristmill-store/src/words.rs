//! The words of a text for full-text search, the same for passages and queries.
//!
//! Text is folded (NFKC, lower case) and divided at everything that is neither letter, digit nor mark. Scripts that do
//! not put spaces between words (Han, Kana, Thai, …) and Hangul, where endings stick to words, give overlapping pairs
//! of characters; a character that stands alone is a word.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A longer run of letters is cut, so that no word outgrows a page of an index.
const WORD_MAX: usize = 64;

#[derive(Clone, Copy, Default, PartialEq, Eq)]
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    HanKana,
    Hangul,
    SouthEastAsian,
}

/// The words of `text`, each followed by a space or more, in UTF-8.
pub(crate) fn indexed(text: &str) -> Vec<u8> {
    // Pairs of characters take more than twice the room.
    let room = if text.is_ascii() { 1 } else { text.len() * 3 / 2 };
    let mut out = Vec::with_capacity(text.len() + room);
    let mut room = Room::default();
    for (part, ascii) in parts(text) {
        if !ascii || !spread(part.as_bytes(), &mut out) {
            words(part, ascii, &mut room, |word| {
                out.extend_from_slice(word.as_bytes());
                out.push(b' ');
            });
        }
    }
    out
}

/// Calls `word` with each word of `text` in order.
pub(crate) fn each(text: &str, mut word: impl FnMut(&str)) {
    let mut room = Room::default();
    parts(text).for_each(|(part, ascii)| words(part, ascii, &mut room, &mut word));
}

/// What is kept from part to part to save allocations.
#[derive(Default)]
struct Room {
    folded: String,
    run: Run,
}

/// Calls `word` with each word of a part.
fn words(part: &str, ascii: bool, Room { folded, run }: &mut Room, word: impl FnMut(&str)) {
    folded.clear();
    if ascii {
        folded.push_str(part);
        folded.make_ascii_lowercase();
        divide_ascii(folded, word);
    } else {
        fold(part, folded);
        divide(folded.chars(), run, word);
    }
}

/// Folds ASCII and puts a space for whatever divides: the words of [`divide_ascii`], faster. False, and nothing is put out,
/// when one of them may have to be cut.
fn spread(text: &[u8], out: &mut Vec<u8>) -> bool {
    // A run of more than so many bytes has a whole block of half as many in it.
    let divides = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'.';
    if text.chunks_exact(WORD_MAX / 2).any(|block| !block.iter().any(divides)) {
        return false;
    }
    let begins = out.len();
    out.extend(text.iter().map(|byte| if byte.is_ascii_alphanumeric() { byte.to_ascii_lowercase() } else { b' ' }));
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    for at in memchr::memchr_iter(b'.', text) {
        if at > 0 && is_digit(at - 1) && is_digit(at + 1) {
            out[begins + at] = b'.';
        }
    }
    out.push(b' ');
    true
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
    if bytes.is_ascii() {
        return (text, true);
    }
    let divides = |byte: &u8| matches!(byte, b' ' | b'\n');
    let Some(other) = bytes.iter().position(|byte| !byte.is_ascii()) else { return (text, true) };
    if let Some(last) = bytes[..other].iter().rposition(divides) {
        return (&text[..=last], true);
    }
    let end = bytes[other..].iter().position(divides).map_or(text.len(), |end| other + end + 1);
    (&text[..end], false)
}

/// [`divide`] for folded ASCII.
fn divide_ascii(folded: &str, mut word: impl FnMut(&str)) {
    let bytes = folded.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut begins = None;
    for (at, byte) in bytes.iter().enumerate() {
        let point = |start: usize| *byte == b'.' && at > start && is_digit(at - 1) && is_digit(at + 1);
        begins = match begins {
            None => byte.is_ascii_alphanumeric().then_some(at),
            Some(start) if !byte.is_ascii_alphanumeric() && !point(start) => {
                word(&folded[start..at]);
                None
            }
            Some(start) if at - start == WORD_MAX => {
                word(&folded[start..at]);
                Some(at)
            }
            going_on => going_on,
        };
    }
    if let Some(start) = begins {
        word(&folded[start..]);
    }
}

/// NFKC in lower case: the tables are looked into for few characters only.
fn fold(text: &str, out: &mut String) {
    let simple = text.chars().all(|c| {
        let simple = simply_folded(c);
        out.extend(simple);
        simple.is_some()
    });
    if !simple {
        out.clear();
        out.extend(text.nfkc().flat_map(char::to_lowercase));
    }
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
        let indexed = |text| String::from_utf8(super::indexed(text)).unwrap();
        assert_eq!(indexed("数据库 v1.2"), "数据 据库 v1.2 ");
        let ascii: String = (0u8..128).map(char::from).collect();
        let long = "3.".repeat(40) + "1" + &"x".repeat(200);
        let longest = [63, 64, 65].map(|length| "a ".repeat(21) + &"b".repeat(length));
        let texts = [" …!? ", "A.b 1.2.3, .5 6. x-Y_z.", &ascii, &long, "one ÉTÉ. two 3.5\nv1.2 1.é2", ""];
        for text in texts.into_iter().chain(longest.iter().map(String::as_str)) {
            let mut words = Vec::new();
            each(text, |word| words.push(word.to_owned()));
            assert_eq!(indexed(text).split_ascii_whitespace().collect::<Vec<_>>(), words, "{text:?}");
            assert!(indexed(text).bytes().all(|byte| byte == b' ' || !byte.is_ascii_control()), "{text:?}");
        }
    }
}
