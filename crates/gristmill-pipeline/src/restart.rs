//! Where one window of a large document ends and the next begins.

use gristmill_core::{Chunk, Diagnostic, Document, ROOT, Span};

/// A window that is cut but has no identities yet.
pub struct CutWindow {
    /// Text, blocks and sections.
    pub document: Document,
    /// Its chunks.
    pub chunks: Vec<Chunk>,
    /// Problems; lines count from the window's first.
    pub diagnostics: Vec<Diagnostic>,
}

/// Where the next window begins.
pub struct Next {
    /// In the decoded source of this window.
    pub decoded: usize,
    /// In its bytes.
    pub raw: usize,
    /// Sections that are open there.
    pub open: Vec<(u8, String)>,
}

/// The next window begins with the last chunk that starts a top-level block: what stands there may go on past the end of
/// this window. That chunk and what follows it is taken out of `cut`. `None` when there is no such chunk but the first.
pub fn next_window(cut: &mut CutWindow, source: &str, bytes: &[u8]) -> Option<Next> {
    let blocks = &cut.document.blocks;
    let starts_block = |chunk: &Chunk| {
        let at = blocks.partition_point(|b| b.span.start < chunk.body.start);
        blocks.get(at).is_some_and(|b| b.span.start == chunk.body.start && b.depth == 0)
    };
    let index = cut.chunks.iter().rposition(starts_block).filter(|&index| index > 0)?;
    let at = cut.chunks[index].body.start;
    let decoded = line_start(source, cut.document.map.start(at) as usize);
    let raw = raw_position(source, decoded, cut.document.encoding, bytes)?;
    let open = open_at(&cut.document, at);
    let lines = source[..decoded].matches('\n').count() as u64;
    cut.chunks.truncate(index);
    cut.diagnostics.retain(|d| d.place.line.is_none_or(|line| line <= lines));
    cut.diagnostics.retain(|d| d.place.chunk.is_none_or(|chunk| (chunk as usize) < index));
    cut_document(&mut cut.document, at, decoded);
    Some(Next { decoded, raw, open })
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |i| i + 1)
}

/// The position in `bytes` of the line start `decoded` of `source`. Only for encodings in which a line feed is one byte
/// that is part of no other character; the others give `None`.
fn raw_position(source: &str, decoded: usize, encoding: &str, bytes: &[u8]) -> Option<usize> {
    if encoding == "utf-8" {
        return Some(decoded);
    }
    if encoding.starts_with("utf-") {
        return None;
    }
    let lines = source[..decoded].matches('\n').count();
    match lines.checked_sub(1) {
        None => Some(0),
        Some(before) => memchr::memchr_iter(b'\n', bytes).nth(before).map(|i| i + 1),
    }
}

/// The sections open in front of the text at `at`; a heading there opens its own.
fn open_at(document: &Document, at: u32) -> Vec<(u8, String)> {
    let index = document.section_at(at);
    let section = &document.sections[index as usize];
    let own = index != ROOT && section.heading.start == at;
    open_sections(document, if own { section.parent } else { index } as usize)
}

/// Level and title of `section` and those around it, outermost first.
pub fn open_sections(document: &Document, section: usize) -> Vec<(u8, String)> {
    let mut open = Vec::new();
    let mut at = section;
    while at != ROOT as usize {
        let section = &document.sections[at];
        open.push((section.level, section.title.clone()));
        at = section.parent as usize;
    }
    open.reverse();
    open
}

fn cut_document(document: &mut Document, at: u32, decoded: usize) {
    document.text.truncate(at as usize);
    document.blocks.retain(|b| b.span.start < at);
    for block in &mut document.blocks {
        block.span = Span { end: block.span.end.min(at), ..block.span };
    }
    document.sections.truncate(1 + document.sections[1..].partition_point(|s| s.heading.start < at));
    document.edits.retain(|edit| (edit.at.start as usize) < decoded);
}
