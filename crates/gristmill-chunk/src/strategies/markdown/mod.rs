//! Cuts along the structure of the document: sections, blocks, list items, rows, sentences.

use gristmill_core::{Chunk, ChunkCx, Chunker, Document, Outcome, Result};

use crate::blocks::{Grain, borders};
use crate::cut::{Packing, cut};

/// The default for structured text.
#[derive(Debug)]
pub struct Markdown;

impl Chunker for Markdown {
    fn chunk(&self, document: &Document, cx: &ChunkCx<'_>) -> Result<Outcome<Vec<Chunk>>> {
        let measured = cx.sizer.measure(&document.text);
        let grain = Grain { sentences_from: (cx.limits.target / 3).max(1), max: cx.limits.max };
        let borders = borders(document, cx.sizer, measured.as_ref(), grain);
        Ok(cut(document, cx, measured.as_ref(), &borders, Packing::Cheapest))
    }
}
