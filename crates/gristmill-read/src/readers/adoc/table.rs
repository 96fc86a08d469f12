//! Tables between `|===` lines.

use crate::lines::Lines;

/// The lines of a table: where its header ends and its rows begin.
pub(super) struct Rows {
    /// The line after the header, when there is one.
    pub(super) header: Option<usize>,
    /// First lines of the rows after the header.
    pub(super) begins: Vec<usize>,
}

/// Finds the rows in the lines between the delimiters, `from` up to `to`. `attributes` is the text of the attribute
/// lines before the table, `sign` what stands before a cell; without one each line is a row.
pub(super) fn rows(lines: &Lines<'_>, from: usize, to: usize, attributes: &str, sign: Option<char>) -> Rows {
    let first = lines.next_filled(from, to);
    let cells = |at: usize| sign.map_or(1, |sign| cells(lines.get(at), sign));
    let columns = sign.map_or(1, |_| columns(attributes).unwrap_or_else(|| cells(first).max(1)));
    let mut begins = Vec::new();
    let mut filled = columns;
    for at in (first..to).filter(|&at| !lines.is_blank(at)) {
        let here = cells(at);
        if filled >= columns && (here > 0 || begins.is_empty()) {
            begins.push(at);
            filled = 0;
        }
        filled += here;
    }
    let implied = first == from && lines.is_blank(from + 1) && from + 1 < to && !attributes.contains("noheader");
    let declared = attributes.contains("%header") || has_option(attributes, "header");
    let header = (implied || declared).then(|| begins.get(1).copied()).flatten();
    if header.is_some() {
        begins.remove(0);
    }
    Rows { header, begins }
}

/// `options="header,footer"`, `opts=header`.
fn has_option(attributes: &str, name: &str) -> bool {
    attributes
        .split(['[', ']', ' ', ',', '"', '='])
        .scan(false, |inside, word| {
            *inside = matches!(word, "options" | "opts") || (*inside && !matches!(word, "cols" | "width" | "format"));
            Some(*inside && word == name)
        })
        .any(|found| found)
}

/// Cells that begin in a line: signs that are not escaped, times the number of columns they span.
fn cells(line: &str, sign: char) -> usize {
    let mut count = 0;
    for (at, _) in line.match_indices(sign).filter(|(at, _)| !line[..*at].ends_with('\\')) {
        let spec = line[..at].rsplit([' ', '\t', sign]).next().unwrap_or_default();
        let span = spec.split_once(['+', '*']).and_then(|(columns, _)| columns.split('.').next()?.parse().ok());
        count += span.unwrap_or(1usize).clamp(1, 100);
    }
    count
}

/// The number of columns that `cols="1,2a,3*"` declares.
fn columns(attributes: &str) -> Option<usize> {
    let rest = &attributes[attributes.find("cols=")? + "cols=".len()..];
    let spec = match rest.strip_prefix('"') {
        Some(inner) => inner.split('"').next()?,
        None => rest.split([',', ']']).next()?,
    };
    let column =
        |part: &str| part.split_once('*').map_or(1, |(count, _)| count.trim().parse().unwrap_or(1usize).clamp(1, 1000));
    let count = spec.split([',', ';']).map(column).sum();
    (count > 0).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_cells() {
        assert_eq!(columns("[cols=\"1,2a,3\"]"), Some(3));
        assert_eq!(columns("[%header,cols=\"2*,1\"]"), Some(3));
        assert_eq!(columns("[cols=4*]"), Some(4));
        assert_eq!(columns("[%header]"), None);
        assert_eq!(
            (cells("| a | b", '|'), cells("|a \\| b", '|'), cells("2+|a |b", '|'), cells("a", '|')),
            (2, 1, 3, 0)
        );
        assert!(has_option("[options=\"header,footer\"]", "header") && has_option("[opts=header]", "header"));
        assert!(!has_option("[role=header]", "header"));
    }
}
