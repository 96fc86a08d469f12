//! What opens an item of a list.

/// A mark and what follows it.
pub(super) struct Marker<'a> {
    /// In Markdown: `-`, or a number with its full stop.
    pub mark: String,
    pub rest: &'a str,
    /// True when it may be no mark: a number or a dash that a line happens to begin with.
    pub weak: bool,
}

const BULLETS: &[char] = &[
    '•', '◦', '▪', '▫', '‣', '⁃', '∙', '●', '○', '■', '□', '◆', '◇', '➢', '➤', '►', '▶', '✓', '✔', '❖', '❑', '❒', '☐',
    '☑', '☒', '✗', // What symbol faces draw as bullets and boxes.
    '\u{f0b7}', '\u{f0a7}', '\u{f0d8}', '\u{f076}', '\u{f0fc}', '\u{f02d}', '\u{f06f}', '\u{f0a8}', '\u{f072}',
];

/// The mark that a text opens with.
pub(super) fn marker(text: &str) -> Option<Marker<'_>> {
    let first = text.chars().next()?;
    let after = text.get(first.len_utf8()..)?;
    let rest = after.trim_start();
    if BULLETS.contains(&first) {
        return (!rest.is_empty()).then(|| Marker { mark: "-".into(), rest, weak: false });
    }
    if matches!(first, '-' | '–' | '—' | '*' | 'o' | '·') && after.starts_with(' ') {
        let words = rest.chars().next().is_some_and(char::is_alphanumeric);
        return words.then(|| Marker { mark: "-".into(), rest, weak: true });
    }
    number(text)
}

/// `1. ` and `1) `, up to three figures.
fn number(text: &str) -> Option<Marker<'_>> {
    let figures = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(figures..)?.strip_prefix(['.', ')'])?.strip_prefix(' ')?.trim_start();
    let fits = (1..=3).contains(&figures) && rest.chars().any(char::is_alphabetic);
    fits.then(|| Marker { mark: format!("{}.", &text[..figures]), rest, weak: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_what_only_looks_so() {
        let mark = |text: &str| marker(text).map(|found| (found.mark.clone(), found.rest.to_owned()));
        assert_eq!(mark("• one"), Some(("-".into(), "one".into())));
        assert_eq!(mark("12) two"), Some(("12.".into(), "two".into())));
        assert_eq!(mark("– three"), Some(("-".into(), "three".into())));
        for text in ["•", "1.2 Scope", "2024. A year", "3. 14", "- 7 -x".trim_start_matches('-'), "on", ""] {
            assert_eq!(mark(text), None, "{text}");
        }
    }
}
