//! Presentations of PowerPoint and of programs that write its format.

mod bullets;
mod order;
mod slide;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::rc::Rc;

use gristmill_core::{Diagnostic, Document, Error, Input, Outcome, Reader, Result, Severity};

use self::bullets::Pattern;
use self::slide::{Slide, is_hidden};
use super::flow::{Block, plain};
use super::package::{Package, Relations};
use super::write::write;
use crate::archive::Archive;
use crate::converted::Converted;

/// Reads `.pptx`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pptx;

impl Reader for Pptx {
    fn name(&self) -> &'static str {
        "pptx"
    }

    fn summary(&self) -> &'static str {
        "PowerPoint presentations: a heading and a page for each slide, lists, tables, charts, speaker notes"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pptx", "pptm", "ppsx", "potx"]
    }

    fn converts(&self) -> bool {
        true
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let mut package = Package::new(Archive::open(input.bytes, self.name(), input.source)?);
        let slides = slides(&mut package, input.source)?;
        let mut deck = Deck { package: &mut package, patterns: HashMap::new(), blocks: Vec::new(), hidden: Vec::new() };
        for (number, name) in (1..).zip(&slides) {
            deck.add(name, number);
        }
        let Deck { blocks, hidden, .. } = deck;
        let (text, pages) = write(blocks);
        let attrs = package.attrs();
        package.ensure_some(&text, input.source)?;
        let mut diagnostics = package.problems(input.source);
        if !hidden.is_empty() {
            let message = format!("hidden slides are read, too: {}", hidden.join(", "));
            diagnostics.push(Diagnostic::new("hidden-slides", Severity::Info, input.source, message));
        }
        Ok(Converted { text, pages, attrs, encoding: "utf-8", diagnostics, ..Converted::default() }
            .document(input, self.name()))
    }
}

/// The parts of the slides in their order.
fn slides(package: &mut Package<'_>, source: &str) -> Result<Vec<String>> {
    let main = package.main_part("ppt/presentation.xml");
    let none =
        || Error::input(format!("no slides in this pptx file: `{source}`")).hint("is it a file of another kind?");
    let xml = package.xml(&main).ok_or_else(none)?;
    let relations = package.relations(&main);
    let Some(list) = xml.root().child("sldIdLst") else { return Ok(Vec::new()) };
    let targets = list.children().filter_map(|id| relations.get(id.relation("id")?));
    Ok(targets.map(|found| found.target.clone()).collect())
}

/// The slides that have been read.
struct Deck<'w, 'a> {
    package: &'w mut Package<'a>,
    /// Layouts and masters, each read once.
    patterns: HashMap<String, Rc<Pattern>>,
    blocks: Vec<Block>,
    /// Numbers of slides that are not shown.
    hidden: Vec<String>,
}

impl Deck<'_, '_> {
    fn add(&mut self, name: &str, number: u32) {
        let Some(xml) = self.package.named_xml(name) else { return };
        let relations = self.package.relations(name);
        let pattern = self.pattern(&relations, "slideLayout");
        let notes = relations.of_kind("notesSlide").and_then(|found| self.package.named_xml(&found.target));
        let package = &mut *self.package;
        let mut slide = Slide { package, relations: &relations, pattern: &pattern, title: None, out: Vec::new() };
        if let Some(tree) = xml.root().path(&["cSld", "spTree"]) {
            slide.shapes(tree);
        }
        if let Some(notes) = &notes {
            slide.notes(notes.root());
        }
        let Slide { title, out, .. } = slide;
        if title.is_none() && out.iter().all(|block| *block == Block::End) {
            return;
        }
        if is_hidden(xml.root()) {
            self.hidden.push(number.to_string());
        }
        self.blocks.push(Block::Page(number));
        self.blocks.push(match title {
            Some((line, true)) => Block::Heading(1, line),
            Some((line, false)) => Block::Heading(2, line),
            None => Block::Heading(2, plain(format!("Slide {number}"))),
        });
        self.blocks.extend(out);
    }

    /// What a slide's layout, or a layout's master, says of its text.
    fn pattern(&mut self, relations: &Relations, kind: &str) -> Rc<Pattern> {
        let Some(found) = relations.of_kind(kind) else { return Rc::default() };
        if let Some(pattern) = self.patterns.get(&found.target) {
            return Rc::clone(pattern);
        }
        let mut read = self.package.xml(&found.target).map(|xml| Pattern::read(&xml)).unwrap_or_default();
        if kind == "slideLayout" {
            let above = self.package.relations(&found.target);
            read.base = Some(self.pattern(&above, "slideMaster"));
        }
        let read = Rc::new(read);
        self.patterns.insert(found.target.clone(), Rc::clone(&read));
        read
    }
}
