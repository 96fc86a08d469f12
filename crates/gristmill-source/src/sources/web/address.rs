//! Addresses of pages: one form for each, and what lies within what.

use std::fmt::Write;

use gristmill_core::{Error, Result};
use url::Url;

/// Longer addresses are traps more often than pages.
const LENGTH_MAX: usize = 2048;

/// An address as settings give it.
///
/// # Errors
/// Config: it is none of `http` or `https`, or holds a password, which would stand in every record.
pub(super) fn given(text: &str, key: &str) -> Result<Url> {
    let wrong = |why: &str| Error::config(format!("`{key}` of a web source {why}: {text}"));
    let url = Url::parse(text.trim()).map_err(|e| wrong("is no URL").because(e))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("is no URL of `http` or `https`"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Error::config(format!("`{key}` of a web source holds a name or password")));
    }
    canonical(url).ok_or_else(|| wrong("is too long"))
}

/// The address that a link of a page leads to; `None` where it is no page.
pub(super) fn linked(base: &Url, link: &str) -> Option<Url> {
    let link = link.trim_matches(|c: char| c.is_ascii_whitespace());
    if link.starts_with('#') || link.len() > LENGTH_MAX {
        return None;
    }
    canonical(base.join(link).ok()?)
}

/// The one form of an address: as the URL standard writes it, without fragment, empty query and needless escapes
/// (RFC 3986, 6.2.2). `None` for what is no address of a page.
fn canonical(mut url: Url) -> Option<Url> {
    let has_user = !url.username().is_empty() || url.password().is_some();
    if !matches!(url.scheme(), "http" | "https") || has_user {
        return None;
    }
    url.set_fragment(None);
    let path = plain_escapes(url.path());
    url.set_path(&path);
    let query = url.query().filter(|query| !query.is_empty()).map(plain_escapes);
    url.set_query(query.as_deref());
    (url.as_str().len() <= LENGTH_MAX).then_some(url)
}

/// Escapes in upper case, and none of what needs none.
fn plain_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        match escape(from.as_bytes()) {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => out.push(char::from(byte)),
            // Writing to a text never fails.
            Some(byte) => drop(write!(out, "%{byte:02X}")),
            None => {
                out.push('%');
                rest = &from[1..];
                continue;
            }
        }
        rest = &from[3..];
    }
    out + rest
}

/// The byte that an escape stands for.
fn escape(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| text.get(at).and_then(|digit| char::from(*digit).to_digit(16));
    u8::try_from(digit(1)? * 16 + digit(2)?).ok()
}

/// The path of an address without escapes, for people's globs.
pub(super) fn shown_path(url: &Url) -> String {
    let path = url.path().as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(path.len()), 0);
    while let Some(byte) = path.get(at) {
        let escaped = (*byte == b'%').then(|| path.get(at..).and_then(escape)).flatten();
        out.push(escaped.unwrap_or(*byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).trim_start_matches('/').to_owned()
}

/// A part of the web: a host, and what lies at or below a path of it, whether encrypted or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    host: String,
    /// `None` for that of the scheme.
    port: Option<u16>,
    /// Ends with `/`.
    path: String,
}

impl Prefix {
    /// What is at or below an address.
    pub(super) fn below(url: &Url) -> Self {
        let path = url.path();
        let path = if path.ends_with('/') { path.to_owned() } else { format!("{path}/") };
        Self { path, ..Self::whole(url) }
    }

    /// What is beside a page or below it.
    pub(super) fn beside(url: &Url) -> Self {
        let path = url.path();
        let end = path.rfind('/').map_or(0, |at| at + 1);
        Self { path: path[..end].to_owned(), ..Self::whole(url) }
    }

    /// All of a host.
    pub(super) fn whole(url: &Url) -> Self {
        Self { host: url.host_str().unwrap_or_default().to_owned(), port: url.port(), path: "/".to_owned() }
    }

    pub(super) fn holds(&self, url: &Url) -> bool {
        let path = url.path();
        url.host_str() == Some(&self.host)
            && url.port() == self.port
            && (path.starts_with(&self.path) || self.path.strip_suffix('/') == Some(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        given(text, "urls").unwrap()
    }

    #[test]
    fn every_page_has_one_address() {
        for (text, expected) in [
            ("HTTP://Example.ORG:80", "http://example.org/"),
            (" https://example.org:443/a/../b#part ", "https://example.org/b"),
            ("https://example.org/%7euser/%e4%b8%ad?", "https://example.org/~user/%E4%B8%AD"),
            ("https://example.org/中?q=中", "https://example.org/%E4%B8%AD?q=%E4%B8%AD"),
            ("https://bücher.example/", "https://xn--bcher-kva.example/"),
            ("https://example.org/a%2Fb%zz%4", "https://example.org/a%2Fb%zz%4"),
            ("http://2130706433/", "http://127.0.0.1/"),
        ] {
            assert_eq!(url(text).as_str(), expected);
            assert_eq!(url(expected).as_str(), expected);
        }
    }

    #[test]
    fn what_is_no_page_is_refused() {
        for text in ["file:///etc/passwd", "example.org", "ftp://example.org/", "https://", "gopher://x/", "data:,x"] {
            assert!(given(text, "urls").is_err(), "{text}");
        }
        let error = given("https://me:s3cret@example.org/", "urls").unwrap_err();
        assert!(!error.chain().contains("s3cret"), "{}", error.chain());
    }

    #[test]
    fn links_are_read_where_they_stand() {
        let base = url("https://example.org/docs/intro?x=1");
        let to = |link: &str| linked(&base, link).map(String::from);
        assert_eq!(to(" ../a.html#b\n").as_deref(), Some("https://example.org/a.html"));
        assert_eq!(to("//other.example").as_deref(), Some("https://other.example/"));
        assert_eq!(to("?y=2").as_deref(), Some("https://example.org/docs/intro?y=2"));
        assert_eq!(to("").as_deref(), Some("https://example.org/docs/intro?x=1"));
        for link in ["#top", "mailto:a@b.example", "javascript:void(0)", "file:///etc/passwd", "https://a:b@c.example/"]
        {
            assert_eq!(to(link), None, "{link}");
        }
        assert_eq!(to(&"a".repeat(3000)), None);
        assert_eq!(to(&"中".repeat(600)), None);
    }

    #[test]
    fn a_prefix_holds_what_is_at_or_below_it() {
        let holds = |prefix: &Prefix, text: &str| prefix.holds(&url(text));
        let docs = Prefix::below(&url("https://example.org/docs"));
        assert_eq!(docs, Prefix::beside(&url("https://example.org/docs/intro")));
        for text in ["https://example.org/docs", "http://example.org/docs/", "https://example.org/docs/a/b?c"] {
            assert!(holds(&docs, text), "{text}");
        }
        for text in [
            "https://example.org/",
            "https://example.org/docs2",
            "https://www.example.org/docs/",
            "https://example.org:8443/docs/",
            "https://example.org/docs/../x",
        ] {
            assert!(!holds(&docs, text), "{text}");
        }
        assert!(holds(&Prefix::whole(&url("https://example.org/a/b")), "https://example.org/"));
    }

    #[test]
    fn globs_see_paths_without_escapes() {
        assert_eq!(shown_path(&url("https://example.org/a%20b/%e4%b8%ad.html?x")), "a b/中.html");
    }
}
