//! Long URLs.

use gristmill_core::{Edit, EditKind, Span};

use super::inline;

/// What stands for a long URL.
pub const PLACEHOLDER: &str = "[URL]";

const SCHEMES: [&str; 4] = ["https", "http", "ftps", "ftp"];

/// Replaces URLs of `limit` characters and more, outside code spans.
pub(super) fn find(text: &str, limit: usize) -> Vec<Edit> {
    let mut edits = Vec::new();
    if memchr::memmem::find(text.as_bytes(), b"://").is_none() {
        return edits;
    }
    let mut code = inline::code_spans(text).into_iter().peekable();
    let mut done = 0;
    for colon in memchr::memmem::find_iter(text.as_bytes(), b"://") {
        let Some(start) = scheme_start(text, colon).filter(|start| *start >= done) else { continue };
        let end = url_end(text, colon + 3);
        done = end;
        while code.next_if(|span| span.end <= start).is_some() {}
        let in_code = code.peek().is_some_and(|span| span.start <= start);
        let longer_than_placeholder = end - start > PLACEHOLDER.len();
        if !in_code && longer_than_placeholder && text[start..end].chars().count() >= limit {
            edits.push(Edit { kind: EditKind::LongUrl, at: Span::new(start, end), with: PLACEHOLDER.to_owned() });
        }
    }
    edits
}

fn scheme_start(text: &str, colon: usize) -> Option<usize> {
    let before = &text.as_bytes()[..colon];
    SCHEMES.iter().find(|scheme| ends_with_ignoring_case(before, scheme.as_bytes())).map(|scheme| colon - scheme.len())
}

fn ends_with_ignoring_case(text: &[u8], end: &[u8]) -> bool {
    text.len() >= end.len() && text[text.len() - end.len()..].eq_ignore_ascii_case(end)
}

/// A URL ends at white space, brackets and quotes; a closing parenthesis belongs to it only when it closes one of its
/// own; punctuation of the sentence does not belong to it.
fn url_end(text: &str, from: usize) -> usize {
    let mut depth = 0usize;
    let mut end = text.len();
    for (at, c) in text[from..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            ')' | '<' | '>' | '[' | ']' | '{' | '}' | '"' | '`' | '|' | '\\' | '^' | '「' | '」' | '。' | '，'
            | '、' => {
                end = from + at;
                break;
            }
            c if c.is_whitespace() || c.is_control() => {
                end = from + at;
                break;
            }
            _ => {}
        }
    }
    from + text[from..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_']).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_core::OffsetMap;

    fn after(text: &str, limit: usize) -> String {
        OffsetMap::apply(text, &find(text, limit)).0
    }

    #[test]
    fn only_long_ones_are_replaced() {
        let long = format!("https://example.org/{}", "a".repeat(100));
        assert_eq!(after(&format!("see {long}, and https://b.org."), 100), "see [URL], and https://b.org.");
        assert_eq!(after(&format!("[text]({long})"), 100), "[text]([URL])");
        assert_eq!(after(&format!("<{long}>"), 100), "<[URL]>");
        assert_eq!(after(&format!("`{long}` stays"), 100), format!("`{long}` stays"));
        assert_eq!(after("http://a.org/x_(y)) z", 10), "[URL]) z");
    }

    #[test]
    fn the_limit_counts_characters() {
        assert_eq!(after("ftp://é.org", 11), "[URL]");
        assert_eq!(after("ftp://é.org", 12), "ftp://é.org");
    }

    #[test]
    fn nothing_is_found_twice() {
        for text in ["http://http://aaaaaaaaaa", "://", "xhttp://", "http://a](http://b", "HTTPS://EXAMPLE.ORG/ABC"] {
            let once = after(text, 6);
            assert_eq!(after(&once, 6), once, "{text}");
        }
    }
}
