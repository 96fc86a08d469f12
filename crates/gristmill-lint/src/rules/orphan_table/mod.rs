//! Rows of tables whose header is in another chunk.

mod row;

use gristmill_core::{PartKind, Severity};

use crate::border::{line_glue, lines_down, may_grow, merge};
use crate::shape::{cells, delimiter_columns, is_framed_row};
use crate::{Change, Check, Finding, GroupRule, LineKind, Repair, Repairs, Rule, View, is_invisible, label};

pub static RULE: Rule = Rule {
    name: "orphan-table",
    title: "Table rows without their header",
    severity: Severity::Medium,
    repairs: Repairs::Lossless,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&OrphanTable),
};

struct OrphanTable;

impl GroupRule for OrphanTable {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for at in 0..view.pieces.len() {
            let left = view.before(at);
            let cut = left.and_then(|left| row::cut(view, left).or_else(|| header_left_behind(view, left)));
            out.extend(cut.or_else(|| carried(view, at)));
            out.extend(unknown(view, at));
        }
    }
}

/// True for a border inside a table that this rule reports.
pub fn cuts(view: &View<'_>, left: usize) -> bool {
    row::cut(view, left).or_else(|| header_left_behind(view, left)).is_some()
}

fn finding(view: &View<'_>, piece: usize, line: usize, message: String) -> Finding {
    Finding::new(RULE.name, RULE.severity, piece, message).at(view.shapes[piece].lines[line].span)
}

/// The header is the last of the piece before; the rows are here.
fn header_left_behind(view: &View<'_>, left: usize) -> Option<Finding> {
    let seam = &view.seams[left];
    let (last, first) = (seam.left_line?, seam.right_line?);
    let right = left + 1;
    let (shape, piece) = (&view.shapes[left], &view.pieces[left]);
    let kind = view.shapes[right].lines[first].kind;
    let has_rows = shape.lines[last].kind == LineKind::TableDelimiter && kind == LineKind::Row;
    let header = if has_rows { last.checked_sub(1)? } else { bare_header(view, left).then_some(last)? };
    let start = shape.lines[header].span.start as usize;
    if view.pieces[right].overlap_len() > 0 || start < piece.body_start() {
        return None;
    }
    let own = piece.text[piece.body_start()..start].trim_end();
    let between = line_glue(view, left, "\n");
    let from = piece.body_start() + own.len();
    let repair = if own.chars().all(is_invisible) {
        merge(view, left, between)
    } else {
        let title = format!("move the header of the table to {}", label(&view.pieces[right]));
        let change = lines_down(view, left, start, between);
        may_grow(view, right, &piece.text[from..]).then(|| Repair::lossless(title, change))
    };
    let message = format!("rows of a table whose header is at the end of {}", label(piece));
    Some(finding(view, right, first, message).with(left).repair(repair))
}

/// The last line of the left piece is a header, and the right one begins with the dashes below it.
fn bare_header(view: &View<'_>, left: usize) -> bool {
    let seam = &view.seams[left];
    let (Some(last), Some(first)) = (seam.left_line, seam.right_line) else { return false };
    let text = |piece: usize, line: usize| &view.pieces[piece].text[view.shapes[piece].lines[line].span.range()];
    let (header, dashes) = (text(left, last), text(left + 1, first));
    let code = view.shapes[left].lines[last].kind.is_code();
    let framed = |line: &str| line.trim_start_matches([' ', '\t', '>']).starts_with('|');
    if delimiter_columns(header).is_some() || framed(header) != framed(dashes) {
        return false;
    }
    !code && !seam.within_line() && header.contains('|') && delimiter_columns(dashes) == Some(cells(header))
}

/// The piece begins with rows of a table that an earlier piece began.
fn carried(view: &View<'_>, at: usize) -> Option<Finding> {
    let (piece, shape) = (&view.pieces[at], &view.shapes[at]);
    let table = shape.starts.table.as_ref()?;
    let first = shape.first_from(piece.shown_start())?;
    let line = shape.lines[first];
    if line.kind != LineKind::Row || reads_like_prose(&table.header, &piece.text[line.span.range()]) {
        return None;
    }
    if view.seams.get(at).is_some_and(|seam| seam.left_line == Some(first)) && bare_header(view, at) {
        // It is the header of a table of its own.
        return None;
    }
    let rows = shape.lines[first..].iter().take_while(|line| line.kind == LineKind::Row).count();
    let text = format!("{}\n{}\n", table.header, table.delimiter);
    let insert =
        Change::Insert { piece: at, at: line.span.start as usize, text: text.clone(), kind: PartKind::TableHeader };
    let repair =
        may_grow(view, at, &text).then(|| Repair::lossless("put the header of the table in front of the rows", insert));
    let rows = if rows == 1 { "1 row".to_owned() } else { format!("{rows} rows") };
    let message =
        format!("begins with {rows} of a table whose header (`{}`) is in an earlier chunk", short(&table.header));
    Some(finding(view, at, first, message).repair(repair))
}

/// A line with a bar below a table in which all rows have bars around them.
fn reads_like_prose(header: &str, line: &str) -> bool {
    let line = line.trim();
    let bare = is_framed_row(header) && !line.starts_with('|');
    bare && (line.contains('`') || line.ends_with(['.', '!', '?', ':', '。', '！', '？', '：']))
}

fn short(header: &str) -> String {
    let header = header.trim();
    let mut short: String = header.chars().take(40).collect();
    if short.len() < header.len() {
        short.push('…');
    }
    short
}

/// Rows whose header no piece shows.
fn unknown(view: &View<'_>, at: usize) -> Option<Finding> {
    let shape = &view.shapes[at];
    let first = shape.lines.iter().position(|line| line.kind == LineKind::OrphanRow)?;
    let rows = shape.lines[first..].iter().take_while(|line| line.kind == LineKind::OrphanRow).count();
    let piece = &view.pieces[at];
    let repeated = view.pieces.get(at + 1).is_some_and(|next| next.overlap_before > 0);
    if repeated && shape.last_until(piece.body_end()) == Some(first) {
        // The next piece repeats what this one cut, and shows all of it.
        return None;
    }
    let ends_here = view.seams.get(at).is_some_and(|seam| seam.left_line.is_some_and(|last| last <= first + 1));
    if ends_here && (bare_header(view, at) || row::cut(view, at).is_some()) {
        return None;
    }
    let rows = if rows == 1 { "1 table row".to_owned() } else { format!("{rows} table rows") };
    Some(finding(view, at, first, format!("{rows} whose header no chunk before shows")))
}
