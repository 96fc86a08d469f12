//! Lines that the splitter or the page put at the edge of many chunks.

use std::collections::BTreeMap;

use gristmill_core::{Severity, Span};
use gristmill_text::clean::boilerplate::{fold, is_boilerplate};
use rustc_hash::FxHashMap;

use crate::{Check, Cut, Finding, GroupRule, LineKind, Repairs, Rule, View};

pub static RULE: Rule = Rule {
    name: "boilerplate",
    title: "Line repeats at the edge of many chunks",
    severity: Severity::Low,
    repairs: Repairs::Never,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&Boilerplate),
};

/// In smaller sources a repeated line says nothing.
const LEAST_PIECES: usize = 4;
/// The fewest chunks that must have the line.
const LEAST: usize = 3;
/// Lines looked at from each end of a chunk.
const DEPTH: usize = 2;
/// Longer lines are text.
const LONGEST: usize = 300;
/// So many other chunks are named.
const NAMED: usize = 20;

struct Boilerplate;

impl GroupRule for Boilerplate {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        let mut seen: FxHashMap<String, Vec<(usize, Span)>> = FxHashMap::default();
        for at in 0..view.pieces.len() {
            for span in edges(view, at) {
                let places = seen.entry(fold(&view.pieces[at].text[span.range()])).or_default();
                if places.last().is_none_or(|(last, _)| *last != at) {
                    places.push((at, span));
                }
            }
        }
        let all = view.pieces.len();
        // In the order of their first place, so that the report does not depend on hashes.
        let mut lines: BTreeMap<(usize, u32), Vec<(usize, Span)>> = BTreeMap::new();
        for (line, places) in seen {
            let (first, span) = places[0];
            let often = all >= LEAST_PIECES && places.len() >= LEAST && places.len() * 10 >= all * 3;
            let words = || line.chars().filter(|c| c.is_alphabetic()).nth(3).is_some();
            if often && words() || is_boilerplate(&view.pieces[first].text[span.range()]) {
                lines.insert((first, span.start), places);
            }
        }
        out.extend(lines.into_values().map(|places| finding(view, &places)));
    }
}

fn finding(view: &View<'_>, places: &[(usize, Span)]) -> Finding {
    let (first, span) = places[0];
    let message = match places.len() {
        1 => "the line belongs to the page, not to the text".to_owned(),
        count => format!("the line stands at the edge of {count} of the {} chunks of its source", view.pieces.len()),
    };
    let mut finding = Finding::new(RULE.name, RULE.severity, first, message).at(span);
    finding.related = places[1..].iter().take(NAMED).map(|(at, _)| *at).collect();
    finding
}

/// The lines at both ends of a piece's own text that can be boilerplate, when there is other text beside them.
fn edges(view: &View<'_>, at: usize) -> Vec<Span> {
    let (piece, shape) = (&view.pieces[at], &view.shapes[at]);
    let own = |span: Span| span.start as usize >= piece.body_start() && span.end as usize <= piece.body_end();
    let mut lines = shape.lines.iter().filter(|line| line.kind != LineKind::Blank && own(line.span));
    let mut edge: Vec<_> = lines.by_ref().take(DEPTH).collect();
    let tail: Vec<_> = lines.rev().take(DEPTH).collect();
    edge.extend(tail.into_iter().rev());
    if edge.len() < 2 {
        return Vec::new();
    }
    // A line of which the next chunk has the rest is not known as a whole.
    let is_cut = |cut: Cut| matches!(cut, Cut::Word | Cut::Sentence { sure: true });
    let cut = |left: Option<usize>| left.and_then(|left| view.seams.get(left)).is_some_and(|seam| is_cut(seam.cut()));
    if cut(Some(at)) {
        edge.pop();
    }
    if cut(at.checked_sub(1)) && !edge.is_empty() {
        edge.remove(0);
    }
    edge.retain(|line| matches!(line.kind, LineKind::Prose | LineKind::Html) && line.span.len() <= LONGEST);
    edge.retain(|line| is_line_of_its_own(&piece.text, line.span));
    edge.into_iter().map(|line| line.span).collect()
}

/// Not a directive, a tag alone or a line of code.
fn is_line_of_its_own(text: &str, span: Span) -> bool {
    let line = text[span.range()].trim();
    let tag = line.starts_with('<') && (!line.ends_with('>') || line.matches('<').count() <= 1);
    let directive = [":::", "{{", "{%", "///", "!!!", "???", "..", "@"].iter().any(|mark| line.starts_with(mark));
    let code = line.ends_with(['{', '}', '[', ';', '(', ',', '=']) || line.contains("=>") || line.contains("={");
    !tag && !directive && !code
}
