//! Text of strangers made safe to show.

use std::borrow::Cow;

/// The text on one line with every character written out that could steer a terminal, or hide or reorder text.
///
/// Controls of ASCII become their pictures (`␛`, `␉`, `␊`); other controls, marks of direction and characters without
/// width become their number, such as `<U+202E>`. The joiners that scripts and emoji need are left.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| picture(c).is_none()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match picture(c) {
            Some(picture) => out.push_str(&picture),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// What stands for a character that cannot be shown as it is.
pub(super) fn picture(c: char) -> Option<String> {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).map(String::from),
        '\u{7f}' => Some("␡".to_owned()),
        _ if c.is_control() || is_unseen(c) => Some(format!("<U+{:04X}>", u32::from(c))),
        _ => None,
    }
}

/// True for what has no width, ends a line or turns the direction of text.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
        | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_or_hides() {
        assert_eq!(visible("a\u{1b}[31m\tb\r\n\u{7f}"), "a␛[31m␉b␍␊␡");
        assert_eq!(visible("\u{9b}2J \u{202e}x\u{200b}"), "<U+009B>2J <U+202E>x<U+200B>");
        assert_eq!(visible("\u{e0041}"), "<U+E0041>");
    }

    #[test]
    fn what_can_be_seen_stays() {
        for text in ["plain", "한국어 · 数", "👩\u{200d}💻", "می\u{200c}خواهم"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }
}
