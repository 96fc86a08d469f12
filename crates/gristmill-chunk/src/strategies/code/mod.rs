//! Source code by definition: what fits stays whole, small neighbours share a chunk, large functions are cut at their
//! statements under their signature. Comments are not taken for prose.

use gristmill_core::{Chunk, ChunkCx, Chunker, Document, Outcome, Result};

use crate::blocks::{Grain, borders};
use crate::cut::{Packing, cut};

/// Definitions and statements.
#[derive(Debug)]
pub struct Code;

impl Chunker for Code {
    fn chunk(&self, document: &Document, cx: &ChunkCx<'_>) -> Result<Outcome<Vec<Chunk>>> {
        let measured = cx.sizer.measure(&document.text);
        let grain = Grain { sentences_from: cx.limits.max + 1, max: cx.limits.max };
        let borders = borders(document, cx.sizer, measured.as_ref(), grain);
        Ok(cut(document, cx, measured.as_ref(), &borders, Packing::Cheapest))
    }
}
