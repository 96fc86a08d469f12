//! The tables of a sheet: what stands together, apart from other things by blank rows and columns.

use super::sheet::Cell;
use crate::readers::office::flow::{Block, Line, plain};

/// Cuts go so deep at most: by rows, by columns, and so on.
const CUTS: usize = 6;

/// The blocks that cells make: tables, and lines that stand alone.
pub(super) fn blocks(cells: Vec<Cell>) -> Vec<Block> {
    let mut out = Vec::new();
    let mut open = vec![(cells, 0, false)];
    // `uncut`: the cut before this one left it in one piece.
    while let Some((cells, cuts, uncut)) = open.pop() {
        let mut parts = if cuts % 2 == 0 { by_rows(cells) } else { by_columns(cells) };
        let single = parts.len() == 1;
        if cuts < CUTS && !(single && uncut) {
            parts.reverse();
            open.extend(parts.into_iter().map(|cells| (cells, cuts + 1, single && cuts > 0)));
        } else {
            parts.into_iter().for_each(|cells| region(cells, &mut out));
        }
    }
    out
}

/// Bands of rows between blank ones. A band that only goes on with the rows of the table above stays with it.
fn by_rows(mut cells: Vec<Cell>) -> Vec<Vec<Cell>> {
    cells.sort_by_key(|cell| (cell.row, cell.column));
    let mut bands: Vec<Band> = Vec::new();
    for cells in cells.chunk_by(|a, b| b.row - a.row <= 1) {
        let band = Band::of(cells);
        match bands.last_mut() {
            Some(above) if above.goes_on(&band) => {
                above.rows += band.rows;
                above.cells.extend(band.cells);
            }
            _ => bands.push(band),
        }
    }
    bands.into_iter().map(|band| band.cells).collect()
}

/// Rows without a blank one between them.
struct Band {
    cells: Vec<Cell>,
    rows: usize,
    /// First and last column.
    columns: Option<(u32, u32)>,
    /// Cells of the first row, and whether there is a number among them.
    first: (usize, bool),
}

impl Band {
    fn of(cells: &[Cell]) -> Self {
        let mut rows = cells.chunk_by(|a, b| a.row == b.row);
        let first = rows.next().map_or((0, false), |row| (row.len(), row.iter().any(|cell| cell.is_number)));
        let columns = extent(cells.iter().map(|cell| cell.column));
        Self { cells: cells.to_vec(), rows: 1 + rows.count(), columns, first }
    }

    /// True when `below` begins with numbers in the columns of this table, which has none in its first row.
    fn goes_on(&self, below: &Self) -> bool {
        let table = self.first.0 > 1 && self.rows > 1 && !self.first.1;
        table && below.first.0 > 1 && below.first.1 && self.columns == below.columns
    }
}

fn extent(places: impl Iterator<Item = u32> + Clone) -> Option<(u32, u32)> {
    places.clone().min().zip(places.max())
}

/// Groups of columns apart by two blank ones, or by one where the two sides do not have the same rows.
fn by_columns(mut cells: Vec<Cell>) -> Vec<Vec<Cell>> {
    cells.sort_by_key(|cell| (cell.column, cell.row));
    let mut groups: Vec<Vec<Cell>> = Vec::new();
    // First and last row of the group before.
    let mut before = None;
    for group in cells.chunk_by(|a, b| b.column - a.column <= 1) {
        let rows = extent(group.iter().map(|cell| cell.row));
        let gap = |left: &[Cell]| left.last().zip(group.first()).map_or(0, |(last, first)| first.column - last.column);
        match groups.last_mut() {
            Some(left) if before == rows && gap(left) <= 2 => left.extend_from_slice(group),
            _ => groups.push(group.to_vec()),
        }
        before = rows;
    }
    groups
}

fn region(mut cells: Vec<Cell>, out: &mut Vec<Block>) {
    cells.sort_by_key(|cell| (cell.row, cell.column));
    let mut columns: Vec<u32> = cells.iter().map(|cell| cell.column).collect();
    columns.sort_unstable();
    columns.dedup();
    if columns.len() == 1 && 2 * cells.iter().filter(|cell| cell.is_number).count() < cells.len() {
        let lines = cells.iter().filter(|cell| !cell.is_repeat);
        return out.extend(lines.map(|cell| Block::Paragraph(plain(&*cell.text))));
    }
    let rows: Vec<&[Cell]> = cells.chunk_by(|a, b| a.row == b.row).collect();
    // Rows with one thing to say above the others are their title.
    let titles = rows.iter().take_while(|row| title(row, columns.len())).count();
    let (titles, rows) = rows.split_at(titles);
    let lines = titles.iter().filter_map(|row| row.iter().find(|cell| !cell.is_repeat));
    out.extend(lines.map(|cell| Block::Paragraph(plain(&*cell.text))));
    if rows.len().saturating_mul(columns.len()) > 10_000 + 8 * cells.len() {
        out.extend(rows.iter().map(|row| sparse(row)));
    } else if !rows.is_empty() {
        out.push(Block::Table(rows.iter().map(|row| full(row, &columns)).collect()));
    }
}

/// True when a row says one thing, in words, where others would have room beside it.
fn title(row: &[Cell], columns: usize) -> bool {
    let mut own = row.iter().filter(|cell| !cell.is_repeat);
    columns > 1 && own.next().is_none_or(|cell| !cell.is_number) && own.next().is_none()
}

fn full(row: &[Cell], columns: &[u32]) -> Vec<Line> {
    // What stretches over a row of its own is said once.
    let alone = row.len() > 2 && row.iter().filter(|cell| !cell.is_repeat).count() == 1;
    let mut cells = row.iter().peekable();
    let line = |column: &u32| {
        let cell = cells.next_if(|cell| cell.column == *column).filter(|cell| !(alone && cell.is_repeat));
        cell.map(|cell| plain(&*cell.text)).unwrap_or_default()
    };
    columns.iter().map(line).collect()
}

/// A row of a sheet on which cells are far apart.
fn sparse(row: &[Cell]) -> Block {
    let told = |cell: &Cell| format!("{}{}: {}", letters(cell.column), cell.row + 1, cell.text);
    Block::Paragraph(plain(row.iter().map(told).collect::<Vec<_>>().join("; ")))
}

/// The name of a column.
fn letters(column: u32) -> String {
    let (mut rest, mut out) = (column + 1, Vec::new());
    while rest > 0 {
        out.push(char::from(b'A' + u8::try_from((rest - 1) % 26).unwrap_or(0)));
        rest = (rest - 1) / 26;
    }
    out.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::office::flow::words;

    /// Rows of a sheet: cells apart by `|`, blank ones empty.
    fn shape(sheet: &str) -> Vec<String> {
        let mut cells = Vec::new();
        for (row, line) in (0..).zip(sheet.lines()) {
            for (column, text) in (0..).zip(line.split('|')).filter(|(_, text)| !text.is_empty()) {
                let is_number = text.parse::<f64>().is_ok();
                cells.push(Cell { row, column, text: text.into(), is_number, is_repeat: false });
            }
        }
        let row = |row: &Vec<Line>| row.iter().map(|line| words(line, " ")).collect::<Vec<_>>().join("|");
        let told = |block: &Block| match block {
            Block::Paragraph(line) => words(line, " "),
            Block::Table(rows) => rows.iter().map(row).collect::<Vec<_>>().join("/"),
            other => format!("{other:?}"),
        };
        blocks(cells).iter().map(told).collect()
    }

    #[test]
    fn blank_rows_and_columns_part_tables() {
        assert_eq!(shape("a|b\n1|2\n\nc|d\nx|y"), ["a|b/1|2", "c|d/x|y"]);
        assert_eq!(shape("a|b||c|d\n1|2||3|4\n5|6"), ["a|b/1|2/5|6", "c|d/3|4"]);
        assert_eq!(shape("a|b|||c|d\n1|2|||3|4"), ["a|b/1|2", "c|d/3|4"]);
        assert_eq!(shape("a|b|||\n1|2|||\n||||c|d\n||||3|4"), ["a|b/1|2", "c|d/3|4"]);
    }

    #[test]
    fn a_table_goes_on_over_a_blank_row_or_column() {
        assert_eq!(shape("a|b\n1|2\n\n3|4"), ["a|b/1|2/3|4"]);
        assert_eq!(shape("rent||100\nfood||50"), ["rent|100/food|50"]);
    }

    #[test]
    fn titles_and_notes_are_lines() {
        assert_eq!(shape("Ducks per year\nYear|Ducks\n2019|120"), ["Ducks per year", "Year|Ducks/2019|120"]);
        assert_eq!(shape("Read me\nfirst\n\nof all"), ["Read me", "first", "of all"]);
        assert_eq!(shape("n\n1\n2"), ["n/1/2"]);
    }

    #[test]
    fn cells_far_apart_are_told_by_their_place() {
        let wide: String = (0..400).map(|at| format!("{}x\n", "|".repeat(at))).collect();
        let wide = format!("{}\n{wide}", vec!["y"; 400].join("|"));
        let found = shape(&wide);
        assert_eq!(found.len(), 401);
        assert_eq!((found[1].as_str(), found[28].as_str()), ("A2: x", "AB29: x"));
    }
}
