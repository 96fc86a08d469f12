//! GFM tables.

use super::Inline;

/// How the cells of a column stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Not said.
    #[default]
    None,
    /// To the left.
    Left,
    /// In the middle.
    Center,
    /// To the right.
    Right,
}

impl Align {
    fn delimiter(self) -> &'static str {
        match self {
            Self::None => " --- |",
            Self::Left => " :-- |",
            Self::Center => " :-: |",
            Self::Right => " --: |",
        }
    }
}

/// A table: its first row is the header, as GFM knows no table without one.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
    align: Vec<Align>,
}

impl Table {
    /// Adds a row below the others. Rows may differ in length; missing cells are empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Inline>) {
        self.rows.push(cells.into_iter().map(Inline::cell).collect());
    }

    /// Says how the columns stand, from the first on.
    pub fn align(&mut self, align: Vec<Align>) {
        self.align = align;
    }

    /// Number of rows, the header included.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True without any row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines of the table, without the line end of the last one. Empty when no cell says anything.
    pub(super) fn lines(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        if self.rows.iter().flatten().all(String::is_empty) {
            return String::new();
        }
        let mut out = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let first = index == 0;
            cells(row, columns, first, &mut out);
            if first {
                self.delimiters(columns, &mut out);
            }
        }
        out.pop();
        out
    }

    fn delimiters(&self, columns: usize, out: &mut String) {
        out.push('|');
        for column in 0..columns {
            out.push_str(self.align.get(column).copied().unwrap_or_default().delimiter());
        }
        out.push('\n');
    }
}

/// Short rows are filled up, the header always, others unless that would make far more of them than was there.
fn cells(row: &[String], columns: usize, header: bool, out: &mut String) {
    const FILL: usize = 64;
    out.push('|');
    for cell in row {
        if !cell.is_empty() {
            out.push(' ');
            out.push_str(cell);
        }
        out.push_str(" |");
    }
    let missing = columns - row.len();
    if header || missing <= FILL {
        out.push_str(&" |".repeat(missing));
    }
    out.push('\n');
}
