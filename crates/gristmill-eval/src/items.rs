//! What people look for in a document: headings, list items, table cells, numbers with units, dates, addresses, names.
//!
//! A reader who gets half of one of these gets it wrong, so each has to be whole in some chunk.

use std::sync::LazyLock;

use gristmill_core::{Block, BlockKind, Document, Span};
use regex::Regex;
use serde::Serialize;

/// A kind of key item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ItemKind {
    /// A heading.
    Heading,
    /// A list item without the lists in it.
    ListItem,
    /// A cell of a table.
    TableCell,
    /// An address of a page or a mailbox.
    Url,
    /// A day, month or time of day with its numbers.
    Date,
    /// A number with its unit.
    Quantity,
    /// A name of something in a program, or a part number.
    Identifier,
}

impl ItemKind {
    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Heading => "heading",
            Self::ListItem => "list-item",
            Self::TableCell => "table-cell",
            Self::Url => "url",
            Self::Date => "date",
            Self::Quantity => "quantity",
            Self::Identifier => "identifier",
        }
    }
}

/// A key item: a range of `Document.text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyItem {
    /// Where it is.
    pub span: Span,
    /// What it is.
    pub kind: ItemKind,
}

/// The key items of a document, in order.
pub fn items(document: &Document) -> Vec<KeyItem> {
    let mut out = Vec::new();
    for (index, block) in document.blocks.iter().enumerate() {
        let text = &document.text;
        match block.kind {
            BlockKind::Heading { .. } => take(&mut out, text, block.span, ItemKind::Heading),
            BlockKind::Item => {
                take(&mut out, text, own_span(&document.blocks, index), ItemKind::ListItem);
            }
            BlockKind::Row => cells(text, block.span, &mut out),
            BlockKind::Table { header } => {
                let first = text[header.range()].lines().next().unwrap_or_default();
                cells(text, Span::new(header.start as usize, header.start as usize + first.len()), &mut out);
            }
            _ => {}
        }
    }
    patterns(&document.text, &mut out);
    out.sort_unstable();
    out.dedup();
    out
}

fn take(out: &mut Vec<KeyItem>, text: &str, span: Span, kind: ItemKind) {
    let span = span.trimmed(text);
    if text[span.range()].chars().any(char::is_alphanumeric) {
        out.push(KeyItem { span, kind });
    }
}

/// A container's own text: up to the first list in it.
pub(crate) fn own_span(blocks: &[Block], index: usize) -> Span {
    let item = blocks[index];
    let inside = blocks[index + 1..].iter().take_while(|block| block.depth > item.depth);
    let mut lists =
        inside.filter(|block| matches!(block.kind, BlockKind::List { .. }) && block.span.start > item.span.start);
    lists.next().map_or(item.span, |list| Span { end: list.span.start.min(item.span.end), ..item.span })
}

/// The cells of a row of a pipe table; of another kind of table, the row.
fn cells(text: &str, row: Span, out: &mut Vec<KeyItem>) {
    let line = &text[row.range()];
    let start = row.start as usize;
    if !line.contains('|') {
        return take(out, text, row, ItemKind::TableCell);
    }
    let mut from = 0;
    let escaped = |at: usize| line[..at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
    let ends = line.match_indices('|').map(|(at, _)| at).filter(|at| !escaped(*at)).chain([line.len()]);
    for end in ends {
        take(out, text, Span::new(start + from, start + end), ItemKind::TableCell);
        from = (end + 1).min(line.len());
    }
}

/// Patterns of running text, the surest first: what one has taken is no other's.
static PATTERNS: LazyLock<Vec<(ItemKind, Regex)>> = LazyLock::new(|| {
    [(ItemKind::Url, URL), (ItemKind::Date, DATE), (ItemKind::Quantity, QUANTITY), (ItemKind::Identifier, IDENTIFIER)]
        .into_iter()
        .filter_map(|(kind, pattern)| Some((kind, Regex::new(pattern).ok()?)))
        .collect()
});

const URL: &str = r"(?:https?|ftp)://[^\s<>()\[\]{}\x22'`、。，）」]*[\w/]|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+";

const DATE: &str = concat!(
    r"\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z?)?\b",
    r"|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b",
    r"|\b(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December)",
    r" \d{1,2}(?:, \d{4})?\b",
    r"|\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{4})?\b",
    r"|\d{2,4}\s?[年년]\s?(?:\d{1,2}\s?[月월]\s?(?:\d{1,2}\s?[日일])?)?|\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]",
    r"|\b\d{1,2}:\d{2}(?::\d{2})?\b",
);

const QUANTITY: &str = concat!(
    r"[$€£¥₩]\s?\d+(?:[.,]\d+)*(?:\s?(?:thousand|million|billion|trillion))?",
    r"|\d+(?:[.,]\d+)*\s?(?:%|‰|°[CF]?|℃|Ω)",
    r"|\b\d+(?:[.,]\d+)*[\s\u{a0}]?(?:[kKMGT]i?B|[kKMG]?bit|[mkµ]?[gmsVAW]|cm|mm|km|kg|mg|ml|l|[kMG]?Hz|[kM]?Pa|k?Wh",
    r"|min|hours?|minutes?|seconds?|days?|weeks?|months?|years?|percent|dollars|euros|tokens|bytes|metres|meters|miles|feet",
    r"|inches|pounds|tons|people|thousand|million|billion|trillion)\b",
    r"|\d+(?:[.,]\d+)*\s?(?:[万萬億亿만억]?(?:人|元|円|원|명|개|개월|公里|千米|米|公斤|平方公里|种|個|个|座|歳|岁|도))",
);

const IDENTIFIER: &str = concat!(
    r"\b[A-Za-z]\w*_\w+\b",
    r"|\b[a-z]+[a-z0-9]*[A-Z]\w*\b",
    r"|\b[A-Z]{1,5}-?\d{2,}[A-Z0-9]*(?:-[A-Z0-9]+)*\b",
    r"|\bv?\d+\.\d+\.\d+(?:-[\w.]+)?\b",
    r"|--[a-z][a-z0-9-]+\b",
);

fn patterns(text: &str, out: &mut Vec<KeyItem>) {
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for (kind, pattern) in PATTERNS.iter() {
        let known = taken.len();
        taken.sort_unstable();
        for found in pattern.find_iter(text) {
            let (start, end) = (found.start(), found.end());
            let before = taken[..known].partition_point(|(from, _)| *from < end);
            if before > 0 && taken[before - 1].1 > start {
                continue;
            }
            taken.push((start, end));
            out.push(KeyItem { span: Span::new(start, end).trimmed(text), kind: *kind });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::tests::{block, source};

    fn found(text: &str, blocks: Vec<Block>) -> Vec<(&'static str, String)> {
        let source = source(text, blocks, Vec::new());
        let named = |item: &KeyItem| (item.kind.name(), text[item.span.range()].to_owned());
        items(&source.document).iter().map(named).collect()
    }

    fn in_prose(text: &str) -> Vec<(&'static str, String)> {
        found(text, Vec::new())
    }

    #[test]
    fn numbers_keep_their_units() {
        for (text, item) in [
            ("It weighs 12.5 kg in all.", "12.5 kg"),
            ("Up to 60 °C.", "60 °C"),
            ("About 95% of all.", "95%"),
            ("It cost $3.2 billion then.", "$3.2 billion"),
            ("面积为1,234平方公里。", "1,234平方公里"),
            ("총 300명이 왔다.", "300명"),
            ("within 30 days", "30 days"),
        ] {
            assert_eq!(in_prose(text), [("quantity", item.to_owned())], "{text}");
        }
        assert!(in_prose("There were 12 of them.").is_empty());
    }

    #[test]
    fn dates_addresses_and_names_are_found() {
        for (text, kind, item) in [
            ("on 2024-03-01 it", "date", "2024-03-01"),
            ("on March 3, 2024, it", "date", "March 3, 2024"),
            ("on 3 March 2024 it", "date", "3 March 2024"),
            ("于1998年5月3日成立", "date", "1998年5月3日"),
            ("2010년 4월 2일에", "date", "2010년 4월 2일"),
            ("see https://a.example/b?c=1.", "url", "https://a.example/b?c=1"),
            ("mail it@a.example now", "url", "it@a.example"),
            ("call read_file first", "identifier", "read_file"),
            ("call readFile first", "identifier", "readFile"),
            ("order PX-1200 today", "identifier", "PX-1200"),
            ("use --max-size here", "identifier", "--max-size"),
            ("since 1.4.2-rc.1 only", "identifier", "1.4.2-rc.1"),
        ] {
            assert_eq!(in_prose(text), [(kind, item.to_owned())], "{text}");
        }
    }

    #[test]
    fn cells_are_divided_at_pipes_that_are_not_escaped() {
        let text = "| A | b \\| c |  |\n";
        let row = block(text, "| A | b \\| c |  |", BlockKind::Row, 1);
        let cell = |text: &str| ("table-cell", text.to_owned());
        assert_eq!(found(text, vec![row]), [cell("A"), cell("b \\| c")]);
    }

    #[test]
    fn a_list_item_ends_where_a_list_in_it_begins() {
        let text = "- one\n  - two\n";
        let blocks = vec![
            block(text, "- one\n  - two", BlockKind::List { ordered: false }, 0),
            block(text, "- one\n  - two", BlockKind::Item, 1),
            block(text, "one", BlockKind::Paragraph, 2),
            block(text, "- two", BlockKind::List { ordered: false }, 2),
            block(text, "- two", BlockKind::Item, 3),
            block(text, "two", BlockKind::Paragraph, 4),
        ];
        let item = |text: &str| ("list-item", text.to_owned());
        assert_eq!(found(text, blocks), [item("- one"), item("- two")]);
    }
}
