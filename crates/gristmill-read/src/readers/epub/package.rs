//! What the package of a book says: its chapters, and of itself.

use std::collections::{HashMap, HashSet};

use gristmill_core::Attrs;
use serde_json::Value;

use crate::archive::{Archive, resolve};
use crate::xml::{Element, Xml};

/// A book.
pub(super) struct Package {
    /// Names of the parts with the chapters, in reading order.
    pub(super) chapters: Vec<String>,
    pub(super) attrs: Attrs,
}

/// The package that the container names.
pub(super) fn package(archive: &mut Archive<'_>) -> Option<Package> {
    let container = Xml::parse(&archive.part("META-INF/container.xml")?);
    let name = container.root().all("rootfile").find_map(|root| root.attr("full-path"))?;
    let xml = Xml::parse(&archive.part(name)?);
    let root = xml.root();
    let mut chapters = HashMap::new();
    for entry in root.child("manifest")?.children() {
        let (Some(id), Some(target)) = (entry.attr("id"), entry.attr("href")) else { continue };
        let is_contents = entry.attr("properties").is_some_and(|all| all.split_whitespace().any(|one| one == "nav"));
        let is_text = entry.attr("media-type").is_none_or(|kind| kind.contains("html") || kind.contains("dtbook"));
        if is_text && !is_contents {
            chapters.insert(id, resolve(name, &percent_decoded(target)));
        }
    }
    let spine = root.child("spine")?.children();
    let chapters = spine.filter_map(|step| chapters.remove(step.attr("idref")?)).collect();
    Some(Package { chapters, attrs: root.child("metadata").map(attrs).unwrap_or_default() })
}

fn attrs(metadata: Element<'_>) -> Attrs {
    let all = |name: &str| -> Vec<String> {
        let found = metadata.children().filter(|child| child.name() == name);
        let texts = found.map(|child| child.text().split_whitespace().collect::<Vec<_>>().join(" "));
        texts.filter(|text| !text.is_empty()).collect()
    };
    let mut attrs = Attrs::new();
    for (name, field) in [
        ("title", "title"),
        ("language", "language"),
        ("date", "date"),
        ("description", "description"),
        ("publisher", "publisher"),
    ] {
        attrs.extend(all(name).into_iter().next().map(|text| (field.to_owned(), Value::String(text))));
    }
    let (authors, keywords) = (all("creator"), all("subject"));
    if !authors.is_empty() {
        attrs.insert("author".into(), Value::String(authors.join(", ")));
    }
    if !keywords.is_empty() {
        attrs.insert("keywords".into(), keywords.into_iter().map(Value::String).collect());
    }
    attrs
}

/// The parts that are encrypted. Fonts often are, in books that are free to read.
pub(super) fn protected(xml: &Xml) -> HashSet<String> {
    let root = xml.root();
    let parts = root.all("CipherReference").filter_map(|part| part.attr("URI"));
    parts.map(|part| resolve("", &percent_decoded(part))).collect()
}

fn percent_decoded(text: &str) -> String {
    let text = text.split('#').next().unwrap_or(text);
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| byte == b'%').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                rest = &after[2..];
            }
            None => {
                out.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Elements that have no end tag in HTML.
const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// XHTML in which empty elements are closed as HTML knows it: `<title/>` as `<title></title>`.
pub(super) fn closed_tags(xhtml: &str) -> String {
    let mut out = String::with_capacity(xhtml.len());
    let mut rest = xhtml;
    while let Some(at) = rest.find("/>") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let tag = before.rfind('<').map_or("", |start| &before[start + 1..]);
        let len = tag.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b':')).count();
        let name = &tag[..len];
        out.push_str(before);
        if name.is_empty() || tag.contains('>') || VOID.contains(&name.to_ascii_lowercase().as_str()) {
            out.push_str("/>");
        } else {
            out.push_str(&format!("></{name}>"));
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_elements_are_closed() {
        let xhtml = "<title/><p>a<br/>b<a id=\"x\" /> 1 /> 2</p><svg:rect/>";
        assert_eq!(closed_tags(xhtml), "<title></title><p>a<br/>b<a id=\"x\" ></a> 1 /> 2</p><svg:rect></svg:rect>");
    }

    #[test]
    fn addresses_are_decoded() {
        assert_eq!(percent_decoded("a%20b%C3%A9.xhtml#c"), "a bé.xhtml");
        assert_eq!(percent_decoded("100%"), "100%");
        assert_eq!(percent_decoded("%zz%4"), "%zz%4");
    }
}
