//! Whole sentences, whatever the blocks: up to the target size, or a fixed number a chunk.

use gristmill_core::{Chunk, ChunkCx, Chunker, Document, Limits, Outcome, Result};

use crate::blocks::{Grain, borders};
use crate::border::Borders;
use crate::cut::{Packing, cut};

/// Whole sentences.
#[derive(Debug)]
pub struct Sentence;

impl Chunker for Sentence {
    fn chunk(&self, document: &Document, cx: &ChunkCx<'_>) -> Result<Outcome<Vec<Chunk>>> {
        let measured = cx.sizer.measure(&document.text);
        let grain = Grain { sentences_from: 0, max: cx.limits.max };
        let borders = borders(document, cx.sizer, measured.as_ref(), grain);
        let Some(count) = cx.sentences_per_chunk else {
            return Ok(cut(document, cx, measured.as_ref(), &borders, Packing::Cheapest));
        };
        let cx = ChunkCx { limits: Limits { overlap: 0, ..cx.limits }, ..*cx };
        Ok(cut(document, &cx, measured.as_ref(), &every_nth(borders, count.max(1)), Packing::Every))
    }
}

/// Keeps every n-th border.
fn every_nth(borders: Borders, count: usize) -> Borders {
    let list = borders.list.into_iter().step_by(count).collect();
    Borders { list, ..borders }
}
