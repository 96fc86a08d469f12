//! The text that is repeated from the chunk before.

use gristmill_core::{BlockKind, Document, Measured, Span};
use gristmill_text::segment::sentence_starts;

/// At most this many sentences are repeated.
const SENTENCES: usize = 2;

/// Where the repeated text begins: the last one or two whole sentences of `before` (the chunk before, in the same
/// section as `next`, the position where the new chunk begins), no larger than `room`. `None` when no sentence fits.
pub fn overlap_start(
    document: &Document,
    measured: &dyn Measured,
    before: Span,
    next: u32,
    room: usize,
    scratch: &mut Vec<usize>,
) -> Option<u32> {
    if room == 0 || document.section_at(before.end.saturating_sub(1)) != document.section_at(next) {
        return None;
    }
    let mut starts = Vec::with_capacity(SENTENCES);
    let mut until = before.end;
    for block in prose_backwards(document, before) {
        // Something other than prose lies between: the sentences before it do not lead to the new chunk.
        if !document.text[block.end as usize..until as usize].trim_matches(is_mark).is_empty() {
            break;
        }
        let start = block.start.max(before.start);
        scratch.clear();
        sentence_starts(&document.text[start as usize..block.end as usize], scratch);
        // Where the chunk before began inside the paragraph, its first sentence is still whole: cuts lie between them.
        starts.extend(scratch.iter().rev().map(|s| Span::new(start as usize + s, start as usize + s).start));
        if starts.len() >= SENTENCES {
            break;
        }
        until = start;
    }
    let fits = |start: &&u32| measured.size(**start as usize..before.end as usize) <= room;
    starts.iter().take(SENTENCES).take_while(fits).last().copied()
}

fn is_mark(c: char) -> bool {
    c.is_whitespace() || matches!(c, '>' | '-' | '*' | '+' | '.' | ')') || c.is_ascii_digit()
}

/// The prose blocks that end in `span`, last first, cut to it at the end.
fn prose_backwards(document: &Document, span: Span) -> impl Iterator<Item = Span> {
    let after = document.blocks.partition_point(|b| b.span.start < span.end);
    let leaves = document.blocks[..after].iter().rev().filter(|b| !b.kind.is_container());
    leaves
        .take_while(move |b| b.span.end > span.start && matches!(b.kind, BlockKind::Paragraph | BlockKind::Turn))
        .map(move |b| Span { start: b.span.start, end: b.span.end.min(span.end) })
}
