//! Marks above the line: numbers of notes, signs behind names. They belong to the line that they stand over.

use unpdf::parser::{TextLine, TextSpan};

use super::page::{left, right};

/// Marks are smaller than this part of their line's type.
const SMALL: f32 = 0.85;
/// They stand no higher over its base line than this part of its size.
const HIGH: f32 = 0.75;

/// The lines with those that are only marks put into the line below, or above where they hang.
pub(super) fn attached(lines: Vec<TextLine>) -> Vec<TextLine> {
    let mut out: Vec<TextLine> = Vec::with_capacity(lines.len());
    let mut lines = lines.into_iter().peekable();
    while let Some(line) = lines.next() {
        match lines.peek_mut() {
            Some(next) if is_over(&line, next) => join(next, line),
            _ => match out.last_mut() {
                Some(last) if is_over(&line, last) => join(last, line),
                _ => out.push(line),
            },
        }
    }
    out
}

fn join(line: &mut TextLine, marks: TextLine) {
    let size = line.font_size;
    let base = line.y;
    let spans = std::mem::take(&mut line.spans);
    *line = TextLine::from_spans(spans.into_iter().chain(marks.spans).collect());
    (line.font_size, line.y) = (size, base);
}

/// True when all of `marks` stand over the base line of `line`, among its words or at its ends.
fn is_over(marks: &TextLine, line: &TextLine) -> bool {
    let size = line.font_size.abs();
    let rise = |span: &TextSpan| span.y - base(line);
    let (from, to) = ends(&line.spans);
    let short = marks.spans.iter().map(|span| span.text.trim().chars().count()).sum::<usize>() <= 12;
    let fits = |span: &TextSpan| {
        span.font_size.abs() < size * SMALL
            && (-0.3 * size..HIGH * size).contains(&rise(span))
            && left(span) > from - size * 2.0
            && right(span) < to + size
            && !span.is_rotated()
    };
    short && !marks.spans.is_empty() && marks.spans.iter().all(fits)
}

/// The base line of the longest run.
fn base(line: &TextLine) -> f32 {
    line.spans.iter().max_by(|a, b| a.width.total_cmp(&b.width)).map_or(line.y, |span| span.y)
}

fn ends(spans: &[TextSpan]) -> (f32, f32) {
    let inked = || spans.iter().filter(|span| !span.text.trim().is_empty());
    (inked().map(left).fold(f32::MAX, f32::min), inked().map(right).fold(f32::MIN, f32::max))
}
