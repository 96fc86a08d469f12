//! Runs of blanks that filled a line on paper.

use gristmill_core::Span;

use super::{Kind, Noise, shown};
use crate::{LineKind, View};

/// Fewer blanks are a matter of style.
const LEAST: usize = 3;

/// The runs of blanks inside the running text of a piece. Where they set columns, as in a list of prices, they stay.
pub fn runs(view: &View<'_>, at: usize) -> Vec<Noise> {
    let text = &view.pieces[at].text;
    if memchr::memmem::find(text.as_bytes(), b"   ").is_none() && memchr::memchr(b'\t', text.as_bytes()).is_none() {
        return Vec::new();
    }
    let inside = shown(view, at);
    let lines: Vec<(Span, Vec<Span>)> = view.shapes[at]
        .lines
        .iter()
        .map(|line| {
            let own = line.span.start as usize >= inside.start && line.span.end as usize <= inside.end;
            (line.span, if own && line.kind == LineKind::Prose { gaps(text, line.span) } else { Vec::new() })
        })
        .collect();
    let mut found = Vec::new();
    for (index, (line, gaps)) in lines.iter().enumerate().filter(|(_, (_, gaps))| !gaps.is_empty()) {
        let near = [index.checked_sub(1), Some(index + 1)];
        let aligned = near
            .into_iter()
            .flatten()
            .filter_map(|near| lines.get(near))
            .any(|other| sets_columns(text, (*line, gaps), other));
        if !aligned && is_running(&text[line.range()]) {
            found.extend(gaps.iter().map(|gap| Noise { span: *gap, text: " ".to_owned(), kind: Kind::Padding }));
        }
    }
    found
}

/// Runs of blanks between the words of a line.
fn gaps(text: &str, line: Span) -> Vec<Span> {
    let words = text[line.range()].trim();
    let offset = line.start as usize + (words.as_ptr() as usize - text[line.range()].as_ptr() as usize);
    let mut gaps = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    for (at, c) in words.char_indices() {
        if matches!(c, ' ' | '\t' | '\u{a0}') {
            open = Some(open.map_or((at, 1), |(start, count)| (start, count + 1)));
        } else if let Some((start, count)) = open.take()
            && (count >= LEAST || words[start..at].contains('\t'))
            && !is_blank(&words[..start], c)
        {
            gaps.push(Span::new(offset + start, offset + at));
        }
    }
    gaps
}

/// True for a place to be filled in by hand: `(      )`, `____   ____`.
fn is_blank(before: &str, after: char) -> bool {
    before.ends_with(['(', '[', '_', '（']) || matches!(after, ')' | ']' | '_' | '）')
}

/// True when half of the gaps of a line end in the same columns as gaps of its neighbour.
fn sets_columns(text: &str, (line, gaps): (Span, &[Span]), (other, others): &(Span, Vec<Span>)) -> bool {
    let columns = |line: Span, gaps: &[Span]| -> Vec<usize> {
        let (mut column, mut at) = (0, line.start as usize);
        let mut columns = Vec::with_capacity(gaps.len());
        for gap in gaps {
            column += text[at..gap.end as usize].chars().count();
            at = gap.end as usize;
            columns.push(column);
        }
        columns
    };
    let (own, others) = (columns(line, gaps), columns(*other, others));
    let shared = own.iter().filter(|column| others.binary_search(column).is_ok()).count();
    shared * 2 >= own.len()
}

/// Several words, most of them in small letters or of scripts without capitals: no row of names and numbers.
fn is_running(line: &str) -> bool {
    let (mut words, mut plain, mut numbers) = (0, 0, 0);
    for word in line.split_whitespace() {
        let first = word.trim_start_matches(|c: char| !c.is_alphanumeric()).chars().next();
        words += 1;
        plain += usize::from(first.is_some_and(|c| c.is_alphabetic() && !c.is_uppercase()));
        numbers += usize::from(first.is_some_and(char::is_numeric));
    }
    words >= 4 && plain * 2 >= words && numbers * 3 <= words
}
