//! Workbooks of Excel and of programs that write its format.

mod format;
mod regions;
mod sheet;
#[cfg(test)]
mod tests;

use gristmill_core::{Diagnostic, Document, Error, Input, Outcome, Reader, Result, Severity};

use self::format::formats;
use self::sheet::{Book, Sheet, strings};
use super::chart::chart;
use super::drawing::{Drawn, drawn};
use super::flow::{Block, Piece, plain};
use super::package::{Package, Relations};
use super::write::write;
use crate::archive::Archive;
use crate::converted::Converted;
use crate::xml::Xml;

/// Reads `.xlsx`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Xlsx;

impl Reader for Xlsx {
    fn name(&self) -> &'static str {
        "xlsx"
    }

    fn summary(&self) -> &'static str {
        "Excel workbooks: a heading for each sheet, its tables, dates as dates, charts as tables"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xlsx", "xlsm", "xltx"]
    }

    fn converts(&self) -> bool {
        true
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let mut package = Package::new(Archive::open(input.bytes, self.name(), input.source)?);
        let main = package.main_part("xl/workbook.xml");
        let xml = package.xml(&main).ok_or_else(|| {
            Error::input(format!("no sheets in this xlsx file: `{}`", input.source))
                .hint("is it a file of another kind?")
        })?;
        let relations = package.relations(&main);
        let Sheets { blocks, hidden, lost } = sheets(&mut package, &xml, &relations);
        let (text, pages) = write(blocks);
        let attrs = package.attrs();
        package.ensure_some(&text, input.source)?;
        let mut diagnostics = package.problems(input.source);
        if lost > 0 {
            let message = format!("cells whose shared string the file does not hold, read as empty: {lost}");
            diagnostics.push(Diagnostic::new("damaged-part", Severity::High, input.source, message).incomplete());
        }
        if !hidden.is_empty() {
            let message = format!("hidden sheets are read, too: {}", hidden.join(", "));
            diagnostics.push(Diagnostic::new("hidden-sheets", Severity::Info, input.source, message));
        }
        Ok(Converted { text, pages, attrs, encoding: "utf-8", diagnostics, ..Converted::default() }
            .document(input, self.name()))
    }
}

/// What all sheets hold.
#[derive(Default)]
struct Sheets {
    blocks: Vec<Block>,
    /// Names of those that are not shown.
    hidden: Vec<String>,
    /// Cells whose shared string is not there.
    lost: usize,
}

fn sheets(package: &mut Package<'_>, workbook: &Xml, relations: &Relations) -> Sheets {
    let book = book(package, workbook, relations);
    let mut all = Sheets::default();
    let Some(list) = workbook.root().child("sheets") else { return all };
    for sheet in list.children() {
        let name = sheet.attr("name").unwrap_or_default();
        let Some(part) = sheet.relation("id").and_then(|id| relations.get(id)) else {
            package.note_missing(name);
            continue;
        };
        let (found, lost) = read_sheet(package, &part.target, &book);
        all.lost += lost;
        if found.is_empty() {
            continue;
        }
        if sheet.attr("state").is_some_and(|state| matches!(state, "hidden" | "veryHidden")) {
            all.hidden.push(format!("`{name}`"));
        }
        all.blocks.push(Block::Heading(2, plain(name)));
        all.blocks.extend(found);
    }
    all
}

/// What all sheets share.
fn book(package: &mut Package<'_>, workbook: &Xml, relations: &Relations) -> Book {
    let properties = workbook.root().child("workbookPr");
    let from_1904 = properties.and_then(|p| p.attr("date1904")).is_some_and(|value| matches!(value, "1" | "true"));
    let styles = relations.of_kind("styles").and_then(|found| package.xml(&found.target));
    let mut book = Book { formats: styles.as_ref().map(formats).unwrap_or_default(), from_1904, ..Book::default() };
    if let Some(found) = relations.of_kind("sharedStrings")
        && let Some(bytes) = package.named_bytes(&found.target)
    {
        let (all, whole) = strings(&bytes);
        book.strings = all;
        if !whole {
            package.note_cut(&found.target);
        }
    }
    book
}

/// The blocks of a sheet, and the number of its cells whose shared string is not there.
fn read_sheet(package: &mut Package<'_>, name: &str, book: &Book) -> (Vec<Block>, usize) {
    let Some(bytes) = package.named_bytes(name) else { return (Vec::new(), 0) };
    let sheet = Sheet::read(&bytes, book);
    drop(bytes);
    if !sheet.whole {
        package.note_cut(name);
    }
    let mut out = regions::blocks(sheet.cells);
    if let Some(id) = sheet.drawing {
        let relations = package.relations(name);
        if let Some(found) = relations.get(&id) {
            drawings(package, &found.target, &mut out);
        }
    }
    (out, sheet.lost)
}

/// Adds the charts and pictures on a sheet.
fn drawings(package: &mut Package<'_>, name: &str, out: &mut Vec<Block>) {
    let Some(xml) = package.xml(name) else { return };
    let relations = package.relations(name);
    let mut found = Vec::new();
    drawn(xml.root(), &mut found);
    for thing in found {
        match thing {
            Drawn::Chart(id) => {
                out.extend(package.related(&relations, id).as_ref().map(chart).unwrap_or_default());
            }
            Drawn::Image { description, relation } => {
                let name = relations.file(relation).to_owned();
                out.push(Block::Paragraph(vec![Piece::Image(description.to_owned(), name)]));
            }
            Drawn::Box(_) | Drawn::Diagram(_) => {}
        }
    }
}
