//! Tables of text documents.

use super::walk::Walk;
use crate::readers::office::flow::{Block, Line, folded, is_blank, repeated};
use crate::xml::Element;

/// The most columns that Word has.
const COLUMNS: usize = 63;

/// Adds a table. One of a single cell is a frame around what it holds.
pub(super) fn table(walk: &mut Walk<'_, '_, '_>, element: Element<'_>, out: &mut Vec<Block>) {
    let rows = below(element, "tr");
    if let [row] = rows.as_slice()
        && let [cell] = below(*row, "tc").as_slice()
    {
        return out.extend(walk.blocks(*cell));
    }
    let mut table: Vec<Vec<Line>> = Vec::new();
    // What a cell that is merged with the one above repeats, by column.
    let mut above: Vec<Line> = Vec::new();
    for row in rows.into_iter().filter(|row| row.path(&["trPr", "del"]).is_none()) {
        let cells = cells(walk, row, &mut above);
        if !cells.iter().all(|cell| is_blank(cell)) {
            table.push(cells);
        }
    }
    if !table.is_empty() {
        out.push(Block::Table(table));
    }
}

/// The cells of a row, one for each column.
fn cells(walk: &mut Walk<'_, '_, '_>, row: Element<'_>, above: &mut Vec<Line>) -> Vec<Line> {
    let skipped = number(row, "trPr", "gridBefore").min(COLUMNS).min(walk.fill);
    walk.fill -= skipped;
    let mut cells = vec![Line::new(); skipped];
    for cell in below(row, "tc") {
        let span = number(cell, "tcPr", "gridSpan").clamp(1, COLUMNS.min(walk.fill + 1));
        walk.fill -= span - 1;
        let content = folded(walk.blocks(cell));
        let line = match above.get(cells.len()) {
            Some(line) if goes_on(cell) && is_blank(&content) => line.clone(),
            _ => content,
        };
        let again = repeated(&line);
        above.resize(above.len().max(cells.len() + span), Line::new());
        above[cells.len()..cells.len() + span].fill(again.clone());
        cells.push(line);
        cells.extend(std::iter::repeat_n(again, span - 1));
    }
    cells
}

fn number(element: Element<'_>, properties: &str, name: &str) -> usize {
    let value = element.path(&[properties, name]).and_then(|child| child.attr("val"));
    value.and_then(|value| value.parse().ok()).unwrap_or(0)
}

/// True when a cell is merged with the one above it.
fn goes_on(cell: Element<'_>) -> bool {
    cell.path(&["tcPr", "vMerge"]).is_some_and(|merge| merge.attr("val") != Some("restart"))
}

/// Rows or cells, also those in content controls and insertions.
fn below<'x>(parent: Element<'x>, name: &str) -> Vec<Element<'x>> {
    let mut out = Vec::new();
    collect(parent, name, &mut out);
    out
}

fn collect<'x>(parent: Element<'x>, name: &str, out: &mut Vec<Element<'x>>) {
    for child in parent.children() {
        match child.name() {
            found if found == name => out.push(child),
            "sdt" | "sdtContent" | "customXml" | "ins" => collect(child, name, out),
            _ => {}
        }
    }
}
