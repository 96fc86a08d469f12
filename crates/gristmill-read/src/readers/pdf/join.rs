//! Paragraphs and tables that go on over the end of a page.

use super::block::{Block, Kind};
use super::table::Table;
use super::words::{Words, is_hyphen};

/// Joins the blocks of the next page to those of the pages before.
pub(super) fn append(all: &mut Vec<Block>, next: Vec<Block>, words: &Words) {
    let mut next = next.into_iter().peekable();
    if let (Some(at), Some(first)) = (open_end(all), next.peek()) {
        let joins = match (&all[at].kind, &first.kind) {
            (Kind::Table(a), Kind::Table(b)) => same_columns(a, b),
            _ => goes_on(&all[at], first),
        };
        if joins && let Some(first) = next.next() {
            join(&mut all[at], &first, words);
        }
    }
    all.extend(next);
}

/// The block that the next page may go on with: the last one, or the one before notes in small type.
fn open_end(all: &[Block]) -> Option<usize> {
    let last = all.len().checked_sub(1)?;
    let page = all[last].page;
    let mut at = last;
    while at > 0 && last - at < 5 && all[at].is_text() && all[at].page == page {
        let before = &all[at - 1];
        if !before.is_text() || before.page != page || all[at].size >= before.size * 0.93 {
            break;
        }
        at -= 1;
        if !ends(&all[at].text) {
            return Some(at);
        }
    }
    Some(last)
}

fn ends(text: &str) -> bool {
    text.ends_with(['.', '!', '?', ':', '。', '！', '？', '：'])
}

fn same_columns(a: &Table, b: &Table) -> bool {
    a.columns() == b.columns() && (a.left - b.left).abs() < 12.0 && (a.right - b.right).abs() < 12.0
}

/// True when a paragraph is cut between the two.
fn goes_on(last: &Block, first: &Block) -> bool {
    let alike = (last.size - first.size).abs() < 0.6 && last.bold == first.bold;
    if !last.is_text() || !matches!(first.kind, Kind::Paragraph) || !alike || ends(&last.text) {
        return false;
    }
    let (Some(end), Some(begin)) = (last.text.chars().next_back(), first.text.chars().next()) else { return false };
    // A short line that no mark ends is a label of its own.
    let full = last.lines > 1 || last.end > last.reach - last.size * 6.0;
    let mid_sentence = begin.is_lowercase() || is_hyphen(end) || end == ',' || last.lines > 1 && !begin.is_uppercase();
    full && (mid_sentence || is_caseless(end) && is_caseless(begin))
}

/// True for letters of scripts without capitals.
fn is_caseless(c: char) -> bool {
    c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase()
}

fn join(last: &mut Block, first: &Block, words: &Words) {
    if let (Kind::Table(table), Kind::Table(more)) = (&mut last.kind, &first.kind) {
        let repeats = table.rows.first() == more.rows.first();
        table.turns.push((table.rows.len(), first.page));
        table.rows.extend(more.rows.iter().skip(usize::from(repeats)).cloned());
        return;
    }
    words.append(&mut last.text, &first.text);
    last.turns.push((last.text.len().saturating_sub(first.text.len()), first.page));
    last.lines += first.lines;
    (last.end, last.reach) = (first.end, first.reach);
}
