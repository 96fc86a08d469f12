//! Plain text: paragraphs by blank lines, headings where they are beyond doubt, lists.

mod headings;
mod lists;
mod walk;

use gristmill_core::{Attrs, Document, Input, Outcome, Reader, Result};

use crate::document::read_lines;

pub(crate) use walk::Walk;

/// Reads plain text.
pub struct Text;

impl Reader for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn summary(&self) -> &'static str {
        "plain text by paragraphs, with underlined, numbered and capital headings and lists"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["txt", "text"]
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        read_lines(input, self.name(), |lines, outline| {
            Walk::new(lines).range(0, lines.len(), outline);
            Attrs::new()
        })
    }
}

#[cfg(test)]
mod tests;
