//! Tables whose cells are drawn: rules across and down that meet.

use std::collections::{BTreeMap, BTreeSet};

use unpdf::parser::{TextLine, TextSpan};

use super::page::{Rule, left, right};
use super::table::{Table, cell_text, lines};
use super::words::clean;

/// Rules nearer than this are one, and meet when they miss one another by no more, in points.
const NEAR: f32 = 3.0;
/// A page with more pairs of rules than this is a drawing.
const MOST_PAIRS: usize = 4_000_000;
/// Cells of one grid.
const MOST_CELLS: usize = 40_000;

/// The tables of the page's rules, each with the places in `spans` of the text it holds.
pub(super) fn tables(rules: &[Rule], spans: &[TextSpan]) -> Vec<(Table, Vec<usize>)> {
    let (across, down): (Vec<Rule>, Vec<Rule>) = rules.iter().partition(|rule| rule.horizontal);
    let (across, down) = (joined(across), joined(down));
    if across.len() < 2 || down.is_empty() || across.len() * down.len() > MOST_PAIRS {
        return Vec::new();
    }
    let sets = components(&across, &down);
    sets.iter().filter_map(|(across, down)| Grid::new(across, down)?.table(spans)).collect()
}

/// The rules with pieces of one line put together, sorted by place.
fn joined(mut rules: Vec<Rule>) -> Vec<Rule> {
    rules.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.from.total_cmp(&b.from)));
    let mut out: Vec<Rule> = Vec::new();
    for rule in rules {
        let near = out.iter_mut().rev().take_while(|last| rule.at - last.at <= 1.0).take(64);
        let mut near = near.filter(|last| rule.from <= last.to + NEAR && rule.to >= last.from - NEAR);
        match near.next() {
            Some(last) => {
                last.from = last.from.min(rule.from);
                last.to = last.to.max(rule.to);
            }
            None => out.push(rule),
        }
    }
    out
}

/// Sets of rules that hang together.
fn components(across: &[Rule], down: &[Rule]) -> Vec<(Vec<Rule>, Vec<Rule>)> {
    let mut sets = Sets::new(across.len() + down.len());
    for (i, a) in across.iter().enumerate() {
        for (j, _) in down.iter().enumerate().filter(|(_, d)| meet(a, d)) {
            sets.join(i, across.len() + j);
        }
    }
    let mut groups: BTreeMap<usize, (Vec<Rule>, Vec<Rule>)> = BTreeMap::new();
    for (i, rule) in across.iter().chain(down).enumerate() {
        let group = groups.entry(sets.first(i)).or_default();
        if rule.horizontal { group.0.push(*rule) } else { group.1.push(*rule) }
    }
    groups.into_values().filter(|(across, down)| across.len() >= 2 && !down.is_empty()).collect()
}

fn meet(across: &Rule, down: &Rule) -> bool {
    (across.from - NEAR..=across.to + NEAR).contains(&down.at)
        && (down.from - NEAR..=down.to + NEAR).contains(&across.at)
}

/// Numbers in sets that grow together; each set is known by its least member.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn first(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// Edges of columns from the left and of rows from the top, with the rules themselves.
struct Grid<'a> {
    xs: Vec<f32>,
    ys: Vec<f32>,
    across: &'a [Rule],
    down: &'a [Rule],
}

impl<'a> Grid<'a> {
    fn new(across: &'a [Rule], down: &'a [Rule]) -> Option<Self> {
        let ends = |rules: &[Rule]| rules.iter().fold((f32::MAX, f32::MIN), |(a, b), r| (a.min(r.from), b.max(r.to)));
        let (left, right) = ends(across);
        let (bottom, top) = ends(down);
        // A table may be open at its sides: where rules end is an edge too.
        let xs = distinct(down.iter().map(|r| r.at).chain([left, right]).collect());
        let rows: Vec<f32> = across.iter().map(|r| r.at).collect();
        let open = [bottom, top].into_iter().filter(|end| rows.iter().all(|y| (y - end).abs() > 3.0 * NEAR));
        let mut ys = distinct(rows.iter().copied().chain(open).collect());
        ys.reverse();
        let fits = xs.len() >= 3 && ys.len() >= 2 && xs.len() * ys.len() <= MOST_CELLS;
        fits.then_some(Self { xs, ys, across, down })
    }

    fn rows(&self) -> usize {
        self.ys.len() - 1
    }

    fn columns(&self) -> usize {
        self.xs.len() - 1
    }

    /// For each cell the first cell of the merged cell it is part of: cells are one where no rule stands between them.
    fn owners(&self) -> Vec<usize> {
        let (rows, columns) = (self.rows(), self.columns());
        let mut sets = Sets::new(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let at = row * columns + column;
                let walled_right = || covers(self.down, self.xs[column + 1], self.ys[row + 1], self.ys[row]);
                let walled_below = || covers(self.across, self.ys[row + 1], self.xs[column], self.xs[column + 1]);
                if column + 1 < columns && !walled_right() {
                    sets.join(at, at + 1);
                }
                if row + 1 < rows && !walled_below() {
                    sets.join(at, at + columns);
                }
            }
        }
        (0..rows * columns).map(|at| sets.first(at)).collect()
    }

    fn table(&self, spans: &[TextSpan]) -> Option<(Table, Vec<usize>)> {
        let owners = self.owners();
        let mut cells: Vec<Vec<usize>> = vec![Vec::new(); owners.len()];
        let mut taken = Vec::new();
        for (index, span) in spans.iter().enumerate() {
            if let Some(cell) = self.cell_of(span) {
                cells[owners[cell]].push(index);
                taken.push(index);
            }
        }
        self.release_titles(&owners, &mut cells, &mut taken);
        let own: BTreeSet<usize> = owners.iter().copied().collect();
        let filled = own.iter().filter(|&&cell| !cells[cell].is_empty()).count();
        // A frame round a text is no table, nor is a drawing of empty boxes.
        let frame = is_frame(spans, &cells, own.len());
        if own.len() < 3 || filled < 2 || filled * 4 < own.len() || frame {
            return None;
        }
        let rows = self.texts(spans, &cells);
        let table = Table::new(self.ys[0], self.xs[0], *self.xs.last()?, rows).tidy();
        (table.columns() >= 2 && !table.rows.is_empty()).then_some((table, taken))
    }

    /// Rows at the top and the bottom that are one cell hold a title or a note: their text is left to the page.
    fn release_titles(&self, owners: &[usize], cells: &mut [Vec<usize>], taken: &mut Vec<usize>) {
        let columns = self.columns();
        let is_title = |row: &usize| {
            let cells = &owners[row * columns..(row + 1) * columns];
            cells.iter().all(|owner| *owner == row * columns)
        };
        let above = (0..self.rows()).take_while(is_title).count();
        let below = (above..self.rows()).rev().take_while(is_title).count();
        for row in (0..above).chain(self.rows() - below..self.rows()) {
            for at in std::mem::take(&mut cells[row * columns]) {
                taken.retain(|own| *own != at);
            }
        }
    }

    fn cell_of(&self, span: &TextSpan) -> Option<usize> {
        let x = (left(span) + right(span)) / 2.0;
        let y = span.y + span.font_size * 0.3;
        let column = self.xs.partition_point(|edge| *edge <= x).checked_sub(1)?;
        let row = self.ys.partition_point(|edge| *edge >= y).checked_sub(1)?;
        (column < self.columns() && row < self.rows()).then_some(row * self.columns() + column)
    }

    /// The text of each row. A row without rules inside is divided where its cells show that it holds several.
    fn texts(&self, spans: &[TextSpan], cells: &[Vec<usize>]) -> Vec<Vec<String>> {
        let mut out = Vec::new();
        for row in cells.chunks(self.columns()) {
            match lines_in_step(spans, row) {
                Some(lines) => out.extend(lines),
                None => out.push(row.iter().map(|cell| cell_text(spans, cell).join(" ")).collect()),
            }
        }
        out
    }
}

/// The lines of a row as rows of their own: where the cells stand line by line on the same baselines, three or more, and a
/// column has a figure on each.
fn lines_in_step(spans: &[TextSpan], row: &[Vec<usize>]) -> Option<Vec<Vec<String>>> {
    let cells: Vec<Vec<Vec<&TextSpan>>> = row.iter().map(|cell| lines(spans, cell)).collect();
    let base = |line: &[&TextSpan]| line.iter().map(|span| span.y).fold(f32::MAX, f32::min);
    let longest = cells.iter().max_by_key(|cell| cell.len()).filter(|cell| cell.len() >= 3)?;
    let steps: Vec<f32> = longest.iter().map(|line| base(line)).collect();
    let mut out = vec![vec![String::new(); row.len()]; steps.len()];
    let (mut tall, mut counted) = (0, false);
    for (column, cell) in cells.iter().enumerate() {
        tall += usize::from(cell.len() * 2 > steps.len());
        let mut figures = 0;
        for line in cell {
            let step = steps.iter().position(|step| (step - base(line)).abs() < 2.5)?;
            let text = TextLine::from_spans(line.iter().map(|span| (*span).clone()).collect()).text();
            let text = clean(&text);
            figures += usize::from(text.chars().filter(|c| c.is_alphabetic()).count() <= 3);
            out[step][column] = text;
        }
        counted |= column > 0 && cell.len() == steps.len() && figures * 5 >= cell.len() * 4;
    }
    (tall >= 2 && counted).then_some(out)
}

/// True when the cells lay out running text: few of them, and long.
fn is_frame(spans: &[TextSpan], cells: &[Vec<usize>], own: usize) -> bool {
    let lines: Vec<usize> = cells.iter().filter(|cell| !cell.is_empty()).map(|cell| lines(spans, cell).len()).collect();
    let (most, all) = (lines.iter().max().copied().unwrap_or(0), lines.iter().sum::<usize>());
    most > 6 && (most * 10 > all * 8 || own <= 6 && most * 10 > all * 4 && most > 12)
}

/// True when rules at `at`, which are sorted by place, cover more than half of the stretch.
fn covers(rules: &[Rule], at: f32, from: f32, to: f32) -> bool {
    let first = rules.partition_point(|rule| rule.at < at - NEAR);
    let near = rules[first..].iter().take_while(|rule| rule.at <= at + NEAR);
    let covered: f32 = near.map(|rule| (rule.to.min(to) - rule.from.max(from)).max(0.0)).sum();
    covered > (to - from) * 0.5
}

/// Sorted, without values that are nearly equal to the one before.
fn distinct(mut values: Vec<f32>) -> Vec<f32> {
    values.sort_by(f32::total_cmp);
    values.dedup_by(|next, kept| *next - *kept <= NEAR);
    values
}
