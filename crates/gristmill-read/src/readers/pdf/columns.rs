//! The reading order of what stands side by side: columns of text, read one after the other.

use unpdf::parser::TextSpan;

use super::page::{left, right};

/// Width of a step across the page, in points.
const STEP: f32 = 2.0;
/// Runs of one line are no farther apart than this, in sizes of the type: justified text stretches its spaces nearly so far.
const WORD: f32 = 0.75;
/// Columns inside columns.
const DEPTH: usize = 5;
/// A side of fewer lines is no column.
const LINES: usize = 2;
/// A side out of step with the other has at least so many.
const MANY: usize = 8;
/// A side of narrower lines is no column of text, in sizes of the type.
const NARROW: f32 = 6.0;
/// Lines on both sides that stand level are columns when they are at least so long, in characters; else rows of a list or a table.
const LONG: usize = 18;

/// A piece of a line between wide gaps.
#[derive(Clone)]
struct Segment {
    left: f32,
    right: f32,
    y: f32,
    size: f32,
    letters: usize,
    spans: Vec<usize>,
}

/// What may be taken for columns.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Which {
    /// Text beside text.
    All,
    /// Only what stands beside one another without lines on one height: no part of it is a table with the other.
    OutOfStep,
}

/// The runs in regions, in reading order.
pub(super) fn regions(spans: Vec<TextSpan>, which: Which) -> Vec<Vec<TextSpan>> {
    let segments = segments(&spans);
    let mut order: Vec<Vec<usize>> = Vec::new();
    part(segments, if which == Which::All { DEPTH } else { 2 }, which, &mut order);
    let turned: Vec<usize> = (0..spans.len()).filter(|at| spans[*at].is_rotated()).collect();
    order.push(turned);
    let mut spans: Vec<Option<TextSpan>> = spans.into_iter().map(Some).collect();
    let mut take = |region: Vec<usize>| -> Vec<TextSpan> {
        let mut region = region;
        region.sort_unstable();
        region.into_iter().filter_map(|at| spans.get_mut(at).and_then(Option::take)).collect()
    };
    order.into_iter().map(&mut take).filter(|region| !region.is_empty()).collect()
}

/// The pieces of all lines, from the top.
fn segments(spans: &[TextSpan]) -> Vec<Segment> {
    let mut order: Vec<usize> = (0..spans.len()).filter(|at| !spans[*at].is_rotated()).collect();
    order.sort_by(|a, b| spans[*b].y.total_cmp(&spans[*a].y).then(spans[*a].x.total_cmp(&spans[*b].x)));
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for at in order {
        let same = |first: &usize| spans[*first].y - spans[at].y <= spans[at].font_size.abs().max(4.0) * 0.35;
        match rows.last_mut() {
            Some(row) if row.first().is_some_and(same) => row.push(at),
            _ => rows.push(vec![at]),
        }
    }
    let mut out = Vec::new();
    for mut row in rows {
        row.sort_by(|a, b| left(&spans[*a]).total_cmp(&left(&spans[*b])));
        let begin = out.len();
        for at in row {
            let span = &spans[at];
            let size = span.font_size.abs().max(1.0);
            let letters = span.text.chars().filter(|c| !c.is_whitespace()).count();
            match out.get_mut(begin..).and_then(<[Segment]>::last_mut) {
                Some(last) if left(span) - last.right <= size.max(last.size) * WORD || letters == 0 => {
                    last.right = last.right.max(right(span));
                    last.size = last.size.max(size);
                    last.letters += letters;
                    last.spans.push(at);
                }
                _ => out.push(Segment {
                    left: left(span),
                    right: right(span),
                    y: span.y,
                    size,
                    letters,
                    spans: vec![at],
                }),
            }
        }
    }
    out
}

/// Adds the regions of the segments, which come from the top, to `out`.
fn part(segments: Vec<Segment>, depth: usize, which: Which, out: &mut Vec<Vec<usize>>) {
    let gutter = if depth > 0 { gutter(&segments) } else { None };
    let Some(gutter) = gutter else {
        out.push(segments.into_iter().flat_map(|segment| segment.spans).collect());
        return;
    };
    let crosses = |segment: &Segment| segment.left < gutter - 1.0 && segment.right > gutter + 1.0;
    let mut plain: Vec<Segment> = Vec::new();
    let mut zone: Vec<Segment> = Vec::new();
    // A line across ends a zone, unless text of the zone stands on its height.
    for segment in segments.into_iter().map(Some).chain([None]) {
        match segment {
            Some(segment) if !crosses(&segment) => zone.push(segment),
            across => {
                close(std::mem::take(&mut zone), gutter, (depth, which), &mut plain, out);
                plain.extend(across);
            }
        }
    }
    if !plain.is_empty() {
        out.push(plain.into_iter().flat_map(|segment| segment.spans).collect());
    }
}

/// Ends a zone without lines across: as two columns, or as part of the plain text before.
fn close(zone: Vec<Segment>, gutter: f32, how: (usize, Which), plain: &mut Vec<Segment>, out: &mut Vec<Vec<usize>>) {
    let (depth, which) = how;
    let (one, other): (Vec<Segment>, Vec<Segment>) =
        zone.iter().cloned().partition(|segment| segment.right <= gutter + 1.0);
    if !are_columns(&one, &other, which) {
        plain.extend(zone);
        return;
    }
    if !plain.is_empty() {
        out.push(std::mem::take(plain).into_iter().flat_map(|segment| segment.spans).collect());
    }
    part(one, depth - 1, which, out);
    part(other, depth - 1, which, out);
}

/// True when both sides are columns of text that stand beside one another.
fn are_columns(one: &[Segment], other: &[Segment], which: Which) -> bool {
    if one.len() < LINES || other.len() < LINES {
        return false;
    }
    let width = |side: &[Segment]| {
        let (from, to) = side.iter().fold((f32::MAX, f32::MIN), |(a, b), s| (a.min(s.left), b.max(s.right)));
        let size = side.iter().map(|s| s.size).fold(0.0, f32::max);
        (to - from) / size.max(1.0)
    };
    let reach = |side: &[Segment]| side.iter().fold((f32::MAX, f32::MIN), |(a, b), s| (a.min(s.y), b.max(s.y)));
    let ((low, high), (bottom, top)) = (reach(one), reach(other));
    let beside = high.min(top) - low.max(bottom) > 0.0;
    let mean = |side: &[Segment]| side.iter().map(|s| s.letters).sum::<usize>() / side.len().max(1);
    let level = other.iter().filter(|s| one.iter().any(|o| (o.y - s.y).abs() < s.size * 0.3)).take(one.len()).count();
    let in_rows = level * 5 >= one.len().min(other.len()) * 4;
    if which == Which::OutOfStep && (level * 3 >= one.len().min(other.len()) * 2 || one.len().min(other.len()) < MANY) {
        return false;
    }
    let short = mean(one).min(mean(other)) < LONG;
    beside && width(one) >= NARROW && width(other) >= NARROW && !(in_rows && short)
}

/// The place in the middle part of the segments where the fewest lie: in the middle of the widest such gap.
fn gutter(segments: &[Segment]) -> Option<f32> {
    let (from, to) = segments.iter().fold((f32::MAX, f32::MIN), |(a, b), s| (a.min(s.left), b.max(s.right)));
    let steps = ((to - from) / STEP).ceil();
    if segments.len() < 2 * LINES || !(20.0..=10_000.0).contains(&steps) {
        return None;
    }
    let steps = steps as usize;
    let mut change = vec![0i32; steps + 2];
    for segment in segments {
        let begin = ((segment.left - from) / STEP).floor().max(0.0) as usize;
        let end = ((segment.right - from) / STEP).ceil().max(0.0) as usize;
        change[begin.min(steps)] += 1;
        change[end.min(steps + 1)] -= 1;
    }
    let mut lying = 0;
    let over: Vec<i32> = change
        .iter()
        .map(|c| {
            lying += c;
            lying
        })
        .take(steps)
        .collect();
    let (first, last) = (steps / 8, steps - steps / 8);
    let (most, least) = (over.iter().max()?, over.get(first..last)?.iter().min()?);
    if *least * 3 > *most {
        return None;
    }
    let mut best = (0, 0);
    let mut at = first;
    while at < last {
        let run = over[at..last].iter().take_while(|count| **count <= *least).count();
        if run > best.0 {
            best = (run, at);
        }
        at += run.max(1);
    }
    Some(from + (best.1 as f32 + best.0 as f32 / 2.0) * STEP)
}
