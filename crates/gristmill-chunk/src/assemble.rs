//! Builds chunks from chosen cuts: injected parts, overlap, body, and the exact size of it all.

use gristmill_core::{Chunk, ChunkCx, Document, Measured, Part, PartKind, Span};

use crate::border::{Borders, Level};
use crate::context::{Contexts, NOTE_END, NOTE_START, SEPARATOR};
use crate::overlap::overlap_start;

/// Makes the chunks of one document from its borders.
pub struct Assembler<'a> {
    document: &'a Document,
    cx: &'a ChunkCx<'a>,
    measured: &'a dyn Measured,
    borders: &'a Borders,
    scratch: Vec<usize>,
}

/// What goes around a body.
#[derive(Clone, Debug, Default)]
struct Around<'s> {
    path: String,
    opener: Option<(PartKind, &'s str)>,
    lead_in: &'s str,
    overlap: Option<u32>,
    closer: &'s str,
}

impl<'a> Assembler<'a> {
    /// An assembler for `document`, whose text is `measured`.
    pub fn new(document: &'a Document, cx: &'a ChunkCx<'a>, measured: &'a dyn Measured, borders: &'a Borders) -> Self {
        Self { document, cx, measured, borders, scratch: Vec::new() }
    }

    /// The chunk from border `first` up to border `next`. `before` is the body of the chunk before it.
    pub fn chunk(&mut self, contexts: &mut Contexts<'_>, first: usize, next: usize, before: Option<Span>) -> Chunk {
        let body = self.body(first, next);
        let mut around = self.around(contexts, first, next);
        let room = self.cx.limits.max;
        let mut chunk = self.build(body, &around);
        if chunk.size as usize > room && !around.lead_in.is_empty() {
            around.lead_in = "";
            chunk = self.build(body, &around);
        }
        let section = contexts.section(body.start);
        while chunk.size as usize > room && !around.path.is_empty() {
            let excess = chunk.size as usize - room;
            let left = self.cx.sizer.size(&around.path).saturating_sub(excess);
            around.path = contexts.shortened(section, left);
            chunk = self.build(body, &around);
        }
        if let Some(before) = before
            && let Some(start) = self.overlap(first, body, before, &chunk, &around)
        {
            around.overlap = Some(start);
            let longer = self.build(body, &around);
            if longer.size as usize <= room {
                chunk = longer;
            }
        }
        let borders = &self.borders.list;
        let cut_after = borders.get(next).is_some_and(|b| b.level == Level::Forced);
        chunk.fallback_split = cut_after || (borders[first].level == Level::Forced && first > 0);
        chunk
    }

    fn body(&self, first: usize, next: usize) -> Span {
        let list = &self.borders.list;
        let start = list[first].at as usize;
        let end = list.get(next).map_or(self.document.text.len(), |b| b.at as usize);
        Span::new(start, start + self.document.text[start..end].trim_end().len())
    }

    fn around(&self, contexts: &mut Contexts<'_>, first: usize, next: usize) -> Around<'a> {
        let border = &self.borders.list[first];
        let frame = |index: Option<u32>| index.map(|i| &self.borders.frames[i as usize]);
        let section = contexts.section(border.at);
        let closing = self.borders.list.get(next).and_then(|b| frame(b.frame));
        Around {
            path: contexts.path(section).0.to_owned(),
            opener: frame(border.frame).map(|f| (f.kind, f.open.as_str())),
            lead_in: &self.document.text[border.lead_in.range()],
            overlap: None,
            closer: closing.map_or("", |f| f.close.as_str()),
        }
    }

    /// Where the overlap begins, if there is to be one and the chunk has room for it.
    fn overlap(&mut self, first: usize, body: Span, before: Span, chunk: &Chunk, around: &Around<'_>) -> Option<u32> {
        let border = &self.borders.list[first];
        if border.frame.is_some() || !around.lead_in.is_empty() {
            return None;
        }
        let room = self.cx.limits.overlap.min(self.cx.limits.max.saturating_sub(chunk.size as usize));
        overlap_start(self.document, self.measured, before, body.start, room, &mut self.scratch)
    }

    fn build(&self, body: Span, around: &Around<'_>) -> Chunk {
        let text = &self.document.text;
        let mut made = Content::default();
        note(&mut made, &around.path, around.lead_in);
        if let Some((kind, opener)) = around.opener {
            made.inject(kind, opener);
        }
        let mut overlap_size = 0;
        if let Some(start) = around.overlap {
            let overlap = Span { start, end: body.start };
            overlap_size = self.measured.size(overlap.trimmed(text).range());
            made.copy(PartKind::Overlap, text, overlap);
        }
        made.copy(PartKind::Body, text, body);
        made.inject(PartKind::Closer, around.closer);
        let size = self.measured.content_size(&made.text, &made.parts);
        Chunk {
            body,
            content: made.text,
            parts: made.parts,
            size: fit(size),
            overlap_size: fit(overlap_size),
            section: self.document.section_at(body.start),
            fallback_split: false,
        }
    }
}

/// The line in front of a chunk: the path of headings and what introduces a list, in brackets, so that it reads as a
/// note and not as a line of the document.
fn note(made: &mut Content, path: &str, lead_in: &str) {
    if lead_in.is_empty() {
        made.inject(PartKind::Heading, path);
        return;
    }
    let open = path.strip_suffix(NOTE_END);
    made.inject(PartKind::Heading, open.unwrap_or_default());
    made.inject(PartKind::LeadIn, if open.is_some() { SEPARATOR } else { NOTE_START });
    made.inject(PartKind::LeadIn, lead_in);
    made.inject(PartKind::LeadIn, NOTE_END);
}

fn fit(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

/// Content under construction; its parts tile it.
#[derive(Default)]
pub(crate) struct Content {
    pub(crate) text: String,
    pub(crate) parts: Vec<Part>,
}

impl Content {
    /// Adds text that is not cut from the document. Nothing is added for nothing.
    pub(crate) fn inject(&mut self, kind: PartKind, text: &str) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(text);
        let end = self.text.len();
        match self.parts.last_mut() {
            Some(last) if last.kind == kind && last.origin.is_none() => {
                last.range = Span::new(last.range.start as usize, end);
            }
            _ => self.parts.push(Part { kind, range: Span::new(start, end), origin: None }),
        }
    }

    /// Adds a range of the document.
    pub(crate) fn copy(&mut self, kind: PartKind, text: &str, origin: Span) {
        let start = self.text.len();
        self.text.push_str(&text[origin.range()]);
        self.parts.push(Part { kind, range: Span::new(start, self.text.len()), origin: Some(origin) });
    }
}
