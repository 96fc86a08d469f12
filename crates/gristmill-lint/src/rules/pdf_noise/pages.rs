//! Numbers of pages and running heads that stand as lines in the text.

use std::collections::BTreeMap;

use gristmill_core::Span;
use rustc_hash::FxHashMap;

use super::{RULE, shown};
use crate::{Change, Finding, Fold, LineKind, Repair, Safety, View};

/// So many times a line stands at the edge of a page to be its running head, and so many numbers in order are page numbers.
const LEAST: usize = 3;
/// Longer lines are text.
const LONGEST: usize = 120;

/// A line that may be the page's.
struct Candidate {
    piece: usize,
    span: Span,
    /// A form feed stands beside it.
    at_feed: bool,
    mark: Mark,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// `Page 3 of 12`, `- 3 -`.
    Certain,
    /// A number alone.
    Number(u32),
    /// Words.
    Words,
}

/// Adds one finding for each piece with such lines. Their removal takes text away, so it has to be asked for.
pub fn check(view: &View<'_>, out: &mut Vec<Finding>) {
    let all = candidates(view);
    let mut lines: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    let is_mark = marks(&all);
    let heads = heads(view, &all, &is_mark);
    for (candidate, _) in all.iter().zip(is_mark.iter().zip(&heads)).filter(|(_, (mark, head))| **mark || **head) {
        lines.entry(candidate.piece).or_default().push(candidate.span);
    }
    for (piece, spans) in lines {
        let text = &view.pieces[piece].text;
        let shown: Vec<String> = spans.iter().take(3).map(|span| format!("'{}'", text[span.range()].trim())).collect();
        let more = if spans.len() > 3 { ", …" } else { "" };
        let noun = if spans.len() == 1 { "a line that belongs" } else { "lines that belong" };
        let message = format!("{noun} to the page, not to the text: {}{more}", shown.join(", "));
        let remove = |span: &Span| {
            let rest = &text[span.end as usize..];
            let end = span.end as usize + rest.len() - rest.trim_start_matches(['\n', '\r']).len();
            Change::Replace { piece, span: Span::new(span.start as usize, end), text: String::new(), fold: Fold::Free }
        };
        let changes = spans.iter().rev().map(remove).collect();
        let repair = Repair { title: "remove it".to_owned(), safety: Safety::Unsafe, changes };
        let repair = (spans.iter().map(|span| text[span.range()].trim().len()).sum::<usize>() < text.trim().len())
            .then_some(repair);
        out.push(Finding::new(RULE.name, RULE.severity, piece, message).at(spans[0]).repair(repair));
    }
}

fn candidates(view: &View<'_>) -> Vec<Candidate> {
    let mut all = Vec::new();
    for piece in 0..view.pieces.len() {
        let text = &view.pieces[piece].text;
        let lines = &view.shapes[piece].lines;
        let inside = shown(view, piece);
        for (index, line) in lines.iter().enumerate() {
            let own = line.span.start as usize >= inside.start && line.span.end as usize <= inside.end;
            let words = text[line.span.range()].trim();
            if !own || !matches!(line.kind, LineKind::Prose | LineKind::Item) || words.len() > LONGEST {
                continue;
            }
            let blank = |index: Option<usize>| {
                index.and_then(|index| lines.get(index)).is_none_or(|line| line.kind == LineKind::Blank)
            };
            let (first, last) = (blank(index.checked_sub(1)), blank(Some(index + 1)));
            let from = index.checked_sub(1).map_or(line.span.start, |before| lines[before].span.end.saturating_sub(1));
            let to = lines.get(index + 1).map_or(line.span.end, |after| after.span.start + 1).min(text.len() as u32);
            let around = &text.as_bytes()[from as usize..to as usize];
            let at_feed = memchr::memchr(0x0c, around).is_some();
            let alone = first || last || at_feed;
            let mark = match page_mark(words) {
                Some(mark) if alone => mark,
                _ if line.kind == LineKind::Item => continue,
                _ => Mark::Words,
            };
            all.push(Candidate { piece, span: line.span, at_feed, mark });
        }
    }
    all
}

/// Which candidates give the number of a page. Numbers alone need others that they count on from, or a form feed.
fn marks(all: &[Candidate]) -> Vec<bool> {
    let numbers: Vec<(usize, u32)> = all
        .iter()
        .enumerate()
        .filter_map(|(at, candidate)| match candidate.mark {
            Mark::Number(number) if !(1900..2100).contains(&number) => Some((at, number)),
            _ => None,
        })
        .collect();
    let mut is_mark: Vec<bool> =
        all.iter().map(|one| one.mark == Mark::Certain || one.at_feed && one.mark != Mark::Words).collect();
    let mut start = 0;
    for end in 1..=numbers.len() {
        if numbers.get(end).is_some_and(|next| next.1 == numbers[end - 1].1 + 1) {
            continue;
        }
        if end - start >= LEAST {
            numbers[start..end].iter().for_each(|(at, _)| is_mark[*at] = true);
        }
        start = end;
    }
    is_mark
}

/// Which candidates are running heads: the same words, numbers aside, beside a page number or a form feed each time.
fn heads(view: &View<'_>, all: &[Candidate], is_mark: &[bool]) -> Vec<bool> {
    let beside = |at: usize| {
        let near = |other: Option<usize>| {
            other.is_some_and(|other| {
                is_mark.get(other) == Some(&true)
                    && all[other].piece == all[at].piece
                    && adjacent(view, &all[at.min(other)], &all[at.max(other)])
            })
        };
        all[at].at_feed || near(at.checked_sub(1)) || near(Some(at + 1))
    };
    let mut places: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for at in (0..all.len()).filter(|at| all[*at].mark == Mark::Words && beside(*at)) {
        let words = view.pieces[all[at].piece].text[all[at].span.range()].trim();
        let key = words.chars().map(|c| if c.is_numeric() { '#' } else { c }).collect();
        places.entry(key).or_default().push(at);
    }
    let mut heads = vec![false; all.len()];
    for at in places.into_values().filter(|places| places.len() >= LEAST).flatten() {
        heads[at] = true;
    }
    heads
}

/// True when nothing but white space stands between two lines.
fn adjacent(view: &View<'_>, above: &Candidate, below: &Candidate) -> bool {
    let between = view.pieces[above.piece].text.get(above.span.end as usize..below.span.start as usize);
    between.is_some_and(|between| between.trim().is_empty())
}

/// What a line that is a page's number says.
fn page_mark(line: &str) -> Option<Mark> {
    let number = |text: &str| {
        (text.len() <= 4 && !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()))
            .then(|| text.parse::<u32>().ok())
            .flatten()
    };
    if let Some(page) = number(line) {
        return Some(Mark::Number(page));
    }
    let inner = line.trim_matches(['-', '–', '—', ' ']);
    if inner.len() + 2 <= line.len()
        && line.starts_with(['-', '–', '—'])
        && line.ends_with(['-', '–', '—'])
        && number(inner).is_some()
    {
        return Some(Mark::Certain);
    }
    let lower = line.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let named =
        |word: &str| matches!(word, "page" | "p." | "pg." | "seite" | "s." | "página" | "pagina" | "стр." | "страница");
    let of = |word: &str| matches!(word, "of" | "/" | "von" | "sur" | "de" | "из" | "|");
    let certain = match words.as_slice() {
        [name, page] => {
            named(name)
                && (number(page).is_some()
                    || page.split_once('/').is_some_and(|(a, b)| number(a).is_some() && number(b).is_some()))
        }
        [name, page, between, pages] => named(name) && of(between) && number(page).is_some() && number(pages).is_some(),
        [page, "/", pages] => number(page).zip(number(pages)).is_some_and(|(page, pages)| page <= pages && pages > 4),
        _ => {
            gristmill_text::clean::boilerplate::is_boilerplate(line)
                && lower.bytes().any(|b| b.is_ascii_digit())
                && lower.len() <= 40
        }
    };
    certain.then_some(Mark::Certain)
}
