//! Unicode normalization as edits of the runs it changes.

use gristmill_core::{Edit, EditKind, Span};
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};

use super::{Unicode, inline};

/// Characters that mean something in Markdown. Compatibility forms of them (`＊`, `＃`) stay, or prose would turn into
/// structure.
const SYNTAX: &[char] = &['#', '*', '_', '`', '>', '<', '[', ']', '|', '~', '\\', '$'];

/// Edits that bring `text` into the form, outside code spans.
pub(super) fn find(text: &str, form: Unicode) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    if text.is_ascii() || is_normal(text, form) {
        return edits;
    }
    let mut code = inline::code_spans(text).into_iter().peekable();
    for (start, end) in segments(text, form) {
        let part = &text[start..end];
        while code.next_if(|span| span.end <= start).is_some() {}
        if code.peek().is_some_and(|span| span.start <= start) || is_normal(part, form) {
            continue;
        }
        let with = normal(part, form);
        if with == part || (form == Unicode::Nfkc && with.contains(SYNTAX) && !part.contains(SYNTAX)) {
            continue;
        }
        match edits.last_mut() {
            Some(last) if last.at.end as usize == start => {
                last.at.end = Span::new(start, end).end;
                last.with.push_str(&with);
            }
            _ => edits.push(Edit { kind: EditKind::Unicode, at: Span::new(start, end), with }),
        }
    }
    edits
}

fn is_normal(text: &str, form: Unicode) -> bool {
    let quick = match form {
        Unicode::None => IsNormalized::Yes,
        Unicode::Nfc => is_nfc_quick(text.chars()),
        Unicode::Nfkc => is_nfkc_quick(text.chars()),
    };
    quick == IsNormalized::Yes
}

fn normal(text: &str, form: Unicode) -> String {
    match form {
        Unicode::None => text.to_owned(),
        Unicode::Nfc => text.nfc().collect(),
        Unicode::Nfkc => text.nfkc().collect(),
    }
}

/// Pieces that can be normalized apart: each begins with a starter that never joins the character before it.
fn segments(text: &str, form: Unicode) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (start, mut chars) = (at, text[at..].char_indices());
        chars.next()?;
        at = chars.find(|(_, c)| begins_segment(*c, form)).map_or(text.len(), |(end, _)| start + end);
        Some((start, at))
    })
}

fn begins_segment(c: char, form: Unicode) -> bool {
    c.is_ascii() || (canonical_combining_class(c) == 0 && is_normal(c.encode_utf8(&mut [0; 4]), form))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_core::OffsetMap;

    fn after(text: &str, form: Unicode) -> String {
        OffsetMap::apply(text, &find(text, form)).0
    }

    #[test]
    fn only_changed_runs_are_edited() {
        let text = "cafe\u{301} noir, Zoe\u{308}";
        let edits = find(text, Unicode::Nfc);
        let parts: Vec<_> = edits.iter().map(|e| (&text[e.at.range()], e.with.as_str())).collect();
        assert_eq!(parts, [("e\u{301}", "é"), ("e\u{308}", "ë")]);
    }

    #[test]
    fn decomposed_hangul_is_composed() {
        let text = "한국어 문장";
        let apart: String = text.nfd().collect();
        assert_ne!(apart, text);
        assert_eq!(after(&apart, Unicode::Nfc), text);
    }

    #[test]
    fn compatibility_forms_do_not_become_syntax() {
        assert_eq!(after("ｆｕｌｌ ﬁt １２ ＊ ＃", Unicode::Nfkc), "full fit 12 ＊ ＃");
        assert_eq!(after("`ﬁ` ﬁ", Unicode::Nfkc), "`ﬁ` fi");
    }

    proptest::proptest! {
        #[test]
        fn pieces_give_the_same_as_the_whole(text in "[a-c\u{300}-\u{345}\u{c0}-\u{ff}\u{1100}-\u{11ff}\u{ac00}-\u{ac10}\u{1e00}-\u{1eff}\u{2126}-\u{212b}\u{f900}-\u{f910}\u{9be}-\u{9d7}]{0,30}") {
            let nfc: String = text.nfc().collect();
            assert_eq!(after(&text, Unicode::Nfc), nfc);
        }
    }
}
