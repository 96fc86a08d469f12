//! One page a chunk; a page larger than a chunk is cut along its structure. What goes on over a page's end (a sentence, a
//! table) belongs to the page on which it begins, a table row to its own, and headings at the foot of a page to the text they
//! govern.

use gristmill_core::{BlockKind, Chunk, ChunkCx, Chunker, Diagnostic, Document, Measured, Outcome, Result, Severity};

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
        Ok(keep_apart(document, cx, measured.as_ref(), &pages))
    }
}

/// The same, but what is below the least size shares a chunk with its neighbours. A document without pages is cut along its
/// structure.
pub(super) fn by_page(document: &Document, cx: &ChunkCx<'_>) -> Result<Outcome<Vec<Chunk>>> {
    let pages = page_starts(document);
    if pages.is_empty() {
        return Markdown.chunk(document, cx);
    }
    let measured = cx.sizer.measure(&document.text);
    let pages = of_least_size(&pages, measured.as_ref(), document.text.len(), cx.limits.min);
    Ok(keep_apart(document, cx, measured.as_ref(), &pages))
}

fn keep_apart(document: &Document, cx: &ChunkCx<'_>, measured: &dyn Measured, pages: &[u32]) -> Outcome<Vec<Chunk>> {
    let grain = Grain { sentences_from: (cx.limits.target / 3).max(1), max: cx.limits.max };
    let all = borders(document, cx.sizer, measured, grain);
    let borders = apart(all, pages, measured, document.text.len(), cx.limits.max);
    cut(document, cx, measured, &borders, Packing::Cheapest)
}

/// The starts of pages between which there is no less than `least`. `end` is that of the text.
fn of_least_size(starts: &[u32], measured: &dyn Measured, end: usize, least: usize) -> Vec<u32> {
    let mut kept: Vec<u32> = Vec::with_capacity(starts.len());
    for &start in starts {
        if kept.last().is_none_or(|last| measured.size(*last as usize..start as usize) >= least) {
            kept.push(start);
        }
    }
    if let [_, .., last] = kept[..]
        && measured.size(last as usize..end) < least
    {
        kept.pop();
    }
    kept
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
