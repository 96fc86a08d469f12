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
        // U+000B and the separators U+001C..U+001F: only the first is white space in Unicode, as in `char`.
        fold(body.bytes().map(char::from), scratch, |c, out| out.push(c.to_ascii_lowercase()));
    } else if is_nfc_quick(body.chars()) == IsNormalized::Yes {
        fold(body.chars(), scratch, lower);
    } else {
        fold(body.nfc(), scratch, lower);
    }
    Fingerprint::of(scratch.as_bytes())
}

fn lower(c: char, out: &mut String) {
    if c.is_ascii() { out.push(c.to_ascii_lowercase()) } else { out.extend(c.to_lowercase()) }
}

/// Appends `chars`, each by `push`, with runs of white space as one blank and none at the ends.
fn fold(chars: impl Iterator<Item = char>, out: &mut String, push: impl Fn(char, &mut String)) {
    let mut gap = false;
    for c in chars {
        if c.is_whitespace() {
            gap = !out.is_empty();
            continue;
        }
        if gap {
            out.push(' ');
            gap = false;
        }
        push(c, out);
    }
}

#[cfg(test)]
mod tests {
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
        ] {
            assert_eq!(hash(body), Fingerprint::of(form.as_bytes()), "{body:?}");
        }
    }

    #[test]
    fn different_texts_differ() {
        assert_ne!(hash("step 1"), hash("step 2"));
        assert_ne!(hash("re cover"), hash("recover"));
        assert_ne!(hash("가격"), hash("가 격"));
    }
}
