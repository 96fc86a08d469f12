//! From the body of a text document to blocks.

use std::collections::HashMap;

use super::numbering::Numbering;
use super::runs::Field;
use super::styles::{Style, Styles, numbering, outline};
use super::table;
use crate::readers::office::drawing::chosen;
use crate::readers::office::flow::{Block, Label, Line, folded, is_blank, marker, plain, unmarked, words};
use crate::readers::office::package::{Package, Relations};
use crate::xml::{Element, Xml};

/// The notes of one kind, by their identifiers, and what they refer to.
#[derive(Default)]
pub(super) struct Notes<'x> {
    pub(super) all: HashMap<&'x str, Element<'x>>,
    pub(super) relations: Relations,
    /// Name of the part that should hold them, while it is not there and nobody was told.
    pub(super) missing: Option<String>,
}

/// What was left out, by number.
#[derive(Default)]
pub(super) struct LeftOut {
    pub(super) comments: usize,
    pub(super) contents: usize,
    pub(super) hidden: usize,
    /// Documents of another kind that are put in.
    pub(super) embedded: usize,
}

/// A walk over the document.
pub(super) struct Walk<'w, 'a, 'x> {
    pub(super) package: &'w mut Package<'a>,
    pub(super) relations: Relations,
    pub(super) styles: Styles,
    pub(super) numbering: Numbering,
    /// Footnotes and endnotes.
    notes: [Notes<'x>; 2],
    /// Fields that are open, innermost last.
    pub(super) fields: Vec<Field>,
    pub(super) left_out: LeftOut,
    /// How many more empty places merged cells may fill.
    pub(super) fill: usize,
    /// Notes referred to and not written yet.
    pending: Vec<Block>,
    referred: usize,
    in_note: bool,
}

impl<'w, 'a, 'x> Walk<'w, 'a, 'x> {
    pub(super) fn new(package: &'w mut Package<'a>, relations: Relations, notes: [Notes<'x>; 2]) -> Self {
        Self {
            package,
            relations,
            styles: Styles::default(),
            numbering: Numbering::default(),
            notes,
            fields: Vec::new(),
            left_out: LeftOut::default(),
            fill: 1 << 20,
            pending: Vec::new(),
            referred: 0,
            in_note: false,
        }
    }

    /// All blocks of the document, each followed by the notes it refers to. Headings are one level lower when there is a
    /// title.
    pub(super) fn document(&mut self, xml: &Xml) -> Vec<Block> {
        let root = xml.root();
        let mut out = Vec::new();
        self.top(root.child("body").unwrap_or(root), &mut out);
        let titled = out.iter().any(|block| matches!(block, Block::Heading(0, _)));
        for block in &mut out {
            if let (Block::Heading(level, _), true) = (block, titled) {
                *level += 1;
            }
        }
        out
    }

    fn top(&mut self, parent: Element<'_>, out: &mut Vec<Block>) {
        for child in parent.children() {
            match child.name() {
                "sdt" if is_contents(child) => self.left_out.contents += 1,
                "sdt" => child.children().filter(|c| c.name() == "sdtContent").for_each(|c| self.top(c, out)),
                _ => {
                    self.block(child, out);
                    out.append(&mut self.pending);
                }
            }
        }
    }

    /// The blocks in an element.
    pub(super) fn blocks(&mut self, parent: Element<'_>) -> Vec<Block> {
        let mut out = Vec::new();
        parent.children().for_each(|child| self.block(child, &mut out));
        out
    }

    fn block(&mut self, element: Element<'_>, out: &mut Vec<Block>) {
        match element.name() {
            "p" => self.paragraph(element, out),
            "tbl" => table::table(self, element, out),
            "sdt" | "sdtContent" | "ins" | "moveTo" | "customXml" | "smartTag" => {
                element.children().for_each(|child| self.block(child, out));
            }
            "altChunk" => self.left_out.embedded += 1,
            "AlternateContent" => {
                chosen(element).into_iter().flat_map(Element::children).for_each(|child| self.block(child, out));
            }
            _ => {}
        }
    }

    fn paragraph(&mut self, element: Element<'_>, out: &mut Vec<Block>) {
        let style = self.styles.of(element).cloned().unwrap_or_default();
        let found = self.line(element);
        if is_contents_line(&style.name) {
            self.left_out.contents += usize::from(!is_blank(&found.line));
            return;
        }
        let properties = element.child("pPr");
        let label = self.label(properties, &style);
        if !is_blank(&found.line) {
            let level = heading_level(properties, &style);
            let code = style.is_code() || (found.mono && looks_like_code(&words(&found.line, "\n")));
            shaped(found.line, level, label, code, out);
        }
        out.extend(found.boxes);
    }

    /// The label that the paragraph shows and its level in the list.
    fn label(&mut self, properties: Option<Element<'_>>, style: &Style) -> Option<(usize, Label)> {
        let (own, level) = properties.map_or((None, None), numbering);
        let id = own.or_else(|| style.num.0.clone()).filter(|id| id != "0")?;
        let level = level.or(style.num.1).unwrap_or(0);
        self.numbering.next(&id, level).map(|label| (level, label))
    }

    /// The number by which a note is referred to; the note follows the block at hand.
    pub(super) fn refer(&mut self, kind: usize, id: &str) -> Option<String> {
        if self.in_note {
            return None;
        }
        if let Some(part) = self.notes[kind].missing.take() {
            self.package.note_missing(&part);
        }
        let note = *self.notes[kind].all.get(id)?;
        self.referred += 1;
        let label = self.referred.to_string();
        self.in_note = true;
        std::mem::swap(&mut self.relations, &mut self.notes[kind].relations);
        let line = folded(self.blocks(note));
        std::mem::swap(&mut self.relations, &mut self.notes[kind].relations);
        self.in_note = false;
        self.pending.push(Block::Note(label.clone(), line));
        Some(label)
    }
}

/// The block or blocks that a paragraph is. Level 0 is the title's.
fn shaped(line: Line, level: Option<u8>, label: Option<(usize, Label)>, code: bool, out: &mut Vec<Block>) {
    match (level, label) {
        (Some(level), label) => {
            let label = label.filter(|(_, label)| *label != Label::Bullet).map(|(_, label)| plain(marker(&label)));
            out.push(Block::Heading(level, label.into_iter().flatten().chain(unmarked(line)).collect()));
        }
        (None, Some((depth, label))) => out.push(Block::Item { depth, label, line }),
        _ if code => out.extend(words(&line, "\n").split('\n').map(|line| Block::Code(line.to_owned()))),
        _ => out.push(Block::Paragraph(line)),
    }
}

/// 0 for the title, 1 to 6 for headings.
fn heading_level(properties: Option<Element<'_>>, style: &Style) -> Option<u8> {
    if style.name == "title" {
        return Some(0);
    }
    let level = properties.and_then(outline).or_else(|| style.level())?;
    (level < 9).then(|| (level + 1).min(6))
}

/// A line of a table of contents.
fn is_contents_line(style: &str) -> bool {
    style == "toc heading" || style.strip_prefix("toc ").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

fn is_contents(element: Element<'_>) -> bool {
    let gallery = element.path(&["sdtPr", "docPartObj", "docPartGallery"]);
    gallery.and_then(|gallery| gallery.attr("val")) == Some("Table of Contents")
}

/// Set in a font for programs, text is code when it is indented or has the signs of it.
fn looks_like_code(text: &str) -> bool {
    const SIGNS: [char; 15] = ['{', '}', '(', ')', '[', ']', ';', '=', '<', '>', '$', '\\', '|', '#', '_'];
    text.starts_with("  ") || text.starts_with('\t') || text.contains(SIGNS)
}
