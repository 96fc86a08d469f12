//! Comments and elements of HTML that are not shown.

use gristmill_core::Span;
use memchr::{memchr, memchr2_iter, memmem};

use super::Hidden;

/// Fewer words are a mark for a program.
const WORDS: usize = 4;

/// First words of comments that speak to programs.
const PRAGMAS: [&str; 18] = [
    "prettier",
    "markdownlint",
    "eslint",
    "stylelint",
    "vale",
    "cspell",
    "spell",
    "textlint",
    "lint",
    "toc",
    "more",
    "truncate",
    "begin",
    "end",
    "start",
    "stop",
    "spdx",
    "doctoc",
];

/// False when a text holds neither, cheaply.
pub fn may_hold(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_style = |y: usize| {
        let word = y.checked_sub(2).and_then(|start| bytes.get(start..y + 3));
        word.is_some_and(|word| word.eq_ignore_ascii_case(b"style"))
    };
    memchr(b'<', bytes).is_some_and(|from| {
        memmem::find(&bytes[from..], b"<!--").is_some() || memchr2_iter(b'y', b'Y', bytes).any(is_style)
    })
}

/// The first comment with words in it.
pub fn comment(text: &str) -> Option<Hidden> {
    let mut from = 0;
    while let Some(start) = text[from..].find("<!--").map(|at| from + at) {
        let inner = start + 4;
        let end = text[inner..].find("-->").map_or(text.len(), |at| inner + at);
        let words = &text[inner..end];
        if is_prose(words) {
            let span = Span::new(start, (end + 3).min(text.len()));
            return Some(Hidden { span, what: "a comment of HTML, which readers do not see".to_owned() });
        }
        from = end;
    }
    None
}

fn is_prose(comment: &str) -> bool {
    let mut words = comment.split_whitespace();
    let first: String = words.clone().next().unwrap_or_default().to_lowercase();
    let first = first.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_pragma = PRAGMAS
        .iter()
        .any(|known| first.strip_prefix(known).is_some_and(|rest| !rest.starts_with(char::is_alphabetic)));
    let is_word = |word: &&str| word.chars().any(char::is_alphabetic);
    let spaced = words.by_ref().filter(is_word).take(WORDS).count() >= WORDS;
    !is_pragma && (spaced || comment.chars().filter(|c| crate::visible::is_wide(*c)).take(8).count() >= 8)
}

/// Longer tags are not looked at.
const LONGEST: usize = 2_000;

/// The first element whose own style hides it.
pub fn invisible(text: &str) -> Option<Hidden> {
    let last = text.rfind('>')?;
    let mut from = 0;
    while let Some(start) = text[from..last].find('<').map(|at| from + at) {
        let end = start + text[start..].find('>')? + 1;
        from = end;
        if end - start <= LONGEST && hides(&text[start..end]) {
            let what = "an element that its style hides from readers".to_owned();
            return Some(Hidden { span: Span::new(start, end), what });
        }
        if end > last {
            break;
        }
    }
    None
}

fn hides(tag: &str) -> bool {
    let opens = tag[1..].starts_with(|c: char| c.is_ascii_alphabetic());
    if !opens {
        return false;
    }
    let tight: String = tag.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect();
    let Some((_, style)) = tight.split_once("style=") else { return false };
    let zero = ["font-size:0", "opacity:0"].iter().any(|rule| {
        let rest = style.split_once(rule).map(|(_, rest)| rest.trim_start_matches("px").trim_start_matches("pt"));
        rest.is_some_and(|rest| rest.starts_with([';', '"', '\'', '>']))
    });
    zero || style.contains("display:none") || style.contains("visibility:hidden")
}
