//! Fills chunks up to the limit with whole paragraphs.

use gristmill_core::{Chunk, ChunkCx, Chunker, Document, Outcome, Result};

use crate::blocks::{Grain, borders};
use crate::cut::{Packing, cut};

/// Whole paragraphs; a paragraph is opened only when it is larger than the limit.
#[derive(Debug)]
pub struct Paragraph;

impl Chunker for Paragraph {
    fn chunk(&self, document: &Document, cx: &ChunkCx<'_>) -> Result<Outcome<Vec<Chunk>>> {
        let measured = cx.sizer.measure(&document.text);
        let grain = Grain { sentences_from: cx.limits.max + 1, max: cx.limits.max };
        let borders = borders(document, cx.sizer, measured.as_ref(), grain);
        Ok(cut(document, cx, measured.as_ref(), &borders, Packing::Fullest))
    }
}
