//! Places at which a text may be cut, and how good each is.

use gristmill_text::segment::sentence_starts;

use crate::shape::{LineKind, Shape};

/// A place at which a text may be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The first byte after the cut.
    pub at: usize,
    /// How good it is.
    pub rank: Rank,
}

/// What a cut falls between, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// Lines of one paragraph, entry or statement.
    Line,
    /// Sentences, rows, lines of code.
    Sentence,
    /// Entries of a list, blocks within one.
    Entry,
    /// Paragraphs.
    Paragraph,
    /// Sections.
    Section,
}

/// The places between bytes `from` and `until` of a text, in rising order.
pub fn edges(text: &str, shape: &Shape, from: usize, until: usize) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut starts = Vec::new();
    for (line, place) in shape.lines.iter().enumerate() {
        let at = place.span.start as usize;
        if at > from && at < until {
            edges.extend(rank(text, shape, line).map(|rank| Edge { at, rank }));
        }
        if !place.kind.is_running() || line > 0 && continues(shape, line) {
            continue;
        }
        let paragraph = shape.paragraph(line).range();
        let rank = if place.kind == LineKind::Item { Rank::Line } else { Rank::Sentence };
        sentence_starts(&text[paragraph.clone()], &mut starts);
        let inside = starts.iter().map(|start| paragraph.start + start).filter(|at| *at > from && *at < until);
        edges.extend(inside.map(|at| Edge { at, rank }));
    }
    edges.sort_by_key(|edge| (edge.at, std::cmp::Reverse(edge.rank)));
    edges.dedup_by_key(|edge| edge.at);
    edges
}

/// True when the paragraph of the line before goes on in a line.
fn continues(shape: &Shape, line: usize) -> bool {
    shape.lines[line].kind == LineKind::Prose && shape.lines[line - 1].kind.is_running()
}

/// How good a cut before a line is; `None` where it would tear off what belongs to it.
fn rank(text: &str, shape: &Shape, line: usize) -> Option<Rank> {
    use LineKind as K;
    let words = |line: usize| &text[shape.lines[line].span.range()];
    let kind = shape.lines[line].kind;
    let before = (0..line).rev().find(|before| shape.lines[*before].kind != K::Blank)?;
    let blank = before + 1 < line;
    let above = shape.lines[before].kind;
    let tied = matches!(above, K::Heading(_) | K::Underline | K::Open | K::TableHeader | K::TableDelimiter | K::Front);
    if tied || matches!(kind, K::Blank | K::Underline | K::Close | K::TableDelimiter | K::Front | K::Context) {
        return None;
    }
    let indented = words(line).starts_with([' ', '\t']);
    let leads_in = words(before).trim_end().ends_with([':', '：']);
    let free = blank || !above.is_running() && !above.is_code();
    Some(match kind {
        K::Heading(_) => Rank::Section,
        K::Code if blank && !indented => Rank::Entry,
        K::Code if indented => Rank::Line,
        K::Code | K::Row | K::OrphanRow => Rank::Sentence,
        _ if indented || leads_in => Rank::Line,
        K::Item if above == K::Item || !free => Rank::Entry,
        K::Break | K::Open | K::TableHeader => Rank::Paragraph,
        K::Html if above == K::Html => Rank::Line,
        _ if above == K::Close || free => Rank::Paragraph,
        _ => Rank::Line,
    })
}
