//! What each character is to a comparison: compatibility decomposition (NFKD), small letters, and one of a few classes.

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The part a character plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Nothing: zero-width and control characters, vowel points of Arabic and Hebrew, apostrophes.
    Skip,
    /// Ends a word.
    Gap,
    /// Part of a word.
    Letter,
    /// Part of a number.
    Digit,
    /// Belongs to the character before it: accents, vowel signs, tone marks, jamo after the first of a syllable.
    Mark,
    /// A unit of its own: Han, kana, Hangul.
    Cjk,
    /// A unit of its own in scripts written without spaces whose words have several letters: Thai, Lao, Khmer, Myanmar.
    Dense,
    /// A unit of its own that carries meaning: currency, arrows, mathematics, emoji.
    Symbol,
}

/// A character as it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Folded {
    pub(super) class: Class,
    pub(super) char: char,
}

const SKIP: Folded = Folded { class: Class::Skip, char: '\0' };

/// The folded forms of the characters below U+10000 but Hangul syllables.
struct Table {
    /// Nearly all fold to one.
    single: Vec<Option<Folded>>,
    several: rustc_hash::FxHashMap<char, Vec<Folded>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { single: vec![None; 0x10000], several: rustc_hash::FxHashMap::default() };
    for (code, slot) in (0u32..).zip(&mut table.single) {
        let Some(char) = char::from_u32(code).filter(|char| !matches!(char, '\u{ac00}'..='\u{d7a3}')) else { continue };
        match decompose(char).as_slice() {
            [] => *slot = Some(SKIP),
            [one] => *slot = Some(*one),
            many => drop(table.several.insert(char, many.to_vec())),
        }
    }
    table
});

/// Calls `each` with what `char` folds to.
#[inline]
pub(super) fn fold(char: char, mut each: impl FnMut(Folded)) {
    if let '\u{ac00}'..='\u{d7a3}' = char {
        return jamo(char, each);
    }
    let table = &*TABLE;
    match table.single.get(char as usize) {
        Some(Some(one)) => each(*one),
        Some(None) => table.several.get(&char).into_iter().flatten().for_each(|one| each(*one)),
        None => decompose(char).into_iter().for_each(each),
    }
}

/// The letters of a Hangul syllable (The Unicode Standard, section 3.12): the first is the unit, the others belong to it.
fn jamo(syllable: char, mut each: impl FnMut(Folded)) {
    let at = (syllable as u32).wrapping_sub(0xac00);
    let mut letter = |class, code| each(Folded { class, char: char::from_u32(code).unwrap_or(syllable) });
    letter(Class::Cjk, 0x1100 + at / 588);
    letter(Class::Mark, 0x1161 + at % 588 / 28);
    if !at.is_multiple_of(28) {
        letter(Class::Mark, 0x11a7 + at % 28);
    }
}

fn decompose(char: char) -> Vec<Folded> {
    if is_skipped(char) {
        return Vec::new();
    }
    std::iter::once(char)
        .nfkd()
        .filter(|char| !is_skipped(*char))
        .flat_map(char::to_lowercase)
        .map(same_letter)
        .map(|char| Folded { class: class(char), char })
        .collect()
}

/// Letters that differ in shape only, and digits of other scripts as ASCII digits.
fn same_letter(char: char) -> char {
    let digit = |zero: u32| char::from_u32(u32::from('0') + (char as u32 - zero)).unwrap_or(char);
    match char {
        'ς' => 'σ',
        '\u{660}'..='\u{669}' => digit(0x660),
        '\u{6f0}'..='\u{6f9}' => digit(0x6f0),
        '\u{966}'..='\u{96f}' => digit(0x966),
        '\u{e50}'..='\u{e59}' => digit(0xe50),
        _ => char,
    }
}

fn class(char: char) -> Class {
    match char {
        '\u{1160}'..='\u{11ff}' => Class::Mark,
        _ if is_combining_mark(char) => Class::Mark,
        _ if char.is_ascii_digit() => Class::Digit,
        _ if !char.is_alphanumeric() => {
            if is_symbol(char) {
                Class::Symbol
            } else {
                Class::Gap
            }
        }
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => Class::Dense,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{318f}' | '\u{31a0}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' => {
            Class::Cjk
        }
        '\u{f900}'..='\u{faff}' | '\u{1b000}'..='\u{1b16f}' | '\u{20000}'..='\u{323af}' => Class::Cjk,
        _ if char.is_numeric() => Class::Digit,
        _ => Class::Letter,
    }
}

/// Signs that change what a text says. Bullets, rules and boxes do not.
fn is_symbol(char: char) -> bool {
    matches!(char, '$' | '%' | '&' | '@' | '^' | '+' | '<' | '=' | '>' | '¢'..='¥' | '°' | '±' | '×' | '÷' | '‰'
        | '\u{20a0}'..='\u{20cf}' | '\u{2190}'..='\u{23ff}' | '\u{2600}'..='\u{27bf}' | '\u{2900}'..='\u{2bff}'
        | '\u{1f000}'..='\u{1faff}')
}

/// Characters without which a text says the same.
fn is_skipped(char: char) -> bool {
    let is_control = char.is_control() && !char.is_whitespace();
    is_control
        || matches!(char, '\'' | '’' | 'ʼ' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0000}'..='\u{e01ef}')
        // Hebrew points, Arabic vowel signs and the stretch of a line.
        || matches!(char, '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}'
        | '\u{6df}'..='\u{6e8}' | '\u{6ea}'..='\u{6ed}')
}

/// Han numerals, which count as numbers where only those differ.
pub(super) fn is_han_numeral(char: char) -> bool {
    "〇零一二三四五六七八九十百千万亿两壹贰叁肆伍陆柒捌玖拾萬億兩".contains(char)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut out = String::new();
        text.chars().for_each(|char| fold(char, |one| out.push(one.char)));
        out.replace('\0', "")
    }

    #[test]
    fn forms_of_the_same_letters_fold_alike() {
        assert_eq!(folded("Ａ１ ﬁ ㎏"), "a1 fi kg");
        assert_eq!(folded("É"), "e\u{301}");
        assert_eq!(folded("ｶﾞ"), folded("ガ"));
        assert_eq!(folded("한"), folded("\u{1112}\u{1161}\u{11ab}"));
        assert_eq!(folded("كَتَبَ"), "كتب");
        assert_eq!(folded("أ"), "ا");
        assert_eq!(folded("٤٢"), "42");
        assert_eq!(folded("ΣΑΣ"), folded("σας"));
        assert_eq!(folded("𝐁old"), "bold");
    }

    #[test]
    fn syllables_are_taken_apart_as_unicode_does() {
        for char in '\u{ac00}'..='\u{d7a3}' {
            assert_eq!(folded(&char.to_string()), char.to_string().nfkd().collect::<String>());
        }
    }

    #[test]
    fn classes_follow_script_and_meaning() {
        let class_of = |char| {
            let mut found = Vec::new();
            fold(char, |one| found.push(one.class));
            found
        };
        assert_eq!(class_of('允'), [Class::Cjk]);
        assert_eq!(class_of('ก'), [Class::Dense]);
        assert_eq!(class_of('ิ'), [Class::Mark]);
        assert_eq!(class_of('€'), [Class::Symbol]);
        assert_eq!(class_of('✅'), [Class::Symbol]);
        assert_eq!(class_of('•'), [Class::Gap]);
        assert_eq!(class_of('，'), [Class::Gap]);
        assert_eq!(class_of('한'), [Class::Cjk, Class::Mark, Class::Mark]);
        assert_eq!(class_of('\u{200b}'), [Class::Skip]);
    }
}
