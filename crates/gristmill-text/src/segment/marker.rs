//! Marks of list items inside running text: `1.`, `2)`, `b.)`, `(iv)`, `•`.

use super::chars::{char_at, char_before};
use super::lang;
use super::word::previous_word;

/// How the label of an item is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `1.`
    Dot,
    /// `1.)`
    DotBracket,
    /// `1)`
    Bracket,
    /// `(1)`
    Brackets,
}

/// What the label counts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Number,
    Small,
    Capital,
    /// Small letters that make a Roman number.
    Roman,
}

/// The mark of one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    form: Form,
    count: Count,
    value: u32,
    /// The value when the label is read as a Roman number.
    roman: Option<u32>,
    bullet: Option<char>,
}

/// Nouns that are followed by a number: "page 2. Then".
const NUMBERED_NOUNS: &str = "page pages section chapter figure table step version part level line phase stage rule article option \
    grade day seite kapitel abschnitt schritt tag";

/// Words that are followed by a number: "in 2. Then".
const PREPOSITIONS: &str = "in on at to of by for with from is are was than about over under and or = +";

impl Marker {
    /// The marker that begins at `at`; white space follows it.
    pub(super) fn at(text: &str, at: usize) -> Option<Self> {
        let (bullet, at) = bullet_at(text, at);
        let rest = text.get(at..text.floor_char_boundary((at + 12).min(text.len())))?;
        let open = rest.starts_with('(');
        let body = rest.get(usize::from(open)..)?;
        let len = body.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let text = body.get(..len)?;
        let (count, value) = label(text)?;
        let after = body.get(len..)?;
        let (form, closed) = match (open, after.as_bytes()) {
            (true, [b')', ..]) => (Form::Brackets, 1),
            (false, [b'.', b')', ..]) => (Form::DotBracket, 2),
            (false, [b'.', ..]) => (Form::Dot, 1),
            (false, [b')', ..]) => (Form::Bracket, 1),
            _ => return None,
        };
        let spaced = after.get(closed..)?.starts_with([' ', '\t', '\n']);
        spaced.then_some(Self { form, count, value, roman: roman(text), bullet })
    }

    /// True for a form that is nothing else than a marker.
    pub(super) fn is_certain(&self) -> bool {
        match self.form {
            Form::Dot => self.count == Count::Small && self.value == 1,
            Form::DotBracket | Form::Bracket => true,
            Form::Brackets => self.count != Count::Number,
        }
    }

    /// True for the first of a list that begins with a line.
    pub(super) fn opens_line(&self) -> bool {
        self.value == 1 && (self.form != Form::Dot || self.count == Count::Number)
    }

    /// Whether `self` goes on with the list of `before`, or begins it again.
    pub(super) fn follows(&self, before: &Self) -> bool {
        let same = self.form == before.form && self.bullet == before.bullet;
        let roman = self.roman.is_some() && self.roman == before.roman.map(|value| value + 1);
        same && (roman || self.count == before.count && (self.value == before.value + 1 || self.value == 1))
    }

    /// The place and marker of the item whose label ends with the mark at `end`, found by looking back.
    pub(super) fn ending_at(text: &str, end: usize) -> Option<(usize, Self)> {
        let from = end.saturating_sub(6);
        let bytes = text.as_bytes().get(from..end)?;
        let label = bytes.iter().rev().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'(')).count();
        let mut at = end - label;
        if let Some(bullet) = char_before(text, at).filter(|&c| is_bullet(c)) {
            at -= bullet.len_utf8();
        } else if let Some(before) = at.checked_sub(1).and_then(|i| char_before(text, i)).filter(|&c| is_bullet(c)) {
            at -= before.len_utf8() + 1;
        }
        char_before(text, at).is_some_and(char::is_whitespace).then_some(())?;
        Some((at, Self::at(text, at)?))
    }

    /// Whether the number at `at` is part of a phrase: after a preposition, or a noun that is counted.
    pub(super) fn is_in_phrase(&self, text: &str, at: usize) -> bool {
        if self.count != Count::Number || self.form != Form::Dot || self.bullet.is_some() {
            return false;
        }
        let before = previous_word(text, at);
        lang::lists(NUMBERED_NOUNS, before)
            || lang::lists(PREPOSITIONS, before)
            || lang::is_before_ordinal(before)
            || lang::abbreviation(before).is_some()
    }
}

/// Signs that stand before an item.
pub(super) fn is_bullet(c: char) -> bool {
    matches!(c, '•' | '⁃' | '‣' | '◦' | '▪')
}

/// The bullet at `at` and where the label after it begins.
fn bullet_at(text: &str, at: usize) -> (Option<char>, usize) {
    let Some(c) = char_at(text, at).filter(|&c| is_bullet(c)) else { return (None, at) };
    let after = at + c.len_utf8();
    (Some(c), after + usize::from(char_at(text, after) == Some(' ')))
}

/// What a label counts, from 1.
fn label(label: &str) -> Option<(Count, u32)> {
    if label.len() <= 3 && label.bytes().all(|b| b.is_ascii_digit()) {
        return Some((Count::Number, label.parse().ok()?));
    }
    match label.as_bytes() {
        [b @ b'a'..=b'z'] if *b != b'i' => Some((Count::Small, u32::from(b - b'a') + 1)),
        [b @ b'A'..=b'Z'] => Some((Count::Capital, u32::from(b - b'A') + 1)),
        _ => Some((Count::Roman, roman(label)?)),
    }
}

/// The value of a Roman number in small letters, up to 20.
fn roman(label: &str) -> Option<u32> {
    const NUMBERS: [&str; 20] = [
        "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi", "xvii",
        "xviii", "xix", "xx",
    ];
    if !label.bytes().all(|b| matches!(b, b'i' | b'v' | b'x')) {
        return None;
    }
    NUMBERS.iter().zip(1..).find(|(number, _)| **number == label).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_labels() {
        for text in ["1. a", "12) a", "b.) a", "(iv) a", "• 3. a", "⁃9. a", "C) a"] {
            assert!(Marker::at(text, 0).is_some(), "{text}");
        }
        for text in ["1.5 a", "1a) b", "word) a", "(see) a", "1.", "2024. a", ". a", ""] {
            assert!(Marker::at(text, 0).is_none(), "{text}");
        }
    }

    #[test]
    fn next_label_follows_in_the_same_form() {
        let at = |text| Marker::at(text, 0).unwrap();
        assert!(at("2) x").follows(&at("1) x")));
        assert!(at("1) x").follows(&at("7) x")), "a list may begin again");
        assert!(at("(v) x").follows(&at("(iv) x")) && at("(v) x").follows(&at("(u) x")));
        assert!(!at("3) x").follows(&at("1) x")));
        assert!(!at("2. x").follows(&at("1) x")));
    }

    #[test]
    fn found_by_looking_back() {
        let text = "1) bolt 2) nut";
        let (at, marker) = Marker::ending_at(text, text.rfind(')').unwrap()).unwrap();
        assert_eq!(at, 8);
        assert_eq!(marker.value, 2);
    }
}
