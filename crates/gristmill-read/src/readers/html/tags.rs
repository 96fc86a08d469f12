//! A look at the tags of a page before it is parsed.

use std::ops::Range;

use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use memchr::{memchr, memchr_iter, memmem};

use super::names::Words;

/// Attributes of one tag. The parser compares each with all before it.
const ATTRIBUTES: usize = 500;

/// Elements that hold text to their end tag, whatever it looks like.
const RAW: [&str; 9] = ["script", "style", "textarea", "title", "xmp", "iframe", "noframes", "noembed", "noscript"];

/// True for elements that switch the tokenizer to text.
pub(super) fn is_raw(name: &LocalName) -> bool {
    RAW.contains(&&**name)
}

/// The page as it is given to the parser: without comments, without scripts, styles and links that nobody wants, and
/// without attributes that nobody reads; the sign before each tag of very many attributes is escaped, so that it is text.
pub(super) fn prepared(html: &str) -> StrTendril {
    let bytes = html.as_bytes();
    let mut kept = Kept { html, upto: 0, out: StrTendril::with_capacity(u32::try_from(html.len()).unwrap_or(0)) };
    let mut unread = Vec::new();
    let mut at = 0;
    // Where the text of a script or the like ends, as no quote in it reaches further. Within foreign elements the same
    // names hold tags, so that what is in there is looked at too.
    let mut raw_until = 0;
    let mut tags_only = true;
    while at < bytes.len() {
        let inside = at < raw_until;
        let limit = if inside { raw_until } else { bytes.len() };
        let Some(found) = memchr(b'<', &bytes[at..limit]) else {
            at = limit;
            continue;
        };
        let start = at + found;
        unread.clear();
        let tag = tag(&bytes[..limit], start, &mut unread);
        at = tag.end;
        // The sign would begin a tag with what comes after.
        let goes = !inside && !bytes[..start].ends_with(b"<");
        match tag.kind {
            TagKind::Crowded => {
                kept.leave_out(start..start + 1);
                kept.out.push_slice("&lt;");
            }
            TagKind::Comment if goes => kept.leave_out(start..at),
            TagKind::Text => tags_only = false,
            TagKind::Link if goes && tags_only && !html[start..at].contains("canonical") => kept.leave_out(start..at),
            TagKind::Other if !inside && tags_only => unread.drain(..).for_each(|part| kept.leave_out(part)),
            TagKind::Raw(name) if !inside => {
                let end = raw_end(bytes, at, name);
                if goes && is_unwanted(name, &html[start..at], &html[at..end]) {
                    at = memchr(b'>', &bytes[end..]).map_or(bytes.len(), |len| end + len + 1);
                    kept.leave_out(start..at);
                } else {
                    raw_until = end;
                }
            }
            _ => {}
        }
    }
    kept.leave_out(bytes.len()..bytes.len());
    kept.out
}

/// What is kept of a page of which parts are left out, one after the other.
struct Kept<'a> {
    html: &'a str,
    upto: usize,
    out: StrTendril,
}

impl Kept<'_> {
    fn leave_out(&mut self, part: Range<usize>) {
        self.out.push_slice(&self.html[self.upto..part.start]);
        self.upto = part.end;
    }
}

/// True for elements that hold nothing anybody wants. Scripts with comments in them end in ways that are hard to tell, and a
/// tag that closes itself may hold nothing.
fn is_unwanted(name: &str, tag: &str, text: &str) -> bool {
    let kind = matches!(name, "script" | "style" | "noscript" | "iframe") && !tag.ends_with("/>");
    kind && !tag.contains("ld+json") && !tag.contains("math/") && memmem::find(text.as_bytes(), b"<!--").is_none()
}

/// True for attributes that nobody reads: what is for scripts, for the look and for the shapes of drawings.
fn is_unread(name: &[u8]) -> bool {
    match name[0] {
        b'd' if name.starts_with(b"data-") => !name.starts_with(b"data-lang") && name != b"data-src",
        b'a' => name.starts_with(b"aria-") && name != b"aria-hidden",
        b'o' => name.starts_with(b"on"),
        _ => UNREAD.holds(name),
    }
}

/// In lower case, as nearly all attributes are written.
static UNREAD: Words = Words::new(&[
    "d",
    "fill",
    "fill-rule",
    "height",
    "itemscope",
    "itemtype",
    "media",
    "placeholder",
    "points",
    "sizes",
    "srcset",
    "stroke",
    "tabindex",
    "target",
    "title",
    "value",
    "viewbox",
    "viewBox",
    "width",
    "xlink:href",
    "xmlns",
]);

struct Tag {
    /// Where to go on looking for tags.
    end: usize,
    kind: TagKind,
}

enum TagKind {
    Comment,
    /// A tag of very many attributes.
    Crowded,
    /// Tells what is beside the page, and has no end tag.
    Link,
    /// Opens text to its end tag.
    Raw(&'static str),
    /// Opens text that does not end at the next tag, but who knows where.
    Text,
    Other,
}

/// The tag, comment or lonely sign at `start`; the attributes that nobody reads are added to `unread`.
fn tag(html: &[u8], start: usize, unread: &mut Vec<Range<usize>>) -> Tag {
    let rest = &html[start + 1..];
    if rest.starts_with(b"!--") {
        return Tag { end: comment_end(html, start), kind: TagKind::Comment };
    }
    let ends = usize::from(rest.first() == Some(&b'/'));
    let len = match rest.get(ends) {
        Some(first) if first.is_ascii_alphabetic() => rest[ends..].iter().take_while(|b| !ends_name(**b)).count(),
        // What is no tag is a comment up to the first `>`, and elsewhere text.
        Some(b'!' | b'?') if ends == 0 => return not_a_tag(html, start),
        Some(_) if ends == 1 => return not_a_tag(html, start),
        _ => return Tag { end: start + 1, kind: TagKind::Other },
    };
    let (end, attributes) = attributes(html, start + 1 + ends + len, unread);
    let kind = match &rest[ends..ends + len] {
        _ if attributes > ATTRIBUTES => TagKind::Crowded,
        _ if ends == 1 => TagKind::Other,
        name if name.eq_ignore_ascii_case(b"plaintext") => TagKind::Text,
        name if name.eq_ignore_ascii_case(b"link") => TagKind::Link,
        name => {
            RAW.into_iter().find(|raw| name.eq_ignore_ascii_case(raw.as_bytes())).map_or(TagKind::Other, TagKind::Raw)
        }
    };
    Tag { end, kind }
}

/// What looks like a tag and is none: a declaration, an instruction or an end tag without a name.
fn not_a_tag(html: &[u8], start: usize) -> Tag {
    if html[start..].starts_with(b"<![CDATA[") {
        return Tag { end: start + 1, kind: TagKind::Text };
    }
    Tag { end: memchr(b'>', &html[start..]).map_or(html.len(), |len| start + len + 1), kind: TagKind::Other }
}

/// True for what a name of a tag ends at.
fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>')
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

/// Where the tag ends whose name ends at `at`, and the number of its attributes, as the HTML standard has it (13.2.5.32
/// to 13.2.5.40). What of them nobody reads is added to `unread`.
fn attributes(html: &[u8], mut at: usize, unread: &mut Vec<Range<usize>>) -> (usize, usize) {
    let white = |at: usize| at + html[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let mut attributes = 0;
    loop {
        at = white(at);
        let start = at;
        match html.get(at) {
            None => return (html.len(), attributes),
            Some(b'>') => return (at + 1, attributes),
            Some(b'/') => {
                at += 1;
                continue;
            }
            Some(_) => attributes += 1,
        }
        // An equals sign in front belongs to the name.
        at += 1 + html[at + 1..].iter().take_while(|b| !ends_name(**b) && **b != b'=').count();
        let name = start..at;
        let value = white(at);
        if html.get(value) == Some(&b'=') {
            at = value_end(html, white(value + 1));
        }
        // An equals sign after it would belong to the attribute before it, and a slash before it to the end of the tag.
        let is_held = html[..start].ends_with(b"/") || html.get(white(at)) == Some(&b'=');
        if is_unread(&html[name]) && !is_held {
            unread.push(start..at);
        }
    }
}

/// Where the value of an attribute ends.
fn value_end(html: &[u8], start: usize) -> usize {
    let end = match html.get(start) {
        Some(quote @ (b'"' | b'\'')) => memchr(*quote, &html[start + 1..]).map(|len| start + len + 2),
        _ => html[start..].iter().position(|b| b.is_ascii_whitespace() || *b == b'>').map(|len| start + len),
    };
    end.unwrap_or(html.len())
}

/// Where the end tag of a raw element begins.
fn raw_end(html: &[u8], from: usize, name: &str) -> usize {
    let mut ends = memmem::find_iter(&html[from..], b"</").map(|at| from + at);
    let is_its_own = |at: &usize| {
        let (start, end) = (at + 2, at + 2 + name.len());
        let named = html.get(start..end).is_some_and(|own| own.eq_ignore_ascii_case(name.as_bytes()));
        named && html.get(end).is_some_and(|byte| ends_name(*byte))
    };
    ends.find(is_its_own).unwrap_or(html.len())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use html5ever::tokenizer::{BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn comments_and_scripts_are_taken_out() {
        for (page, left) in [
            (
                "<!doctype html><p class = \"x > y\" id='z'>1 < 2</p><br/>",
                "<!doctype html><p class = \"x > y\" id='z'>1 < 2</p><br/>",
            ),
            ("a<!-- <b> -->c<!-->d<!--->e<!-- --!>f<!-- >", "acdef"),
            ("a<script>if (a<b && c>'d') {}</scripts></script>x<STYLE>p > a {}</Style >b", "axb"),
            ("<noscript><p></noscript>a<iframe src=b></iframe>", "a"),
            ("<link rel=icon href=a><LINK rel=canonical href=b>", "<LINK rel=canonical href=b>"),
            ("<script><!-- <script>a</script> --></script>b", "<script><!-- <script>a</script> --></script>b"),
            ("<svg><style/><text>a</text></svg>b<style></style>", "<svg><style/><text>a</text></svg>b<style></style>"),
            ("<title><!-- a --></title>", "<title><!-- a --></title>"),
            ("<script type=\"application/ld+json\">{}</script>", "<script type=\"application/ld+json\">{}</script>"),
            ("a<script>a", "a"),
            ("<<!-- -->p><<link>b", "<<!-- -->p><<link>b"),
        ] {
            assert_eq!(&*prepared(page), left);
        }
    }

    #[test]
    fn attributes_are_counted() {
        let unread = &mut Vec::new();
        assert_eq!(attributes(b" class = \"x > y\" id='z' a=b c>d", 0, unread), (30, 4));
        assert_eq!(attributes(b" a=b\"c d=\"x>\"e/f =g>", 0, unread), (20, 4));
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

    #[test]
    fn attributes_that_nobody_reads_are_taken_out() {
        for (page, left) in [
            ("<p data-a=\"x > y\" id=i onclick='b' class=c>", "<p  id=i  class=c>"),
            (
                "<code data-lang=rust data-language=a data-languages=b data-x>",
                "<code data-lang=rust data-language=a data-languages=b >",
            ),
            ("<img src=a data-src=b srcset=\"c 2x\"title=d/>", "<img src=a data-src=b >"),
            ("<svg viewBox='0 0 1 1'><path d=\"M0 0\"/></svg>", "<svg ><path /></svg>"),
            ("<p hidden data-a=1 =b>", "<p hidden data-a=1 =b>"),
            ("<p/data-a>", "<p/data-a>"),
            ("<p hidden data-a = '1'=b>", "<p hidden data-a = '1'=b>"),
            ("<title><p data-a></title><p data-a>", "<title><p data-a></title><p >"),
            ("<noscript/><p data-a='</noscript><p data-b>", "<noscript/><p data-a='</noscript><p >"),
            ("<plaintext><p data-a>", "<plaintext><p data-a>"),
            ("<math><![CDATA[<p data-a>]]></math>", "<math><![CDATA[<p data-a>]]></math>"),
            ("</ <p data-a='> <p data-b>", "</ <p data-a='> <p >"),
        ] {
            assert_eq!(&*prepared(page), left);
        }
    }

    /// What the parser is told of a page, but for comments and what nobody reads.
    #[derive(Default)]
    struct Told(RefCell<Vec<String>>);

    impl TokenSink for Told {
        type Handle = ();

        fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
            let told = match token {
                Token::CharacterTokens(text) => format!("text {text}"),
                Token::TagToken(tag) => {
                    let read = tag.attrs.iter().filter(|attribute| !is_unread(attribute.name.local.as_bytes()));
                    let read = read.map(|attribute| format!(" {}={:?}", attribute.name.local, &*attribute.value));
                    format!("{:?} {}{} {}", tag.kind, tag.name, read.collect::<String>(), tag.self_closing)
                }
                Token::NullCharacterToken => "null".to_owned(),
                _ => return TokenSinkResult::Continue,
            };
            let mut all = self.0.borrow_mut();
            match (all.last_mut(), told.strip_prefix("text ")) {
                (Some(last), Some(text)) if last.starts_with("text ") => last.push_str(text),
                _ => all.push(told),
            }
            TokenSinkResult::Continue
        }
    }

    fn told(html: &str) -> Vec<String> {
        let input = BufferQueue::default();
        input.push_back(html.into());
        let tokenizer = Tokenizer::new(Told::default(), Default::default());
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        tokenizer.sink.0.into_inner()
    }

    proptest! {
        /// The tokenizer is the judge of where attributes, tags and comments begin and end.
        #[test]
        fn nothing_else_changes(parts in proptest::collection::vec(proptest::sample::select(vec![
            "<p", "<b", "</p", "</", "<", ">", "/", "=", "\"", "'", " ", "\n", "x", "é", "a", "id", "hidden", "data-a", "data-lang",
            "title", "ID", "Data-b", "onclick", "<!--", "-->", "--!>", "-", "!", "<!", "<?", "&lt;", "&", "a=b", "c='d'", "d=\"e\"",
        ]), 0..40)) {
            let page = parts.concat();
            prop_assert_eq!(told(&prepared(&page)), told(&page), "{}", page);
        }
    }
}
