//! Reads the lines of a piece.

use gristmill_core::Span;
use memchr::{memchr, memchr_iter, memchr2};

use super::fence::Fence;
use super::line::{Line, LineKind, is_item};
use super::table::{Table, cells, delimiter_columns, is_framed_row};
use super::{Heading, Inside, Shape};

/// Reads `text`, which begins inside `starts`. `first` says that it is the start of its document, where front matter may
/// stand.
pub fn read(text: &str, starts: Inside, first: bool) -> Shape {
    let spans = spans(text);
    let mut shape = Shape { lines: Vec::with_capacity(spans.len()), starts: starts.clone(), ..Shape::default() };
    let mut reader = Reader {
        text,
        spans: &spans,
        has_bars: memchr(b'|', text.as_bytes()).is_some(),
        has_fences: memchr2(b'`', b'~', text.as_bytes()).is_some(),
        carried: starts.fence.is_some(),
        inside: starts,
        opened: None,
        begun: false,
        in_list: false,
    };
    let mut index = if first { reader.front_matter(&mut shape) } else { 0 };
    while index < spans.len() {
        reader.line(index, &mut shape);
        index += 1;
    }
    shape.left_open = reader.opened.filter(|_| reader.inside.fence.is_some());
    shape.ends = reader.inside;
    shape
}

/// The lines of a text, without their ends.
fn spans(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut spans = Vec::with_capacity(memchr_iter(b'\n', bytes).count() + 1);
    let mut at = 0;
    let mut line = |next: usize| {
        let ends = bytes[at..next].iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        spans.push(Span::new(at, next - ends));
        at = next;
    };
    memchr_iter(b'\n', bytes).for_each(|end| line(end + 1));
    if !bytes.is_empty() && bytes.last() != Some(&b'\n') {
        line(bytes.len());
    }
    spans
}

struct Reader<'t> {
    text: &'t str,
    spans: &'t [Span],
    /// The text has a `|` somewhere: without one no line begins a table.
    has_bars: bool,
    /// The text has a mark of fences somewhere.
    has_fences: bool,
    inside: Inside,
    /// The line of this piece that opened the fence that is open.
    opened: Option<usize>,
    /// The open fence was opened in an earlier piece.
    carried: bool,
    /// A line that is not blank has been read.
    begun: bool,
    /// Nothing but text, code and blank lines stands between the last list item and here.
    in_list: bool,
}

impl Reader<'_> {
    fn words(&self, index: usize) -> &str {
        self.spans.get(index).map_or("", |span| &self.text[span.range()])
    }

    /// Takes front matter for what it is; gives the line after it.
    fn front_matter(&self, shape: &mut Shape) -> usize {
        let mark = self.words(0).trim_end().trim_start_matches('\u{feff}');
        if mark != "---" && mark != "+++" {
            return 0;
        }
        let limit = self.spans.len().min(400);
        let Some(end) = (1..limit).find(|index| self.words(*index).trim_end() == mark) else { return 0 };
        let declares = (1..end).any(|index| self.words(index).contains([':', '=']));
        if !declares {
            return 0;
        }
        shape.lines.extend(self.spans[..=end].iter().map(|span| Line { span: *span, kind: LineKind::Front }));
        end + 1
    }

    fn line(&mut self, index: usize, shape: &mut Shape) {
        let kind = self.kind(index, shape);
        self.begun |= kind != LineKind::Blank;
        self.in_list = match kind {
            LineKind::Item => true,
            LineKind::Prose | LineKind::Blank | LineKind::Open | LineKind::Code | LineKind::Close => self.in_list,
            _ => false,
        };
        shape.lines.push(Line { span: self.spans[index], kind });
    }

    fn kind(&mut self, index: usize, shape: &mut Shape) -> LineKind {
        let text = self.text;
        let line = &text[self.spans[index].range()];
        if let Some(fence) = &self.inside.fence {
            if !fence.is_closed_by(line) {
                return LineKind::Code;
            }
            if self.carried {
                shape.closes_first = Some(index);
            }
            (self.inside.fence, self.opened, self.carried) = (None, None, false);
            return LineKind::Close;
        }
        if line.trim().is_empty() {
            // The blanks in front of a piece that was cut between two rows say nothing.
            if self.begun {
                self.inside.table = None;
            }
            return LineKind::Blank;
        }
        if self.has_fences
            && let Some(mut fence) = Fence::opened_by(line)
        {
            fence.stripped = !self.begun && fence.prefix.is_empty();
            self.inside = Inside { fence: Some(fence), table: None };
            self.opened = Some(index);
            return LineKind::Open;
        }
        if self.has_bars || self.inside.table.is_some() {
            if let Some(kind) = self.table_line(index, line, shape) {
                return kind;
            }
            self.inside.table = None;
        }
        self.plain(index, line, shape)
    }

    fn table_line(&mut self, index: usize, line: &str, shape: &Shape) -> Option<LineKind> {
        if let Some(table) = &self.inside.table {
            if shape.lines.last().is_some_and(|last| last.kind == LineKind::TableHeader) {
                return Some(LineKind::TableDelimiter);
            }
            if !self.begun
                && let Some(table) = Table::begun_by(line, self.words(index + 1))
            {
                // The blank line between two tables was lost at the border.
                self.inside.table = Some(table);
                return Some(LineKind::TableHeader);
            }
            let loose = cells(line) <= table.columns.max(2) && cells(line) > 1 && !reads_on(line, shape);
            if line.contains('|') && (is_framed_row(line) || loose) {
                // The splitter or a repair put the header in again.
                let repeats = line.trim() == table.header.trim() && delimiter_columns(self.words(index + 1)).is_some();
                return Some(if repeats { LineKind::TableHeader } else { LineKind::Row });
            }
        }
        if line.contains('|') && delimiter_columns(line).is_none() {
            if let Some(table) = Table::begun_by(line, self.words(index + 1)) {
                self.inside.table = Some(table);
                return Some(LineKind::TableHeader);
            }
            let follows =
                shape.lines.last().is_none_or(|last| matches!(last.kind, LineKind::Blank | LineKind::OrphanRow));
            if is_framed_row(line) && cells(line) > 1 && follows {
                return Some(LineKind::OrphanRow);
            }
        }
        None
    }

    fn plain(&self, index: usize, line: &str, shape: &mut Shape) -> LineKind {
        let bare = line.trim_start_matches([' ', '\t', '>']);
        if let Some((level, title)) = atx(bare) {
            shape.headings.push(Heading { line: index, level, title: title.to_owned() });
            return LineKind::Heading(level);
        }
        let after_text =
            shape.lines.last().is_some_and(|last| matches!(last.kind, LineKind::Prose | LineKind::Heading(_)));
        if after_text && let Some(level) = underline(bare) {
            return self.underlined(index, bare, level, shape);
        }
        if is_break(bare) {
            return LineKind::Break;
        }
        let before = shape.lines.last().map(|last| last.kind);
        let indented = line.starts_with("    ") || line.starts_with('\t');
        if indented && matches!(before, None | Some(LineKind::Blank)) && !self.in_list && self.begun
            || indented && before == Some(LineKind::Code)
        {
            return LineKind::Code;
        }
        if is_item(bare, before) {
            return LineKind::Item;
        }
        let html = begins_html(bare) || before == Some(LineKind::Html) && !bare.is_empty() && bare.starts_with('<');
        if html { LineKind::Html } else { LineKind::Prose }
    }

    /// A line of `=` or `-` below text: the text is a heading.
    fn underlined(&self, index: usize, bare: &str, level: u8, shape: &mut Shape) -> LineKind {
        let single = shape.lines.len() < 2
            || !matches!(shape.lines[shape.lines.len() - 2].kind, LineKind::Prose | LineKind::Item);
        let title = self.words(index - 1).trim();
        let is_title = single && title.chars().count() <= 200 && bare.trim_end().len() >= 2;
        match shape.lines.last_mut() {
            Some(last) if is_title && last.kind == LineKind::Prose => {
                last.kind = LineKind::Heading(level);
                shape.headings.push(Heading { line: index - 1, level, title: title.to_owned() });
                LineKind::Underline
            }
            _ => LineKind::Break,
        }
    }
}

/// A first line that ends as a sentence of several words does: running text with a bar in it, and no row.
fn reads_on(line: &str, shape: &Shape) -> bool {
    let first = shape.lines.iter().all(|line| line.kind == LineKind::Blank);
    first && line.trim_end().ends_with(['.', '!', '?', '。']) && line.split_whitespace().count() > 6
}

/// `## Title ##`: its level and its words.
pub fn atx(line: &str) -> Option<(u8, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    if !(1..=6).contains(&level) {
        return None;
    }
    let rest = &line[level..];
    if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    let title = rest.trim();
    let bare = title.trim_end_matches('#');
    let title = if bare.is_empty() || bare.ends_with([' ', '\t']) { bare.trim() } else { title };
    let title = without_anchor(title);
    (!title.is_empty()).then(|| (u8::try_from(level).unwrap_or(6), title))
}

/// A title without the name of its place: `{#install}`, `{ #install }`, `{/*install*/}`.
fn without_anchor(title: &str) -> &str {
    let Some(open) = title.rfind('{').filter(|_| title.ends_with('}')) else { return title };
    let name = title[open + 1..].trim_start();
    if name.starts_with('#') || name.starts_with("/*") { title[..open].trim_end() } else { title }
}

/// The level of the heading that a line of `=` or `-` below text makes.
pub fn underline(line: &str) -> Option<u8> {
    let line = line.trim_end();
    if !line.is_empty() && line.bytes().all(|byte| byte == b'=') {
        return Some(1);
    }
    (!line.is_empty() && line.bytes().all(|byte| byte == b'-')).then_some(2)
}

/// `---`, `***`, `___`.
pub fn is_break(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !c.is_whitespace());
    let Some(first) = marks.next().filter(|c| matches!(c, '-' | '*' | '_' | '=')) else { return false };
    let mut count = 1;
    marks.all(|c| {
        count += 1;
        c == first
    }) && count >= 3
}

fn begins_html(line: &str) -> bool {
    let tag = line.strip_prefix('<').and_then(|rest| rest.chars().next());
    let is_link = line.starts_with("<http") || line.starts_with("<mailto");
    tag.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) && !is_link
        || line.starts_with(":::")
        || line.starts_with("{{")
        || line.starts_with("{%")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<LineKind> {
        read(text, Inside::default(), true).lines.iter().map(|line| line.kind).collect()
    }

    #[test]
    fn lines_are_told_apart() {
        use LineKind as K;
        assert_eq!(
            kinds("---\ntitle: x\n---\n# One\n\nTwo\n---\n\ntext\nmore\n\n- a\n  b\n\n```rs\nx | y\n```\n***\n<div>\n"),
            [
                K::Front,
                K::Front,
                K::Front,
                K::Heading(1),
                K::Blank,
                K::Heading(2),
                K::Underline,
                K::Blank,
                K::Prose,
                K::Prose,
                K::Blank,
                K::Item,
                K::Prose,
                K::Blank,
                K::Open,
                K::Code,
                K::Close,
                K::Break,
                K::Html,
            ]
        );
    }

    #[test]
    fn titles_lose_the_names_of_their_places() {
        let title = |line: &str| atx(line).map(|(_, title)| title.to_owned());
        for line in ["# Install {#install}", "# Install { #install }", "# Install {/*install*/}", "# Install #"] {
            assert_eq!(title(line).as_deref(), Some("Install"));
        }
        assert_eq!(title("# The {name} of it").as_deref(), Some("The {name} of it"));
        assert_eq!(title("# Sets {a, b}").as_deref(), Some("Sets {a, b}"));
        assert_eq!(title("# C#").as_deref(), Some("C#"));
    }

    #[test]
    fn tables_need_a_delimiter_with_as_many_cells() {
        use LineKind as K;
        assert_eq!(
            kinds("| a | b |\n|---|---|\n| 1 | 2 |\nend"),
            [K::TableHeader, K::TableDelimiter, K::Row, K::Prose]
        );
        assert_eq!(kinds("a | b\n-|-\n1 | 2"), [K::TableHeader, K::TableDelimiter, K::Row]);
        assert_eq!(kinds("| 1 | 2 |\n| 3 | 4 |"), [K::OrphanRow, K::OrphanRow]);
        assert_eq!(kinds("x || y\na | b in prose"), [K::Prose, K::Prose]);
    }

    #[test]
    fn what_was_open_before_goes_on() {
        let open = read("```sh\ncd x", Inside::default(), true);
        assert_eq!(open.left_open, Some(0));
        let rest = read("make\n```\nDone.", open.ends, false);
        let kinds: Vec<LineKind> = rest.lines.iter().map(|line| line.kind).collect();
        assert_eq!(kinds, [LineKind::Code, LineKind::Close, LineKind::Prose]);
        assert_eq!((rest.closes_first, rest.left_open), (Some(1), None));

        let table = read("| a | b |\n|---|---|\n| 1 | 2 |", Inside::default(), true);
        let rest = read("3 | 4\n\n5 | 6", table.ends.clone(), false);
        let kinds: Vec<LineKind> = rest.lines.iter().map(|line| line.kind).collect();
        assert_eq!(kinds, [LineKind::Row, LineKind::Blank, LineKind::Prose]);

        let rest = read("| c | d |\n|---|---|\n| 1 | 2 |", table.ends, false);
        assert_eq!(rest.lines[0].kind, LineKind::TableHeader);
        assert_eq!(rest.ends.table.map(|table| table.header), Some("| c | d |".to_owned()));
    }
}
