//! From borders to chunks: the steps that all strategies share.

use gristmill_core::{Chunk, ChunkCx, Diagnostic, Document, Measured, Outcome, Severity};

use crate::assemble::Assembler;
use crate::border::{Borders, Level};
use crate::context::Contexts;
use crate::pack::{Units, fill, pack};
use crate::split::split_oversized;

/// How often the room for bodies is narrowed before the chunks are taken as they are.
const ROUNDS: usize = 6;

/// Which of the borders become cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// The cheapest way to fill chunks.
    Cheapest,
    /// As much as fits in each, in order.
    Fullest,
    /// All of them.
    Every,
}

/// Cuts `document` at some of `borders`.
pub fn cut(
    document: &Document,
    cx: &ChunkCx<'_>,
    measured: &dyn Measured,
    borders: &Borders,
    packing: Packing,
) -> Outcome<Vec<Chunk>> {
    let mut contexts = Contexts::new(document, cx.sizer, cx.context, cx.limits.max);
    let mut limits = cx.limits;
    let (mut chunks, mut split) = (Vec::new(), Borders::default());
    for _ in 0..ROUNDS {
        split = split_oversized(&document.text, borders, cx.sizer, measured, limits.max);
        let firsts = match packing {
            Packing::Cheapest => pack(&units(document, cx, measured, &split, &mut contexts), &limits),
            Packing::Fullest => fill(&units(document, cx, measured, &split, &mut contexts), &limits),
            Packing::Every => (0..split.list.len()).collect(),
        };
        chunks = assemble(document, cx, measured, &split, &firsts, &mut contexts);
        // Sizes of pieces add up almost exactly. Where they do not, the pieces are made a little smaller.
        let over = chunks.iter().map(|c| (c.size as usize).saturating_sub(cx.limits.max)).max().unwrap_or(0);
        if over == 0 || limits.max <= over {
            break;
        }
        limits.max -= over;
        limits.target = limits.target.min(limits.max);
        limits.min = limits.min.min(limits.max);
    }
    let diagnostics = notes(document, cx, &chunks, &split);
    Outcome { value: chunks, diagnostics }
}

/// Sizes of everything the packing weighs.
fn units(
    document: &Document,
    cx: &ChunkCx<'_>,
    measured: &dyn Measured,
    borders: &Borders,
    contexts: &mut Contexts<'_>,
) -> Units {
    let text = &document.text;
    let size = |s: &str| u32::try_from(cx.sizer.size(s)).unwrap_or(u32::MAX);
    let frames: Vec<(u32, u32)> = borders.frames.iter().map(|f| (size(&f.open), size(&f.close))).collect();
    let mut units = Units::default();
    let mut sum = 0;
    let count = borders.list.len();
    for (n, border) in borders.list.iter().enumerate() {
        let start = border.at as usize;
        let next = borders.list.get(n + 1).map_or(text.len(), |b| b.at as usize);
        let frame = border.frame.map_or((0, 0), |f| frames[f as usize]);
        let section = contexts.section(border.at);
        let mut context = u32::try_from(contexts.path(section).1).unwrap_or(u32::MAX);
        units.least.push(u32::try_from(contexts.least(section)).unwrap_or(u32::MAX));
        if !border.lead_in.is_empty() {
            context += size(&text[border.lead_in.range()]) + 3;
        }
        units.starts.push(sum);
        units.ends.push(sum + borders.sizes[n]);
        units.open.push(frame.0);
        units.context.push(context);
        units.close.push(if n == 0 { 0 } else { frame.1 });
        units.level.push(border.level);
        sum += u32::try_from(measured.size(start..next)).unwrap_or(u32::MAX);
    }
    if count > 0 {
        units.close.push(0);
        units.level.push(Level::Block);
    }
    units
}

fn assemble(
    document: &Document,
    cx: &ChunkCx<'_>,
    measured: &dyn Measured,
    borders: &Borders,
    firsts: &[usize],
    contexts: &mut Contexts<'_>,
) -> Vec<Chunk> {
    let mut assembler = Assembler::new(document, cx, measured, borders);
    let mut chunks: Vec<Chunk> = Vec::with_capacity(firsts.len());
    for (n, &first) in firsts.iter().enumerate() {
        let next = firsts.get(n + 1).copied().unwrap_or(borders.list.len());
        let before = chunks.last().map(|c| c.body);
        chunks.push(assembler.chunk(contexts, first, next, before));
    }
    chunks.retain(|c| !c.body_text(&document.text).trim().is_empty());
    chunks
}

/// What the reader of the report should know about these cuts.
fn notes(document: &Document, cx: &ChunkCx<'_>, chunks: &[Chunk], borders: &Borders) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    for (n, _) in chunks.iter().enumerate().filter(|(_, c)| c.fallback_split) {
        let order = u32::try_from(n).unwrap_or(u32::MAX);
        let message = "a sentence, row or line larger than the limit was cut inside";
        let note = Diagnostic::new("broken_sentence_fallback", Severity::Low, &document.source, message);
        notes.push(note.at_chunk(order));
    }
    let forced = borders.list.iter().any(|b| b.level == Level::Forced);
    if forced && cx.limits.overlap > 0 && chunks.iter().all(|c| c.overlap_size == 0) && chunks.len() > 1 {
        let message = "no overlap was applied: no whole sentence fits beside a chunk";
        notes.push(Diagnostic::new("overlap-not-applied", Severity::Info, &document.source, message));
    }
    notes
}
