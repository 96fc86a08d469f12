//! Text documents of Word and of programs that write its format.

mod numbering;
mod runs;
mod styles;
mod table;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::HashMap;

use gristmill_core::{Diagnostic, Document, Error, Input, Outcome, Reader, Result, Severity};

use self::numbering::Numbering;
use self::styles::Styles;
use self::walk::{LeftOut, Notes, Walk};
use super::package::{Package, Relations};
use super::write::write;
use crate::archive::{Archive, resolve};
use crate::converted::Converted;
use crate::xml::{Element, Xml};

/// Reads `.docx`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Docx;

impl Reader for Docx {
    fn name(&self) -> &'static str {
        "docx"
    }

    fn summary(&self) -> &'static str {
        "Word documents: headings by style, lists as numbered, tables, notes, text boxes, formulas, charts"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["docx", "docm", "dotx"]
    }

    fn converts(&self) -> bool {
        true
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let mut package = Package::new(Archive::open(input.bytes, self.name(), input.source)?);
        let main = package.main_part("word/document.xml");
        let xml = package.xml(&main).ok_or_else(|| {
            Error::input(format!("no text in this docx file: `{}`", input.source)).hint("is it a file of another kind?")
        })?;
        let relations = package.relations(&main);
        let part = |kind: &str| {
            let usual = || resolve(&main, &format!("{kind}.xml"));
            relations.of_kind(kind).map_or_else(usual, |found| found.target.clone())
        };
        let parts = ["footnotes", "endnotes"].map(|kind| NotesPart::read(&mut package, part(kind)));
        let styles = package.xml(&part("styles")).map(|xml| Styles::read(&xml)).unwrap_or_default();
        let numbering = package.xml(&part("numbering")).map(|xml| Numbering::read(&xml)).unwrap_or_default();
        let mut walk = Walk::new(&mut package, relations, parts.each_ref().map(NotesPart::notes));
        (walk.styles, walk.numbering) = (styles, numbering);
        let blocks = walk.document(&xml);
        let mut diagnostics = told(&walk.left_out, input.source);
        let embedded = walk.left_out.embedded;
        let (text, pages) = write(blocks);
        let attrs = package.attrs();
        package.ensure_some(&text, input.source)?;
        if text.trim().is_empty() && embedded > 0 {
            return Err(Error::input(format!(
                "all text is in documents that are put in (altChunk): `{}`",
                input.source
            ))
            .hint("open the file with Word and save it again: it takes them in"));
        }
        diagnostics.extend(package.problems(input.source));
        Ok(Converted { text, pages, attrs, encoding: "utf-8", diagnostics, ..Converted::default() }
            .document(input, self.name()))
    }
}

/// The part with the notes of one kind.
struct NotesPart {
    name: String,
    xml: Option<Xml>,
    relations: Relations,
}

impl NotesPart {
    fn read(package: &mut Package<'_>, name: String) -> Self {
        Self { xml: package.xml(&name), relations: package.relations(&name), name }
    }

    /// Notes by their identifier, without the lines that separate them from the text.
    fn notes(&self) -> Notes<'_> {
        let all = self.xml.as_ref().map(|xml| xml.root().children()).into_iter().flatten();
        let own = all.filter(|note| note.attr("type").is_none_or(|kind| kind == "normal"));
        let by_id: HashMap<&str, Element<'_>> = own.filter_map(|note| Some((note.attr("id")?, note))).collect();
        let missing = self.xml.is_none().then(|| self.name.clone());
        Notes { all: by_id, relations: self.relations.clone(), missing }
    }
}

/// What was left out.
fn told(left_out: &LeftOut, source: &str) -> Vec<Diagnostic> {
    let info = |count: usize, code, what: &str| {
        (count > 0).then(|| Diagnostic::new(code, Severity::Info, source, format!("{what}: {count}")))
    };
    let comments = info(left_out.comments, "comments-left-out", "comments of reviewers left out");
    let contents = info(left_out.contents, "contents-left-out", "lines of tables of contents left out");
    let hidden = info(left_out.hidden, "hidden-text", "runs of hidden text left out");
    let embedded = (left_out.embedded > 0).then(|| {
        let message = format!("documents that are put in (altChunk) are not read: {}", left_out.embedded);
        Diagnostic::new("embedded-documents", Severity::High, source, message)
            .help("open the file with Word and save it again: it takes them in")
    });
    comments.into_iter().chain(contents).chain(hidden).chain(embedded).collect()
}
