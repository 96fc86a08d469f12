//! Makes the changes of a repair.

use gristmill_core::{Part, PartKind, Span};

use super::overlap;
use super::place::{self, Ruler};
use crate::{Change, Piece, is_invisible, part_of};

/// The pieces of a group while repairs are made; a piece that went leaves its place empty.
pub type Places = [Option<Piece>];

/// Makes a change. False when it cannot be made: it names a piece that is gone, or bytes that are not there.
pub fn apply(places: &mut Places, change: &Change) -> bool {
    made(places, change).is_some()
}

fn made(places: &mut Places, change: &Change) -> Option<()> {
    match change {
        Change::Remove { piece } => {
            let gone = places.get_mut(*piece)?.take()?;
            let before = places[..*piece].iter_mut().rev().find_map(Option::as_mut);
            if let Some((order, end)) = before.and_then(|piece| piece.order.as_mut()).zip(gone.order) {
                order.1 = order.1.max(end.1);
            }
            Some(())
        }
        Change::Insert { piece, at, text, kind } => {
            let piece = places.get_mut(*piece)?.as_mut()?;
            let mut segments = split(piece, *at)?;
            let place = segments.0.len();
            segments.0.push(Segment { kind: *kind, text: text.clone(), origin: None });
            segments.0.append(&mut segments.1);
            debug_assert!(place < segments.0.len());
            put(piece, segments.0);
            Some(())
        }
        Change::Replace { piece, span, text, .. } => {
            let piece = places.get_mut(*piece)?.as_mut()?;
            let (mut front, middle, back) = cut_out(piece, *span)?;
            if middle.iter().any(|segment| !matches!(segment.kind, PartKind::Body | PartKind::Overlap)) {
                return None;
            }
            let kind = middle.first()?.kind;
            let origin = join_origins(&middle);
            front.push(Segment { kind, text: text.clone(), origin });
            front.extend(back);
            put(piece, front);
            Some(())
        }
        Change::Shed { piece, span } => shed(places, *piece, *span),
        Change::Join { left, right, between } => join(places, *left, *right, between),
        Change::MoveUp { left, right, len, between } => move_up(places, *left, *right, *len, between),
        Change::MoveDown { left, right, len, between } => move_down(places, *left, *right, *len, between),
        // Parts need places of their own: the engine gives them these.
        Change::Split { .. } => None,
    }
}

/// A part with its text.
#[derive(Clone)]
struct Segment {
    kind: PartKind,
    text: String,
    origin: Option<Span>,
}

impl Segment {
    fn is_injected(&self) -> bool {
        !matches!(self.kind, PartKind::Body | PartKind::Overlap)
    }
}

/// True for text that shows nothing.
fn is_blank(segment: &Segment) -> bool {
    segment.text.chars().all(is_invisible)
}

fn segments(piece: &Piece) -> Vec<Segment> {
    let segment =
        |part: &Part| Segment { kind: part.kind, text: piece.text[part.range.range()].to_owned(), origin: part.origin };
    piece.parts.iter().map(segment).collect()
}

/// Writes segments into a piece; neighbours that continue each other become one part.
fn put(piece: &mut Piece, segments: Vec<Segment>) {
    piece.text.clear();
    piece.parts.clear();
    piece.derived_after = None;
    for segment in segments.into_iter().filter(|segment| !segment.text.is_empty()) {
        let start = piece.text.len();
        piece.text.push_str(&segment.text);
        let end = piece.text.len();
        if let Some(last) = piece.parts.last_mut().filter(|last| continues(last, &segment)) {
            last.range = Span::new(last.range.start as usize, end);
            last.origin = last.origin.zip(segment.origin).map(|(a, b)| Span { start: a.start, end: b.end });
        } else {
            piece.parts.push(Part { kind: segment.kind, range: Span::new(start, end), origin: segment.origin });
        }
    }
}

fn continues(last: &Part, next: &Segment) -> bool {
    let adjacent = match (last.origin, next.origin) {
        (Some(last), Some(next)) => last.end == next.start,
        (None, None) => true,
        _ => false,
    };
    last.kind == next.kind && matches!(next.kind, PartKind::Body | PartKind::Overlap) && adjacent
}

/// The segments before and after byte `at`.
fn split(piece: &Piece, at: usize) -> Option<(Vec<Segment>, Vec<Segment>)> {
    if !piece.text.is_char_boundary(at) {
        return None;
    }
    let (mut front, mut back) = (Vec::new(), Vec::new());
    let mut start = 0;
    for segment in segments(piece) {
        let end = start + segment.text.len();
        if end <= at {
            front.push(segment);
        } else if start >= at {
            back.push(segment);
        } else {
            let (left, right) = segment.text.split_at(at - start);
            let same = segment.origin.filter(|origin| origin.len() == chars(&segment.text));
            let border = same.map(|origin| origin.start + u32::try_from(chars(left)).unwrap_or(0));
            let origin = |from: Option<u32>, to: Option<u32>| from.zip(to).map(|(start, end)| Span { start, end });
            let (from, to) = (same.map(|origin| origin.start), same.map(|origin| origin.end));
            front.push(Segment { kind: segment.kind, text: left.to_owned(), origin: origin(from, border) });
            back.push(Segment { kind: segment.kind, text: right.to_owned(), origin: origin(border, to) });
        }
        start = end;
    }
    Some((front, back))
}

/// The segments before, inside and after `span`.
fn cut_out(piece: &Piece, span: Span) -> Option<(Vec<Segment>, Vec<Segment>, Vec<Segment>)> {
    if span.end as usize > piece.text.len() || span.start > span.end {
        return None;
    }
    let (front, rest) = split(piece, span.start as usize)?;
    let mut rest_piece = Piece::default();
    put_exactly(&mut rest_piece, rest);
    let (middle, back) = split(&rest_piece, span.len())?;
    Some((front, middle, back))
}

fn put_exactly(piece: &mut Piece, segments: Vec<Segment>) {
    for segment in segments {
        let start = piece.text.len();
        piece.text.push_str(&segment.text);
        let range = Span::new(start, piece.text.len());
        piece.parts.push(Part { kind: segment.kind, range, origin: segment.origin });
    }
}

fn join_origins(segments: &[Segment]) -> Option<Span> {
    let first = segments.first()?.origin?;
    let last = segments.last()?.origin?;
    (first.start <= last.end).then_some(Span { start: first.start, end: last.end })
}

fn shed(places: &mut Places, at: usize, span: Span) -> Option<()> {
    let piece = places.get_mut(at)?.as_mut()?;
    let (mut front, middle, back) = cut_out(piece, span)?;
    if middle.iter().any(|segment| segment.kind == PartKind::Body && !is_blank(segment)) {
        return None;
    }
    front.extend(back);
    put_later(piece, front);
    Some(())
}

/// A piece without the text that it repeats.
pub fn without_overlap(piece: &Piece) -> Piece {
    let mut piece = piece.clone();
    let mut own = segments(&piece);
    own.retain(|segment| segment.kind != PartKind::Overlap);
    put_later(&mut piece, own);
    piece.overlap_before = 0;
    piece
}

/// Writes segments into a piece that begins later than before: overlap is gone.
fn put_later(piece: &mut Piece, segments: Vec<Segment>) {
    let ruler = Ruler::of(piece);
    let own = |part: &&Part| matches!(part.kind, PartKind::Body | PartKind::Overlap);
    let lines = |piece: &Piece| {
        let parts = piece.parts.iter().filter(own);
        parts.map(|part| piece.text[part.range.range()].matches('\n').count() as u64).sum::<u64>()
    };
    let before = lines(piece);
    put(piece, segments);
    let Some(ruler) = ruler else {
        // The place may count what is gone, but nothing says how much that was.
        (piece.place, piece.line) = if piece.overlap_known { (piece.place.take(), piece.line) } else { (None, None) };
        return;
    };
    if !ruler.with_overlap {
        return;
    }
    piece.line = piece.line.map(|line| line + before.saturating_sub(lines(piece)));
    let size = ruler.size(&piece.text[piece.shown_start()..piece.body_end()]);
    piece.place = piece.place.take().map(|place| place.end.saturating_sub(size)..place.end);
}

fn join(places: &mut Places, left: usize, right: usize, between: &str) -> Option<()> {
    let gone = places.get(right)?.as_ref()?.clone();
    let kept = places.get_mut(left)?.as_mut()?;
    let mut front = segments(kept);
    let mut back: Vec<Segment> = segments(&gone);
    // What was repeated or put in front of the second piece stands in the first already.
    let opened = back.iter().any(|segment| segment.kind == PartKind::Opener);
    let in_table = kept.text.lines().next_back().is_some_and(|line| line.contains('|'));
    back.retain(|segment| match segment.kind {
        PartKind::Overlap | PartKind::Heading | PartKind::LeadIn | PartKind::Opener => false,
        PartKind::TableHeader => !in_table,
        PartKind::Body | PartKind::Closer => true,
    });
    // A block that was closed for a piece to stand alone goes on in the next one.
    let goes_on = opened || gone.overlap_before > 0;
    if goes_on && front.last().is_some_and(|last| last.kind == PartKind::Closer) {
        front.pop();
    }
    trim_end(&mut front);
    if gone.overlap_before > 0 {
        drop_cut_character(&mut front);
    }
    trim_start(&mut back);
    kept.skewed |= gone.skewed || adds_lines(kept, &gone, between);
    let origin = gap_origin(front.last(), back.first(), chars(between));
    front.push(Segment { kind: PartKind::Body, text: between.to_owned(), origin });
    front.extend(back);
    put(kept, front);
    kept.merged.push(gone.index);
    kept.grown += gone.grown + 1;
    // Only the first part of a split piece has a name in the file.
    kept.counted += gone.counted + u64::from(part_of(gone.index).1 == 0);
    kept.merged.extend(gone.merged);
    kept.place = kept.place.take().zip(gone.place).map(|(kept, gone)| kept.start..gone.end);
    kept.order = kept.order.zip(gone.order).map(|(kept, gone)| (kept.0, gone.1.max(kept.1)));
    places[right] = None;
    Some(())
}

/// True when a merged piece has more line ends than its source up to the line on which the second one begins: some that come
/// between stand for other white space there.
fn adds_lines(kept: &Piece, gone: &Piece, between: &str) -> bool {
    let breaks = |text: &str| text.matches('\n').count() as u64;
    let all: u64 = kept.bodies().map(breaks).sum();
    let own = kept.text[kept.body_start()..kept.body_end()].trim_end();
    let trimmed = breaks(&kept.text[kept.body_start() + own.len()..kept.body_end().max(kept.body_start())]);
    let ends = kept.line.zip(gone.line).map(|(line, next)| next.saturating_sub(line));
    let repeated = breaks(&gone.text[gone.shown_start()..gone.body_start()]);
    ends.is_some_and(|ends| all.saturating_sub(trimmed) + breaks(between) > ends + repeated)
}

fn move_up(places: &mut Places, left: usize, right: usize, len: usize, between: &str) -> Option<()> {
    let giver = places.get(right)?.as_ref()?;
    let start = giver.body_start();
    let (mut context, rest) = split(giver, start)?;
    let mut own = Piece::default();
    put_exactly(&mut own, rest);
    let (mut moved, mut stays) = split(&own, len)?;
    // The text before the border is another now: what was repeated of it no longer stands before what is left.
    context.retain(|segment| segment.kind != PartKind::Overlap);
    trim_start(&mut moved);
    let ends_line = moved.last().is_some_and(|segment| segment.text.ends_with('\n'));
    trim_start_lines(&mut stays, ends_line);
    if stays.iter().all(|segment| segment.is_injected() || is_blank(segment)) {
        return None;
    }
    drop_stale_path(&mut context, &stays);
    let taker = places.get(left)?.as_ref()?;
    let (mut grown, closer) = split(taker, taker.body_end())?;
    trim_end(&mut grown);
    let gap = gap_origin(grown.last(), moved.first(), chars(between));
    grown.push(Segment { kind: PartKind::Body, text: between.to_owned(), origin: gap });
    let tail = if closer.is_empty() { own.text[..len].len() } else { own.text[..len].trim_end().len() };
    let rest = body_len(&stays);
    let body = giver.body_end() - start;
    let end = end_origin(&moved).or_else(|| place::of_last(giver, body.checked_sub(tail)?));
    let begin = start_origin(&stays).or_else(|| place::of_last(giver, rest));
    let lines = own.text[..body.saturating_sub(rest)].matches('\n').count() as u64;
    // Where page noise was taken out, line ends are missing.
    let counts = !giver.skewed && (giver.place.is_none() || Ruler::of(giver).is_some());
    let border = Border { end, begin, lines: Some(lines).filter(|_| counts) };
    grown.extend(moved);
    if !closer.is_empty() {
        trim_end(&mut grown);
    }
    grown.extend(closer);
    context.extend(stays);
    move_border(places, left, right, &border)?;
    put(places.get_mut(left)?.as_mut()?, grown);
    put(places.get_mut(right)?.as_mut()?, context);
    Some(())
}

fn move_down(places: &mut Places, left: usize, right: usize, len: usize, between: &str) -> Option<()> {
    let giver = places.get(left)?.as_ref()?;
    let end = giver.body_end();
    let (own, closer) = split(giver, end)?;
    let mut giver = Piece::default();
    put_exactly(&mut giver, own);
    let (mut stays, mut moved) = split(&giver, end.checked_sub(len)?)?;
    let at_line = moved.first().is_some_and(|segment| !segment.text.starts_with(char::is_whitespace));
    let white = giver.text[end - len..].len() - giver.text[end - len..].trim_start().len();
    trim_end_of_line(&mut stays, at_line);
    trim_start_lines(&mut moved, at_line);
    trim_end(&mut moved);
    let blank = |segment: &Segment| segment.kind != PartKind::Body || is_blank(segment);
    if stays.iter().all(blank) {
        return None;
    }
    let kept = stays.iter().map(|segment| segment.text.len()).sum();
    stays.extend(closer);
    let taker = places.get(right)?.as_ref()?;
    let (mut grown, mut rest) = split(taker, taker.body_start())?;
    grown.retain(|segment| segment.kind != PartKind::Overlap);
    drop_stale_path(&mut grown, &moved);
    trim_start(&mut rest);
    let gap = gap_origin(moved.last(), rest.first(), chars(between));
    let before = places.get(left)?.as_ref()?;
    let border = Border {
        end: end_origin(&stays).or_else(|| place::of_last(before, end.checked_sub(kept)?)),
        begin: start_origin(&moved).or_else(|| place::of_last(before, len.checked_sub(white)?)),
        lines: None,
    };
    grown.extend(moved);
    grown.push(Segment { kind: PartKind::Body, text: between.to_owned(), origin: gap });
    grown.extend(rest);
    move_border(places, left, right, &border)?;
    put(places.get_mut(left)?.as_mut()?, stays);
    put(places.get_mut(right)?.as_mut()?, grown);
    Some(())
}

/// Takes the path of headings out of the injected front of text that begins with a heading of its own.
fn drop_stale_path(front: &mut Vec<Segment>, own: &[Segment]) {
    let begins = own.iter().find(|segment| !segment.text.trim().is_empty());
    if begins.is_some_and(|segment| segment.text.trim_start().starts_with('#')) {
        front.retain(|segment| segment.kind != PartKind::Heading);
    }
}

/// Where the border between two pieces lies now.
struct Border {
    /// Where the left one ends.
    end: Option<u64>,
    /// Where the right one begins.
    begin: Option<u64>,
    /// Lines by which the right one begins later.
    lines: Option<u64>,
}

/// Writes down where the border between two pieces lies now; unknown where nothing says so.
fn move_border(places: &mut Places, left: usize, right: usize, border: &Border) -> Option<()> {
    let kept = places.get_mut(left)?.as_mut()?;
    kept.place = kept.place.take().zip(border.end).map(|(place, end)| place.start..end.max(place.start));
    let next = places.get_mut(right)?.as_mut()?;
    next.place = next.place.take().zip(border.begin).map(|(place, begin)| begin.min(place.end)..place.end);
    next.line = next.line.zip(border.lines).map(|(line, lines)| line + lines);
    next.overlap_before = 0;
    Some(())
}

fn end_origin(segments: &[Segment]) -> Option<u64> {
    let last = segments.iter().rev().find(|segment| segment.kind == PartKind::Body)?;
    last.origin.map(|origin| u64::from(origin.end))
}

fn start_origin(segments: &[Segment]) -> Option<u64> {
    let first = segments.iter().find(|segment| segment.kind == PartKind::Body)?;
    first.origin.map(|origin| u64::from(origin.start))
}

/// Bytes from the first body to the end of the last.
fn body_len(segments: &[Segment]) -> usize {
    let body = |segment: &Segment| segment.kind == PartKind::Body;
    let from = segments.iter().position(body).unwrap_or(0);
    let until = segments.iter().rposition(body).map_or(0, |last| last + 1);
    segments.get(from..until).unwrap_or_default().iter().map(|segment| segment.text.len()).sum()
}

/// Origins count code points.
fn chars(text: &str) -> usize {
    text.chars().count()
}

/// The place in the document of white space put between two segments, when it is as long as what stands there.
fn gap_origin(left: Option<&Segment>, right: Option<&Segment>, len: usize) -> Option<Span> {
    let (left, right) = (left?.origin?, right?.origin?);
    let gap = right.start.checked_sub(left.end)?;
    (gap as usize == len).then_some(Span { start: left.end, end: right.start })
}

fn trim_end(segments: &mut Vec<Segment>) {
    while let Some(last) = segments.last_mut() {
        let kept = last.text.trim_end().len();
        let gone = chars(&last.text[kept..]);
        last.text.truncate(kept);
        last.origin = last.origin.map(|origin| Span {
            start: origin.start,
            end: origin.end.saturating_sub(u32::try_from(gone).unwrap_or(0)).max(origin.start),
        });
        if kept > 0 {
            break;
        }
        segments.pop();
    }
}

/// Takes off what is left of a character of which the next piece has all, because it repeats the text before.
fn drop_cut_character(segments: &mut [Segment]) {
    if let Some(last) = segments.last_mut() {
        let kept = last.text.trim_end_matches(overlap::LOST).len();
        if kept < last.text.len() {
            last.text.truncate(kept);
            last.origin = None;
        }
    }
}

/// Takes off the white space at the end, but the last of it directly before the text that was taken off: it says that no word
/// and no line was cut.
fn trim_end_of_line(segments: &mut Vec<Segment>, at_line: bool) {
    let last = segments.last().filter(|last| at_line && last.text.ends_with(char::is_whitespace)).cloned();
    let white = last.as_ref().and_then(|last| last.text.chars().next_back()).unwrap_or(' ');
    let end = last.as_ref().and_then(|last| last.origin).map(|origin| origin.end);
    trim_end(segments);
    if let (Some(last), Some(_)) = (last, segments.last()) {
        let origin = end.map(|end| Span { start: end.saturating_sub(1), end });
        segments.push(Segment { kind: last.kind, text: white.to_string(), origin });
    }
}

/// Takes off the white space at the start, but not what indents the first line after a line end. `at_line` says that the
/// text begins right after one.
fn trim_start_lines(segments: &mut Vec<Segment>, at_line: bool) {
    let white = segments.first().map_or("", |first| &first.text[..first.text.len() - first.text.trim_start().len()]);
    let indent = white.rfind('\n').map(|at| &white[at + 1..]).or(at_line.then_some(white)).map(str::to_owned);
    trim_start(segments);
    if let (Some(indent), Some(first)) = (indent, segments.first_mut()) {
        let back = u32::try_from(chars(&indent)).unwrap_or(0);
        first.origin = first.origin.map(|origin| Span { start: origin.start.saturating_sub(back), end: origin.end });
        first.text.insert_str(0, &indent);
    }
}

fn trim_start(segments: &mut Vec<Segment>) {
    while let Some(first) = segments.first_mut() {
        let white = first.text.len() - first.text.trim_start().len();
        let gone = chars(&first.text[..white]);
        first.text.drain(..white);
        first.origin = first.origin.map(|origin| Span {
            start: origin.start.saturating_add(u32::try_from(gone).unwrap_or(0)).min(origin.end),
            end: origin.end,
        });
        if !first.text.is_empty() {
            break;
        }
        segments.remove(0);
    }
}
