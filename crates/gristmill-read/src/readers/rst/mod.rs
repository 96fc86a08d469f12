//! reStructuredText, by the rules of its specification for block elements.

mod code;
mod directives;
mod explicit;
mod fields;
mod inline;
mod markers;
mod parser;
mod tables;
mod titles;

use gristmill_core::{Document, Input, Outcome, Reader, Result};

use crate::document::read_lines;
use crate::lines::Lines;

/// Reads reStructuredText.
pub struct Rst;

impl Reader for Rst {
    fn name(&self) -> &'static str {
        "rst"
    }

    fn summary(&self) -> &'static str {
        "reStructuredText with titles, lists, literal blocks, tables, directives and footnotes"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["rst", "rest"]
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let level_before = input.open.last().map_or(0, |(level, _)| level.saturating_sub(1));
        read_lines(input, self.name(), |lines, outline| parser::parse(lines, level_before, outline))
    }
}

/// True when a text of another name is reStructuredText: it has an adorned title and at least two directives.
pub(crate) fn fits(text: &str) -> bool {
    let lines = Lines::of(text);
    let directives = (0..lines.len()).filter(|&at| {
        lines.get(at).strip_prefix(".. ").is_some_and(|rest| explicit::directive(rest.trim_start()).is_some())
    });
    directives.take(2).count() == 2 && (0..lines.len()).any(|at| titles::title_at(&lines, at, lines.len()).is_some())
}

#[cfg(test)]
mod tests;
