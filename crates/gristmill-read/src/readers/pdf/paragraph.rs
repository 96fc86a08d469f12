//! Where one paragraph ends and the next begins.

use super::leader::is_entry;
use super::lines::{Line, Piece};
use super::marker::marker;

/// The lines that stand above one another: how far they reach.
#[derive(Default)]
pub(super) struct Column {
    pub left: f32,
    pub right: f32,
    y: f32,
    size: f32,
    /// The size of most of the page's text.
    usual: f32,
}

impl Column {
    /// No column yet, on a page most of whose text is of this size.
    pub(super) fn new(usual: f32) -> Self {
        Self { usual, ..Self::default() }
    }

    /// Adds the line, or begins a new column with it.
    pub(super) fn take(&mut self, line: &Line) {
        let apart = line.y > self.y + line.size || line.left > self.right || line.right < self.left;
        if self.size == 0.0 || apart {
            *self = Self { left: line.left, right: line.right, y: line.y, size: line.size, usual: self.usual };
        } else {
            self.left = self.left.min(line.left);
            self.right = self.right.max(line.right);
            self.y = line.y;
        }
    }

    fn width(&self) -> f32 {
        (self.right - self.left).max(1.0)
    }

    /// True when the line stops well before its column does.
    fn is_cut_short(&self, line: &Line, share: f32) -> bool {
        line.right < self.right - self.width() * share
    }
}

/// The usual distance of lines of running text on the page, in sizes of the type.
pub(super) fn pitch(pieces: &[Piece]) -> f32 {
    let lines = pieces.windows(2).filter_map(|pair| match pair {
        [Piece::Line(a), Piece::Line(b)] => Some((a, b)),
        _ => None,
    });
    let mut steps: Vec<i32> = lines
        .filter(|(a, b)| (a.size - b.size).abs() < 0.5 && a.text.chars().count() > 30)
        .map(|(a, b)| (a.y - b.y) / a.size)
        .filter(|step| (0.9..2.2).contains(step))
        .map(|step| (step * 20.0).round() as i32)
        .collect();
    steps.sort_unstable();
    // The lower third: gaps between paragraphs are among the steps.
    steps.get(steps.len() / 3).map_or(1.25, |step| *step as f32 / 20.0)
}

/// The size of most of the page's text, in points; 0 when there is none.
pub(super) fn usual_size(pieces: &[Piece]) -> f32 {
    let mut letters: std::collections::BTreeMap<i32, usize> = std::collections::BTreeMap::new();
    for piece in pieces {
        if let Piece::Line(line) = piece {
            *letters.entry((line.size * 2.0).round() as i32).or_default() += line.text.len();
        }
    }
    letters.into_iter().max_by_key(|(_, count)| *count).map_or(0.0, |(size, _)| size as f32 / 2.0)
}

/// True when `line` begins a block after `group`.
pub(super) fn breaks(group: &[Line], line: &Line, next: Option<&Line>, column: &Column, pitch: f32) -> bool {
    let Some(last) = group.last() else { return false };
    let step = last.y - line.y;
    let size = last.size.max(line.size);
    if step.abs() < last.size * 0.3 && line.left >= last.right - 1.0 {
        // The same row of the page.
        return last.mono != line.mono || line.left > last.right + size * 6.0;
    }
    if step <= 0.0 || line.left > last.right + size || line.right < last.left - size || last.mono != line.mono {
        return true;
    }
    if is_entry(&last.text) || last.turned != line.turned || line.note {
        return true;
    }
    if last.mono {
        return step > size * 3.5;
    }
    if (last.size - line.size).abs() > size * 0.08 + 0.2 {
        return true;
    }
    if marker(&line.text)
        .is_some_and(|found| !found.weak || column.is_cut_short(last, 0.12) || begins_item(group, line))
    {
        return true;
    }
    let usual = own_step(group).unwrap_or(pitch * size).min(pitch * size * 1.3).max(size);
    // Titles are set wider or closer than text: lines of one that goes on.
    let title = size > column.usual * 1.15 && size > 11.0;
    let usual = if title { usual.max(size * 1.35) } else { usual };
    if step > usual * 1.22 + 0.6 {
        return true;
    }
    let leaves_bold = group.iter().all(|l| l.bold) && group.len() <= 3 && !line.opens_bold;
    let run_in = leaves_bold || line.bold && column.is_cut_short(last, 0.12);
    last.bold != line.bold && run_in || ends_paragraph(group, last, line, next, column)
}

/// True for a numbered line after an item of the same list.
fn begins_item(group: &[Line], line: &Line) -> bool {
    group.first().is_some_and(|first| marker(&first.text).is_some() && (first.left - line.left).abs() < line.size)
}

/// The distance of the last two lines.
fn own_step(group: &[Line]) -> Option<f32> {
    match group {
        [.., a, b] if a.y - b.y > b.size * 0.8 => Some(a.y - b.y),
        _ => None,
    }
}

/// True when the two lines are of different paragraphs without a gap between them.
fn ends_paragraph(group: &[Line], last: &Line, line: &Line, next: Option<&Line>, column: &Column) -> bool {
    let em = line.size;
    let follows = next.filter(|n| n.y < line.y && (n.size - line.size).abs() < 0.6 && line.y - n.y < em * 2.5);
    let stops = last.text.ends_with(['.', '!', '?', ':', '”', '"', ')', '。', '！', '？']);
    let is_item = group.first().is_some_and(|first| marker(&first.text).is_some());
    // An indented first line.
    let indented = line.left > last.left + em * 0.8 && follows.is_none_or(|n| n.left < line.left - em * 0.6);
    let in_reach = line.left < column.left + column.width() * 0.3;
    if indented && !(is_item && group.len() == 1) && (stops || column.is_cut_short(last, 0.12)) && in_reach {
        return true;
    }
    // A hanging entry: the first line stands out to the left.
    let hanging = group.len() >= 2 && group.first().is_some_and(|first| (first.left - line.left).abs() < em * 0.3);
    if hanging && last.left > line.left + em * 0.8 && !is_item {
        return true;
    }
    // A line that ends early, and a sentence with it.
    let starts = line.text.chars().next().is_some_and(|c| c.is_uppercase() || !c.is_alphabetic());
    stops && starts && column.is_cut_short(last, 0.25)
}
