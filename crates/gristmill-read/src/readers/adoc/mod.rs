//! AsciiDoc, by the rules of its language for blocks.

mod blocks;
mod header;
mod inline;
mod line;
mod lists;
mod parser;
mod table;
mod titles;

use gristmill_core::{Document, Input, Outcome, Reader, Result};

use crate::document::read_lines;

/// Reads AsciiDoc.
pub struct Adoc;

impl Reader for Adoc {
    fn name(&self) -> &'static str {
        "adoc"
    }

    fn summary(&self) -> &'static str {
        "AsciiDoc with titles, attributes, lists, delimited blocks, tables and admonitions"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["adoc", "asciidoc", "asc"]
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        read_lines(input, self.name(), |lines, outline| parser::parse(lines, input.first, outline))
    }
}

#[cfg(test)]
mod tests;
