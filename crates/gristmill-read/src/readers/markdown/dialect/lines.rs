//! Lines, and the quotes and lists that they stand in.

/// Columns of indentation that make code, or more of a paragraph, of a line.
pub(super) const CODE_INDENT: usize = 4;

/// A line of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) start: usize,
    /// Where its line end begins.
    pub(super) end: usize,
    /// Where the next line begins.
    pub(super) next: usize,
}

impl Line {
    /// The line that begins at `start`.
    pub(super) fn at(text: &str, start: usize) -> Self {
        let end = memchr::memchr(b'\n', &text.as_bytes()[start..]).map_or(text.len(), |at| start + at);
        Self { start, end, next: (end + 1).min(text.len()) }
    }
}

/// Columns of white space at `from`, and where it ends. A tab goes on to the next multiple of four.
pub(super) fn indent(text: &[u8], from: usize) -> (usize, usize) {
    let mut columns = 0;
    for (at, &byte) in text.iter().enumerate().skip(from) {
        let Some(next) = after_blank(columns, byte) else { return (columns, at) };
        columns = next;
    }
    (columns, text.len())
}

/// Number of bytes at the start of some white space that end at this column or before it.
pub(super) fn within(blanks: &[u8], columns: usize) -> usize {
    let mut column = 0;
    let ends = blanks.iter().take_while(|&&byte| {
        column = after_blank(column, byte).unwrap_or(usize::MAX);
        column <= columns
    });
    ends.count()
}

fn after_blank(column: usize, byte: u8) -> Option<usize> {
    match byte {
        b' ' => Some(column + 1),
        b'\t' => Some(column + 4 - column % 4),
        _ => None,
    }
}

/// What a block of several lines stands in: so many `>`, and a list item whose content begins at this column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub(super) quotes: usize,
    pub(super) column: usize,
}

/// The column and place of a line's content, if the line goes on in the same quotes and list item. The first `off`
/// columns do not count.
pub(super) fn inside(text: &[u8], line: Line, around: Around, off: usize) -> Option<(usize, usize)> {
    let text = &text[..line.end];
    let (columns, mut at) = indent(text, line.start);
    let mut column = columns.saturating_sub(off);
    for _ in 0..around.quotes {
        (column, at) = after_quote(text, at)?;
    }
    (at >= line.end || column >= around.column).then_some((column, at))
}

/// Goes past a `>` and the blank that belongs to it.
fn after_quote(text: &[u8], at: usize) -> Option<(usize, usize)> {
    if text.get(at) != Some(&b'>') {
        return None;
    }
    let from = at + 1 + usize::from(text.get(at + 1) == Some(&b' '));
    Some(indent(text, from))
}

/// Where a line's own content stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Number of `>` before it.
    pub(super) quotes: usize,
    /// Where it begins in the text.
    pub(super) content: usize,
    /// Columns before it in its quote.
    pub(super) column: usize,
    /// Columns before it in its innermost list item.
    pub(super) within: usize,
    /// True when a list marker stands on the line.
    pub(super) item: bool,
}

/// The list items that are open: number of quotes around each, and the column at which its content begins.
///
/// An approximation of what the parser does, good enough to tell code from text in documents that people write; where
/// it errs, a line of the dialect stays text.
#[derive(Debug, Default)]
pub(super) struct Items {
    open: Vec<(usize, usize)>,
}

impl Items {
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.open.truncate(len);
    }

    /// Column at which content of the innermost item in so many quotes begins.
    pub(super) fn column(&self, quotes: usize) -> usize {
        self.open.last().filter(|item| item.0 == quotes).map_or(0, |item| item.1)
    }

    /// Ends the items that a line is not in which stands at this column in so many quotes.
    pub(super) fn end_before(&mut self, quotes: usize, column: usize) {
        let mut keep = self.open.len();
        for (at, item) in self.open.iter().enumerate().rev() {
            if item.0 == quotes && item.1 > column {
                keep = at;
            } else if item.0 <= quotes {
                break;
            }
        }
        self.open.truncate(keep);
    }

    fn end_quotes(&mut self, quotes: usize) {
        while self.open.last().is_some_and(|item| item.0 > quotes) {
            self.open.pop();
        }
    }

    /// Follows the marks of a line that is not blank. `column` and `content`: where its first character is.
    /// `lazy`: a paragraph stands before it.
    pub(super) fn enter(&mut self, text: &[u8], end: usize, column: usize, content: usize, lazy: bool) -> Place {
        let mut place = Place { quotes: 0, content, column, within: 0, item: false };
        if lazy && text.get(content).is_some_and(|&byte| is_plain(byte)) {
            place.within = column.saturating_sub(self.column(0));
            return place;
        }
        let open = self.open.len();
        loop {
            self.end_before(place.quotes, place.column);
            place.within = place.column.saturating_sub(self.column(place.quotes));
            let interrupts = lazy && self.open.len() == open;
            if place.within >= CODE_INDENT || !self.step(text, end, interrupts, &mut place) {
                break;
            }
        }
        self.end_quotes(place.quotes);
        place
    }

    /// Goes past one `>` or list marker. One that `interrupts` a paragraph has words after it, and the number 1 if any.
    fn step(&mut self, text: &[u8], end: usize, interrupts: bool, place: &mut Place) -> bool {
        if let Some((column, content)) = after_quote(&text[..end], place.content) {
            *place = Place { quotes: place.quotes + 1, content, column, ..*place };
            return content < end;
        }
        let line = &text[place.content..end];
        let Some(width) = marker(line, place.item) else { return false };
        let (blanks, content) = indent(&text[..end], place.content + width);
        if interrupts && (content >= end || (line[0].is_ascii_digit() && &line[..width - 1] != b"1")) {
            return false;
        }
        let column =
            place.column + width + if (1..=CODE_INDENT).contains(&blanks) && content < end { blanks } else { 1 };
        self.open.push((place.quotes, column));
        let inside = place.column + width + blanks;
        *place = Place { content, column: inside, item: true, ..*place };
        content < end
    }
}

/// Characters that can begin nothing but a paragraph.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || !byte.is_ascii() || matches!(byte, b'(' | b'"' | b'\'' | b',' | b'.' | b';' | b'&')
}

/// Length of the list marker that the line begins with. A rule is looked for only `inside` no other item.
fn marker(line: &[u8], inside: bool) -> Option<usize> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let len = match (digits, line.get(digits)?) {
        (0, b'-' | b'+' | b'*') => 1,
        (1..=9, b'.' | b')') => digits + 1,
        _ => return None,
    };
    let bounded = line.get(len).is_none_or(|&byte| byte == b' ' || byte == b'\t');
    (bounded && (inside || !is_rule(line))).then_some(len)
}

/// `* * *`, `---`
fn is_rule(line: &[u8]) -> bool {
    let Some(&mark) = line.first() else { return false };
    let marks = line.iter().filter(|&&byte| byte == mark).count();
    matches!(mark, b'-' | b'*') && marks >= 3 && line.iter().all(|&byte| byte == mark || byte == b' ' || byte == b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quotes, text and columns within the item, for each line.
    fn places(text: &str) -> Vec<(usize, &str, usize)> {
        let mut items = Items::default();
        text.lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| {
                let (column, content) = indent(line.as_bytes(), 0);
                let place = items.enter(line.as_bytes(), line.len(), column, content, false);
                (place.quotes, &line[place.content..], place.within)
            })
            .collect()
    }

    #[test]
    fn items_hold_what_is_indented_for_them() {
        let found = places("- a\n  b\n      c\n1.  d\n    e\n   f\n- - g\n    h\n");
        let expected =
            [(0, "a", 0), (0, "b", 0), (0, "c", 4), (0, "d", 0), (0, "e", 0), (0, "f", 3), (0, "g", 0), (0, "h", 0)];
        assert_eq!(found, expected);
    }

    #[test]
    fn quotes_nest_with_items() {
        let found = places("> a\n> - b\n>   c\n> > d\n- e\n  > f\n  g\n* * *\n");
        let expected = [
            (1, "a", 0),
            (1, "b", 0),
            (1, "c", 0),
            (2, "d", 0),
            (0, "e", 0),
            (1, "f", 0),
            (0, "g", 0),
            (0, "* * *", 0),
        ];
        assert_eq!(found, expected);
    }
}
