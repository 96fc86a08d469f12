//! Runs that need a second look: symbols whose font names no character, and text that is drawn twice.

use std::collections::BTreeMap;

use unpdf::parser::TextSpan;

use super::page::{Page, left, right};

/// What stands for a symbol that the file does not name, until it is known what it is for.
pub(super) const UNNAMED: &str = "\u{f8ff}";
/// More such symbols than this on a page are not looked at.
const MOST: usize = 2_000;
/// Runs of a row that are compared.
const NEAR: usize = 64;
/// What is drawn twice lies within this part of its size.
const OFF: f32 = 0.06;

/// Takes out what is drawn twice, and makes bullets of unnamed symbols that open a line. The others are gone and counted.
pub(super) fn settle(page: &mut Page) {
    once(&mut page.spans);
    let unnamed: Vec<usize> = (0..page.spans.len()).filter(|at| page.spans[*at].text.trim() == UNNAMED).collect();
    let bullets: Vec<usize> = match unnamed.len() {
        0..=MOST => unnamed.iter().copied().filter(|at| opens_line(&page.spans, *at)).collect(),
        _ => Vec::new(),
    };
    page.unreadable += unnamed.len() - bullets.len();
    for at in bullets {
        page.spans[at].text = "•".to_owned();
    }
    page.spans.retain(|span| span.text.trim() != UNNAMED);
}

/// True when text follows on the line and none stands before.
fn opens_line(spans: &[TextSpan], at: usize) -> bool {
    let own = &spans[at];
    let size = own.font_size.abs().max(4.0);
    let level = |span: &&TextSpan| {
        (span.y - own.y).abs() < size * 0.5 && !span.text.trim().is_empty() && span.text.trim() != UNNAMED
    };
    let mut others = spans.iter().filter(level).map(|span| (left(span), right(span)));
    let (mut before, mut after) = (false, false);
    others.by_ref().for_each(|(from, to)| {
        before |= from < own.x && to > own.x - size * 3.0;
        after |= from > own.x && from < own.x + size * 4.0;
    });
    after && !before
}

/// Takes out runs that repeat what another one shows in its place: a way to make type look bold.
fn once(spans: &mut Vec<TextSpan>) {
    let mut rows: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
    let mut gone = vec![false; spans.len()];
    for at in 0..spans.len() {
        if spans[at].text.trim().is_empty() {
            continue;
        }
        let row = (spans[at].y / 2.0).floor() as i32;
        let rows_near = (row - 1..=row + 1).filter_map(|row| rows.get(&row));
        let others: Vec<usize> = rows_near.flat_map(|row| row.iter().rev().take(NEAR)).copied().collect();
        for other in others {
            if !gone[other] && shows(&spans[other], &spans[at]) {
                gone[at] = true;
            } else if shows(&spans[at], &spans[other]) {
                gone[other] = true;
            }
        }
        rows.entry(row).or_default().push(at);
    }
    let mut gone = gone.into_iter();
    spans.retain(|_| !gone.next().unwrap_or(false));
}

/// True when `whole` shows all of `part`, in its place.
fn shows(whole: &TextSpan, part: &TextSpan) -> bool {
    let size = whole.font_size.abs();
    (whole.y - part.y).abs() <= size * OFF
        && (size - part.font_size.abs()).abs() <= size * OFF
        && left(part) >= left(whole) - size * OFF
        && right(part) <= right(whole) + size * OFF
        && whole.text.contains(part.text.trim())
}
