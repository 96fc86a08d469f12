//! The lines of a page in reading order, with its tables in their places.

use unpdf::parser::bidi::contains_rtl;
use unpdf::parser::{TextLine, TextSpan};

use super::columns::Which;
use super::engine::Engine;
use super::page::{Page, left, right};
use super::table::Table;
use super::words::clean;
use super::{columns, grid, scripts, stack, stream};

/// More runs than this on a page are read without looking for tables by their alignment.
const MANY: usize = 6_000;

/// One line of text.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub text: String,
    /// As printed, with the blanks inside: for code.
    pub raw: String,
    pub left: f32,
    pub right: f32,
    /// The baseline.
    pub y: f32,
    pub size: f32,
    pub bold: bool,
    /// Begins in bold, whatever follows.
    pub opens_bold: bool,
    /// Opens with a small mark over the line: a note.
    pub note: bool,
    /// Does not run from left to right.
    pub turned: bool,
    /// Set in a face of fixed pitch.
    pub mono: bool,
    /// The width of a character of fixed pitch.
    pub advance: f32,
}

/// What stands on a page, in reading order.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Line(Line),
    Table(Table),
}

/// Finds the tables that are drawn with their cells, so that nothing of them is taken for a running head.
pub(super) fn take_grids(page: &mut Page) {
    let spans = std::mem::take(&mut page.spans);
    let rules = &page.rules;
    page.spans = take(spans, &mut page.tables, |spans| grid::tables(rules, spans));
}

/// Reads the page's runs in order.
pub(super) fn pieces(engine: &Engine, page: Page) -> Vec<Piece> {
    let Page { rules, spans, mut tables, .. } = page;
    let spans = take(spans, &mut tables, |spans| stack::tables(&rules, spans));
    let spans = if spans.len() <= MANY { without_tables(engine, spans, &mut tables) } else { spans };
    let mut lines = Vec::new();
    for region in columns::regions(spans, Which::All) {
        let plain = region.clone();
        let found = engine.layout(|analyzer| analyzer.group_spans_into_lines_pub(region));
        let found = found.unwrap_or_else(|| in_file_order(plain));
        lines.extend(scripts::attached(found).iter().filter_map(line));
    }
    placed(lines, tables)
}

/// Takes out the tables without rules. Columns of text are looked at one by one: side by side they look like cells.
fn without_tables(engine: &Engine, spans: Vec<TextSpan>, tables: &mut Vec<Table>) -> Vec<TextSpan> {
    let regions = columns::regions(spans, Which::OutOfStep);
    regions.into_iter().flat_map(|region| stream::tables(engine, region, tables)).collect()
}

/// Takes the runs of tables out of the page's.
fn take(
    mut spans: Vec<TextSpan>,
    tables: &mut Vec<Table>,
    find: impl FnOnce(&[TextSpan]) -> Vec<(Table, Vec<usize>)>,
) -> Vec<TextSpan> {
    let mut gone = vec![false; spans.len()];
    for (table, taken) in find(&spans) {
        // What two frames both hold belongs to the first.
        if taken.iter().any(|at| gone[*at]) {
            continue;
        }
        taken.into_iter().for_each(|at| gone[at] = true);
        tables.push(table);
    }
    let mut gone = gone.into_iter();
    spans.retain(|_| !gone.next().unwrap_or(false));
    spans
}

/// Lines in the order of drawing, for a page that the engine's layout fails on.
fn in_file_order(spans: Vec<TextSpan>) -> Vec<TextLine> {
    let mut out: Vec<Vec<TextSpan>> = Vec::new();
    for span in spans {
        match out.last_mut() {
            Some(line) if line.last().is_some_and(|last| (last.y - span.y).abs() < 1.0) => line.push(span),
            _ => out.push(vec![span]),
        }
    }
    out.into_iter().map(TextLine::from_spans).collect()
}

fn line(line: &TextLine) -> Option<Line> {
    let raw = logical(line);
    let text = clean(&raw);
    let inked: Vec<&TextSpan> = line.spans.iter().filter(|span| !span.text.trim().is_empty()).collect();
    let first = inked.first().filter(|_| !text.is_empty())?;
    let letters = |span: &TextSpan| span.text.chars().filter(|c| c.is_alphanumeric()).count();
    let all: usize = inked.iter().map(|span| letters(span)).sum();
    let bold: usize = inked.iter().filter(|span| span.is_bold).map(|span| letters(span)).sum();
    let mono = inked.iter().all(|span| span.is_monospace);
    Some(Line {
        left: inked.iter().map(|span| left(span)).fold(f32::MAX, f32::min),
        right: inked.iter().map(|span| right(span)).fold(f32::MIN, f32::max),
        // That of the longest run: marks above and below stand off.
        y: inked.iter().max_by(|a, b| a.width.total_cmp(&b.width)).map_or(0.0, |span| span.y),
        size: line.font_size.abs().max(0.1),
        bold: all > 0 && bold * 10 >= all * 9,
        opens_bold: first.is_bold,
        note: is_note(first, line.font_size),
        turned: inked.iter().all(|span| span.is_rotated()),
        mono,
        advance: first.width / first.text.chars().count().max(1) as f32,
        raw: if mono { raw.trim_end().to_owned() } else { String::new() },
        text,
    })
}

/// True for the number or sign of a note in front of a line.
fn is_note(first: &TextSpan, size: f32) -> bool {
    let mark = first.text.trim();
    first.font_size.abs() < size.abs() * 0.85 && mark.chars().count() <= 3 && !mark.contains(char::is_alphabetic)
}

/// The text of a line in reading order. The engine takes the direction from the first letter on the page, which is the last one
/// read where most of the line runs from right to left: a mark in front tells it.
fn logical(line: &TextLine) -> String {
    let letters = || line.spans.iter().flat_map(|span| span.text.chars()).filter(|c| c.is_alphabetic());
    let backward = letters().filter(|c| contains_rtl(c.encode_utf8(&mut [0; 4]))).count();
    if backward * 2 <= letters().count() || backward == 0 {
        return line.text();
    }
    let mut marked = line.clone();
    if let Some(first) = marked.spans.first_mut() {
        first.text.insert(0, '\u{200f}');
    }
    marked.text()
}

/// Puts each table in front of the first line that begins below its top in its own columns.
fn placed(lines: Vec<Line>, mut tables: Vec<Table>) -> Vec<Piece> {
    tables.sort_by(|a, b| b.top.total_cmp(&a.top));
    let place = |table: &Table| {
        let overlaps = |line: &Line| line.left < table.right && table.left < line.right;
        let below = |line: &Line| line.y < table.top - 1.0;
        let own = lines.iter().position(|line| below(line) && overlaps(line));
        let after = || lines.iter().rposition(overlaps).map(|at| at + 1);
        own.or_else(after).or_else(|| lines.iter().position(below)).unwrap_or(lines.len())
    };
    let mut placed: Vec<(usize, Table)> = tables.into_iter().map(|table| (place(&table), table)).collect();
    placed.sort_by_key(|(at, _)| *at);
    let mut tables = placed.into_iter().peekable();
    let mut out = Vec::new();
    for (index, line) in lines.into_iter().enumerate() {
        while let Some((_, table)) = tables.next_if(|(at, _)| *at <= index) {
            out.push(Piece::Table(table));
        }
        out.push(Piece::Line(line));
    }
    out.extend(tables.map(|(_, table)| Piece::Table(table)));
    out
}
