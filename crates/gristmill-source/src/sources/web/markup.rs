//! Tags of HTML and XML, one after another, as far as links need them: no tree, and nothing that bad markup could upset.

use std::borrow::Cow;

/// Elements of HTML whose content is no markup.
const RAW: &[&str] = &["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"];

/// A piece of markup.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// A tag that opens: its name, and all of it up to its end.
    Open(&'t str, &'t str),
    /// A tag that closes.
    Close(&'t str),
    /// What is between tags, as it stands; CDATA without its marks.
    Text(&'t str),
}

/// Takes a text apart. Comments, declarations and processing instructions are left out.
pub(super) struct Pieces<'t> {
    rest: &'t str,
    /// True for HTML: the content of some elements is passed over.
    html: bool,
}

impl<'t> Pieces<'t> {
    pub(super) fn html(text: &'t str) -> Self {
        Self { rest: text, html: true }
    }

    pub(super) fn xml(text: &'t str) -> Self {
        Self { rest: text, html: false }
    }

    /// Gives what is before `mark` and goes on behind it; all of the rest where there is none.
    fn until(&mut self, mark: &str) -> &'t str {
        let (before, after) = self.rest.split_once(mark).unwrap_or((self.rest, ""));
        self.rest = after;
        before
    }

    fn open(&mut self) -> Piece<'t> {
        let end = tag_end(self.rest);
        let (tag, rest) = self.rest.split_at(end);
        self.rest = rest.strip_prefix('>').unwrap_or(rest);
        let name = tag.split(|c: char| c.is_ascii_whitespace() || c == '/').next().unwrap_or_default();
        if self.html && RAW.iter().any(|raw| name.eq_ignore_ascii_case(raw)) {
            self.pass_over(name);
        }
        Piece::Open(name, tag)
    }

    /// Goes to the tag that closes an element.
    fn pass_over(&mut self, name: &str) {
        while let Some(at) = self.rest.find("</") {
            self.rest = &self.rest[at..];
            if self.rest.get(2..2 + name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name)) {
                return;
            }
            self.rest = &self.rest[2..];
        }
        self.rest = "";
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let Some(inside) = self.rest.strip_prefix('<') else {
                let end = self.rest.find('<').unwrap_or(self.rest.len());
                let (text, rest) = self.rest.split_at(end);
                self.rest = rest;
                return Some(Piece::Text(text));
            };
            self.rest = inside;
            if let Some(content) = inside.strip_prefix("![CDATA[").filter(|_| !self.html) {
                self.rest = content;
                return Some(Piece::Text(self.until("]]>")));
            } else if inside.starts_with("!--") {
                // `<!-->` is a whole comment.
                self.rest = &inside[1..];
                self.until("-->");
            } else if inside.starts_with(['!', '?']) {
                self.until(">");
            } else if let Some(closing) = inside.strip_prefix('/') {
                self.rest = closing;
                return Some(Piece::Close(self.until(">").trim_ascii_end()));
            } else if inside.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Some(self.open());
            }
        }
    }
}

/// Where a tag ends: at the first `>` that stands in no quoted value.
fn tag_end(tag: &str) -> usize {
    let mut quote = None;
    let mut before = b' ';
    for (at, byte) in tag.bytes().enumerate() {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => continue,
            None if byte == b'>' => return at,
            // A quote elsewhere is part of a name or of a value without quotes.
            None if matches!(byte, b'"' | b'\'') && before == b'=' => quote = Some(byte),
            None => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    tag.len()
}

/// The value of an attribute of a tag. Of two of one name the first counts.
pub(super) fn attribute<'t>(tag: &'t str, wanted: &str) -> Option<Cow<'t, str>> {
    let mut rest = tag.trim_start_matches(|c: char| !c.is_ascii_whitespace() && c != '/');
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if rest.is_empty() {
            return None;
        }
        // A name may begin with `=`, whatever that is good for.
        let end = rest.char_indices().skip(1).find(|(_, c)| c.is_ascii_whitespace() || matches!(c, '=' | '/'));
        let (name, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        let (value, after) = match after.trim_ascii_start().strip_prefix('=') {
            Some(value) => value_of(value.trim_ascii_start()),
            None => ("", after),
        };
        if name.eq_ignore_ascii_case(wanted) {
            return Some(unescape(value));
        }
        rest = after;
    }
}

/// A value, and what is behind it.
fn value_of(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(quoted) = text.strip_prefix(quote) {
            return quoted.split_once(quote).unwrap_or((quoted, ""));
        }
    }
    text.split_at(text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len()))
}

/// A text with the references that addresses have; others are left as they are.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut pieces = text.split('&');
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let reference = piece.split_once(';').and_then(|(name, rest)| Some((referred(name)?, rest)));
        if let Some((c, rest)) = reference {
            out.push(c);
            out.push_str(rest);
        } else {
            out.push('&');
            out.push_str(piece);
        }
    }
    Cow::Owned(out)
}

fn referred(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<Piece<'_>> {
        Pieces::html(text).collect()
    }

    #[test]
    fn tags_are_told_from_text() {
        use Piece::{Close, Open, Text};
        assert_eq!(
            pieces("a<!-- <b> --><c d='>' e>f</c ><!doctype x><?y?>1 < 2<!-->g"),
            [Text("a"), Open("c", "c d='>' e"), Text("f"), Close("c"), Text("1 "), Text(" 2"), Text("g")]
        );
        assert_eq!(pieces("<br/>"), [Open("br", "br/")]);
        assert_eq!(pieces("<a b=\"c"), [Open("a", "a b=\"c")]);
        assert_eq!(pieces("<a it's>x"), [Open("a", "a it's"), Text("x")]);
    }

    #[test]
    fn scripts_hold_no_tags() {
        use Piece::{Close, Open, Text};
        let text = "<SCRIPT>'<a href=x></b>'</Script>y<style><b></style";
        let expected = [Open("SCRIPT", "SCRIPT"), Close("Script"), Text("y"), Open("style", "style"), Close("style")];
        assert_eq!(pieces(text), expected);
        let xml: Vec<Piece<'_>> = Pieces::xml("<title><![CDATA[a<b]]></title>").collect();
        assert_eq!(xml, [Open("title", "title"), Text("a<b"), Close("title")]);
    }

    #[test]
    fn attributes_in_every_form() {
        let tag = "a x HREF = '?a=1&amp;b=2&copy=3' href=second data-y=\"'\" z=un/quoted";
        assert_eq!(attribute(tag, "href").as_deref(), Some("?a=1&b=2&copy=3"));
        assert_eq!(attribute(tag, "data-y").as_deref(), Some("'"));
        assert_eq!(attribute(tag, "z").as_deref(), Some("un/quoted"));
        assert_eq!(attribute(tag, "x").as_deref(), Some(""));
        assert_eq!(attribute(tag, "a"), None);
        assert_eq!(attribute("img/src=x", "src").as_deref(), Some("x"));
        assert_eq!(attribute("a =b c=\"d", "c").as_deref(), Some("d"));
    }

    #[test]
    fn references() {
        assert_eq!(unescape("&#x26;&#38;&lt;&nbsp;&#xD800;&;&"), "&&<&nbsp;&#xD800;&;&");
    }

    #[test]
    fn no_text_takes_long_or_ends_badly() {
        for text in ["<", "<a ", "<!--", "</", "<script>", "<a b='", "<![CDATA[", "&", "<script></", "=\"'>"] {
            let text = text.repeat(200_000);
            let opened = Pieces::html(&text)
                .filter(|piece| matches!(piece, Piece::Open(_, tag) if attribute(tag, "x").is_some()));
            assert_eq!(opened.count(), 0);
            assert!(Pieces::xml(&text).count() <= text.len());
        }
    }
}
