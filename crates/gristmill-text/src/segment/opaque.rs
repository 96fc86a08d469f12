//! Inline spans in which no sentence ends: code, links' destinations, tags and autolinks, mathematics.

use memchr::memmem;

/// How far to look for the end of an inline span, in bytes. A longer one is read as plain text.
const REACH: usize = 2048;

/// The part of the text in which a span that is open at `at` must end.
fn window(text: &str, at: usize) -> Option<&str> {
    text.get(at..text.floor_char_boundary((at + REACH).min(text.len())))
}

/// The end of the code span whose backticks begin at `at`. A backtick that ends a word is none: Armenian uses it so.
pub(crate) fn code_end(text: &str, at: usize) -> Option<usize> {
    let rest = window(text, at)?;
    if rest.starts_with("` ") && text.get(..at)?.ends_with(char::is_alphabetic) {
        return None;
    }
    let fence = rest.bytes().take_while(|&b| b == b'`').count();
    let mut from = fence;
    while let Some(found) = memchr::memchr(b'`', rest.as_bytes().get(from..)?) {
        let start = from + found;
        let run = rest.get(start..)?.bytes().take_while(|&b| b == b'`').count();
        if run == fence {
            return (!has_blank_line(rest.get(..start)?)).then_some(at + start + run);
        }
        from = start + run;
    }
    None
}

/// The end of the tag, comment or autolink that begins with the `<` at `at`.
pub(crate) fn tag_end(text: &str, at: usize) -> Option<usize> {
    let rest = window(text, at)?;
    let first = rest.as_bytes().get(1)?;
    if !(first.is_ascii_alphabetic() || matches!(first, b'/' | b'!' | b'?')) {
        return None;
    }
    let end = memchr::memchr2(b'>', b'<', rest.as_bytes().get(1..)?)? + 1;
    let closed = rest.as_bytes().get(end) == Some(&b'>') && !has_blank_line(rest.get(..end)?);
    closed.then_some(at + end + 1)
}

/// The end of the parenthesis at `at`, read as the destination of a link.
pub(crate) fn destination_end(text: &str, at: usize) -> Option<usize> {
    let rest = window(text, at)?;
    if !rest.starts_with('(') || !rest.contains(')') {
        return None;
    }
    let mut depth = 0usize;
    let end = rest.bytes().position(|b| {
        match b {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    (!has_blank_line(rest.get(..end)?)).then_some(at + end + 1)
}

/// The end of the inline formula that begins with the `$` at `at`. A closing `$` has no space before it and no digit
/// after it, so that prices are not formulas.
pub(super) fn math_end(text: &str, at: usize) -> Option<usize> {
    let rest = window(text, at)?;
    let fence = if rest.starts_with("$$") { "$$" } else { "$" };
    let inner = rest.get(fence.len()..)?;
    if fence.len() == 1 && inner.starts_with(char::is_whitespace) {
        return None;
    }
    for end in memmem::find_iter(inner.as_bytes(), fence) {
        let before = inner.as_bytes().get(end.checked_sub(1)?)?;
        let after = inner.as_bytes().get(end + fence.len());
        let closes = fence.len() == 2 || !before.is_ascii_whitespace() && *before != b'\\';
        if closes && !after.is_some_and(u8::is_ascii_digit) {
            return (!has_blank_line(inner.get(..end)?)).then_some(at + end + 2 * fence.len());
        }
    }
    None
}

/// Whether a blank line lies in `text`.
pub(super) fn has_blank_line(text: &str) -> bool {
    let mut lines = memchr::memchr_iter(b'\n', text.as_bytes());
    let Some(mut last) = lines.next() else { return false };
    for line in lines {
        if text.get(last..line).is_some_and(|line| line.trim().is_empty()) {
            return true;
        }
        last = line;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_ends_at_a_run_of_the_same_length() {
        assert_eq!(code_end("`a` b", 0), Some(3));
        assert_eq!(code_end("``a ` b`` c", 0), Some(9));
        assert_eq!(code_end("`a", 0), None);
        assert_eq!(code_end("`a\n\nb`", 0), None);
        assert_eq!(code_end("Այսպիսով` ահա `", "Այսպիսով".len()), None, "Armenian punctuation");
    }

    #[test]
    fn tags_and_comparisons() {
        assert_eq!(tag_end("<a href='x'>y", 0), Some(12));
        assert_eq!(tag_end("</b>", 0), Some(4));
        assert_eq!(tag_end("<https://a.example>", 0), Some(19));
        assert_eq!(tag_end("<3 and >2", 0), None);
        assert_eq!(tag_end("<a <b>", 0), None);
    }

    #[test]
    fn destinations_may_hold_brackets() {
        assert_eq!(destination_end("(a(b)c) d", 0), Some(7));
        assert_eq!(destination_end("(a", 0), None);
        assert_eq!(destination_end("a)", 0), None);
    }

    #[test]
    fn prices_are_not_formulas() {
        assert_eq!(math_end("$x + y$ is", 0), Some(7));
        assert_eq!(math_end("$$x$$", 0), Some(5));
        assert_eq!(math_end("$5 and $6", 0), None);
        assert_eq!(math_end("$ x$", 0), None);
    }
}
