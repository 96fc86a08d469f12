//! Chooses by the kind of document: source code by definition, logs by entry up to the limit, PDF by page, everything else
//! along its structure.

use gristmill_core::{Chunk, ChunkCx, Chunker, Document, Outcome, Result};

use super::page::by_page;
use super::{Code, Markdown, Paragraph};

/// The strategy that suits the document.
#[derive(Debug)]
pub struct Auto;

impl Chunker for Auto {
    fn chunk(&self, document: &Document, cx: &ChunkCx<'_>) -> Result<Outcome<Vec<Chunk>>> {
        match document.format {
            "code" => Code.chunk(document, cx),
            "log" => Paragraph.chunk(document, cx),
            // An answer can name the one page it comes from, and there are hardly more chunks: docs/study/pdf.md.
            "pdf" => by_page(document, cx),
            _ => Markdown.chunk(document, cx),
        }
    }
}
