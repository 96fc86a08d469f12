//! Tables of Markdown.

/// A table whose header is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The header row as it is written.
    pub header: String,
    /// The row of dashes as it is written.
    pub delimiter: String,
    /// Number of columns.
    pub columns: usize,
}

impl Table {
    /// The table that two lines begin.
    pub fn begun_by(header: &str, delimiter: &str) -> Option<Self> {
        let columns = delimiter_columns(delimiter)?;
        (header.contains('|') && cells(header) == columns).then(|| Self {
            header: header.to_owned(),
            delimiter: delimiter.to_owned(),
            columns,
        })
    }
}

/// Number of columns of a row of dashes; `None` when the line is none.
pub fn delimiter_columns(line: &str) -> Option<usize> {
    let line = line.trim_matches([' ', '\t', '>']);
    if !line.contains('|') || !line.contains('-') {
        return None;
    }
    let is_cell = |cell: &str| {
        let dashes = cell.trim().trim_start_matches(':').trim_end_matches(':');
        !dashes.is_empty() && dashes.bytes().all(|byte| byte == b'-')
    };
    let inner = line.strip_prefix('|').unwrap_or(line);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let mut count = 0;
    let all = inner.split('|').all(|cell| {
        count += 1;
        is_cell(cell)
    });
    all.then_some(count)
}

/// Number of cells of a row: bars that are not escaped and not inside inline code divide them.
pub fn cells(line: &str) -> usize {
    let line = line.trim_matches([' ', '\t', '>']);
    let inner = line.strip_prefix('|').unwrap_or(line);
    let inner = inner.strip_suffix('|').filter(|inner| !inner.ends_with('\\')).unwrap_or(inner);
    let (mut count, mut escaped) = (1, false);
    for byte in inner.bytes() {
        match byte {
            b'|' if !escaped => count += 1,
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
    }
    count
}

/// True when a line is written as a row of a table with bars around it: `| a | b |`.
pub fn is_framed_row(line: &str) -> bool {
    let line = line.trim_matches([' ', '\t', '>']);
    let inner = line.strip_prefix('|').and_then(|rest| rest.strip_suffix('|'));
    inner.is_some_and(|inner| {
        !inner.starts_with('|') && !inner.ends_with('|') && inner.chars().any(|c| !matches!(c, '|' | ' ' | '\t'))
    })
}
