//! XML parts of packed documents as a tree of bounded depth and size. What is not well formed is read as far as it goes.

use std::borrow::Cow;
use std::collections::HashMap;

use encoding_rs::Encoding;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// Elements deeper than this are left out; their text belongs to the deepest that is kept. Walks over the tree may recurse.
const DEPTH_MAX: usize = 200;

/// The most nodes of a tree, of 20 bytes each.
const NODES_MAX: usize = 16 << 20;

const NONE: u32 = u32::MAX;

/// A tree.
pub(crate) struct Xml {
    /// Every node stands before those below it, and these before its next neighbour.
    nodes: Vec<Node>,
    attrs: Vec<Attr>,
    names: Vec<String>,
    text: String,
    /// False when something is missing: the part was cut, malformed or too large.
    pub(crate) whole: bool,
    /// True when elements were left out for their depth.
    pub(crate) deep: bool,
}

#[derive(Clone, Copy)]
struct Node {
    /// Index of the element's name; [`NONE`] for text.
    name: u32,
    first: u32,
    next: u32,
    /// Of attributes for elements, else of text.
    from: u32,
    to: u32,
}

struct Attr {
    name: u32,
    from: u32,
    to: u32,
}

/// An element of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Element<'x> {
    xml: &'x Xml,
    at: u32,
}

impl Xml {
    /// Reads a part.
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let text = decoded(bytes);
        let mut builder = Builder::new();
        let mut reader = lenient(&text);
        loop {
            match reader.read_event() {
                Ok(Event::Eof) => break,
                Ok(event) if builder.xml.nodes.len() < NODES_MAX => builder.take(event),
                _ => {
                    builder.xml.whole = false;
                    break;
                }
            }
        }
        builder.xml.whole &= builder.open.len() == 1;
        builder.xml
    }

    /// The outermost element.
    pub(crate) fn root(&self) -> Element<'_> {
        let top = Element { xml: self, at: 0 };
        top.children().next().unwrap_or(top)
    }
}

/// A reader that forgives end tags that do not fit.
pub(crate) fn lenient(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    reader
}

/// The text of a part in the encoding that its byte order mark or its first line tells, else UTF-8.
pub(crate) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let head = &bytes[..bytes.len().min(200)];
    let declared = || {
        let after = memchr::memmem::find(head, b"encoding=")? + "encoding=".len();
        let label = head.get(after + 1..)?.split(|b| matches!(b, b'"' | b'\'')).next()?;
        Encoding::for_label(label).filter(|found| found.is_ascii_compatible())
    };
    let found = Encoding::for_bom(bytes).map(|(encoding, _)| encoding).or_else(declared);
    found.unwrap_or(encoding_rs::UTF_8).decode(bytes).0
}

/// The character or the text that a reference stands for.
pub(crate) fn referenced(reference: &BytesRef<'_>, out: &mut String) {
    if let Ok(Some(c)) = reference.resolve_char_ref() {
        return out.push(c);
    }
    let name: &str = reference;
    match name {
        "lt" => out.push('<'),
        "gt" => out.push('>'),
        "amp" => out.push('&'),
        "quot" => out.push('"'),
        "apos" => out.push('\''),
        other => {
            out.push('&');
            out.push_str(other);
            out.push(';');
        }
    }
}

struct Builder {
    xml: Xml,
    ids: HashMap<String, u32>,
    /// Open elements with the last child of each.
    open: Vec<(u32, u32)>,
    /// Open elements that are left out for their depth.
    skipped: usize,
}

impl Builder {
    fn new() -> Self {
        let top = Node { name: 0, first: NONE, next: NONE, from: 0, to: 0 };
        let names = vec![String::new()];
        let xml = Xml { nodes: vec![top], attrs: Vec::new(), names, text: String::new(), whole: true, deep: false };
        Self { xml, ids: HashMap::new(), open: vec![(0, NONE)], skipped: 0 }
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(_) if self.open.len() > DEPTH_MAX => {
                self.skipped += 1;
                self.xml.deep = true;
            }
            Event::Start(start) => {
                let at = self.element(&start);
                self.open.push((at, NONE));
            }
            Event::Empty(start) => {
                self.element(&start);
            }
            Event::End(_) if self.skipped > 0 => self.skipped -= 1,
            Event::End(_) if self.open.len() > 1 => {
                self.open.pop();
            }
            Event::Text(text) => self.text(|out| out.push_str(&text.xml10_content())),
            Event::CData(text) => self.text(|out| out.push_str(&text.xml10_content())),
            Event::GeneralRef(reference) => self.text(|out| referenced(&reference, out)),
            _ => {}
        }
    }

    fn element(&mut self, start: &BytesStart<'_>) -> u32 {
        let name = self.id(start.local_name().as_ref());
        let from = index(self.xml.attrs.len());
        for attr in start.attributes().with_checks(false).flatten() {
            let name = self.id(attr.key.0);
            let begin = index(self.xml.text.len());
            match attr.normalized_value(XmlVersion::Implicit1_0) {
                Ok(value) => self.xml.text.push_str(&value),
                Err(_) => self.xml.text.push_str(&attr.value),
            }
            self.xml.attrs.push(Attr { name, from: begin, to: index(self.xml.text.len()) });
        }
        let to = index(self.xml.attrs.len());
        self.add(Node { name, first: NONE, next: NONE, from, to })
    }

    fn text(&mut self, write: impl FnOnce(&mut String)) {
        let from = index(self.xml.text.len());
        write(&mut self.xml.text);
        let to = index(self.xml.text.len());
        let last = self.open.last().map_or(NONE, |(_, last)| *last);
        match self.xml.nodes.get_mut(last as usize) {
            Some(node) if node.name == NONE && node.to == from => node.to = to,
            _ => {
                self.add(Node { name: NONE, first: NONE, next: NONE, from, to });
            }
        }
    }

    /// Adds a node as the last child of the innermost open element.
    fn add(&mut self, node: Node) -> u32 {
        let at = index(self.xml.nodes.len());
        self.xml.nodes.push(node);
        if let Some((parent, last)) = self.open.last_mut() {
            match self.xml.nodes.get_mut(*last as usize) {
                Some(before) => before.next = at,
                None => self.xml.nodes[*parent as usize].first = at,
            }
            *last = at;
        }
        at
    }

    fn id(&mut self, name: &str) -> u32 {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = index(self.xml.names.len());
        self.xml.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }
}

fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(NONE)
}

impl<'x> Element<'x> {
    fn node(self) -> Node {
        self.xml.nodes[self.at as usize]
    }

    /// The name without its prefix.
    pub(crate) fn name(self) -> &'x str {
        &self.xml.names[self.node().name as usize]
    }

    /// An attribute by its name without prefix.
    pub(crate) fn attr(self, name: &str) -> Option<&'x str> {
        self.find(|full| local(full) == name)
    }

    /// An attribute that names a relationship: `r:id`, `r:embed`.
    pub(crate) fn relation(self, name: &str) -> Option<&'x str> {
        self.find(|full| full.len() > name.len() && local(full) == name && !full.starts_with("w:"))
    }

    fn find(self, fits: impl Fn(&str) -> bool) -> Option<&'x str> {
        let node = self.node();
        let attrs = &self.xml.attrs[node.from as usize..node.to as usize];
        let found = attrs.iter().find(|attr| fits(&self.xml.names[attr.name as usize]))?;
        Some(&self.xml.text[found.from as usize..found.to as usize])
    }

    /// Elements in it, in order.
    pub(crate) fn children(self) -> impl Iterator<Item = Self> {
        let xml = self.xml;
        let mut at = self.node().first;
        std::iter::from_fn(move || {
            loop {
                let node = xml.nodes.get(at as usize)?;
                let this = Self { xml, at };
                at = node.next;
                if node.name != NONE {
                    return Some(this);
                }
            }
        })
    }

    /// The first element in it of this name.
    pub(crate) fn child(self, name: &str) -> Option<Self> {
        self.children().find(|child| child.name() == name)
    }

    /// The element that is reached by these names, one below the other.
    pub(crate) fn path(self, names: &[&str]) -> Option<Self> {
        names.iter().try_fold(self, |at, name| at.child(name))
    }

    /// All elements below it of this name, in order of the text.
    pub(crate) fn all(self, name: &'x str) -> impl Iterator<Item = Self> {
        let xml = self.xml;
        let is = move |at: &u32| {
            let own = xml.nodes[*at as usize].name;
            own != NONE && xml.names[own as usize] == name
        };
        (self.at + 1..self.end()).filter(is).map(move |at| Self { xml, at })
    }

    /// One past the last node below it.
    fn end(self) -> u32 {
        let nodes = &self.xml.nodes;
        let mut last = self.at;
        let mut below = self.node().first;
        while below != NONE {
            last = below;
            while let Some(next) = nodes.get(last as usize).map(|node| node.next).filter(|next| *next != NONE) {
                last = next;
            }
            below = nodes[last as usize].first;
        }
        last + 1
    }

    /// The text in it and below it.
    pub(crate) fn text(self) -> String {
        let nodes = &self.xml.nodes[self.at as usize..self.end() as usize];
        let texts = nodes.iter().filter(|node| node.name == NONE);
        texts.map(|node| &self.xml.text[node.from as usize..node.to as usize]).collect()
    }
}

fn local(full: &str) -> &str {
    full.rsplit_once(':').map_or(full, |(_, local)| local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_walked_by_names() {
        let xml = Xml::parse(
            b"<?xml version='1.0'?><w:a x='1' r:id='q&amp;'><w:b>one &lt;&#x41;</w:b><c/>&amp;<b>two</b></w:a>",
        );
        let root = xml.root();
        assert!(xml.whole);
        assert_eq!((root.name(), root.attr("x"), root.relation("id")), ("a", Some("1"), Some("q&")));
        assert_eq!(root.children().map(Element::name).collect::<Vec<_>>(), ["b", "c", "b"]);
        assert_eq!(root.all("b").map(Element::text).collect::<Vec<_>>(), ["one <A", "two"]);
        assert_eq!((root.text().as_str(), root.path(&["b"]).map(Element::text)), ("one <A&two", Some("one <A".into())));
    }

    #[test]
    fn what_is_cut_or_odd_is_read_as_far_as_it_goes() {
        let cut = Xml::parse(b"<a><b>one</b><b>tw");
        assert!(!cut.whole);
        assert_eq!(cut.root().text(), "onetw");
        assert_eq!(Xml::parse(b"<a><b>x</c>y</a>").root().text(), "xy");
        assert_eq!(Xml::parse(b"").root().text(), "");
        let wide: Vec<u8> = "\u{feff}<a>\u{e9}</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(Xml::parse(&wide).root().text(), "é");
        assert_eq!(Xml::parse(b"<?xml encoding='iso-8859-1'?><a>\xe9</a>").root().text(), "é");
    }

    #[test]
    fn deep_nesting_is_flat_below_its_bound() {
        let deep = format!("{}x{}y", "<a>".repeat(100_000), "</a>".repeat(99_999));
        let xml = Xml::parse(deep.as_bytes());
        assert!(xml.deep && !xml.whole);
        assert_eq!(xml.root().text(), "xy");
        assert_eq!(xml.root().all("a").count(), DEPTH_MAX - 1);
        let closed = Xml::parse((deep + "</a>").as_bytes());
        assert!(closed.deep && closed.whole);
    }
}
