//! A look at the tags of a page before it is parsed.

use std::borrow::Cow;

use html5ever::{LocalName, local_name};
use memchr::{memchr, memchr_iter, memmem};

/// Attributes of one tag. The parser compares each with all before it.
const ATTRIBUTES: usize = 500;

/// Elements that hold text to their end tag, whatever it looks like.
const RAW: [&str; 7] = ["script", "style", "textarea", "title", "xmp", "iframe", "noframes"];

/// True for elements that switch the tokenizer to text.
pub(super) fn is_raw(name: &LocalName) -> bool {
    *name == local_name!("noscript") || RAW.contains(&&**name)
}

/// The page with the sign before each tag of very many attributes escaped, so that it is text.
pub(super) fn without_hostile_tags(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let mut out = String::new();
    let (mut kept, mut at) = (0, 0);
    // Where the text of a script or the like ends, as no quote in it reaches further. Within foreign elements the same
    // names hold tags, so that what is in there is looked at too.
    let mut limit = bytes.len();
    while at < bytes.len() {
        if at >= limit {
            limit = bytes.len();
        }
        let Some(found) = memchr(b'<', &bytes[at..limit]) else {
            at = limit;
            continue;
        };
        let start = at + found;
        let tag = tag(&bytes[..limit], start);
        at = tag.end;
        if tag.attributes > ATTRIBUTES {
            out.push_str(&html[kept..start]);
            out.push_str("&lt;");
            kept = start + 1;
        } else if let (Some(name), true) = (tag.raw, limit == bytes.len()) {
            limit = raw_end(bytes, at, name);
        }
    }
    if out.is_empty() {
        return Cow::Borrowed(html);
    }
    out.push_str(&html[kept..]);
    Cow::Owned(out)
}

struct Tag {
    /// Where to go on looking for tags.
    end: usize,
    attributes: usize,
    raw: Option<&'static str>,
}

/// The tag, comment or lonely sign at `start`.
fn tag(html: &[u8], start: usize) -> Tag {
    let rest = &html[start + 1..];
    if rest.starts_with(b"!--") {
        return Tag { end: comment_end(html, start), attributes: 0, raw: None };
    }
    let Some(first) = rest.first().filter(|b| b.is_ascii_alphabetic() || **b == b'/') else {
        return Tag { end: start + 1, attributes: 0, raw: None };
    };
    let len = rest.iter().take_while(|b| !b.is_ascii_whitespace() && **b != b'>').count();
    let raw = RAW.into_iter().find(|raw| *first != b'/' && rest[..len].eq_ignore_ascii_case(raw.as_bytes()));
    let (end, attributes) = attributes(html, start + 1 + len);
    Tag { end, attributes, raw }
}

/// A comment ends with `-->` or `--!>`; the marks that open it count.
fn comment_end(html: &[u8], start: usize) -> usize {
    let rest = &html[start + 2..];
    let end = memchr_iter(b'>', rest).find(|&at| {
        let before = rest[..at].strip_suffix(b"!").filter(|before| before.len() >= 4).unwrap_or(&rest[..at]);
        before.ends_with(b"--")
    });
    end.map_or(html.len(), |at| start + 3 + at)
}

/// Where the tag ends whose name ends at `at`, and the number of its attributes.
fn attributes(html: &[u8], mut at: usize) -> (usize, usize) {
    let mut attributes = 0;
    let mut apart = true;
    while let Some(&byte) = html.get(at) {
        match byte {
            b'>' => return (at + 1, attributes),
            b'=' => {
                let value = at + 1 + html[at + 1..].iter().take_while(|b| b.is_ascii_whitespace()).count();
                at = match html.get(value) {
                    Some(quote @ (b'"' | b'\'')) => {
                        memchr(*quote, &html[value + 1..]).map_or(html.len(), |len| value + 1 + len)
                    }
                    _ => value - 1,
                };
                apart = matches!(html.get(at), Some(b'"' | b'\''));
            }
            b'/' | b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => apart = true,
            _ if apart => {
                attributes += 1;
                apart = false;
            }
            _ => {}
        }
        at += 1;
    }
    (html.len(), attributes)
}

/// Where the end tag of a raw element begins.
fn raw_end(html: &[u8], from: usize, name: &str) -> usize {
    let mut ends = memmem::find_iter(&html[from..], b"</").map(|at| from + at);
    let is_its_own =
        |at: &usize| html.get(at + 2..at + 2 + name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name.as_bytes()));
    ends.find(is_its_own).unwrap_or(html.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_pages_stay_as_they_are() {
        let page = "<!doctype html><!-- <a b> --><script>if (a<b && c>'d') {}</script><p class = \"x > y\" id='z'>1 < 2</p><br/>";
        assert!(matches!(without_hostile_tags(page), Cow::Borrowed(_)));
        assert_eq!(attributes(b" class = \"x > y\" id='z' a=b/c d>.", 0), (33, 4));
    }

    #[test]
    fn tags_of_very_many_attributes_become_text() {
        let many: String = (0..ATTRIBUTES + 1).map(|n| format!(" a{n}")).collect();
        let hostile = format!("<p>x</p><div{many}>y");
        assert_eq!(without_hostile_tags(&hostile), format!("<p>x</p>&lt;div{many}>y"));
        for before in ["<!-->", "<!-- --!>", "<script>'<a b=\"</script>", "<svg><title>"] {
            assert!(without_hostile_tags(&format!("{before}<div{many}>")).contains("&lt;div"), "{before}");
        }
    }
}
