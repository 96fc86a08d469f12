//! Rows that a border cuts.

use gristmill_text::resume::joint;

use super::finding;
use crate::border::{merge, trim_to_line};
use crate::cut::glue;
use crate::shape::{Table, cells, delimiter_columns};
use crate::{Change, Cut, Finding, LineKind, Repair, View, is_invisible, label};

/// The finding for a border inside a row.
pub fn cut(view: &View<'_>, left: usize) -> Option<Finding> {
    let seam = &view.seams[left];
    if !is_cut(view, left)? {
        return None;
    }
    let before = label(&view.pieces[left]);
    let message = format!("begins inside a table row that {before} cut");
    Some(finding(view, left + 1, seam.right_line?, message).with(left).repair(mend(view, left)))
}

fn is_cut(view: &View<'_>, left: usize) -> Option<bool> {
    let seam = &view.seams[left];
    let (before, after) = (&view.shapes[left], &view.shapes[left + 1]);
    let (last, first) = (before.lines[seam.left_line?], after.lines[seam.right_line?]);
    if seam.cut() != Cut::None || last.kind.is_code() || first.kind.is_code() {
        return Some(false);
    }
    let (shown, next) = crate::seam::sides(&view.pieces[left], &view.pieces[left + 1]);
    let open = shown.get(last.span.start as usize..)?.trim();
    let rest = next.trim_start().lines().next()?.trim_end();
    let in_table = last.kind.is_table() || open.starts_with('|') && !open.starts_with("||") && rest.ends_with('|');
    if !in_table {
        return Some(false);
    }
    if seam.within_line() {
        let whole = open.ends_with('|') && open.len() > 1 && rest.starts_with('|') && !rest.starts_with("||");
        return Some(!whole);
    }
    // White space at the border is lost: one half has the bar at the left, the other that at the right.
    let columns = before.ends.table.as_ref().map(|table| table.columns);
    let whole = rest.starts_with('|') && columns == Some(cells(rest));
    let halves = open.starts_with('|') && !open.ends_with('|') && !whole && rest.ends_with('|');
    let joined = format!("{open} {rest}");
    let above = seam.left_line?.checked_sub(1).map_or("", |line| &shown[before.lines[line].span.range()]);
    let dashes =
        delimiter_columns(rest).is_some() && !rest.starts_with('|') && Table::begun_by(above, &joined).is_some();
    let fits = halves && columns == Some(cells(&joined)) || dashes;
    Some(fits && seam.gap == gristmill_text::resume::Gap::Unknown)
}

fn mend(view: &View<'_>, left: usize) -> Option<Repair> {
    let (first, second) = (&view.pieces[left], &view.pieces[left + 1]);
    if second.overlap_len() > 0 {
        return trim_to_line(view, left, "repeated text at a row");
    }
    let between = match glue(view, left) {
        none if none.is_empty() && !view.seams[left].within_line() => {
            let (shown, next) = crate::seam::sides(first, second);
            joint(shown.trim_end(), next.trim_start()).to_owned()
        }
        between => between,
    };
    merge(view, left, between.clone()).or_else(|| up(view, left, &between)).or_else(|| {
        let shape = &view.shapes[left];
        let line = view.seams[left].left_line?;
        let above = shape.lines.get(line.checked_sub(1)?)?;
        let start = shape.lines[line].span.start as usize;
        let header = shape.ends.table.as_ref().map(|table| format!("{}\n{}\n", table.header, table.delimiter));
        let grown = format!("{}{}{between}{}", header.unwrap_or_default(), &first.text[start..], second.text);
        let can = above.kind == LineKind::Row && start > first.body_start() && view.cx.fits(&grown);
        let change =
            Change::MoveDown { left, right: left + 1, len: first.body_end() - start, between: between.clone() };
        let title = format!("move the start of the row from {} to {}", label(first), label(second));
        can.then(|| Repair::lossless(title, change))
    })
}

/// Moves the rest of the row to the piece before.
fn up(view: &View<'_>, left: usize, between: &str) -> Option<Repair> {
    let (first, second) = (&view.pieces[left], &view.pieces[left + 1]);
    let line = view.shapes[left + 1].lines[view.seams[left].right_line?];
    let start = second.body_start();
    let end = line.span.end as usize;
    let end = end + usize::from(second.text[end..].starts_with('\n'));
    let stays = second.text.get(end..second.body_end())?;
    let moved = second.text.get(start..end)?;
    let can = !stays.chars().all(is_invisible) && view.cx.fits(&format!("{}{between}{moved}", first.text));
    let title = format!("move the rest of the row to the end of {}", label(first));
    let change = Change::MoveUp { left, right: left + 1, len: end - start, between: between.to_owned() };
    can.then(|| Repair::lossless(title, change))
}
