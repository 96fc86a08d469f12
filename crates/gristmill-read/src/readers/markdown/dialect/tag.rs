//! Tags of HTML and JSX.

/// A tag, from `<` to `>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    /// Empty for `<>` and `</>`.
    pub(super) name: &'t str,
    pub(super) kind: TagKind,
    /// Bytes from `<` to `>`.
    pub(super) len: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagKind {
    Open,
    Close,
    /// `<Name />`
    Empty,
}

/// A tag that goes on for more lines or bytes than this is taken for something else.
const MAX_LINES: usize = 100;
const MAX_LEN: usize = 1 << 16;

/// The tag that `text` begins with. Attributes may hold strings and `{expressions}`, and stand on several lines.
pub(super) fn tag(text: &str) -> Option<Tag<'_>> {
    let rest = text.strip_prefix('<')?;
    let (closing, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
    let name = tag_name(rest);
    let fragment_with_more = name.is_empty() && !rest.starts_with('>');
    if fragment_with_more || name.starts_with(|c: char| !c.is_ascii_alphabetic()) {
        return None;
    }
    let attributes = rest.as_bytes().get(name.len()..)?;
    if !(attributes.starts_with(b">") || attributes.starts_with(b"/>") || attributes.first()?.is_ascii_whitespace()) {
        return None;
    }
    let end = end(&attributes[..attributes.len().min(MAX_LEN)])?;
    let empty = attributes[..end].ends_with(b"/");
    let kind = match (closing, empty) {
        (true, _) => TagKind::Close,
        (false, true) => TagKind::Empty,
        (false, false) => TagKind::Open,
    };
    Some(Tag { name, kind, len: text.len() - rest.len() + name.len() + end + 1 })
}

/// The name that `text` begins with.
pub(super) fn tag_name(text: &str) -> &str {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b':');
    &text[..text.bytes().take_while(is_part).count()]
}

/// Where the `>` of a tag is. Outside strings and braces no `<` and no blank line may come before it.
fn end(attributes: &[u8]) -> Option<usize> {
    let (mut braces, mut quote, mut lines) = (0usize, None, 0);
    let mut line_blank = false;
    for (at, &byte) in attributes.iter().enumerate() {
        if byte == b'\n' {
            lines += 1;
            if lines > MAX_LINES || (line_blank && braces == 0) {
                return None;
            }
            line_blank = true;
            continue;
        }
        line_blank &= byte.is_ascii_whitespace();
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'`') if braces > 0 => quote = Some(byte),
            (None, b'{') => braces += 1,
            (None, b'}') => braces = braces.checked_sub(1)?,
            (None, b'>') if braces == 0 => return Some(at),
            (None, b'<') if braces == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The length of a balanced `{…}` at the start of `text`, over at most as many lines as a tag.
pub(super) fn braces(text: &str) -> Option<usize> {
    let (mut depth, mut lines) = (0usize, 0);
    for (at, byte) in text.bytes().enumerate().take(MAX_LEN) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'\n' => {
                lines += 1;
                if lines > MAX_LINES {
                    return None;
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(&str, TagKind, &str)> {
        tag(text).map(|tag| (tag.name, tag.kind, &text[tag.len..]))
    }

    #[test]
    fn attributes_may_hold_anything() {
        assert_eq!(read("<Foo a=\"x > y\" b={() => 1}> z"), Some(("Foo", TagKind::Open, " z")));
        assert_eq!(read("<Foo\n  a={`\n\n}>`}\n/>\nz"), Some(("Foo", TagKind::Empty, "\nz")));
        assert_eq!(read("</Foo.Bar >"), Some(("Foo.Bar", TagKind::Close, "")));
        assert_eq!(read("<>z"), Some(("", TagKind::Open, "z")));
        assert_eq!(read("<br/>"), Some(("br", TagKind::Empty, "")));
    }

    #[test]
    fn other_angles_are_no_tags() {
        for text in ["<", "<3>", "<a.b", "<https://a.example>", "<me@a.example>", "<Foo <Bar>>", "<Foo\n\n>", "< Foo>"]
        {
            assert_eq!(tag(text), None, "{text}");
        }
    }

    #[test]
    fn braces_balance() {
        assert_eq!(braces("{a {b} c} d"), Some(9));
        assert_eq!(braces("{a {b} c"), None);
    }
}
