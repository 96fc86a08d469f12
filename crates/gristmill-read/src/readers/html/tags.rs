//! A look at the tags of a page before it is parsed.

use html5ever::tendril::StrTendril;
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

/// The page as it is given to the parser: without comments, and without the text of scripts and styles that nobody wants;
/// the sign before each tag of very many attributes is escaped, so that it is text.
pub(super) fn prepared(html: &str) -> StrTendril {
    let bytes = html.as_bytes();
    let mut out = StrTendril::with_capacity(u32::try_from(html.len()).unwrap_or(0));
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
        let outside = limit == bytes.len();
        let tag = tag(&bytes[..limit], start);
        at = tag.end;
        if tag.attributes > ATTRIBUTES {
            out.push_slice(&html[kept..start]);
            out.push_slice("&lt;");
            kept = start + 1;
        } else if tag.is_comment && outside {
            out.push_slice(&html[kept..start]);
            kept = at;
        } else if let (Some(name), true) = (tag.raw, outside) {
            let end = raw_end(bytes, at, name);
            if is_unwanted(name, &html[start..at], &html[at..end]) {
                out.push_slice(&html[kept..at]);
                (kept, at) = (end, end);
            } else {
                limit = end;
            }
        }
    }
    out.push_slice(&html[kept..]);
    out
}

/// True for scripts and styles. Those with comments in them end in ways that are hard to tell, and a tag that closes
/// itself may hold nothing.
fn is_unwanted(name: &str, tag: &str, text: &str) -> bool {
    let kind = matches!(name, "script" | "style") && !tag.ends_with("/>");
    kind && !tag.contains("ld+json") && !tag.contains("math/") && memmem::find(text.as_bytes(), b"<!--").is_none()
}

struct Tag {
    /// Where to go on looking for tags.
    end: usize,
    attributes: usize,
    raw: Option<&'static str>,
    is_comment: bool,
}

/// The tag, comment or lonely sign at `start`.
fn tag(html: &[u8], start: usize) -> Tag {
    let rest = &html[start + 1..];
    if rest.starts_with(b"!--") {
        return Tag { end: comment_end(html, start), attributes: 0, raw: None, is_comment: true };
    }
    let Some(first) = rest.first().filter(|b| b.is_ascii_alphabetic() || **b == b'/') else {
        return Tag { end: start + 1, attributes: 0, raw: None, is_comment: false };
    };
    let len = rest.iter().take_while(|b| !b.is_ascii_whitespace() && **b != b'>').count();
    let raw = RAW.into_iter().find(|raw| *first != b'/' && rest[..len].eq_ignore_ascii_case(raw.as_bytes()));
    let (end, attributes) = attributes(html, start + 1 + len);
    Tag { end, attributes, raw, is_comment: false }
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
    fn comments_and_scripts_are_taken_out() {
        for (page, left) in [
            (
                "<!doctype html><p class = \"x > y\" id='z'>1 < 2</p><br/>",
                "<!doctype html><p class = \"x > y\" id='z'>1 < 2</p><br/>",
            ),
            ("a<!-- <b> -->c<!-->d<!--->e<!-- --!>f<!-- >", "acdef"),
            ("<script>if (a<b && c>'d') {}</script>x<STYLE>p > a {}</Style >", "<script></script>x<STYLE></Style >"),
            ("<script><!-- <script>a</script> --></script>b", "<script><!-- <script>a</script> --></script>b"),
            ("<svg><style/><text>a</text></svg>b<style></style>", "<svg><style/><text>a</text></svg>b<style></style>"),
            ("<title><!-- a --></title>", "<title><!-- a --></title>"),
            ("<script type=\"application/ld+json\">{}</script>", "<script type=\"application/ld+json\">{}</script>"),
            ("<script>a", "<script>"),
        ] {
            assert_eq!(&*prepared(page), left);
        }
    }

    #[test]
    fn attributes_are_counted() {
        assert_eq!(attributes(b" class = \"x > y\" id='z' a=b c>d", 0), (30, 4));
    }

    #[test]
    fn tags_of_very_many_attributes_become_text() {
        let many: String = (0..ATTRIBUTES + 1).map(|n| format!(" a{n}")).collect();
        let hostile = format!("<p>x</p><div{many}>y");
        assert_eq!(*prepared(&hostile), *format!("<p>x</p>&lt;div{many}>y"));
        for before in ["<!-->", "<!-- --!>", "<script>'<a b=\"</script>", "<svg><title>"] {
            assert!(prepared(&format!("{before}<div{many}>")).contains("&lt;div"), "{before}");
        }
    }
}
