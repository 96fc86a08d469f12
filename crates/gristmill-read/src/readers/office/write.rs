//! Blocks of office documents as Markdown.

use super::flow::{Block, Label, Line, Look, Piece, is_blank, joined};
use crate::markup::{Inline, Mark, Markdown, Table};

/// Tables with fewer places than these are never too sparse.
const SPARSE_MIN: usize = 10_000;

/// The Markdown, and where each page begins in it.
pub(super) fn write(blocks: Vec<Block>) -> (String, Vec<(usize, u32)>) {
    let mut writer = Writer::default();
    blocks.into_iter().for_each(|block| writer.block(block));
    writer.end_before();
    (writer.out.finish(), writer.pages)
}

#[derive(Default)]
struct Writer {
    out: Markdown,
    pages: Vec<(usize, u32)>,
    lists: Vec<List>,
    code: Vec<String>,
    /// Notes that wait for the end of the list they are referred to in.
    notes: Vec<(String, Line)>,
}

/// A list that is open, with its last item.
struct List {
    depth: usize,
    /// The number that the next item must have to be in it.
    next: Option<u64>,
}

impl Writer {
    fn block(&mut self, block: Block) {
        match block {
            Block::Item { depth, label, line } => {
                self.end_code();
                self.item(depth, &label, &line);
            }
            Block::Note(label, line) => self.notes.push((label, line)),
            Block::Code(line) => {
                if self.code.is_empty() {
                    self.end_before();
                }
                self.code.push(line);
            }
            other => {
                self.end_before();
                self.alone(other);
            }
        }
    }

    /// Writes a block that is no part of a longer one.
    fn alone(&mut self, block: Block) {
        match block {
            Block::Heading(level, line) => self.heading(level.clamp(1, 6), line),
            Block::Paragraph(line) => self.paragraph(&line),
            Block::Table(rows) => self.table(&rows),
            Block::Quote(lines) => {
                self.out.open_quote();
                lines.iter().for_each(|line| self.out.paragraph(inline(line)));
                self.out.close();
            }
            Block::Page(page) => self.pages.push((self.out.len(), page)),
            Block::Item { .. } | Block::Note(..) | Block::Code(_) | Block::End => {}
        }
    }

    /// Pictures in a heading stand below it.
    fn heading(&mut self, level: u8, line: Line) {
        let (images, words): (Line, Line) = line.into_iter().partition(|piece| matches!(piece, Piece::Image(..)));
        if !is_blank(&words) {
            self.out.heading(level, one_line(&words));
        }
        if !images.is_empty() {
            self.out.paragraph(inline(&images));
        }
    }

    /// A formula in a line of its own is a block.
    fn paragraph(&mut self, line: &[Piece]) {
        for part in line.split_inclusive(|piece| matches!(piece, Piece::Display(_))) {
            let (words, formula) = match part {
                [words @ .., Piece::Display(formula)] => (words, formula.as_str()),
                words => (words, ""),
            };
            if !is_blank(words) {
                self.out.paragraph(inline(words));
            }
            self.out.math(formula);
        }
    }

    /// A table of which most cells are missing would be far larger than what it says: its rows become paragraphs.
    fn table(&mut self, rows: &[Vec<Line>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let given: usize = rows.iter().map(Vec::len).sum();
        if columns.saturating_mul(rows.len()) > SPARSE_MIN + 8 * given {
            let row = |row: &Vec<Line>| one_line(&joined(row.iter().cloned()));
            return rows.iter().for_each(|cells| self.out.paragraph(row(cells)));
        }
        let mut table = Table::default();
        rows.iter().for_each(|row| table.row(row.iter().map(|line| one_line(line))));
        self.out.table(&table);
    }

    fn item(&mut self, depth: usize, label: &Label, line: &[Piece]) {
        let number = if let Label::Number(number) = label { Some(*number) } else { None };
        self.close_lists(depth + 1);
        match self.lists.last() {
            Some(list) if list.depth == depth && list.next == number => self.out.close(),
            Some(_) => {
                self.close_lists(depth);
                self.out.open_list(number);
                self.lists.push(List { depth, next: number });
            }
            None => {
                self.out.open_list(number);
                self.lists.push(List { depth, next: number });
            }
        }
        if let Some(list) = self.lists.last_mut() {
            list.next = number.map(|number| number.saturating_add(1));
        }
        self.out.open_item();
        let mut text = Inline::default();
        if let Label::Other(label) = label {
            text.text(label);
            text.text(" ");
        }
        add(line, Inline::line_break, &mut text);
        self.out.paragraph(text);
    }

    /// Closes the lists of this depth and deeper ones.
    fn close_lists(&mut self, depth: usize) {
        while self.lists.last().is_some_and(|list| list.depth >= depth) {
            self.lists.pop();
            self.out.close();
            self.out.close();
        }
    }

    fn end_code(&mut self) {
        if !self.code.is_empty() {
            let code = std::mem::take(&mut self.code).join("\n");
            self.out.code("", &code);
        }
    }

    /// Ends what is open, and writes the notes that have waited for it.
    fn end_before(&mut self) {
        self.close_lists(0);
        self.end_code();
        for (label, line) in std::mem::take(&mut self.notes) {
            self.out.note(&label, one_line(&line));
        }
    }
}

/// A line with its marks.
fn inline(line: &[Piece]) -> Inline {
    let mut out = Inline::default();
    add(line, Inline::line_break, &mut out);
    out
}

/// The same where lines cannot be broken.
fn one_line(line: &[Piece]) -> Inline {
    let mut out = Inline::default();
    add(line, |out| out.text(" "), &mut out);
    out
}

fn add(line: &[Piece], break_line: fn(&mut Inline), out: &mut Inline) {
    let mut open = Open::default();
    for piece in line {
        match piece {
            Piece::Text(text, look) => {
                // Marks do not begin or end for blanks.
                if !text.trim().is_empty() {
                    open.change(look, out);
                }
                out.text(text);
            }
            Piece::Break => {
                open.change(&Look::default(), out);
                break_line(out);
            }
            other => {
                open.change(&Look::default(), out);
                match other {
                    Piece::Image(description, name) => out.image(description, name),
                    Piece::Note(label) => out.note(label),
                    Piece::Math(formula) | Piece::Display(formula) => out.math(formula),
                    Piece::Text(..) | Piece::Break => {}
                }
            }
        }
    }
    open.change(&Look::default(), out);
}

/// Marks that are open, outermost first; a link is around all of them.
#[derive(Default)]
struct Open {
    look: Look,
    marks: Vec<Mark>,
}

impl Open {
    fn change(&mut self, look: &Look, out: &mut Inline) {
        let wanted = |mark: &Mark| match mark {
            Mark::Strong => look.bold,
            Mark::Emphasis => look.italic,
            Mark::Strike => look.strike,
        };
        let other_link = self.look.link != look.link;
        while self.marks.iter().any(|mark| other_link || !wanted(mark)) {
            self.marks.pop();
            out.close();
        }
        if other_link {
            if self.look.link.is_some() {
                out.close();
            }
            if let Some(link) = &look.link {
                out.open_link(link);
            }
        }
        for mark in [Mark::Strong, Mark::Emphasis, Mark::Strike] {
            if wanted(&mark) && !self.marks.contains(&mark) {
                self.marks.push(mark);
                out.open(mark);
            }
        }
        self.look = look.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::office::flow::plain;

    fn item(depth: usize, label: Label, text: &str) -> Block {
        Block::Item { depth, label, line: plain(text) }
    }

    #[test]
    fn lists_nest_and_go_on_by_their_numbers() {
        let blocks = vec![
            item(0, Label::Number(1), "one"),
            item(1, Label::Bullet, "a"),
            item(1, Label::Other("(b)".into()), "b"),
            item(0, Label::Number(2), "two"),
            item(0, Label::Number(1), "again"),
            Block::Paragraph(plain("between")),
            item(2, Label::Bullet, "deep first"),
            item(0, Label::Bullet, "top"),
        ];
        let expected = "1. one\n   - a\n   - (b) b\n2. two\n\n1) again\n\nbetween\n\n- deep first\n\n* top\n";
        assert_eq!(write(blocks).0, expected);
    }

    #[test]
    fn notes_follow_the_list_and_pages_begin_after_it() {
        let mut line = plain("one");
        line.push(Piece::Note("1".into()));
        let blocks = vec![
            Block::Page(1),
            Block::Item { depth: 0, label: Label::Bullet, line },
            Block::Note("1".into(), plain("said below")),
            item(0, Label::Bullet, "two"),
            Block::Page(2),
            Block::Code("a".into()),
            Block::Code("  b".into()),
        ];
        let (text, pages) = write(blocks);
        assert_eq!(text, "- one[^1]\n- two\n\n[^1]: said below\n\n```\na\n  b\n```\n");
        assert_eq!(pages, [(0, 1), (text.find("\n\n```").unwrap_or(0), 2)]);
    }

    #[test]
    fn marks_end_with_their_line() {
        let bold = Look { bold: true, ..Look::default() };
        let line = vec![Piece::Text("one".into(), bold), Piece::Break, Piece::Text("- two".into(), Look::default())];
        let blocks = vec![Block::Paragraph(line.clone()), Block::Table(vec![vec![line]])];
        assert_eq!(write(blocks).0, "**one**  \n\\- two\n\n| **one** - two |\n| --- |\n");
        assert_eq!(
            write(vec![Block::Table(vec![vec![plain("# - a"), plain("- 5")]])]).0,
            "| # - a | - 5 |\n| --- | --- |\n"
        );
    }

    #[test]
    fn marks_and_links_change_where_looks_do() {
        let look = |bold, italic, link: Option<&str>| Look { bold, italic, strike: false, link: link.map(Into::into) };
        let text = |text: &str, look| Piece::Text(text.into(), look);
        let line = vec![
            text("see ", look(true, false, None)),
            text("this", look(true, true, Some("http://a.b/"))),
            text(" page", look(false, true, Some("http://a.b/"))),
            text(" now", Look::default()),
            Piece::Math("x^{2}".into()),
        ];
        let blocks = vec![Block::Paragraph(line)];
        assert_eq!(write(blocks).0, "**see** [**this** *page*](http://a.b/) now$x^{2}$\n");
    }
}
