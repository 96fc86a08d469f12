//! Cuts a piece that is too large into several that are not.
//!
//! A cut falls between sections, paragraphs, entries or sentences, whichever is the best near the end of what fits; only where
//! a sentence alone is too large, inside it. What follows a cut within a code block or a table carries its fence or header.

mod edges;
mod frame;

use std::cmp::Reverse;
use std::ops::Range;

use gristmill_core::{Part, PartKind, Span};
use gristmill_text::segment::{best_break, floor_grapheme};

use crate::engine::{Ruler, derive};
use crate::piece::part_index;
use crate::{Check, Piece, RULES, View, is_invisible};
use edges::{Edge, Rank, edges};
use frame::Frames;

/// So many places are looked at for one cut.
const TRIES: usize = 24;

/// A character of more bytes than this together with its marks is not looked for: it is no text.
const LONGEST: usize = 4_096;

/// Rules about what a border cuts.
const BORDERS: [&str; 5] = ["mid-sentence-start", "mid-sentence-end", "split-word", "split-code", "split-list-item"];

/// The parts of a piece, each within the limits unless one character is larger; `None` when there is nothing to gain. The
/// first keeps the index of the piece.
pub fn parts(view: &View<'_>, at: usize) -> Option<Vec<Piece>> {
    let piece = &view.pieces[at];
    let (from, until) = (piece.body_start(), piece.body_end());
    let until = from + piece.text.get(from..until)?.trim_end().len();
    let cutter = Cutter {
        view,
        piece,
        frames: Frames::of(view, at),
        edges: edges(&piece.text, &view.shapes[at], from, until),
        from,
        until,
    };
    let cuts = cutter.cuts()?;
    let mut walk = Walk::of(piece);
    let mut parts: Vec<Piece> = Vec::new();
    for range in cuts {
        let part = cutter.part(&mut walk, range.clone(), parts.len());
        let small = || view.cx.is_small(&part.text) || cutter.after_character(range.start) >= Some(range.end);
        if !view.cx.can_hold(&part.text) || !small() {
            return None;
        }
        parts.push(part);
    }
    (parts.len() > 1).then_some(parts)
}

struct Cutter<'a> {
    view: &'a View<'a>,
    piece: &'a Piece,
    frames: Frames<'a>,
    edges: Vec<Edge>,
    /// The text to be cut: the body without white space at its end.
    from: usize,
    until: usize,
}

impl Cutter<'_> {
    /// The pieces of the text, in order.
    fn cuts(&self) -> Option<Vec<Range<usize>>> {
        let mut cuts = Vec::new();
        let mut start = self.from;
        loop {
            let Some(cut) = self.cut(start)? else {
                cuts.push(start..self.until);
                return Some(cuts);
            };
            let next = self.next_start(cut);
            let own = start..self.end(cut).max(start);
            if !self.piece.text[own.clone()].chars().all(is_invisible) {
                cuts.push(own);
            } else if cuts.is_empty() {
                // What stands in front of the piece needs text behind it.
                return None;
            }
            start = next;
        }
    }

    /// Where the text from `start` on is cut; `Some(None)` when all of it fits.
    fn cut(&self, start: usize) -> Option<Option<usize>> {
        let text = &self.piece.text;
        let top = self.reach(start);
        if top >= self.until {
            return Some(None);
        }
        if floor_grapheme(text, top) <= start {
            return Some(Some(self.after_character(start)?).filter(|end| *end < self.until));
        }
        let (room, rest) = (top - start, self.until - start);
        let (low, high, aim) = if rest <= 2 * room {
            (start + rest / 4, top.min(start + rest - rest / 4), start + rest / 2)
        } else {
            (start + room / 2, top, top)
        };
        let high = if floor_grapheme(text, high) > start { high } else { top };
        let good = self.best(start, (low, high), aim).or_else(|| self.best(start, (start + room / 8, top), aim));
        let cut = good.unwrap_or_else(|| self.before_opening(start, self.inside(start, high)));
        Some(Some(cut))
    }

    /// The best place in a range: the rank counts first, then how near it is to `aim`.
    fn best(&self, start: usize, (low, high): (usize, usize), aim: usize) -> Option<usize> {
        let first = self.edges.partition_point(|edge| edge.at < low.max(start + 1));
        let last = self.edges.partition_point(|edge| edge.at <= high);
        let mut near: Vec<Edge> = self.edges.get(first..last)?.to_vec();
        near.sort_by_key(|edge| (Reverse(edge.rank), edge.at.abs_diff(aim)));
        near.retain(|edge| edge.rank > Rank::Line);
        near.truncate(TRIES);
        if aim < high {
            // The rest is not much: it had better be one part.
            near.sort_by_cached_key(|edge| (Reverse(edge.rank), !self.fits(self.next_start(edge.at), self.until)));
        }
        near.into_iter().find(|edge| self.fits(start, edge.at) && self.is_clean(start, edge.at)).map(|edge| edge.at)
    }

    /// A place inside a sentence, a row or a line of code.
    fn inside(&self, start: usize, high: usize) -> usize {
        let lines = self.edges.partition_point(|edge| edge.at <= high);
        let low = start + (high - start) / 2;
        let lines = self.edges[..lines].iter().rev().take_while(|edge| edge.at > low).take(TRIES);
        let in_code = self.frames.fence(high).is_some();
        let wanted = |edge: &&Edge| in_code || edge.rank > Rank::Line;
        if let Some(edge) = lines.filter(wanted).find(|edge| self.fits(start, edge.at)) {
            return edge.at;
        }
        let text = &self.piece.text[..self.until];
        let mut limit = high;
        // Fences around a part may make a shorter one larger.
        for _ in 0..TRIES {
            let cut = floor_grapheme(text, best_break(text, start, limit));
            if cut <= start {
                break;
            }
            if self.fits(start, cut) {
                return cut;
            }
            limit = start + (limit - start) * 7 / 8;
        }
        floor_grapheme(text, high)
    }

    /// A place before the line that opens a code block where a cut would leave that line alone.
    fn before_opening(&self, start: usize, cut: usize) -> usize {
        let text = &self.piece.text;
        let Some(opened) = self.frames.opened(cut).filter(|opened| text[*opened..cut].trim().is_empty()) else {
            return cut;
        };
        let line = text[..opened].rfind('\n').map_or(0, |end| end + 1);
        let stays = line > start && !text[start..line].trim().is_empty() && self.fits(start, line);
        if stays { line } else { cut }
    }

    /// Where the first character with all its marks ends.
    fn after_character(&self, start: usize) -> Option<usize> {
        let text = &self.piece.text;
        let ends = text[start..].char_indices().map(|(at, _)| start + at).skip(1).chain([text.len()]);
        ends.take_while(|end| *end - start <= LONGEST).find(|end| floor_grapheme(text, *end) == *end)
    }

    /// How far a part that begins at `start` may reach, about.
    fn reach(&self, start: usize) -> usize {
        let text = &self.piece.text;
        let (mut low, mut step) = (start, 256);
        let mut high = loop {
            let probe = text.floor_char_boundary((low + step).min(self.until));
            if !self.fits(start, probe) {
                break probe;
            }
            low = probe;
            if low >= self.until {
                return self.until;
            }
            step *= 2;
        };
        loop {
            let middle = low + (high - low) / 2;
            let middle = Some(text.floor_char_boundary(middle)).filter(|at| *at > low).or_else(|| {
                let next = text.ceil_char_boundary(middle);
                (next > low && next < high).then_some(next)
            });
            match middle {
                Some(middle) if self.fits(start, middle) => low = middle,
                Some(middle) => high = middle,
                None => return low,
            }
        }
    }

    /// True when a part with the text up to `cut`, and what comes around it, is within the limits.
    fn fits(&self, start: usize, cut: usize) -> bool {
        let (front, note) = self.front(start);
        let text = self.text(&front, start..self.end(cut).max(start));
        self.view.cx.is_small(&if note.is_empty() { text } else { note + &text })
    }

    /// True when a reader of the two parts sees nothing cut between them.
    fn is_clean(&self, start: usize, cut: usize) -> bool {
        let next = self.next_start(cut);
        let ahead = self.edges.partition_point(|edge| edge.at <= cut + (cut - start));
        let ahead = self.edges.get(ahead).map_or(self.until, |edge| self.end(edge.at)).max(next);
        let texts =
            [start..self.end(cut).max(start), next..ahead].map(|range| self.text(&self.front(range.start).0, range));
        if !texts.iter().all(|text| self.view.cx.can_hold(text)) {
            return false;
        }
        let mut pieces =
            texts.map(|text| Piece { overlap_known: self.piece.overlap_known, ..Piece::new(0, None, text) });
        derive(&mut pieces, self.view.cx.overlaps);
        let view = View::new(None, &pieces, self.view.cx);
        let mut found = Vec::new();
        for rule in RULES.iter().filter(|rule| BORDERS.contains(&rule.name)) {
            if let Check::Group(check) = rule.check {
                check.check(&view, &mut found);
            }
        }
        found.is_empty() && pieces[1].overlap_before == 0
    }

    /// Where the text before a cut ends: white space goes, unless the splitter keeps it.
    fn end(&self, cut: usize) -> usize {
        let own = &self.piece.text[self.from..cut.max(self.from)];
        self.from + if self.view.keeps_white { own.len() } else { own.trim_end().len() }
    }

    /// Where the text after a cut begins: behind blank lines, with what indents its first line.
    fn next_start(&self, cut: usize) -> usize {
        if self.view.keeps_white {
            return cut;
        }
        let rest = &self.piece.text[cut..self.until];
        let white = &rest[..rest.len() - rest.trim_start().len()];
        let indent = match white.rfind('\n') {
            Some(line) => white.len() - line - 1,
            None if self.piece.text[..cut].ends_with('\n') => white.len(),
            None => 0,
        };
        cut + white.len() - indent
    }

    /// The text of a part, as it will be.
    fn text(&self, front: &[(PartKind, String)], range: Range<usize>) -> String {
        let mut text: String = front.iter().map(|(_, text)| text.as_str()).collect();
        text.push_str(&self.piece.text[range.clone()]);
        text.push_str(&self.back(range.end));
        text
    }

    /// What stands in front of a part, and what there must be room for.
    fn front(&self, start: usize) -> (Vec<(PartKind, String)>, String) {
        if start > self.from {
            return self.frames.front(start);
        }
        let parts = self.piece.parts.iter().take_while(|part| (part.range.end as usize) <= self.from);
        (parts.map(|part| (part.kind, self.piece.text[part.range.range()].to_owned())).collect(), String::new())
    }

    fn back(&self, end: usize) -> String {
        if end >= self.until {
            return self.piece.text[self.until..].to_owned();
        }
        self.frames.back(end, self.piece.text[..end].ends_with('\n')).unwrap_or_default()
    }

    fn part(&self, walk: &mut Walk<'_>, range: Range<usize>, rank: usize) -> Piece {
        let piece = self.piece;
        let mut part = Piece {
            index: if rank == 0 { piece.index } else { part_index(piece.index, rank) },
            id: piece.id.as_ref().map(|id| if rank == 0 { id.clone() } else { format!("{id}-{}", rank + 1) }),
            overlap_known: piece.overlap_known,
            path: if rank == 0 { piece.path.clone() } else { self.frames.path(range.start) },
            paged: piece.paged,
            metadata: piece.metadata.clone(),
            order: piece.order,
            counted: piece.counted,
            skewed: piece.skewed,
            unmeasured: piece.unmeasured,
            bare: piece.bare,
            ..Piece::default()
        };
        if rank == 0 {
            (part.overlap_before, part.merged, part.grown) = (piece.overlap_before, piece.merged.clone(), piece.grown);
            for front in piece.parts.iter().take_while(|front| (front.range.end as usize) <= self.from) {
                push(&mut part, front.kind, &piece.text[front.range.range()], front.origin);
            }
        } else {
            self.front(range.start).0.iter().for_each(|(kind, text)| push(&mut part, *kind, text, None));
        }
        let is_last = range.end >= self.until;
        walk.copy(&mut part, range.start..if is_last { piece.text.len() } else { range.end });
        if !is_last {
            push(&mut part, PartKind::Closer, &self.back(range.end), None);
        }
        walk.place(&mut part, rank == 0, is_last);
        part
    }
}

fn push(part: &mut Piece, kind: PartKind, text: &str, origin: Option<Span>) {
    if !text.is_empty() {
        let start = part.text.len();
        part.text.push_str(text);
        part.parts.push(Part { kind, range: Span::new(start, part.text.len()), origin });
    }
}

/// Goes through the parts of a piece once, with what was passed of its place in the source.
struct Walk<'a> {
    piece: &'a Piece,
    ruler: Option<Ruler>,
    /// The part that is next, the byte of the text, and code points of the part before it.
    next: usize,
    at: usize,
    chars: u32,
    /// The origin of that part counts its code points one by one: no repair wrote it in another way.
    exact: bool,
    /// How much of the place of the piece, and how many lines, were passed at `at`; and where the last copy began.
    passed: (u64, u64),
    began: (u64, u64),
}

impl<'a> Walk<'a> {
    fn of(piece: &'a Piece) -> Self {
        let mut walk = Self {
            piece,
            ruler: Ruler::of(piece),
            next: 0,
            at: 0,
            chars: 0,
            exact: false,
            passed: (0, 0),
            began: (0, 0),
        };
        walk.pass(piece.body_start(), &mut |_, _, _| {});
        // Lines are told of the body.
        walk.passed.1 = 0;
        walk
    }

    /// Appends the text of a range, which is behind all that were copied before.
    fn copy(&mut self, into: &mut Piece, range: Range<usize>) {
        self.pass(range.start, &mut |_, _, _| {});
        self.began = self.passed;
        self.pass(range.end, &mut |kind, text, origin| push(into, kind, text, origin));
    }

    fn pass(&mut self, until: usize, see: &mut dyn FnMut(PartKind, &str, Option<Span>)) {
        while let Some(part) = self.piece.parts.get(self.next).filter(|_| self.at < until) {
            let end = (part.range.end as usize).min(until);
            let text = &self.piece.text[self.at..end];
            let chars = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
            if self.at == part.range.start as usize {
                let count = || self.piece.text[part.range.range()].chars().count();
                self.exact = part.origin.is_some_and(|origin| origin.len() == count());
            }
            let is_whole = end - self.at == part.range.len();
            let inside = part.origin.filter(|_| is_whole || self.exact);
            let origin = inside.map(|origin| {
                let start = if is_whole { origin.start } else { origin.start.saturating_add(self.chars) };
                Span { start, end: if is_whole { origin.end } else { start.saturating_add(chars) } }
            });
            see(part.kind, text, origin);
            if matches!(part.kind, PartKind::Body | PartKind::Overlap) {
                let counts = part.kind == PartKind::Body || self.ruler.as_ref().is_some_and(|ruler| ruler.with_overlap);
                self.passed.0 += self.ruler.as_ref().filter(|_| counts).map_or(0, |ruler| ruler.size(text));
                self.passed.1 += text.matches('\n').count() as u64;
            }
            self.at = end;
            self.chars = self.chars.saturating_add(chars);
            if end == part.range.end as usize {
                (self.next, self.chars) = (self.next + 1, 0);
            }
        }
    }

    /// Tells where the text that was copied last lies.
    fn place(&self, part: &mut Piece, is_first: bool, is_last: bool) {
        let piece = self.piece;
        let bodies = || part.parts.iter().filter(|part| part.kind == PartKind::Body);
        let start = bodies().next().and_then(|body| body.origin).map(|origin| u64::from(origin.start));
        let end = bodies().next_back().and_then(|body| body.origin).map(|origin| u64::from(origin.end));
        let known = self.ruler.is_some();
        let place = piece.place.as_ref().and_then(|place| {
            let at = |passed: u64| known.then_some(place.start + passed);
            let start = if is_first { Some(place.start) } else { start.or_else(|| at(self.began.0)) };
            let end = if is_last { Some(place.end) } else { end.or_else(|| at(self.passed.0)) };
            start.zip(end)
        });
        part.place = place.map(|(start, end)| start..end.max(start));
        part.line = piece.line.filter(|_| is_first || !piece.skewed).map(|line| line + self.began.1);
    }
}
