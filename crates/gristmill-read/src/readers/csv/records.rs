//! The records of a table as text (RFC 4180, with any delimiter).

/// What a table holds.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Records {
    /// Rows without the blank ones.
    pub(super) rows: Vec<Vec<String>>,
    /// The line, from 1, of a quote that is never closed. It and all quotes after it are text.
    pub(super) unclosed: Option<u64>,
    /// The line of the first row with another number of values than the first row, and how many there are.
    pub(super) ragged: Option<(u64, usize)>,
}

/// Reads all records of `text`, whose lines end with LF.
pub(super) fn records(text: &str, delimiter: u8) -> Records {
    let mut scanner = Scanner { text, delimiter, at: 0, line: 1, unclosed: None };
    let mut found = Records::default();
    while scanner.at < text.len() {
        let line = scanner.line;
        let row = scanner.row();
        if row.iter().all(|value| value.trim().is_empty()) {
            continue;
        }
        if found.rows.first().is_some_and(|first| first.len() != row.len()) {
            let (first, count) = found.ragged.unwrap_or((line, 0));
            found.ragged = Some((first, count + 1));
        }
        found.rows.push(row);
    }
    found.unclosed = scanner.unclosed;
    found
}

struct Scanner<'t> {
    text: &'t str,
    delimiter: u8,
    at: usize,
    line: u64,
    unclosed: Option<u64>,
}

impl Scanner<'_> {
    /// The values up to the end of the record.
    fn row(&mut self) -> Vec<String> {
        let mut row = Vec::new();
        loop {
            row.push(self.value());
            match self.text.as_bytes().get(self.at) {
                Some(byte) if *byte == self.delimiter => self.at += 1,
                Some(_) => {
                    self.at += 1;
                    self.line += 1;
                    return row;
                }
                None => return row,
            }
        }
    }

    /// A value, up to the delimiter or line end after it.
    fn value(&mut self) -> String {
        let rest = &self.text[self.at..];
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        if self.unclosed.is_none() && rest[blanks..].starts_with('"') {
            match self.quoted(self.at + blanks + 1) {
                Some(value) => return value,
                None => self.unclosed = Some(self.line),
            }
        }
        let plain = self.plain_end();
        let value = self.text[self.at..plain].trim().to_owned();
        self.at = plain;
        value
    }

    fn plain_end(&self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        memchr::memchr2(self.delimiter, b'\n', rest).map_or(self.text.len(), |len| self.at + len)
    }

    /// The value whose text begins at `from`, within quotes. What follows the closing quote belongs to it.
    fn quoted(&mut self, from: usize) -> Option<String> {
        let mut value = String::new();
        let mut at = from;
        loop {
            let end = at + memchr::memchr(b'"', &self.text.as_bytes()[at..])?;
            value.push_str(&self.text[at..end]);
            at = end + 1;
            if self.text.as_bytes().get(at) != Some(&b'"') {
                break;
            }
            value.push('"');
            at += 1;
        }
        self.line += memchr::memchr_iter(b'\n', value.as_bytes()).count() as u64;
        self.at = at;
        let end = self.plain_end();
        value.push_str(self.text[at..end].trim_end());
        self.at = end;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_delimiters_lines_and_quotes() {
        let found = records("a, \"b,\n\"\"c\"\"\" ,d\n\n\"e\"f,g\"h\n", b',');
        assert_eq!(found.rows, [vec!["a", "b,\n\"c\"", "d"], vec!["ef", "g\"h"]]);
        assert_eq!(found.ragged, Some((4, 1)));
    }

    #[test]
    fn a_quote_that_is_never_closed_is_text() {
        let closed = records("a\tb\n\"c\td\n\"e\tf", b'\t');
        assert_eq!(closed.rows, [vec!["a", "b"], vec!["c\td\ne", "f"]]);
        let found = records("a,b\n\"c,d\ne,f", b',');
        assert_eq!(found.rows, [vec!["a", "b"], vec!["\"c", "d"], vec!["e", "f"]]);
        assert_eq!(found.unclosed, Some(2));
    }
}
