//! Lines that carry the number of their page beside words that run from page to page.

use std::collections::{BTreeMap, BTreeSet};

use unpdf::parser::TextSpan;

use super::{Edge, enough, is_label, is_number, is_roman, masked, number, roman};

/// Characters of a head that says what chapter this is, at most.
const SHORT: usize = 90;

/// A gap of so many sizes of the letters divides a number from the words beside it.
const GAP: f32 = 1.5;

/// A line as a number and the rest.
struct Split {
    numbers: Vec<i64>,
    rest: String,
    /// A gap, a sign or a word such as `page` tells the number from the rest.
    told: bool,
}

impl Split {
    fn stands_out(&self) -> bool {
        self.told || is_wide(&self.rest)
    }
}

/// A place and words, figures aside.
type Slot = (bool, i32, String);

/// What is known of the numbers of a document.
pub(super) struct Numbered {
    /// The differences between printed numbers and pages that hold on several pages.
    offsets: BTreeSet<i64>,
    /// Where lines stand that are the same on enough pages but for a figure that goes up with these.
    places: BTreeSet<(usize, bool, i32)>,
}

impl Numbered {
    /// `copies` are pages that repeat another one, and so tell nothing.
    pub(super) fn of(edges: &[Edge], copies: &BTreeSet<usize>, pages: usize) -> Self {
        let mut slots: BTreeMap<Slot, BTreeMap<usize, &Edge>> = BTreeMap::new();
        for edge in edges.iter().filter(|edge| !copies.contains(&edge.page)) {
            let text = masked(&edge.text);
            // A line may fall to either side of a step.
            for y in [edge.y - 1, edge.y, edge.y + 1] {
                slots.entry((edge.top, y, text.clone())).or_default().insert(edge.page, edge);
            }
        }
        let on = slots.values().filter(|on| enough(on.len(), pages));
        let running = on.flat_map(|on| running(on, pages));
        let places = running.map(|edge| (edge.page, edge.top, edge.y)).collect();
        Self { offsets: offsets(edges), places }
    }

    /// True for a page number alone, and for one beside words that are the same on several pages or that a gap divides from it.
    pub(super) fn runs(&self, edge: &Edge) -> bool {
        self.places.contains(&(edge.page, edge.top, edge.y))
            || splits(edge).iter().any(|split| {
                let counts = split.numbers.iter().any(|number| self.offsets.contains(&(number - edge.page as i64)));
                let is_head = split.told && edge.rank == 0 && edge.text.chars().count() <= SHORT;
                counts && (split.rest.is_empty() || is_head)
            })
    }
}

/// Of lines that differ in figures alone, those on enough pages that differ in one only, because it counts the pages: it keeps its
/// distance to the number of the page. One that is told from the words, at an end of the line, may also jump, as in a part of a
/// document. A number alone may do anything.
fn running<'e>(on: &BTreeMap<usize, &'e Edge>, pages: usize) -> Vec<&'e Edge> {
    if on.values().all(|edge| is_number(&edge.text)) {
        return on.values().copied().collect();
    }
    let told = on.values().all(|edge| splits(edge).iter().any(|split| split.told));
    let stands_out = told || on.values().all(|edge| is_wide(&edge.text));
    let lines: Vec<(&'e Edge, Vec<i64>)> = on.values().map(|edge| (*edge, figures(&edge.text))).collect();
    let most = lines.iter().map(|(_, own)| own.len()).min().unwrap_or(0);
    // Two of three may do so by chance.
    let enough = |count: usize| enough(count, pages) && count * 4 >= on.len() * 3;
    let mut out = Vec::new();
    for at in 0..most {
        let mut counting: BTreeMap<Vec<i64>, Vec<&Edge>> = BTreeMap::new();
        let mut jumping: BTreeMap<Vec<i64>, Vec<(i64, &Edge)>> = BTreeMap::new();
        for (edge, own) in &lines {
            let mut key = own.clone();
            let number = key.remove(at);
            jumping.entry(key.clone()).or_default().push((number, edge));
            key.push(number - edge.page as i64);
            counting.entry(key).or_default().push(edge);
        }
        if stands_out {
            out.extend(counting.into_values().filter(|group| enough(group.len())).flatten());
        }
        if told && (at == 0 || at + 1 == most) {
            let grows = |group: &Vec<(i64, &Edge)>| group.windows(2).all(|two| two[0].0 < two[1].0);
            let groups = jumping.into_values().filter(|group| enough(group.len()) && grows(group));
            out.extend(groups.flatten().map(|(_, edge)| edge));
        }
    }
    out
}

/// True for several words, beside which a figure is no title of its own: `Chapter 3` is one.
fn is_wide(text: &str) -> bool {
    text.split(' ').filter(|word| word.chars().any(char::is_alphabetic)).count() > 1
}

/// The figures of a text, in its order: those that [`masked`] takes out.
fn figures(text: &str) -> Vec<i64> {
    let runs = |word: &str| -> Vec<i64> {
        if is_roman(word) {
            return vec![roman(word)];
        }
        let runs = word.split(|c: char| !c.is_numeric()).filter(|run| !run.is_empty());
        // What is too long for a number is told apart all the same.
        runs.map(|run| {
            run.parse().unwrap_or_else(|_| run.bytes().fold(7, |sum, b| (sum * 31 + i64::from(b)) % 1_000_003))
        })
        .collect()
    };
    text.split(' ').flat_map(runs).collect()
}

fn offsets(edges: &[Edge]) -> BTreeSet<i64> {
    let mut pages: BTreeMap<i64, BTreeSet<usize>> = BTreeMap::new();
    for edge in edges.iter().filter(|edge| edge.rank <= 1) {
        for number in splits(edge).into_iter().filter(Split::stands_out).flat_map(|split| split.numbers) {
            pages.entry(number - edge.page as i64).or_default().insert(edge.page);
        }
    }
    let next_to = |on: &BTreeSet<usize>| on.first().zip(on.last()).is_some_and(|(a, b)| b - a == 1);
    let holds = |on: &BTreeSet<usize>| on.len() >= 3 || on.len() == 2 && next_to(on);
    pages.into_iter().filter(|(_, on)| holds(on)).map(|(offset, _)| offset).collect()
}

/// The ways to see a line as the number of its page and the rest.
fn splits(edge: &Edge) -> Vec<Split> {
    if is_number(&edge.text) {
        return vec![Split { numbers: numbers(&edge.text), rest: String::new(), told: true }];
    }
    let words: Vec<&str> = edge.text.split(' ').collect();
    let most = words.len().min(5).saturating_sub(1);
    let sign = |word: &&str| !word.chars().any(char::is_alphanumeric);
    let ends = |at_end: bool| {
        let part = |count: usize| {
            let (first, last) = words.split_at(if at_end { words.len() - count } else { count });
            let (own, rest) = if at_end { (last, first) } else { (first, last) };
            let beside = if at_end { rest.last() } else { rest.first() };
            let gap = if at_end { edge.apart.1 } else { edge.apart.0 };
            let told = gap == count || beside.is_some_and(sign) || own.iter().any(|word| is_label(word));
            let rest = rest.join(" ");
            let rest = rest.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
            (own.join(" "), rest, told)
        };
        let all: Vec<(String, String, bool)> =
            (1..=most).map(part).filter(|(own, rest, _)| is_number(own) && !rest.is_empty()).collect();
        let told = all.iter().rposition(|(_, _, told)| *told);
        all.into_iter().nth(told.unwrap_or(0)).map(|(own, rest, told)| Split { numbers: numbers(&own), rest, told })
    };
    ends(false).into_iter().chain(ends(true)).collect()
}

fn numbers(text: &str) -> Vec<i64> {
    text.split(|c: char| !c.is_alphanumeric()).filter_map(number).collect()
}

/// What a line says beside the number of its page.
pub(super) fn without(edge: &Edge) -> String {
    splits(edge).into_iter().find(|split| split.told).map_or_else(|| edge.text.clone(), |split| split.rest)
}

/// Words at the start and at the end of a row that a gap divides from the rest; 0 for none.
pub(super) fn apart(row: &[&TextSpan]) -> (usize, usize) {
    let count = |spans: &[&TextSpan]| spans.iter().map(|span| span.text.split_whitespace().count()).sum::<usize>();
    let gap = |at: &usize| {
        let (left, right) = (row[*at], row[at + 1]);
        right.x - (left.x + left.ink_width.unwrap_or(left.width)) > GAP * left.font_size.min(right.font_size)
    };
    let gaps: Vec<usize> = (0..row.len().saturating_sub(1)).filter(gap).collect();
    let start = gaps.first().map_or(0, |at| count(&row[..=*at]));
    let end = gaps.last().map_or(0, |at| count(&row[at + 1..]));
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(page: usize, text: &str) -> Edge {
        Edge { page, top: true, rank: 0, y: 190, text: text.to_owned(), spans: Vec::new(), apart: (0, 0) }
    }

    /// Which of the lines at the top of consecutive pages run.
    fn run(lines: &[&str]) -> Vec<bool> {
        let edges: Vec<Edge> = lines.iter().enumerate().map(|(page, line)| edge(page, line)).collect();
        let numbered = Numbered::of(&edges, &BTreeSet::new(), lines.len());
        edges.iter().map(|edge| numbered.runs(edge)).collect()
    }

    #[test]
    fn numbers_of_pages_run_alone_and_beside_what_stays_the_same() {
        assert_eq!(run(&["7", "8", "9"]), [true; 3]);
        assert_eq!(run(&["Acme manual, page 1", "Acme manual, page 2", "Acme manual, page 3"]), [true; 3]);
        assert_eq!(run(&["4 | Valves", "5 | Valves", "6 | Pumps", "7 | Tanks"]), [true; 4]);
        assert_eq!(
            run(&[
                "VerDate 2014 Frm 00001 Fmt 4702",
                "VerDate 2014 Frm 00002 Fmt 4702",
                "VerDate 2014 Frm 00003 Fmt 4702"
            ]),
            [true; 3]
        );
        let stamps =
            ["Frm 001 Fmt 47 of all", "Frm 002 Fmt 47 of all", "Frm 003 Fmt 52 of all", "Frm 004 Fmt 47 of all"];
        assert_eq!(run(&stamps), [true, true, false, true]);
        // Pages of a part of a document.
        assert_eq!(run(&["iii", "xi", "1", "10"]), [true; 4]);
        assert_eq!(run(&["2 | Access control", "10 | Access control", "28 | Access control"]), [true; 3]);
        assert_eq!(run(&["Annual report 2024 11", "Annual report 2024 12", "Annual report 2024 13"]), [true; 3]);
    }

    #[test]
    fn lines_that_say_something_else_on_every_page_stay() {
        let steps = ["Step 1. Turn by 2 turns.", "Step 2. Turn by 4 turns.", "Step 3. Turn by 6 turns."];
        assert_eq!(run(&steps), [false; 3]);
        assert_eq!(run(&["Chapter 1", "Chapter 2", "Chapter 3"]), [false; 3]);
        assert_eq!(run(&["Measured drift: 12 mm", "Measured drift: 7 mm", "Measured drift: 55 mm"]), [false; 3]);
        assert_eq!(run(&["Measured drift: 3", "Measured drift: 9", "Measured drift: 12"]), [false; 3]);
        assert_eq!(run(&["Replaced battery: 2019", "Replaced battery: 2020", "Replaced battery: 2018"]), [false; 3]);
        let limits = [
            "Limit is 3 bar, above 5 bar leave.",
            "Limit is 5 bar, above 7 bar leave.",
            "Limit is 8 bar, above 9 bar leave.",
        ];
        assert_eq!(run(&limits), [false; 3]);
    }
}
