//! From words on a picture to runs on a page.

use unpdf::parser::TextSpan;

use super::super::page::{Matrix, Page};
use super::{Line, Picture};

/// Lines whose heights differ by no more than this share have type of one size: letters with and without tails.
const ALIKE: f32 = 0.3;
/// What lies under the base line, in heights of a line.
const TAIL: f32 = 0.2;

/// The lines with their boxes in points from the lower left corner of the page (`top` is above `bottom`).
pub(super) fn lines(lines: &[Line], picture: &Picture, matrix: &Matrix, least: f32) -> Vec<Line> {
    let place = |x: f32, y: f32| {
        let (x, y) = (x / picture.width as f32, 1.0 - y / picture.height as f32);
        (matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5])
    };
    let mut out = lines.to_vec();
    for line in &mut out {
        line.words.retain(|word| word.confidence >= least && !word.text.trim().is_empty());
        for word in &mut line.words {
            let (a, b) = (place(word.left, word.top), place(word.right, word.bottom));
            (word.left, word.right) = (a.0.min(b.0), a.0.max(b.0));
            (word.bottom, word.top) = (a.1.min(b.1), a.1.max(b.1));
        }
    }
    out.retain(|line| !line.words.is_empty());
    out
}

/// Adds the lines to the page. A page without other text is turned the way its lines run.
pub(super) fn on_page(lines: &mut [Line], page: &mut Page) {
    if page.is_blank() {
        turn(lines, page);
    }
    page.recognised = true;
    let sizes = sizes(lines);
    for (line, size) in lines.iter().zip(sizes) {
        let bottom = line.words.iter().map(|word| word.bottom).fold(f32::MAX, f32::min);
        for word in &line.words {
            let mut span = TextSpan::new(word.text.clone(), word.left, bottom + size * TAIL, size, "recognised".into());
            span.width = word.right - word.left;
            span.width_measured = true;
            span.ink_width = Some(span.width);
            page.spans.push(span);
        }
    }
}

/// Where a line runs: to the right 0, up 1, to the left 2, down 3.
fn quarter(line: &Line) -> Option<usize> {
    let (first, last) = (line.words.first()?, line.words.last()?);
    let across = (last.left + last.right - first.left - first.right, last.top + last.bottom - first.top - first.bottom);
    if line.words.len() < 2 {
        return None;
    }
    Some(match across {
        (x, y) if x.abs() >= y.abs() => usize::from(x < 0.0) * 2,
        (_, y) => {
            if y > 0.0 {
                1
            } else {
                3
            }
        }
    })
}

/// Turns everything so that most lines run to the right.
fn turn(lines: &mut [Line], page: &mut Page) {
    let mut votes = [0usize; 4];
    for line in lines.iter() {
        if let Some(quarter) = quarter(line) {
            votes[quarter] += line.words.len();
        }
    }
    let most = (0..4).rev().max_by_key(|quarter| votes[*quarter]).unwrap_or(0);
    if most == 0 {
        return;
    }
    for word in lines.iter_mut().flat_map(|line| &mut line.words) {
        for _ in 0..most {
            // A quarter clockwise: what ran up runs to the right.
            (word.left, word.right, word.bottom, word.top) = (word.bottom, word.top, -word.right, -word.left);
        }
    }
    let words = || lines.iter().flat_map(|line| &line.words);
    let low = words().map(|word| word.bottom).fold(f32::MAX, f32::min);
    let high = words().map(|word| word.top).fold(f32::MIN, f32::max);
    let left = words().map(|word| word.left).fold(f32::MAX, f32::min);
    page.height = (high - low).max(1.0) * 1.1;
    let shift = page.height * 0.05 - low;
    for word in lines.iter_mut().flat_map(|line| &mut line.words) {
        word.left -= left;
        word.right -= left;
        word.bottom += shift;
        word.top += shift;
    }
}

/// The size of each line's type: that of its paragraph, or of the page when it is hardly other.
fn sizes(lines: &[Line]) -> Vec<f32> {
    let height = |line: &Line| {
        let (low, high) = line.words.iter().fold((f32::MAX, f32::MIN), |(a, b), w| (a.min(w.bottom), b.max(w.top)));
        (high - low).max(1.0)
    };
    let usual = median(lines.iter().flat_map(|line| line.words.iter().map(|_| height(line))).collect());
    let own = |line: &Line| median(lines.iter().filter(|l| l.paragraph == line.paragraph).map(height).collect());
    lines.iter().map(own).map(|size| if (size / usual - 1.0).abs() <= ALIKE { usual } else { size }).collect()
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(10.0)
}
