//! Tables: cells that span rows and columns are put into a plain grid.

use html5ever::{LocalName, local_name};

use super::code::is_gutter;
use super::tree::{Id, Tree};
use crate::markup::{Align, Inline, Table};

/// A span wider or higher than this is taken for a mistake.
const SPAN: usize = 100;

/// A longer text is not repeated in the cells that it spans.
const REPEATED: usize = 200;

/// A table whose cells are being filled.
pub(super) struct Grid {
    /// The element.
    pub(super) table: Id,
    rows: Vec<Vec<Cell>>,
    caption: Option<Inline>,
    cell: Option<Cell>,
}

struct Cell {
    text: Inline,
    columns: usize,
    rows: usize,
    align: Align,
}

impl Grid {
    /// A grid for a table; none for one that only arranges parts of the page.
    pub(super) fn of(tree: &Tree, table: Id) -> Option<Self> {
        let data = is_table(tree, table);
        data.then(|| Self { table, rows: Vec::new(), caption: None, cell: None })
    }

    /// Begins a row or cell, unless it is one of a table in a cell.
    pub(super) fn enter(&mut self, tree: &Tree, id: Id) {
        if !self.owns(tree, id) {
            return;
        }
        match tree.tag(id) {
            local_name!("tr") => self.rows.push(Vec::new()),
            local_name!("td") | local_name!("th") => {
                let span = |name: &LocalName| tree.attribute(id, name).and_then(|n| n.trim().parse().ok()).unwrap_or(1);
                let rows: usize = span(&local_name!("rowspan"));
                self.cell = Some(Cell {
                    text: Inline::default(),
                    columns: span(&local_name!("colspan")).clamp(1, SPAN),
                    // Zero reaches to the end of the table.
                    rows: if rows == 0 { SPAN } else { rows.min(SPAN) },
                    align: align(tree, id),
                });
            }
            _ => {}
        }
    }

    /// True when leaving the element ends a cell or the caption.
    pub(super) fn ends_line(&self, tree: &Tree, id: Id) -> bool {
        let line = matches!(tree.tag(id), local_name!("td") | local_name!("th") | local_name!("caption"));
        line && self.owns(tree, id)
    }

    /// The text of the cell that ends, or of the caption.
    pub(super) fn put(&mut self, text: Inline) {
        let Some(cell) = self.cell.take() else {
            self.caption = Some(text);
            return;
        };
        if self.rows.is_empty() {
            self.rows.push(Vec::new());
        }
        if let Some(row) = self.rows.last_mut() {
            row.push(Cell { text, ..cell });
        }
    }

    /// The caption, if it says anything.
    pub(super) fn caption(&self) -> Option<Inline> {
        self.caption.clone().filter(|caption| !caption.is_empty())
    }

    /// The table. Texts are repeated in all cells that they span while there is budget for it.
    pub(super) fn table(self, budget: &mut usize) -> Table {
        let mut table = Table::default();
        let mut hanging: Vec<Option<(Inline, usize)>> = Vec::new();
        let aligns = self.rows.get(1).or(self.rows.first()).map(|row| row.iter().map(|cell| cell.align).collect());
        let plain = self.rows.iter().flatten().all(|cell| cell.columns == 1);
        for row in self.rows {
            let cells = fill(row, &mut hanging, budget);
            if cells.iter().any(|cell| !cell.is_empty()) {
                table.row(cells);
            }
        }
        table.align(if plain { aligns.unwrap_or_default() } else { Vec::new() });
        table
    }

    /// True for parts of this table, not of one within it.
    fn owns(&self, tree: &Tree, id: Id) -> bool {
        let mut around = std::iter::successors(tree.parent(id), |parent| tree.parent(*parent));
        around.find(|id| tree.tag(*id) == local_name!("table")) == Some(self.table)
    }
}

/// A row with what hangs into it from above.
fn fill(row: Vec<Cell>, hanging: &mut Vec<Option<(Inline, usize)>>, budget: &mut usize) -> Vec<Inline> {
    let mut out = Vec::new();
    for cell in row {
        while let Some(above) = take_hanging(hanging, out.len(), budget) {
            out.push(above);
        }
        for column in 0..cell.columns {
            let at = out.len();
            if cell.rows > 1 {
                if hanging.len() <= at {
                    hanging.resize(at + 1, None);
                }
                hanging[at] = Some((repeat(&cell.text, budget), cell.rows - 1));
            }
            out.push(if column == 0 { cell.text.clone() } else { repeat(&cell.text, budget) });
        }
    }
    while out.len() < hanging.len() {
        let above = take_hanging(hanging, out.len(), budget).unwrap_or_default();
        out.push(above);
    }
    out
}

fn take_hanging(hanging: &mut [Option<(Inline, usize)>], column: usize, budget: &mut usize) -> Option<Inline> {
    let slot = hanging.get_mut(column)?;
    let (text, rows) = slot.as_mut()?;
    let text = repeat(text, budget);
    *rows -= 1;
    if *rows == 0 {
        *slot = None;
    }
    Some(text)
}

fn repeat(text: &Inline, budget: &mut usize) -> Inline {
    let len = text.len();
    if len > REPEATED || len > *budget {
        return Inline::default();
    }
    *budget -= len;
    text.clone()
}

fn align(tree: &Tree, id: Id) -> Align {
    let declared = tree.attribute(id, &local_name!("align")).unwrap_or_default();
    let style = tree.attribute(id, &local_name!("style")).unwrap_or_default();
    let styled = style.split(';').filter_map(|rule| rule.split_once(':')).find(|(name, _)| name.trim() == "text-align");
    match styled.map_or(declared, |(_, value)| value).trim() {
        "left" => Align::Left,
        "center" => Align::Center,
        "right" => Align::Right,
        _ => Align::None,
    }
}

/// False for tables that arrange the page: by their role, or with one cell, tables or code lines in them, or cells as
/// long as articles.
fn is_table(tree: &Tree, table: Id) -> bool {
    if matches!(tree.attribute(table, &local_name!("role")), Some("presentation" | "none")) {
        return false;
    }
    let (mut cells, mut text, mut nested, mut headed) = (0usize, 0usize, false, false);
    for id in tree.within(table).skip(1) {
        if let Some(part) = tree.text(id) {
            text += part.trim().len();
            continue;
        }
        match tree.tag(id) {
            local_name!("td") if is_gutter(tree, id) => return false,
            local_name!("td") => cells += 1,
            local_name!("th") | local_name!("caption") | local_name!("thead") => headed = true,
            local_name!("table") => nested = true,
            _ => {}
        }
        cells += usize::from(tree.tag(id) == local_name!("th"));
    }
    cells > 1 && (headed || !nested && text < cells * 400)
}
