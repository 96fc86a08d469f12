//! What a table is once it is found, whatever shows it.

use unpdf::parser::{TextLine, TextSpan};

use super::words::clean;

/// A table on a page.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub top: f32,
    pub left: f32,
    pub right: f32,
    /// Rows of cells, all of the same length; merged cells have their text at the top left.
    pub rows: Vec<Vec<String>>,
    /// The rows with which other pages begin.
    pub turns: Vec<(usize, u32)>,
}

impl Table {
    pub(super) fn new(top: f32, left: f32, right: f32, rows: Vec<Vec<String>>) -> Self {
        Self { top, left, right, rows, turns: Vec::new() }
    }

    pub(super) fn columns(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    /// True when a column reads on from row to row: running text that stands beside something else.
    pub(super) fn is_prose(&self) -> bool {
        (0..self.columns()).any(|column| {
            let cells: Vec<&String> =
                self.rows.iter().filter_map(|row| row.get(column)).filter(|c| !c.is_empty()).collect();
            let long = cells.iter().filter(|cell| cell.split(' ').count() >= 4).count();
            let goes_on = cells.windows(2).filter(|pair| {
                let ends = pair[0].ends_with(['.', '!', '?', ':', ';']);
                !ends && pair[1].starts_with(char::is_lowercase) && pair[0].split(' ').count() >= 3
            });
            let cut = cells.len() >= 2
                && cells.len() < 4
                && long == cells.len()
                && goes_on.clone().count() + 1 == cells.len();
            cut || cells.len() >= 4 && long * 2 >= cells.len() && goes_on.count() * 3 >= cells.len()
        })
    }

    /// The same without rows and columns that are empty throughout.
    pub(super) fn tidy(mut self) -> Self {
        self.rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
        let filled = |column: usize| self.rows.iter().any(|row| row.get(column).is_some_and(|cell| !cell.is_empty()));
        let used: Vec<bool> = (0..self.columns()).map(filled).collect();
        for row in &mut self.rows {
            let mut used = used.iter();
            row.retain(|_| used.next().copied().unwrap_or(false));
        }
        self
    }
}

/// The lines of the runs at `cell`, from the top, each from left to right.
pub(super) fn cell_text(spans: &[TextSpan], cell: &[usize]) -> Vec<String> {
    let text = |line: Vec<&TextSpan>| clean(&TextLine::from_spans(line.into_iter().cloned().collect()).text());
    lines(spans, cell).into_iter().map(text).filter(|text| !text.is_empty()).collect()
}

/// The runs by line: those whose baselines are nearer than half their size.
pub(super) fn lines<'a>(spans: &'a [TextSpan], cell: &[usize]) -> Vec<Vec<&'a TextSpan>> {
    let runs = cell.iter().filter_map(|at| spans.get(*at)).filter(|span| !span.text.trim().is_empty());
    let mut runs: Vec<&TextSpan> = runs.collect();
    runs.sort_by(|a, b| b.y.total_cmp(&a.y).then(a.x.total_cmp(&b.x)));
    let mut out: Vec<Vec<&TextSpan>> = Vec::new();
    let mut base = f32::MAX;
    for run in runs {
        let near = run.font_size.abs().max(4.0) * 0.5;
        match out.last_mut() {
            Some(line) if base - run.y <= near => line.push(run),
            _ => {
                out.push(vec![run]);
                base = run.y;
            }
        }
    }
    out
}
