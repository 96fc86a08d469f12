//! Text on a terminal: how wide it is, where its lines break, and tables.

use std::fmt::Write as _;
use std::ops::Range;

use anstyle::Style;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::paint::{BOLD, paint};

/// Columns that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The longest start of a text that takes no more than `columns`, with `…` in place of the rest.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut left = columns.saturating_sub(1);
    for grapheme in text.graphemes(true) {
        match left.checked_sub(width(grapheme)) {
            Some(rest) => left = rest,
            None => break,
        }
        out.push_str(grapheme);
    }
    out + "…"
}

/// Lines of at most `columns`, as ranges of bytes of a text without line ends. Breaks at blanks and where East Asian text
/// may be broken; elsewhere only where a word is longer than a line.
pub fn wrap(text: &str, columns: usize) -> Vec<Range<usize>> {
    let columns = columns.max(2);
    let mut lines = Vec::new();
    let (mut start, mut used, mut may_break, mut last) = (0, 0, 0, "");
    for (at, grapheme) in text.grapheme_indices(true) {
        if breaks_between(last, grapheme) {
            may_break = at;
        }
        if used + width(grapheme) > columns && grapheme != " " {
            let end = if may_break > start { may_break } else { at };
            lines.push(start..end);
            (start, used) = (end, width(&text[end..at]));
        }
        used += width(grapheme);
        last = grapheme;
    }
    if start < text.len() {
        lines.push(start..text.len());
    }
    lines
}

/// True where a line may end between two neighbours.
fn breaks_between(before: &str, after: &str) -> bool {
    const CLOSING: &str = "。，、．！？；：）」』】〕》〉”’…—・ーぁぃぅぇぉっゃゅょァィゥェォッャュョ";
    const OPENING: &str = "（「『【〔《〈“‘";
    let is_free = |grapheme: &str| width(grapheme) == 2 && !grapheme.contains(is_hangul);
    before == " "
        || ((is_free(before) || is_free(after))
            && after != " "
            && !CLOSING.contains(after)
            && !OPENING.contains(before))
}

/// Korean has blanks between its words.
fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}')
}

/// On which side the text of a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

/// A table for people: columns as wide as what stands in them.
#[derive(Clone, Debug, Default)]
pub struct Table {
    header: Vec<(String, Side)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(header: &[(&str, Side)]) -> Self {
        Self { header: header.iter().map(|(name, side)| ((*name).to_owned(), *side)).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Takes away the columns, from number `from` on, in which nothing but zeros stand.
    pub fn drop_zeros(&mut self, from: usize) {
        for column in (from..self.header.len()).rev() {
            if self.rows.iter().filter_map(|row| row.get(column)).all(|cell| cell == "0") {
                self.remove(column);
            }
        }
    }

    /// Takes columns away from the right, and shortens the first, until the table fits; tells how many had to go.
    pub fn fit(&mut self, columns: usize) -> usize {
        const FIRST: usize = 24;
        let mut gone = 0;
        while self.width_with_first(FIRST) > columns && self.header.len() > 3 {
            self.remove(self.header.len() - 1);
            gone += 1;
        }
        let others = self.width_with_first(0);
        for row in &mut self.rows {
            if let Some(first) = row.first_mut() {
                *first = cut_start(first, columns.saturating_sub(others).max(FIRST));
            }
        }
        gone
    }

    fn remove(&mut self, column: usize) {
        self.header.remove(column);
        self.rows.iter_mut().for_each(|row| drop(row.remove(column)));
    }

    fn widths(&self) -> Vec<usize> {
        let widest = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell));
            cells.chain([width(&self.header[column].0)]).max().unwrap_or_default()
        };
        (0..self.header.len()).map(widest).collect()
    }

    /// The width of the table, were its first column no wider than `first`.
    fn width_with_first(&self, first: usize) -> usize {
        let widths = self.widths();
        let cells =
            widths.iter().enumerate().map(|(n, width)| if n == 0 { first.min(*width) } else { width + GAP.len() });
        cells.sum()
    }

    /// The table as lines.
    pub fn text(&self) -> String {
        let widths = self.widths();
        let header: Vec<String> = self.header.iter().map(|(name, _)| name.clone()).collect();
        let mut out = String::new();
        self.line(&mut out, &widths, &header, BOLD);
        self.rows.iter().for_each(|row| self.line(&mut out, &widths, row, Style::new()));
        out
    }

    fn line(&self, out: &mut String, widths: &[usize], cells: &[String], style: Style) {
        let mut line = String::new();
        for ((cell, (_, side)), width) in cells.iter().zip(&self.header).zip(widths) {
            let blanks = " ".repeat(width.saturating_sub(self::width(cell)));
            let gap = if line.is_empty() { "" } else { GAP };
            let _ = match side {
                Side::Left => write!(line, "{gap}{cell}{blanks}"),
                Side::Right => write!(line, "{gap}{blanks}{cell}"),
            };
        }
        let line = line.trim_end();
        out.push_str(&if style == Style::new() { line.to_owned() } else { paint(style, line) });
        out.push('\n');
    }
}

/// Between two columns.
const GAP: &str = "  ";

/// The end of a path that takes no more than `columns`, with `…` in place of the rest.
fn cut_start(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let mut from = text.len();
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        match left.checked_sub(width(grapheme)) {
            Some(rest) => left = rest,
            None => break,
        }
        from = at;
    }
    format!("…{}", &text[from..])
}

/// A number with a comma between groups of three digits.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 document`, `2 documents`.
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", number(n), if n == 1 { "" } else { "s" })
}

/// A number of bytes as people say it: `512 bytes`, `1.2 MB`.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if n < 1000 {
        return counted(n, "byte");
    }
    let (mut tenths, mut unit) = (n / 100, 0);
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        (tenths, unit) = (tenths / 1000, unit + 1);
    }
    let name = UNITS.get(unit).copied().unwrap_or_default();
    if tenths < 1000 {
        format!("{}.{} {name}", tenths / 10, tenths % 10)
    } else {
        format!("{} {name}", number(tenths / 10))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &str, columns: usize) -> Vec<&str> {
        wrap(text, columns).into_iter().map(|line| &text[line]).collect()
    }

    #[test]
    fn lines_break_at_blanks_and_beside_wide_characters() {
        assert_eq!(wrapped("one two three", 8), ["one two ", "three"]);
        assert_eq!(wrapped("one two", 7), ["one two"]);
        assert_eq!(wrapped("abcdefghij kl", 4), ["abcd", "efgh", "ij ", "kl"]);
        assert_eq!(wrapped("电压低于三伏", 5), ["电压", "低于", "三伏"]);
        assert_eq!(wrapped("ab电压c", 4), ["ab电", "压c"]);
        assert_eq!(wrapped("三伏。电压", 5), ["三", "伏。", "电压"]);
        assert_eq!(wrapped("배터리 교체 주기", 8), ["배터리 ", "교체 ", "주기"]);
        assert_eq!(wrapped("", 8), [""; 0]);
        for columns in 1..9 {
            let text = "a 한국어 test of 👩‍👩‍👧 wrapping, e\u{301}tude";
            let lines = wrapped(text, columns);
            assert_eq!(lines.concat(), text);
            assert!(lines.iter().all(|line| width(line.trim_end()) <= columns.max(2)), "{lines:?}");
        }
    }

    #[test]
    fn texts_are_cut_by_columns() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abcde…");
        assert_eq!(cut("电压低于", 6), "电压…");
        assert_eq!(cut_start("docs/guide/a.md", 8), "…de/a.md");
        assert_eq!(cut_start("문서/설치.md", 7), "…치.md");
    }

    #[test]
    fn tables_line_up_and_fit() {
        let mut table =
            Table::new(&[("name", Side::Left), ("n", Side::Right), ("zero", Side::Right), ("more", Side::Right)]);
        table.row(vec!["한국".to_owned(), "1,000".to_owned(), "0".to_owned(), "5".to_owned()]);
        table.row(vec!["abcde".to_owned(), "7".to_owned(), "0".to_owned(), "5".to_owned()]);
        table.drop_zeros(2);
        let plain = |table: &Table| anstream::adapter::strip_str(&table.text()).to_string();
        assert_eq!(plain(&table), "name       n  more\n한국   1,000     5\nabcde      7     5\n");
        let mut wide = table.clone();
        assert_eq!((wide.fit(18), wide.fit(10)), (0, 0));
        assert_eq!(plain(&wide), plain(&table));
    }

    #[test]
    fn numbers_have_groups() {
        assert_eq!([0, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "chunk"), "1 chunk");
        assert_eq!(counted(1200, "chunk"), "1,200 chunks");
        let shown = [0, 1, 999, 1000, 1_250_000, 99_990_000, 100_000_000, 7_000_000_000_000_000].map(bytes);
        assert_eq!(shown, ["0 bytes", "1 byte", "999 bytes", "1.0 kB", "1.2 MB", "99.9 MB", "100 MB", "7,000 TB"]);
    }
}
