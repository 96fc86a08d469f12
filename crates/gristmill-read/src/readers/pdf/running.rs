//! Heads, feet and numbers that run from page to page.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use unpdf::parser::TextLine;

use super::page::Page;
use super::table::lines;
use super::words::clean;

mod margin;
mod numbered;

/// The part of a page's height, at the top and at the bottom, in which they stand.
const MARGIN: f32 = 0.14;
/// Lines at each end of a page that are looked at.
const DEEP: usize = 4;

/// What was taken out.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Removed {
    pub heads: usize,
    pub numbers: usize,
    /// What some of the heads and feet said, without what said the same.
    pub texts: BTreeSet<String>,
}

/// A line near the top or the bottom of a page.
struct Edge {
    page: usize,
    top: bool,
    /// From the outermost, 0.
    rank: usize,
    /// Height in steps of 4 points.
    y: i32,
    text: String,
    spans: Vec<usize>,
    /// Words at its start and at its end that a gap divides from the rest.
    apart: (usize, usize),
}

/// Takes running lines out of the pages. A line is one when it stands at the same height with the same words on several pages, but
/// for a number that counts the pages. Lines that differ in other figures say different things.
pub(super) fn remove(pages: &mut [Page]) -> Removed {
    let edges: Vec<Edge> = pages.iter().enumerate().flat_map(|(index, page)| edges(index, page)).collect();
    let repeated = repeated(&edges, pages);
    let numbered = numbered::Numbered::of(&edges, &twins(pages), pages.len());
    let mut removed = Removed::default();
    let mut gone: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); pages.len()];
    // From the outside in, and no farther than the first line that stays.
    let mut shut: BTreeSet<(usize, bool)> = BTreeSet::new();
    for edge in &edges {
        let runs = repeated.contains(&slot(edge)) || numbered.runs(edge);
        if shut.contains(&(edge.page, edge.top)) || !runs {
            shut.insert((edge.page, edge.top));
            continue;
        }
        if is_number(&edge.text) {
            removed.numbers += 1;
        } else {
            removed.heads += 1;
            removed.texts.insert(numbered::without(edge));
        }
        gone[edge.page].extend(&edge.spans);
    }
    for (gone, stamps) in gone.iter_mut().zip(margin::stamps(pages)) {
        removed.heads += usize::from(!stamps.is_empty());
        gone.extend(stamps);
    }
    // Pages of a line or two each: the lines are what they say.
    let letters = |page: &Page, at: usize| page.spans.get(at).map_or(0, |span| span.text.trim().len());
    let inked = |page: &Page| (0..page.spans.len()).map(|at| letters(page, at)).sum::<usize>();
    let tabled =
        |page: &Page| page.tables.iter().flat_map(|table| table.rows.iter().flatten()).map(String::len).sum::<usize>();
    let all: usize = pages.iter().map(|page| inked(page) + tabled(page)).sum();
    let lost: usize =
        pages.iter().zip(&gone).map(|(page, gone)| gone.iter().map(|at| letters(page, *at)).sum::<usize>()).sum();
    if lost * 5 > all * 4 {
        return Removed::default();
    }
    for (page, gone) in pages.iter_mut().zip(&gone) {
        let mut at = 0..;
        page.spans.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
    }
    removed
}

/// The outermost lines of a page: from the top down, then from the bottom up.
fn edges(index: usize, page: &Page) -> Vec<Edge> {
    let mut out = Vec::new();
    for top in [true, false] {
        let inside: Vec<usize> = (0..page.spans.len())
            .filter(|at| page.spans[*at].direction[0] > 0.9)
            .filter(|at| {
                let y = page.spans[*at].y;
                if top { y >= page.height * (1.0 - MARGIN) } else { y <= page.height * MARGIN }
            })
            .collect();
        let mut rows = lines(&page.spans, &inside);
        if !top {
            rows.reverse();
        }
        for (rank, row) in rows.into_iter().take(DEEP).enumerate() {
            let Some(first) = row.first() else { continue };
            let y = (first.y / 4.0).round() as i32;
            let (low, high) = row.iter().fold((f32::MAX, f32::MIN), |(a, b), span| (a.min(span.y), b.max(span.y)));
            let own = |at: &&usize| (low..=high).contains(&page.spans[**at].y);
            let spans = inside.iter().filter(own).copied().collect();
            let apart = numbered::apart(&row);
            let text = clean(&TextLine::from_spans(row.into_iter().cloned().collect()).text());
            out.push(Edge { page: index, top, rank, y, text, spans, apart });
        }
    }
    out
}

type Slot = (bool, i32, String);

/// Where a line stands and what it says.
fn slot(edge: &Edge) -> Slot {
    (edge.top, edge.y, edge.text.clone())
}

/// The text with every run of figures and every roman number as one mark.
fn masked(text: &str) -> String {
    let mut out = String::new();
    for word in text.split(' ') {
        if !out.is_empty() {
            out.push(' ');
        }
        if is_roman(word) {
            out.push('#');
            continue;
        }
        for c in word.chars() {
            if !c.is_numeric() {
                out.push(c);
            } else if !out.ends_with('#') {
                out.push('#');
            }
        }
    }
    out
}

/// True for numbers like `xiv`.
fn is_roman(word: &str) -> bool {
    (1..=7).contains(&word.len()) && word.bytes().all(|b| matches!(b, b'i' | b'v' | b'x' | b'l'))
}

/// The slots that are filled on enough pages: on three, or on both of two, and on more than one in twelve of a short document.
fn repeated(edges: &[Edge], pages: &[Page]) -> BTreeSet<Slot> {
    let twins = twins(pages);
    let pages = pages.len();
    let mut seen: BTreeMap<Slot, BTreeSet<usize>> = BTreeMap::new();
    for edge in edges.iter().filter(|edge| !twins.contains(&edge.page)) {
        let (top, y, text) = slot(edge);
        // A line may fall to either side of a step.
        for y in [y - 1, y, y + 1] {
            seen.entry((top, y, text.clone())).or_default().insert(edge.page);
        }
    }
    let enough = |count: usize| enough(count, pages);
    let says = |text: &str| text.chars().any(char::is_alphanumeric);
    seen.into_iter().filter(|(slot, on)| enough(on.len()) && says(&slot.2)).map(|(slot, _)| slot).collect()
}

/// True when what stands on `count` of the pages runs from page to page.
fn enough(count: usize, pages: usize) -> bool {
    count >= 3 && count * 12 > pages.min(60) || count == 2 && pages <= 3
}

/// Pages that repeat an earlier page to the letter: copies say nothing of what runs.
fn twins(pages: &[Page]) -> BTreeSet<usize> {
    let mut seen: HashSet<String> = HashSet::new();
    let text = |page: &Page| page.spans.iter().map(|span| span.text.as_str()).collect::<Vec<_>>().join("\n");
    (0..pages.len()).filter(|at| !seen.insert(text(&pages[*at]))).collect()
}

fn number(word: &str) -> Option<i64> {
    if word.len() <= 5 && word.bytes().all(|b| b.is_ascii_digit()) {
        return word.parse().ok();
    }
    is_roman(word).then(|| roman(word))
}

fn roman(word: &str) -> i64 {
    let value = |b: &u8| match b {
        b'l' => 50,
        b'x' => 10,
        b'v' => 5,
        _ => 1,
    };
    let values: Vec<i64> = word.as_bytes().iter().map(value).collect();
    let signed = |at: usize| if values.get(at + 1) > values.get(at) { -values[at] } else { values[at] };
    (0..values.len()).map(signed).sum()
}

/// True for a line that is a page number and nothing else: `7`, `- 7 -`, `vii`, `Page 7 of 9`, `7 / 9`.
fn is_number(text: &str) -> bool {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let joins = |word: &str| matches!(word.to_lowercase().as_str(), "of" | "von" | "de" | "sur");
    let numbers = words.iter().filter(|word| number(word).is_some()).count();
    words.len() <= 4 && numbers >= 1 && words.iter().all(|word| number(word).is_some() || is_label(word) || joins(word))
}

/// True for a word that says that the number after it is that of a page.
fn is_label(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    matches!(word.as_str(), "page" | "p" | "pg" | "seite" | "s" | "página" | "pagina" | "стр")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_pages() {
        for text in ["7", "- 7 -", "vii", "Page 7 of 9", "7 / 9", "Seite 12"] {
            assert!(is_number(text), "{text}");
        }
        for text in ["7 apples", "Page", "see page 12 for more", ""] {
            assert!(!is_number(text), "{text}");
        }
        assert_eq!(["iv", "xix", "xl", "viii"].map(roman), [4, 19, 40, 8]);
    }

    #[test]
    fn figures_do_not_tell_heads_apart() {
        assert_eq!(masked("Vol. 85, page iv"), "Vol. #, page #");
    }
}
