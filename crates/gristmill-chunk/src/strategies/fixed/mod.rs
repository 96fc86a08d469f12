//! Windows of a fixed size with a fixed overlap, whatever the text says. For logs and as a baseline.

use gristmill_core::{Chunk, ChunkCx, Chunker, Document, Measured, Outcome, PartKind, Result, Span};
use gristmill_text::segment::floor_grapheme;

use crate::assemble::Content;
use crate::context::Contexts;

/// Fixed windows.
#[derive(Debug)]
pub struct Fixed;

impl Chunker for Fixed {
    fn chunk(&self, document: &Document, cx: &ChunkCx<'_>) -> Result<Outcome<Vec<Chunk>>> {
        let measured = cx.sizer.measure(&document.text);
        let mut windows = Windows { document, cx, measured: measured.as_ref() };
        Ok(Outcome::clean(windows.all()))
    }
}

struct Windows<'a> {
    document: &'a Document,
    cx: &'a ChunkCx<'a>,
    measured: &'a dyn Measured,
}

impl Windows<'_> {
    fn all(&mut self) -> Vec<Chunk> {
        let text = &self.document.text;
        let mut contexts = Contexts::new(self.document, self.cx.sizer, self.cx.context, self.cx.limits.max);
        let mut chunks: Vec<Chunk> = Vec::new();
        let mut at = skip_blank(text, 0);
        while at < text.len() {
            let chunk = self.window(&mut contexts, chunks.last().map(|c| c.body), at);
            at = skip_blank(text, chunk.body.end as usize);
            chunks.push(chunk);
        }
        chunks
    }

    fn window(&self, contexts: &mut Contexts<'_>, before: Option<Span>, at: usize) -> Chunk {
        let limits = self.cx.limits;
        let section = contexts.section(Span::new(at, at).start);
        let (path, path_size) = contexts.path(section);
        let mut overlap = before.map_or(at, |b| self.back(b, limits.overlap, at));
        let mut room = limits.max.saturating_sub(path_size);
        loop {
            let end = self.forward(overlap, at, room);
            let mut made = Content::default();
            made.inject(PartKind::Heading, path);
            if overlap < at {
                made.copy(PartKind::Overlap, &self.document.text, Span::new(overlap, at));
            }
            let body = Span::new(at, end);
            made.copy(PartKind::Body, &self.document.text, body);
            let size = self.measured.content_size(&made.text, &made.parts);
            let single = self.document.text[at..end].chars().nth(1).is_none();
            if size <= limits.max || overlap == at && (single || room <= 1) {
                return self.chunk(made, body, overlap, size);
            }
            if single || room <= 1 {
                // Between the overlap and the text lies more white space than a window holds.
                (overlap, room) = (at, limits.max.saturating_sub(path_size));
                continue;
            }
            room -= (size - limits.max).min(room - 1);
        }
    }

    fn chunk(&self, made: Content, body: Span, overlap: usize, size: usize) -> Chunk {
        let text = &self.document.text;
        let repeated = Span::new(overlap.min(body.start as usize), body.start as usize).trimmed(text);
        Chunk {
            body,
            content: made.text,
            parts: made.parts,
            size: u32::try_from(size).unwrap_or(u32::MAX),
            overlap_size: u32::try_from(self.measured.size(repeated.range())).unwrap_or(u32::MAX),
            section: self.document.section_at(body.start),
            // Windows cut anywhere by intent: that is no fall-back.
            fallback_split: false,
        }
    }

    /// The end of a window over `from..` that holds at least one character past `at`, white space at the end left out.
    fn forward(&self, from: usize, at: usize, room: usize) -> usize {
        let text = &self.document.text;
        let reach = self.measured.reach(from, room.max(1)).min(text.len());
        let mut end = floor_grapheme(text, text.floor_char_boundary(reach));
        if end <= at {
            end = text.floor_char_boundary(reach);
        }
        if end <= at {
            end = text.ceil_char_boundary(at + 1);
        }
        let trimmed = at + text[at..end].trim_end().len();
        if trimmed > at { trimmed } else { end }
    }

    /// Where the text of size `overlap` begins that ends with the window before: on a grapheme edge, not in white space.
    fn back(&self, before: Span, overlap: usize, at: usize) -> usize {
        let text = &self.document.text;
        let (mut low, mut high) = (before.start as usize, before.end as usize);
        while low < high {
            let middle = text.floor_char_boundary(low + (high - low) / 2);
            if self.measured.size(middle..before.end as usize) > overlap {
                low = text.ceil_char_boundary(middle + 1);
            } else {
                high = middle;
            }
        }
        let end = before.end as usize;
        let mut start = edge(text, low, end);
        // A cut inside a token can make the rest larger by some tokens.
        while start < end && self.measured.size(start..end) > overlap {
            start = edge(text, text.ceil_char_boundary(start + 1), end);
        }
        if start < end { start } else { at }
    }
}

/// The first grapheme edge at or after `from` that is not in white space, or `end`.
fn edge(text: &str, from: usize, end: usize) -> usize {
    let start = if floor_grapheme(text, from) < from { next_edge(text, from, end) } else { from };
    (start + (text[start..].len() - text[start..].trim_start().len())).min(end)
}

/// The first grapheme edge at or after `from`, or `end`.
fn next_edge(text: &str, from: usize, end: usize) -> usize {
    let inner = text[from..end].char_indices().map(|(i, _)| from + i);
    inner.into_iter().find(|&at| floor_grapheme(text, at) == at).unwrap_or(end)
}

fn skip_blank(text: &str, at: usize) -> usize {
    at + (text[at..].len() - text[at..].trim_start().len())
}

#[cfg(test)]
mod tests {
    use gristmill_core::{BlockKind, Unit};
    use gristmill_text::count::sizer;

    use super::*;
    use crate::fixture;

    #[test]
    fn white_space_of_any_length_between_words_costs_no_word() {
        let sizer = sizer(Unit::Chars, "").expect("characters can be counted");
        for blank in ["\u{2028}", "\u{a0}", "\n"] {
            for length in 1..60 {
                let text = format!("one two three{}four five six", blank.repeat(length));
                let document = fixture::document(&[(BlockKind::Paragraph, 0, &text)]);
                let mut cx = fixture::cx(sizer.as_ref(), 20);
                cx.limits.overlap = 8;
                let chunks = Fixed.chunk(&document, &cx).expect("it can be cut").value;
                let words = |text: &str| text.split_whitespace().collect::<String>();
                let bodies: String = chunks.iter().map(|chunk| chunk.body_text(&document.text)).collect();
                assert_eq!(words(&bodies), words(&text), "{length}");
                assert!(chunks.iter().all(|chunk| chunk.size <= 20), "{length}: {chunks:?}");
            }
        }
    }
}
