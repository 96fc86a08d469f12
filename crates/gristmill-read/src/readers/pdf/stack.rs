//! Tables with rules across but none down: the rules bound them, gaps in the text divide their columns.

use unpdf::parser::TextSpan;

use super::page::{Rule, left, right};
use super::table::{Table, cell_text, lines};

/// Rules of one stack begin and end this near to one another, in points.
const ALIGNED: f32 = 6.0;
/// Columns stand at least this far apart, in sizes of the type.
const GAP: f32 = 0.7;
/// Rules of a stack are no farther apart, in points.
const FAR: f32 = 500.0;
/// Shorter rules bound no table, in points.
const SHORT: f32 = 60.0;
/// Rows of one table.
const MOST_ROWS: usize = 2_000;

/// The tables of the page, each with the places in `spans` of the text it holds.
pub(super) fn tables(rules: &[Rule], spans: &[TextSpan]) -> Vec<(Table, Vec<usize>)> {
    stacks(rules).iter().filter_map(|stack| table(stack, spans)).collect()
}

/// Rules above one another with the same ends, from the top.
fn stacks(rules: &[Rule]) -> Vec<Vec<Rule>> {
    let mut across: Vec<Rule> = rules.iter().filter(|r| r.horizontal && r.to - r.from > SHORT).copied().collect();
    across.sort_by(|a, b| b.at.total_cmp(&a.at));
    let mut out: Vec<Vec<Rule>> = Vec::new();
    for rule in across {
        let near = |last: &Rule| {
            let ends = (last.from - rule.from).abs().max((last.to - rule.to).abs());
            ends <= ALIGNED && last.at - rule.at < FAR
        };
        match out.iter_mut().rev().take(16).find(|stack| stack.last().is_some_and(near)) {
            Some(stack) => stack.push(rule),
            None => out.push(vec![rule]),
        }
    }
    out.retain(|stack| stack.len() >= 2);
    // More are lines of a form or a drawing; each costs a look at all the text.
    out.truncate(64);
    out
}

fn middle(span: &TextSpan) -> f32 {
    span.y + span.font_size * 0.3
}

fn table(stack: &[Rule], spans: &[TextSpan]) -> Option<(Table, Vec<usize>)> {
    let (first, last) = (stack.first()?, stack.last()?);
    let between = |span: &TextSpan| middle(span) < first.at && middle(span) > last.at;
    let within = |span: &TextSpan| span.x >= first.from - ALIGNED && right(span) <= first.to + ALIGNED;
    let inside: Vec<usize> = (0..spans.len()).filter(|at| between(&spans[*at]) && within(&spans[*at])).collect();
    let crossing = |span: &&TextSpan| between(span) && !within(span) && span.x < first.to && right(span) > first.from;
    let rows = lines(spans, &inside);
    // Text that crosses the ends of the rules is of another layout.
    let foreign = spans.iter().filter(crossing).count() * 10 > inside.len();
    if rows.len() < 2 || rows.len() > MOST_ROWS || foreign {
        return None;
    }
    let edges = columns(&rows, first.from, first.to)?;
    let mut texts: Vec<Vec<String>> = Vec::new();
    for row in by_rule_and_line(stack, spans, &inside) {
        let mut cells = vec![Vec::new(); edges.len() + 1];
        for at in row {
            let center = (left(&spans[at]) + right(&spans[at])) / 2.0;
            cells[edges.partition_point(|edge| *edge <= center)].push(at);
        }
        texts.push(cells.iter().map(|cell| cell_text(spans, cell).join(" ")).collect());
    }
    let table = Table::new(first.at, first.from, first.to, merged(texts)).tidy();
    is_table(&table).then_some((table, inside))
}

/// The places between columns: where nearly no row has ink.
fn columns(rows: &[Vec<&TextSpan>], left: f32, right: f32) -> Option<Vec<f32>> {
    let stretches = rows.iter().flat_map(|row| inked(row));
    let mut ends: Vec<(f32, i32)> = stretches.flat_map(|(from, to)| [(from, 1), (to, -1)]).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let size = rows.iter().flatten().map(|span| span.font_size).fold(0.0, f32::max);
    // Heads that span columns are few.
    let few = (rows.len() / 6).max(usize::from(rows.len() >= 3)) as i32;
    let mut edges = Vec::new();
    let (mut depth, mut since) = (0, left);
    for (x, change) in ends {
        let before = depth;
        depth += change;
        if before <= few && depth > few && since > left && x - since >= size * GAP && x < right {
            edges.push((since + x) / 2.0);
        } else if before > few && depth <= few {
            since = x;
        }
    }
    (!edges.is_empty()).then_some(edges)
}

/// Stretches of a row that are inked, with word spaces bridged.
fn inked(row: &[&TextSpan]) -> Vec<(f32, f32)> {
    let mut runs: Vec<(f32, f32, f32)> = row.iter().map(|span| (left(span), right(span), span.font_size)).collect();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out: Vec<(f32, f32)> = Vec::new();
    for (from, to, size) in runs {
        match out.last_mut() {
            Some(last) if from - last.1 < size * 0.5 => last.1 = last.1.max(to),
            _ => out.push((from, to)),
        }
    }
    out
}

/// The runs by row: by line, never across a rule.
fn by_rule_and_line(stack: &[Rule], spans: &[TextSpan], inside: &[usize]) -> Vec<Vec<usize>> {
    let band = |at: usize| stack.partition_point(|rule| rule.at > middle(&spans[at]));
    let mut order: Vec<usize> = inside.iter().filter(|at| !spans[**at].text.trim().is_empty()).copied().collect();
    order.sort_by(|a, b| spans[*b].y.total_cmp(&spans[*a].y).then(spans[*a].x.total_cmp(&spans[*b].x)));
    let mut out: Vec<Vec<usize>> = Vec::new();
    for at in order {
        let near = |first: usize| {
            band(first) == band(at) && spans[first].y - spans[at].y <= spans[at].font_size.abs().max(4.0) * 0.5
        };
        match out.last_mut() {
            Some(row) if row.first().is_some_and(|first| near(*first)) => row.push(at),
            _ => out.push(vec![at]),
        }
    }
    out
}

/// Rows that only go on what the row above began are joined to it: their first cell is empty, and half of the others.
fn merged(rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let mut out: Vec<Vec<String>> = Vec::new();
    for row in rows {
        let filled = row.iter().filter(|cell| !cell.is_empty()).count();
        let goes_on = row.first().is_some_and(String::is_empty) && filled * 2 <= row.len() && out.len() > 1;
        let fits = |last: &Vec<String>| row.iter().zip(last).all(|(new, old)| new.is_empty() || !old.is_empty());
        match out.last_mut() {
            Some(last) if goes_on && fits(last) => {
                for (new, old) in row.iter().zip(last.iter_mut()).filter(|(new, _)| !new.is_empty()) {
                    old.push(' ');
                    old.push_str(new);
                }
            }
            _ => out.push(row),
        }
    }
    out
}

/// True when the rows look like rows of a table and not like text set in columns.
fn is_table(table: &Table) -> bool {
    if table.columns() < 2 || table.rows.len() < 2 {
        return false;
    }
    let several = |row: &&Vec<String>| row.iter().filter(|cell| !cell.is_empty()).count() >= 2;
    let cells = table.rows.iter().flatten().filter(|cell| !cell.is_empty());
    let long = cells.clone().filter(|cell| cell.chars().count() > 60).count();
    table.rows.iter().filter(several).count() * 2 >= table.rows.len() && long * 3 <= cells.count() && !table.is_prose()
}
