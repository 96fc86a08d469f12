//! One page a chunk; a page larger than a chunk is cut along its structure. What goes on over a page's end (a sentence, a
//! table) belongs to the page on which it begins, a table row to its own, and headings at the foot of a page to the text they
//! govern.

use gristmill_core::{BlockKind, Chunk, ChunkCx, Chunker, Diagnostic, Document, Outcome, Result, Severity};

use super::Markdown;
use crate::apart::apart;
use crate::blocks::{Grain, borders};
use crate::cut::{Packing, cut};
use crate::lines::line_start;

/// Pages.
#[derive(Debug)]
pub struct Page;

impl Chunker for Page {
    fn chunk(&self, document: &Document, cx: &ChunkCx<'_>) -> Result<Outcome<Vec<Chunk>>> {
        let pages = page_starts(document);
        if pages.is_empty() {
            let mut made = Markdown.chunk(document, cx)?;
            let message = "the document has no pages: cut along its structure";
            made.diagnostics.push(Diagnostic::new("no-pages", Severity::Info, &document.source, message));
            return Ok(made);
        }
        let measured = cx.sizer.measure(&document.text);
        let grain = Grain { sentences_from: (cx.limits.target / 3).max(1), max: cx.limits.max };
        let all = borders(document, cx.sizer, measured.as_ref(), grain);
        let borders = apart(all, &pages, measured.as_ref(), document.text.len(), cx.limits.max);
        Ok(cut(document, cx, measured.as_ref(), &borders, Packing::Cheapest))
    }
}

/// Where each page begins that has a block of its own.
fn page_starts(document: &Document) -> Vec<u32> {
    let (mut starts, mut page) = (Vec::new(), 0);
    // The headings at the end of the page so far, when it has something besides.
    let (mut headings, mut has_text) = (None, false);
    for block in &document.blocks {
        let at = line_start(&document.text, block.span.start);
        if let Some(begun) = document.page_at(block.span.start).filter(|begun| *begun > page) {
            page = begun;
            starts.push(headings.filter(|_| has_text).unwrap_or(at));
            (headings, has_text) = (None, false);
        }
        if matches!(block.kind, BlockKind::Heading { .. }) {
            headings.get_or_insert(at);
        } else {
            (headings, has_text) = (None, true);
        }
    }
    starts
}

#[cfg(test)]
mod tests;
