//! From blocks to Markdown.

use super::block::{Block, Kind};
use super::table::Table;

/// The Markdown of the blocks, and where pages begin in it.
pub(super) fn markdown(blocks: &[Block]) -> (String, Vec<(usize, u32)>) {
    let mut out = Writer { text: String::new(), pages: Vec::new(), items: Vec::new() };
    blocks.iter().for_each(|block| out.block(block));
    if !out.text.is_empty() {
        out.text.push('\n');
    }
    (out.text, out.pages)
}

/// A list item that is open.
struct Open {
    left: f32,
    /// Blanks before its mark.
    indent: usize,
    /// Width of the mark and its blank.
    width: usize,
    ordered: bool,
    number: Option<u32>,
}

struct Writer {
    text: String,
    pages: Vec<(usize, u32)>,
    /// Outermost first.
    items: Vec<Open>,
}

impl Writer {
    fn block(&mut self, block: &Block) {
        if let Kind::Item { mark, left } = &block.kind {
            self.item(block, mark, *left);
            return;
        }
        self.items.clear();
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.page(block.page);
        match &block.kind {
            Kind::Heading(level) => {
                self.text.push_str(&"#".repeat(usize::from(*level)));
                self.text.push(' ');
                let title = escaped(&block.text);
                let hashes = title.len() - title.trim_end_matches('#').len();
                self.text.push_str(&title[..title.len() - hashes]);
                self.text.push_str(&"\\#".repeat(hashes));
            }
            Kind::Paragraph | Kind::Item { .. } => self.turned(block),
            Kind::Code => self.code(&block.text),
            Kind::Table(table) => self.table(table),
        }
    }

    fn page(&mut self, page: u32) {
        if self.pages.last().is_none_or(|(_, last)| *last != page) {
            self.pages.push((self.text.len(), page));
        }
    }

    /// The text of a block, noting the pages that begin inside it.
    fn turned(&mut self, block: &Block) {
        let mut from = 0;
        for (at, page) in block.turns.iter().copied().chain([(block.text.len(), 0)]) {
            let part = escaped(block.text.get(from..at).unwrap_or_default());
            self.text.push_str(&if from == 0 { guarded(part) } else { part });
            if page > 0 {
                self.page(page);
            }
            from = at;
        }
    }

    fn item(&mut self, block: &Block, mark: &str, left: f32) {
        let (width, ordered) = (mark.len() + 1, mark != "-");
        while self.items.last().is_some_and(|open| left < open.left - 4.0) && self.items.len() > 1 {
            self.items.pop();
        }
        let number: Option<u32> = mark.trim_end_matches('.').parse().ok();
        let counts =
            |open: &Open| number.is_some_and(|number| open.number.and_then(|n| n.checked_add(1)) == Some(number));
        let inside =
            self.items.last().is_some_and(|open| left > open.left + 6.0 && left < open.left + 80.0 && !counts(open));
        let sibling = self.items.last().filter(|_| !inside).map(|open| (open.indent, open.ordered));
        let indent = match (&sibling, self.items.last()) {
            (Some((indent, _)), _) => *indent,
            (None, Some(open)) => open.indent + open.width,
            (None, None) => 0,
        };
        if !self.text.is_empty() {
            // Items follow one another without a blank line, lists of two kinds with one.
            let tight = inside || sibling.is_some_and(|(_, kind)| kind == ordered);
            self.text.push_str(if tight { "\n" } else { "\n\n" });
        }
        self.page(block.page);
        if !inside {
            self.items.pop();
        }
        self.items.push(Open { left, indent, width, ordered, number });
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.text.push_str(mark);
        self.text.push(' ');
        self.turned(block);
    }

    fn code(&mut self, text: &str) {
        let ticks = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat((ticks + 1).max(3));
        for part in [&fence, "\n", text, "\n", &fence] {
            self.text.push_str(part);
        }
    }

    fn table(&mut self, table: &Table) {
        for (index, row) in table.rows.iter().enumerate() {
            if let Some((_, page)) = table.turns.iter().find(|(row, _)| *row == index) {
                self.page(*page);
            }
            self.text.push_str(if index == 0 { "|" } else { "\n|" });
            for cell in row {
                self.text.push_str(&format!(" {} |", escaped(cell).replace('|', "\\|")));
            }
            if index == 0 {
                self.text.push_str("\n|");
                self.text.push_str(&" --- |".repeat(row.len()));
            }
        }
    }
}

/// Escapes what would be markup inside a line.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let marks = match c {
            '`' | '*' | '[' | ']' => true,
            '\\' => next.is_ascii_punctuation(),
            '_' => !(before.is_alphanumeric() && next.is_alphanumeric()),
            '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
            '&' => next.is_ascii_alphabetic() || next == '#',
            '~' => next == '~' || before == '~',
            '$' => !next.is_ascii_digit(),
            _ => false,
        };
        if marks {
            out.push('\\');
        }
        // A soft hyphen inside a line is no letter.
        if c != '\u{ad}' {
            out.push(c);
        }
        before = c;
    }
    out
}

/// Escapes what would open a block at the start of a paragraph.
fn guarded(mut text: String) -> String {
    let figures = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut rest = text.get(figures..).unwrap_or_default().chars();
    let (mark, after) = (rest.next().unwrap_or(' '), rest.next().unwrap_or(' '));
    let opens = match mark {
        '.' | ')' => (1..=9).contains(&figures) && after == ' ',
        _ if figures > 0 => false,
        '#' | '>' | '=' | '|' => true,
        '-' | '+' => after == ' ' || text.bytes().all(|b| matches!(b, b'-' | b' ')),
        '~' => text.starts_with("~~~"),
        ':' => after == ' ' || after == ':',
        _ => false,
    };
    if opens {
        text.insert(figures, '\\');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(mark: &str, left: f32, text: &str) -> Block {
        Block::new(Kind::Item { mark: mark.into(), left }, text.into(), 1)
    }

    #[test]
    fn what_looks_like_markup_is_escaped() {
        assert_eq!(escaped("a*b [c] d_e _f &amp; x<y <b>"), "a\\*b \\[c\\] d_e \\_f \\&amp; x\\<y \\<b>");
        for (given, written) in
            [("1. a", "1\\. a"), ("# a", "\\# a"), ("- a", "\\- a"), ("1.5 m", "1.5 m"), ("-5", "-5")]
        {
            assert_eq!(guarded(given.to_owned()), written);
        }
    }

    #[test]
    fn items_nest_by_their_place() {
        let blocks = [item("-", 50.0, "a"), item("-", 70.0, "b"), item("-", 50.0, "c"), item("1.", 50.0, "d")];
        assert_eq!(markdown(&blocks).0, "- a\n  - b\n- c\n\n1. d\n");
    }

    #[test]
    fn pages_begin_where_their_text_does() {
        let mut block = Block::new(Kind::Paragraph, "one two".into(), 3);
        block.turns.push((4, 4));
        assert_eq!(markdown(&[block]), ("one two\n".to_owned(), vec![(0, 3), (4, 4)]));
    }

    #[test]
    fn tables_and_listings() {
        let rows = vec![vec!["a|b".to_owned(), String::new()], vec!["1".to_owned(), "2".to_owned()]];
        let table = Table::new(0.0, 0.0, 0.0, rows);
        let blocks = [
            Block::new(Kind::Table(table), String::new(), 1),
            Block::new(Kind::Code, "x ```y".into(), 1),
            Block::new(Kind::Heading(2), "C#".into(), 1),
        ];
        let expected = "| a\\|b |  |\n| --- | --- |\n| 1 | 2 |\n\n````\nx ```y\n````\n\n## C\\#\n";
        assert_eq!(markdown(&blocks).0, expected);
    }
}
