//! The text of paragraphs, run by run.

use std::rc::Rc;

use super::styles::Run;
use super::walk::Walk;
use crate::readers::office::chart::{chart, diagram};
use crate::readers::office::drawing::{Drawn, chosen, drawn};
use crate::readers::office::flow::{Block, Line, Look, Piece, push, raised};
use crate::readers::office::math::latex;
use crate::xml::{Element, Xml};

/// A field: its instruction, and whether its result has begun.
#[derive(Default)]
pub(super) struct Field {
    instruction: String,
    in_result: bool,
}

/// What a paragraph holds.
#[derive(Default)]
pub(super) struct Found {
    pub(super) line: Line,
    /// Text boxes and charts that are anchored in it.
    pub(super) boxes: Vec<Block>,
    /// All its text is set in a font for programs.
    pub(super) mono: bool,
    other_font: bool,
}

impl Walk<'_, '_, '_> {
    /// The text of a paragraph.
    pub(super) fn line(&mut self, paragraph: Element<'_>) -> Found {
        // What the whole paragraph looks like is no emphasis.
        let style = self.styles.of(paragraph).map(|style| style.run).unwrap_or_default();
        let base = Run { mono: style.mono, hidden: style.hidden, ..Run::default() };
        let mut found = Found::default();
        self.inline(paragraph, None, base, &mut found);
        found.mono &= !found.other_font;
        found
    }

    fn inline(&mut self, parent: Element<'_>, link: Option<&Rc<str>>, base: Run, found: &mut Found) {
        for child in parent.children() {
            match child.name() {
                "r" => self.run(child, link, base, found),
                "hyperlink" => {
                    let target = child.relation("id").and_then(|id| self.relations.get(id));
                    let own = target.map(|target| Rc::from(target.target.as_str()));
                    self.inline(child, own.as_ref().or(link), base, found);
                }
                "fldSimple" => {
                    let own = child.attr("instr").and_then(address);
                    self.inline(child, own.as_ref().or(link), base, found);
                }
                "oMath" => found.line.push(Piece::Math(latex(child))),
                "oMathPara" => found.line.push(Piece::Display(latex(child))),
                "AlternateContent" => {
                    chosen(child).into_iter().for_each(|choice| self.inline(choice, link, base, found));
                }
                "ins" | "moveTo" | "smartTag" | "customXml" | "sdt" | "sdtContent" | "dir" | "bdo" => {
                    self.inline(child, link, base, found);
                }
                _ => {}
            }
        }
    }

    fn run(&mut self, run: Element<'_>, link: Option<&Rc<str>>, base: Run, found: &mut Found) {
        let mut style = Run::default();
        if let Some(properties) = run.child("rPr") {
            style.take(properties);
            let id = properties.child("rStyle").and_then(|style| style.attr("val"));
            let named = id.and_then(|id| self.styles.get(id)).map(|style| style.run);
            style = style.over(named.unwrap_or_default());
        }
        let link = link.cloned().or_else(|| self.field_link());
        self.parts(run, style.over(base), link.as_ref(), found);
    }

    fn parts(&mut self, run: Element<'_>, style: Run, link: Option<&Rc<str>>, found: &mut Found) {
        for child in run.children() {
            match child.name() {
                "t" => self.text(&child.text(), style, link, found),
                "tab" | "ptab" => self.text("\t", style, link, found),
                "noBreakHyphen" => self.text("-", style, link, found),
                "sym" => self.text(&symbol(child), style, link, found),
                "br" | "cr" if child.attr("type").is_none_or(|kind| kind == "textWrapping") => {
                    found.line.push(Piece::Break);
                }
                // A page or column that begins between words; where nothing stands before it, it parts nothing.
                "br" if found.line.last().is_some_and(|before| *before != Piece::Break) => {
                    found.line.push(Piece::Break);
                }
                "footnoteReference" => self.note(0, child, found),
                "endnoteReference" => self.note(1, child, found),
                "commentReference" => self.left_out.comments += 1,
                "fldChar" => self.field_mark(child),
                "instrText" => self.instruction(&child.text()),
                "drawing" | "pict" | "object" => self.drawing(child, found),
                "ruby" => {
                    let base = child.children().filter(|part| part.name() == "rubyBase");
                    base.for_each(|part| self.inline(part, link, style, found));
                }
                "AlternateContent" => {
                    chosen(child).into_iter().for_each(|choice| self.parts(choice, style, link, found));
                }
                _ => {}
            }
        }
    }

    fn text(&mut self, text: &str, style: Run, link: Option<&Rc<str>>, found: &mut Found) {
        if self.fields.iter().any(|field| !field.in_result) {
            return;
        }
        let visible = !text.trim().is_empty();
        if style.hidden == Some(true) {
            self.left_out.hidden += usize::from(visible);
            return;
        }
        if visible {
            let mono = style.mono == Some(true);
            found.mono |= mono;
            found.other_font |= !mono;
        }
        let look = Look {
            bold: style.bold == Some(true),
            italic: style.italic == Some(true),
            strike: style.strike == Some(true),
            link: link.cloned(),
        };
        let raised = (style.raised == Some(true)).then(|| raised(text));
        push(&mut found.line, raised.as_deref().unwrap_or(text), look);
    }

    fn note(&mut self, kind: usize, reference: Element<'_>, found: &mut Found) {
        let label = reference.attr("id").and_then(|id| self.refer(kind, id));
        found.line.extend(label.map(Piece::Note));
    }

    fn drawing(&mut self, element: Element<'_>, found: &mut Found) {
        let mut things = Vec::new();
        drawn(element, &mut things);
        for thing in things {
            match thing {
                Drawn::Box(content) => {
                    let inner = self.blocks(content);
                    found.boxes.extend(inner);
                }
                Drawn::Image { description, relation } => {
                    let name = self.relations.file(relation).to_owned();
                    found.line.push(Piece::Image(description.to_owned(), name));
                }
                Drawn::Chart(id) => self.other_part(id, chart, found),
                Drawn::Diagram(id) => self.other_part(id, diagram, found),
            }
        }
    }

    fn other_part(&mut self, id: &str, read: fn(&Xml) -> Vec<Block>, found: &mut Found) {
        let xml = self.package.related(&self.relations, id);
        found.boxes.extend(xml.as_ref().map(read).unwrap_or_default());
    }

    fn field_mark(&mut self, mark: Element<'_>) {
        match mark.attr("fldCharType") {
            Some("begin") => self.fields.push(Field::default()),
            Some("separate") => {
                if let Some(field) = self.fields.last_mut() {
                    field.in_result = true;
                }
            }
            Some("end") => {
                self.fields.pop();
            }
            _ => {}
        }
    }

    fn instruction(&mut self, text: &str) {
        if let Some(field) = self.fields.last_mut().filter(|field| !field.in_result) {
            field.instruction.push_str(text);
        }
    }

    /// Where the innermost field leads whose result is being shown.
    fn field_link(&self) -> Option<Rc<str>> {
        let field = self.fields.last().filter(|field| field.in_result)?;
        address(&field.instruction)
    }
}

/// The address in `HYPERLINK "address"`.
fn address(instruction: &str) -> Option<Rc<str>> {
    let rest = instruction.trim_start().strip_prefix("HYPERLINK")?.trim_start();
    let target = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => rest.split_whitespace().next()?,
    };
    (!target.is_empty() && !target.starts_with('\\')).then(|| Rc::from(target))
}

/// A character of a font of symbols.
fn symbol(element: Element<'_>) -> String {
    const UPPER: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
    const LOWER: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    let code = element.attr("char").and_then(|code| u32::from_str_radix(code, 16).ok()).unwrap_or(0);
    let low = code & 0xff;
    let found = match (element.attr("font").unwrap_or_default(), low) {
        ("Symbol", 0x41..=0x5a) => UPPER.chars().nth(low as usize - 0x41),
        ("Symbol", 0x61..=0x7a) => LOWER.chars().nth(low as usize - 0x61),
        ("Symbol", 0xb0) => Some('°'),
        ("Symbol", 0xb1) => Some('±'),
        ("Symbol", 0xa3) => Some('≤'),
        ("Symbol", 0xb3) => Some('≥'),
        ("Symbol", 0xb4) => Some('×'),
        ("Symbol", 0xae) | ("Wingdings", 0xe0 | 0xf0) => Some('→'),
        ("Wingdings", 0xfc) => Some('✓'),
        ("Wingdings", 0xfb) => Some('✗'),
        ("Wingdings", 0x6f | 0xa8) => Some('☐'),
        ("Wingdings", 0xfe) => Some('☑'),
        ("Wingdings", 0xfd) => Some('☒'),
        ("Symbol" | "Wingdings", _) => Some('•'),
        _ => char::from_u32(if (0xf000..=0xf0ff).contains(&code) { low } else { code }),
    };
    found.filter(|c| !c.is_control()).map(String::from).unwrap_or_default()
}
