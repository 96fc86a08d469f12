//! The hash by which equal texts are recognised.

use gristmill_core::Fingerprint;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// SHA-256 of `body` with the differences taken out that do not make another text.
///
/// In this order: Unicode normalization form C; each code point in lower case (the full mapping of the Unicode
/// Character Database, without regard to language or neighbours); every run of white space (property `White_Space`)
/// as one blank, none at the ends. `scratch` is overwritten; it is taken to save an allocation a call.
pub fn normalized_hash(body: &str, scratch: &mut String) -> Fingerprint {
    scratch.clear();
    scratch.reserve(body.len());
    if body.is_ascii() {
        join(ascii_words(body), scratch);
        scratch.make_ascii_lowercase();
        return Fingerprint::of(scratch.as_bytes());
    }
    if body.chars().all(is_settled) || is_nfc_quick(body.chars()) == IsNormalized::Yes {
        join(body.split_whitespace(), scratch);
    } else {
        join(body.nfc().collect::<String>().split_whitespace(), scratch);
    }
    if scratch.chars().all(|c| c.is_ascii() || is_uncased(c)) {
        scratch.make_ascii_lowercase();
    } else {
        *scratch = lowered(scratch);
    }
    Fingerprint::of(scratch.as_bytes())
}

/// Stretches between ASCII white space; some may be empty.
fn ascii_words(text: &str) -> impl Iterator<Item = &str> {
    const WHITE: [bool; 256] = {
        let mut table = [false; 256];
        let mut at = 0x09;
        while at <= 0x0d {
            table[at] = true;
            at += 1;
        }
        table[0x20] = true;
        table
    };
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.bytes().position(|byte| WHITE[usize::from(byte)]);
        rest = end.map(|end| &text[end + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
}

fn join<'t>(words: impl Iterator<Item = &'t str>, out: &mut String) {
    for word in words.filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
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
    c < '\u{300}' || (is_uncased(c) && !matches!(c, '\u{302a}'..='\u{302f}' | '\u{3099}' | '\u{309a}'))
}

/// True for kana, Han, Hangul and the punctuation that is common beside them, which know no case.
fn is_uncased(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{bf}' | '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{ff01}'..='\u{ff20}' | '\u{ff5b}'..='\u{ff60}')
}

#[cfg(test)]
mod tests {
    use unicode_normalization::char::canonical_combining_class;

    use super::*;

    fn hash(body: &str) -> Fingerprint {
        normalized_hash(body, &mut String::from("left over"))
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
        }
    }

    #[test]
    fn different_texts_differ() {
        assert_ne!(hash("step 1"), hash("step 2"));
        assert_ne!(hash("re cover"), hash("recover"));
        assert_ne!(hash("가격"), hash("가 격"));
    }
}
