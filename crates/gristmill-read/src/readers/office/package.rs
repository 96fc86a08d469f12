//! Parts of an Office Open XML package and how they refer to one another.

use std::collections::HashMap;

use gristmill_core::{Attrs, Diagnostic, Result, Severity};
use serde_json::Value;

use crate::archive::{Archive, nothing_left, resolve};
use crate::xml::{Element, Xml};

/// A package that is being read.
pub(super) struct Package<'a> {
    archive: Archive<'a>,
    /// Parts that could not be read as XML to their end.
    cut: Vec<String>,
    /// Parts with elements deeper than is read.
    deep: Vec<String>,
}

/// The relationships of a part, by their identifier.
#[derive(Clone, Default)]
pub(super) struct Relations {
    all: HashMap<String, Relation>,
    order: Vec<String>,
}

/// What a part refers to.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    /// Last word of the type: `image`, `hyperlink`, `slide`, …
    pub(super) kind: String,
    /// Name of a part, or an address outside of the package.
    pub(super) target: String,
}

impl<'a> Package<'a> {
    pub(super) fn new(archive: Archive<'a>) -> Self {
        Self { archive, cut: Vec::new(), deep: Vec::new() }
    }

    /// A part that another one says holds text; it is noted when there is none of this name.
    pub(super) fn named_bytes(&mut self, name: &str) -> Option<Vec<u8>> {
        self.archive.named_part(name)
    }

    /// The same as a tree.
    pub(super) fn named_xml(&mut self, name: &str) -> Option<Xml> {
        let bytes = self.archive.named_part(name)?;
        Some(self.parsed(name, &bytes))
    }

    /// A part as a tree; `None` when there is none of this name.
    pub(super) fn xml(&mut self, name: &str) -> Option<Xml> {
        let bytes = self.archive.part(name)?;
        Some(self.parsed(name, &bytes))
    }

    fn parsed(&mut self, name: &str, bytes: &[u8]) -> Xml {
        let xml = Xml::parse(bytes);
        if !xml.whole {
            self.note_cut(name);
        }
        if xml.deep {
            self.deep.push(name.to_owned());
        }
        xml
    }

    /// The part that a relationship leads to, as a tree.
    pub(super) fn related(&mut self, relations: &Relations, id: &str) -> Option<Xml> {
        self.named_xml(&relations.get(id)?.target)
    }

    /// Notes that a part was read only in part.
    pub(super) fn note_cut(&mut self, name: &str) {
        self.cut.push(name.to_owned());
    }

    /// Notes that a part with text is named and not there.
    pub(super) fn note_missing(&mut self, name: &str) {
        self.archive.note_missing(name);
    }

    /// The relationships of a part; of the package for the empty name.
    pub(super) fn relations(&mut self, part: &str) -> Relations {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let slash = if folder.is_empty() { "" } else { "/" };
        let name = format!("{folder}{slash}_rels/{file}.rels");
        let Some(xml) = self.xml(&name) else { return Relations::default() };
        let mut found = Relations::default();
        for element in xml.root().children() {
            let (Some(id), Some(target)) = (element.attr("Id"), element.attr("Target")) else { continue };
            let outside = element.attr("TargetMode").is_some_and(|mode| mode.eq_ignore_ascii_case("external"));
            let target = if outside { target.to_owned() } else { resolve(part, target) };
            let kind = element.attr("Type").and_then(|kind| kind.rsplit('/').next()).unwrap_or_default().to_owned();
            found.order.push(id.to_owned());
            found.all.insert(id.to_owned(), Relation { kind, target });
        }
        found
    }

    /// The name of the main part.
    pub(super) fn main_part(&mut self, usual: &str) -> String {
        let named = self.relations("").of_kind("officeDocument").map(|found| found.target.clone());
        named.filter(|name| self.archive.has(name)).unwrap_or_else(|| usual.to_owned())
    }

    /// What the document declares of itself.
    pub(super) fn attrs(&mut self) -> Attrs {
        let named = self.relations("").of_kind("core-properties").map(|found| found.target.clone());
        let name = named.unwrap_or_else(|| "docProps/core.xml".to_owned());
        let Some(xml) = self.xml(&name) else { return Attrs::new() };
        xml.root().children().filter_map(declared).collect()
    }

    /// # Errors
    /// When nothing was read and there are parts that could not be.
    pub(super) fn ensure_some(&self, text: &str, source: &str) -> Result<()> {
        self.archive.ensure_some(text, source)?;
        match self.cut.first().or(self.deep.first()) {
            Some(part) if text.trim().is_empty() => Err(nothing_left(part, source)),
            _ => Ok(()),
        }
    }

    /// What could not be read as it is.
    pub(super) fn problems(&self, source: &str) -> Vec<Diagnostic> {
        let mut found = self.archive.problems(source);
        if let Some(first) = self.cut.first() {
            let message =
                format!("parts that are not well formed, read as far as they go: {} ({first})", self.cut.len());
            let told = Diagnostic::new("malformed-part", Severity::Medium, source, message).incomplete();
            found.push(told.help("open the file with the program it was made with and save it again"));
        }
        if let Some(first) = self.deep.first() {
            let message =
                format!("parts that are nested too deeply, read down to a bound: {} ({first})", self.deep.len());
            let told = Diagnostic::new("deeply-nested-part", Severity::High, source, message).incomplete();
            found.push(told.help("take tables and boxes out of one another"));
        }
        found
    }
}

impl Relations {
    pub(super) fn get(&self, id: &str) -> Option<&Relation> {
        self.all.get(id)
    }

    /// The first of this kind.
    pub(super) fn of_kind(&self, kind: &str) -> Option<&Relation> {
        self.order.iter().filter_map(|id| self.all.get(id)).find(|found| found.kind == kind)
    }

    /// The name of the file that a relationship leads to; empty for none.
    pub(super) fn file(&self, id: Option<&str>) -> &str {
        let target = id.and_then(|id| self.get(id)).map_or("", |found| found.target.as_str());
        target.rsplit(['/', '\\']).next().unwrap_or(target)
    }
}

/// A core property as an attribute.
fn declared(element: Element<'_>) -> Option<(String, Value)> {
    let name = match element.name() {
        "title" => "title",
        "creator" => "author",
        "subject" => "subject",
        "description" => "description",
        "keywords" => "keywords",
        "category" => "category",
        "language" => "language",
        "created" => "date",
        "modified" => "modified",
        _ => return None,
    };
    let text = element.text().split_whitespace().collect::<Vec<_>>().join(" ");
    // What programs put in when nobody gave a title.
    let made_up = name == "title" && matches!(text.as_str(), "PowerPoint Presentation" | "PowerPoint-Präsentation");
    (!text.is_empty() && !made_up).then(|| (name.to_owned(), Value::String(text)))
}

/// True unless the value says no: switches stand for yes by being there.
pub(super) fn is_on(element: Element<'_>) -> bool {
    !matches!(element.attr("val"), Some("0" | "false" | "off" | "none"))
}
