//! Chunks that are nothing but headings.

use gristmill_core::{Severity, Span};

use crate::border::{cuts_heading, line_glue, lines_down, may_grow, merge};
use crate::{Check, Cut, Finding, GroupRule, LineKind, Repair, Repairs, Rule, View, is_invisible, label};

pub static RULE: Rule = Rule {
    name: "heading-only",
    title: "Chunk is a heading without its text",
    severity: Severity::Low,
    repairs: Repairs::Lossless,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&HeadingOnly),
};

struct HeadingOnly;

impl GroupRule for HeadingOnly {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for (at, piece) in view.pieces.iter().enumerate() {
            let Some(run) = trailing(view, at).filter(|run| run.whole) else { continue };
            let span = Span::new(run.start, run.end).trimmed(&piece.text);
            let finding = Finding::new(RULE.name, RULE.severity, at, "nothing but a heading: its text is elsewhere");
            out.push(finding.at(span).repair(reunite(view, at)));
        }
    }
}

/// Headings at the end of a piece with no text below them.
pub struct Run {
    /// Their first byte.
    pub start: usize,
    /// One past their last.
    pub end: usize,
    /// The level of the last one.
    pub level: u8,
    /// The piece has no other text of its own.
    pub whole: bool,
}

/// The headings at the end of a piece.
pub fn trailing(view: &View<'_>, at: usize) -> Option<Run> {
    let (piece, shape) = (&view.pieces[at], &view.shapes[at]);
    let own = piece.body_start();
    let last = shape.last_until(piece.body_end())?;
    let is_own = |line: usize| shape.lines[line].span.start as usize >= own;
    if !shape.lines[last].kind.is_heading() || !is_own(last) {
        return None;
    }
    let heads = |line: &usize| shape.lines[*line].kind.is_heading() || shape.lines[*line].kind == LineKind::Blank;
    let lines = (0..=last).rev().take_while(heads).filter(|line| is_own(*line));
    let first = lines.filter(|line| shape.lines[*line].kind.is_heading()).last()?;
    let before = piece.text.get(own..shape.lines[first].span.start as usize)?;
    Some(Run {
        start: shape.lines[first].span.start as usize,
        end: shape.lines[last].span.end as usize,
        level: shape.headings.iter().rev().find(|heading| heading.line <= last)?.level,
        whole: before.chars().all(is_invisible),
    })
}

/// Brings headings at the end of a piece and the text below them together, when the next piece has that text.
pub fn reunite(view: &View<'_>, left: usize) -> Option<Repair> {
    let run = trailing(view, left)?;
    let right = left + 1;
    let next = view.pieces.get(right)?;
    let below = view.begins_with_heading(right).is_none_or(|level| level > run.level);
    let seam = view.seams.get(left).filter(|seam| seam.cut() == Cut::None && !seam.within_line())?;
    if !below || seam.right_line.is_none() || cuts_heading(view, left) || !view.may_merge(left) {
        return None;
    }
    let between = line_glue(view, left, "\n\n");
    if run.whole {
        return merge(view, left, between);
    }
    let piece = &view.pieces[left];
    let own = piece.text[piece.body_start()..run.start].trim_end().len();
    let from = piece.body_start() + own;
    let change = lines_down(view, left, run.start, between);
    let title = format!("move the heading to {}", label(next));
    may_grow(view, right, &piece.text[from..]).then(|| Repair::lossless(title, change))
}
