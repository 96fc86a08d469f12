//! From the characters of a line to the words of a paragraph: ligatures, spaces, hyphens at line ends.

use std::collections::HashSet;

use super::accents::accented;

/// The text with ligatures as letters, blanks as single spaces and without control characters. Soft hyphens stay.
pub(super) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}') {
            blank = !out.is_empty();
            continue;
        }
        if c.is_control() || matches!(c, '\u{fffd}' | '\u{200e}' | '\u{200f}') {
            continue;
        }
        if std::mem::take(&mut blank) {
            out.push(' ');
        }
        if let Some(whole) = chars.peek().and_then(|next| accented(c, *next)) {
            out.push(whole);
            chars.next();
            continue;
        }
        match ligature(c) {
            Some(letters) => out.push_str(letters),
            None => out.push(c),
        }
    }
    if out.chars().any(is_unspaced) { closed_up(out) } else { out }
}

/// The text without the blanks that only space its characters out, as titles in Chinese and Japanese are.
fn closed_up(text: String) -> String {
    let chars: Vec<char> = text.chars().collect();
    let spaced = |at: usize| {
        let around = at.checked_sub(1).and_then(|before| chars.get(before)).zip(chars.get(at + 1));
        chars.get(at) == Some(&' ') && around.is_some_and(|(a, b)| is_unspaced(*a) && is_unspaced(*b))
    };
    let blanks = (0..chars.len()).filter(|at| spaced(*at)).count();
    let close = chars.windows(2).filter(|pair| is_unspaced(pair[0]) && is_unspaced(pair[1])).count();
    if blanks < 3 || close * 2 > blanks {
        return text;
    }
    (0..chars.len()).filter(|at| !spaced(*at)).map(|at| chars[at]).collect()
}

/// The letters of a Latin ligature.
fn ligature(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        '\u{fb05}' | '\u{fb06}' => "st",
        _ => return None,
    })
}

/// True for the marks that divide a word at the end of a line.
pub(super) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{ad}')
}

/// True for characters of scripts that put no space between words, and their punctuation.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{2e80}'..='\u{30ff}' | '\u{31f0}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}' | '\u{0e00}'..='\u{0eff}' | '\u{1780}'..='\u{17ff}' | '\u{1000}'..='\u{109f}'
        | '\u{20000}'..='\u{3ffff}')
}

/// The words of a document, to tell how a word is written where no line ends in it.
#[derive(Default)]
pub(super) struct Words {
    known: HashSet<String>,
}

impl Words {
    /// Learns the words inside a line; the last one may be cut.
    pub(super) fn learn(&mut self, line: &str) {
        let mut words = line.split(' ').map(bare).filter(|word| word.chars().count() > 3);
        let last = words.next_back().filter(|word| !word.ends_with(is_hyphen));
        self.known.extend(words.chain(last).map(str::to_lowercase));
    }

    /// Adds the next line of a paragraph.
    pub(super) fn append(&self, text: &mut String, next: &str) {
        let next = next.trim_start();
        let mut ends = text.chars().rev();
        let (Some(end), before, Some(begin)) = (ends.next(), ends.next(), next.chars().next()) else {
            text.push_str(next);
            return;
        };
        if end == '\u{ad}' {
            text.pop();
        } else if is_hyphen(end) && before.is_some_and(char::is_alphanumeric) {
            self.append_after_hyphen(text, next, begin);
        } else {
            // A dash or slash inside a word or a number; a dash between words has a space before it.
            let inside = matches!(end, '–' | '—' | '/') && before.is_some_and(|c| !c.is_whitespace());
            let unspaced = is_unspaced(end) && is_unspaced(begin);
            if !(inside || unspaced || end == ' ') {
                text.push(' ');
            }
        }
        text.push_str(next);
    }

    fn append_after_hyphen(&self, text: &mut String, next: &str, begin: char) {
        let head = bare(text.rsplit(' ').next().unwrap_or_default()).trim_end_matches(is_hyphen);
        let tail = bare(next.split(' ').next().unwrap_or_default());
        let whole = self.known.contains(&format!("{head}{tail}").to_lowercase());
        let joins_another = matches!(tail, "and" | "or" | "und" | "oder" | "bzw" | "et" | "ou");
        if joins_another && !whole {
            // The first of two that share their end: `pre- and post-war`.
            text.push(' ');
        } else if whole && begin.is_lowercase() || !self.is_compound(head, tail, begin) {
            text.pop();
        }
    }

    /// True when the hyphen is the word's own.
    fn is_compound(&self, head: &str, tail: &str, begin: char) -> bool {
        !begin.is_lowercase()
            || head.contains(|c: char| c.is_ascii_digit() || is_hyphen(c))
            || head.chars().count() == 1
            || self.known.contains(&format!("{head}-{tail}").to_lowercase())
    }
}

/// The word without the punctuation round it; a hyphen at its end stays.
fn bare(word: &str) -> &str {
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    word.trim_end_matches(|c: char| !c.is_alphanumeric() && !is_hyphen(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(known: &str, lines: &[&str]) -> String {
        let mut words = Words::default();
        words.learn(known);
        let mut text = String::new();
        lines.iter().for_each(|line| words.append(&mut text, line));
        text
    }

    #[test]
    fn cut_words_become_whole() {
        assert_eq!(joined("", &["The docu-", "mentation in-", "creases."]), "The documentation increases.");
        assert_eq!(joined("", &["Be\u{ad}", "weis"]), "Beweis");
    }

    #[test]
    fn hyphens_of_the_word_stay() {
        assert_eq!(joined("", &["state-of-the-", "art"]), "state-of-the-art");
        assert_eq!(joined("a well-known fact", &["a well-", "known fact"]), "a well-known fact");
        assert_eq!(joined("", &["Soekarno-", "Hatta"]), "Soekarno-Hatta");
        assert_eq!(joined("", &["pre-", "and post-war"]), "pre- and post-war");
        assert_eq!(joined("", &["COVID-", "19"]), "COVID-19");
        assert_eq!(joined("", &["FAA–2020–", "0686"]), "FAA–2020–0686");
    }

    #[test]
    fn dashes_between_words_and_scripts_without_spaces() {
        assert_eq!(joined("", &["one –", "two"]), "one – two");
        assert_eq!(joined("", &["漢字", "かな"]), "漢字かな");
        assert_eq!(joined("", &["漢字", "and"]), "漢字 and");
    }

    #[test]
    fn ligatures_and_blanks() {
        assert_eq!(clean("关 于 红 军 的 原则"), "关于红军的原则");
        assert_eq!(clean("北京 上海 広州 天津"), "北京 上海 広州 天津");
        assert_eq!(clean("na¨ıve O˘guz 5 ¨ x"), "naïve Oğuz 5 ¨ x");
        assert_eq!(clean(" \u{fb01}eld\u{a0} o\u{fb03}ce\u{0} "), "field office");
    }
}
