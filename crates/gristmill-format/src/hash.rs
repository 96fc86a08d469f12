//! The hash by which equal texts are recognised.

use gristmill_core::Fingerprint;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// SHA-256 of `body` with the differences taken out that do not make another text.
///
/// In this order: Unicode normalization form C; each code point in lower case (the full mapping of the Unicode
/// Character Database, without regard to language or neighbours); every run of white space (property `White_Space`)
/// as one blank, none at the ends. `scratch` is overwritten; it is taken to save an allocation a call.
pub fn normalized_hash(body: &str, scratch: &mut Vec<u8>) -> Fingerprint {
    if fold_settled(body, scratch) {
        return Fingerprint::of(scratch);
    }
    let joined = match is_nfc_quick(body.chars()) {
        IsNormalized::Yes => join(body.split_whitespace()),
        _ => join(body.nfc().collect::<String>().split_whitespace()),
    };
    Fingerprint::of(lowered(&joined).as_bytes())
}

/// The form of a text that has nothing to be normalized, in one pass; false where that is not known of a character.
fn fold_settled(text: &str, out: &mut Vec<u8>) -> bool {
    out.clear();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            c if c.is_ascii() => {
                let length = ascii_length(rest.as_bytes());
                fold_ascii(&rest.as_bytes()[..length], out);
                length
            }
            c if is_uncased_letter(c) => {
                let length = rest.chars().take_while(|c| is_uncased_letter(*c)).map(char::len_utf8).sum();
                out.extend_from_slice(&rest.as_bytes()[..length]);
                length
            }
            c if !is_settled(c) => return false,
            c => {
                if c.is_whitespace() {
                    fold_ascii(b" ", out);
                } else {
                    c.to_lowercase().for_each(|c| out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()));
                }
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out.truncate(out.len() - usize::from(out.last() == Some(&b' ')));
    true
}

/// Each byte of ASCII in lower case, white space as a blank.
const FOLDED: [u8; 128] = {
    let mut table = [0; 128];
    let mut at = 0;
    while at < 128 {
        let byte = at as u8;
        table[at] = if matches!(byte, 0x09..=0x0d) { b' ' } else { byte.to_ascii_lowercase() };
        at += 1;
    }
    table
};

/// The number of bytes of ASCII at the start; blocks are looked at as a whole.
fn ascii_length(bytes: &[u8]) -> usize {
    let blocks = bytes.chunks(32).take_while(|block| block.is_ascii()).count() * 32;
    let rest = bytes.get(blocks..).unwrap_or_default();
    rest.iter().position(|byte| !byte.is_ascii()).map_or(bytes.len(), |at| blocks + at)
}

/// Adds the form of a text of ASCII, by lines: most have no white space but for single blanks, which is told at a glance.
fn fold_ascii(mut text: &[u8], out: &mut Vec<u8>) {
    while !text.is_empty() {
        let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
        let (line, rest) = text.split_at(end);
        if line.starts_with(b" ") || !is_plain(line) {
            fold_blanks(line, out);
        } else {
            let at = out.len();
            out.extend_from_slice(line);
            out[at..].make_ascii_lowercase();
        }
        let (line_end, rest) = rest.split_at(rest.len().min(1));
        fold_blanks(line_end, out);
        text = rest;
    }
}

/// True for a line of ASCII without control characters and with no blank beside another. It may be false for such a line.
fn is_plain(line: &[u8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The high bit of each byte that is less than `least`; of a byte after one that is, too, at times.
    let less = |eight: u64, least: u64| eight.wrapping_sub(ONES * least) & !eight & (0x80 * ONES);
    let is_plain = |eight: u64| {
        let blanks = less(eight ^ (0x20 * ONES), 1);
        less(eight, 0x20) | (blanks & (blanks >> 8)) == 0
    };
    // Windows of eight that share a byte, so that each pair is within one.
    let mut rest = line;
    while let Some(eight) = rest.first_chunk() {
        if !is_plain(u64::from_le_bytes(*eight)) {
            return false;
        }
        rest = &rest[7..];
    }
    let mut last = [b'x'; 8];
    last.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
    is_plain(u64::from_le_bytes(last))
}

/// The same for any ASCII. Every byte is written, and written over where it is one blank too many: nothing is asked.
fn fold_blanks(text: &[u8], out: &mut Vec<u8>) {
    let mut before = out.last().copied().unwrap_or(b' ');
    let mut at = out.len();
    out.resize(at + text.len(), 0);
    for byte in text {
        let folded = FOLDED[usize::from(byte & 0x7f)];
        if let Some(place) = out.get_mut(at) {
            *place = folded;
        }
        at += usize::from(folded != b' ' || before != b' ');
        before = folded;
    }
    out.truncate(at);
}

fn join<'t>(words: impl Iterator<Item = &'t str>) -> String {
    let mut out = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

fn lowered(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() { out.push(c.to_ascii_lowercase()) } else { out.extend(c.to_lowercase()) }
    }
    out
}

/// True for code points of the common scripts that stand in form C whatever is beside them: saves a look into tables.
fn is_settled(c: char) -> bool {
    matches!(c, '\0'..='\u{2ff}' | '\u{400}'..='\u{45f}')
        || (is_uncased(c) && !matches!(c, '\u{302a}'..='\u{302f}' | '\u{3099}' | '\u{309a}'))
}

/// True for kana, Han, Hangul and the punctuation that is common beside them, which know no case.
fn is_uncased(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{bf}' | '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{ff01}'..='\u{ff20}' | '\u{ff5b}'..='\u{ff60}')
}

/// True for those of them that are most of a text in these scripts: settled, and no white space.
fn is_uncased_letter(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{3029}' | '\u{3030}'..='\u{3098}' | '\u{309b}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use unicode_normalization::char::canonical_combining_class;

    use super::*;

    fn hash(body: &str) -> Fingerprint {
        normalized_hash(body, &mut b"left over".to_vec())
    }

    #[test]
    fn form_is_the_documented_one() {
        for (body, form) in [
            ("  The\tQuick\r\n\r\nBROWN  fox ", "the quick brown fox"),
            ("", ""),
            (" \n\u{3000}", ""),
            ("Ärger\u{a0}und  ÉTÉ", "ärger und été"),
            ("A\u{308}rger E\u{301}", "ärger é"),
            ("중앙 \u{1100}\u{1161}", "중앙 가"),
            ("潮位 站\u{3000}A", "潮位 站 a"),
            ("a\u{1c}b\u{b}c", "a\u{1c}b c"),
            ("ΣΑΣ İ", "σασ i\u{307}"),
            ("か\u{3099}", "が"),
        ] {
            assert_eq!(hash(body), Fingerprint::of(form.as_bytes()), "{body:?}");
        }
    }

    #[test]
    fn the_short_cuts_agree_with_the_tables() {
        for c in '\0'..=char::MAX {
            if is_settled(c) {
                assert!(
                    is_nfc_quick([c].into_iter()) == IsNormalized::Yes && canonical_combining_class(c) == 0,
                    "{c:?}"
                );
            }
            assert!(!is_uncased(c) || c.to_lowercase().eq([c]), "{c:?}");
            let letter = is_settled(c) && is_uncased(c) && !c.is_whitespace();
            assert!(letter || !is_uncased_letter(c), "{c:?}");
        }
    }

    #[test]
    fn blanks_are_joined_in_long_lines() {
        for length in 1..40 {
            for (at, blank) in (0..length).flat_map(|at| [' ', '\t', '\n', '\u{1f}', 'é'].map(|blank| (at, blank))) {
                for next in [' ', 'B', '\r'] {
                    let mut text: Vec<char> = "The Quick brown Fox ".chars().cycle().take(length).collect();
                    text[at] = blank;
                    text.insert(at, next);
                    let text: String = text.into_iter().collect();
                    let form = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
                    assert_eq!(hash(&text), Fingerprint::of(form.as_bytes()), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn blanks_are_joined_wherever_they_stand() {
        let characters =
            [' ', '\n', '\t', '\u{b}', '\u{1c}', 'A', 'z', '\0', 'É', '\u{a0}', '\u{3000}', 'か', 'İ', 'ﬁ'];
        for number in 0..characters.len().pow(4) {
            let character = |place: u32| characters[number / characters.len().pow(place) % characters.len()];
            let text: String = (0..4).map(character).collect();
            let words: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(hash(&text), Fingerprint::of(words.join(" ").to_lowercase().as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn different_texts_differ() {
        assert_ne!(hash("step 1"), hash("step 2"));
        assert_ne!(hash("re cover"), hash("recover"));
        assert_ne!(hash("가격"), hash("가 격"));
    }
}
