//! Where HTML blocks begin and end, by CommonMark 0.31, section 4.6.

use super::tag::{TagKind, tag};

/// What ends an HTML block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HtmlEnd {
    /// A line that holds one of these, in lower case.
    Line(&'static [&'static str]),
    /// A blank line.
    Blank,
}

const RAW: &[&str] = &["</pre>", "</script>", "</style>", "</textarea>"];

/// The end that the HTML block needs which begins with `line`; none when there is no such block.
/// `in_paragraph`: the line could go on with a paragraph.
pub(super) fn html_block(line: &str, in_paragraph: bool) -> Option<HtmlEnd> {
    let rest = line.strip_prefix('<')?;
    if rest.starts_with('?') {
        return Some(HtmlEnd::Line(&["?>"]));
    }
    if let Some(rest) = rest.strip_prefix('!') {
        return match rest {
            _ if rest.starts_with("--") => Some(HtmlEnd::Line(&["-->"])),
            _ if rest.starts_with("[CDATA[") => Some(HtmlEnd::Line(&["]]>"])),
            _ => rest.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(HtmlEnd::Line(&[">"])),
        };
    }
    let (closing, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
    let len = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (name, after) = rest.split_at(len);
    if len <= LONGEST {
        let name = name.to_ascii_lowercase();
        if !closing && matches!(name.as_str(), "pre" | "script" | "style" | "textarea") && ends_name(after, false) {
            return Some(HtmlEnd::Line(RAW));
        }
        if is_block_name(&name) && ends_name(after, true) {
            return Some(HtmlEnd::Blank);
        }
    }
    let alone = !in_paragraph && tag(line).is_some_and(|tag| !tag.name.is_empty() && line[tag.len..].trim().is_empty());
    alone.then_some(HtmlEnd::Blank)
}

/// True when the line holds what ends the block.
pub(super) fn holds_end(line: &str, ends: &[&str]) -> bool {
    let holds = |end: &&str| {
        let mut from = 0;
        while let Some(found) = memchr::memchr(end.as_bytes()[0], &line.as_bytes()[from..]) {
            let at = from + found;
            if line.as_bytes().get(at..at + end.len()).is_some_and(|part| part.eq_ignore_ascii_case(end.as_bytes())) {
                return true;
            }
            from = at + 1;
        }
        false
    };
    ends.iter().any(holds)
}

/// True for `<details …>` alone, a closing one, or neither.
pub(super) fn details(line: &str) -> Option<TagKind> {
    let tag = tag(line).filter(|tag| tag.name.eq_ignore_ascii_case("details"))?;
    Some(tag.kind)
}

fn ends_name(after: &str, slash: bool) -> bool {
    after.is_empty() || after.starts_with([' ', '\t', '\n', '>']) || (slash && after.starts_with("/>"))
}

/// Length of the longest name below.
const LONGEST: usize = 10;

/// True for the names of HTML that are often seen in upper case.
pub(super) fn is_html_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    is_block_name(&name)
        || matches!(
            name.as_str(),
            "a" | "b"
                | "br"
                | "code"
                | "em"
                | "font"
                | "i"
                | "img"
                | "kbd"
                | "pre"
                | "script"
                | "span"
                | "strong"
                | "style"
                | "sub"
                | "sup"
                | "tt"
                | "u"
        )
}

fn is_block_name(name: &str) -> bool {
    BLOCK_NAMES.binary_search(&name).is_ok()
}

const BLOCK_NAMES: &[&str] = &[
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_for_the_search() {
        assert!(BLOCK_NAMES.is_sorted());
        assert_eq!(BLOCK_NAMES.iter().map(|name| name.len()).max(), Some(LONGEST));
    }

    #[test]
    fn kinds_of_block() {
        let end = |line| html_block(line, false);
        assert_eq!(end("<div class=a>x"), Some(HtmlEnd::Blank));
        assert_eq!(end("</Div>"), Some(HtmlEnd::Blank));
        assert_eq!(end("<script setup>"), Some(HtmlEnd::Line(RAW)));
        assert_eq!(end("<!-- x"), Some(HtmlEnd::Line(&["-->"])));
        assert_eq!(end("<my-tag a='b'>"), Some(HtmlEnd::Blank));
        assert_eq!(html_block("<my-tag>", true), None);
        assert_eq!(end("<my-tag> text"), None);
        assert_eq!(end("<https://a.example>"), None);
        assert_eq!(end("< div>"), None);
    }

    #[test]
    fn ends_are_found_in_any_case() {
        assert!(holds_end("x </SCRIPT> y", RAW));
        assert!(!holds_end("x </scrip> y </", RAW));
    }
}
