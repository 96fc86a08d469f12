//! Borders inside a list entry.

use gristmill_core::{Severity, Span};
use gristmill_text::resume::Gap;

use crate::border::{leading, line_glue, lines_down, may_grow, merge};
use crate::shape::item_mark;
use crate::{Check, Cut, Finding, GroupRule, LineKind, Repair, Repairs, Rule, Shape, View, is_invisible, label};

pub static RULE: Rule = Rule {
    name: "split-list-item",
    title: "Border inside a list entry",
    severity: Severity::Medium,
    repairs: Repairs::Lossless,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&SplitListItem),
};

/// So many lines before a border are read for the entry that is open there.
const LINES: usize = 200;

struct SplitListItem;

impl GroupRule for SplitListItem {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        let mut open = None;
        for left in 0..view.seams.len() {
            open = entry(view, left, open);
            let Some(cut) = cut(view, left, open) else { continue };
            let right = left + 1;
            let before = view.label(left);
            let message = match cut {
                ItemCut::Mark { .. } => format!("is a list entry whose mark is at the end of {before}"),
                ItemCut::Text => format!("begins inside a list entry that {before} cut"),
                ItemCut::Nested => format!("begins with a list that belongs to an entry in {before}"),
            };
            let span = view.seams[left].right_line.map_or(Span::default(), |line| view.shapes[right].lines[line].span);
            let finding = Finding::new(RULE.name, RULE.severity, right, message).with(left);
            out.push(finding.at(span.trimmed(&view.pieces[right].text)).repair(mend(view, left, cut)));
        }
    }
}

/// What a border in a list cuts.
#[derive(Clone, Copy)]
enum ItemCut {
    /// The mark of an entry, which begins at this byte of the left piece, from its text.
    Mark { from: usize },
    /// Text or code of an entry from what stands before it.
    Text,
    /// A nested list from the entry it belongs to.
    Nested,
}

fn cut(view: &View<'_>, left: usize, entry: Option<Entry>) -> Option<ItemCut> {
    let seam = &view.seams[left];
    let (first, second) = (&view.pieces[left], &view.pieces[left + 1]);
    let (before, after) = (&view.shapes[left], &view.shapes[left + 1]);
    if seam.cut() != Cut::None || second.overlap_len() > 0 || after.starts.fence.is_some() {
        return None;
    }
    let (last, next) = (before.lines[seam.left_line?], after.lines[seam.right_line?]);
    let mark = first.text.get(last.span.range())?;
    if last.kind == LineKind::Item && item_mark(mark.trim_start_matches([' ', '\t', '>'])).is_some_and(is_blank) {
        let text = matches!(next.kind, LineKind::Prose | LineKind::Open) && seam.gap != Gap::Paragraph;
        return text.then_some(ItemCut::Mark { from: last.span.start as usize });
    }
    if last.kind == LineKind::Close && next.kind == LineKind::Open {
        // Two blocks, or the halves of one that were made whole.
        return None;
    }
    let entry = entry?;
    let indent = width(second.text.get(next.span.range())?);
    match next.kind {
        LineKind::Prose | LineKind::Open if indent >= entry.least => Some(ItemCut::Text),
        // Text right below the text of an entry belongs to it, however it is indented.
        LineKind::Prose if seam.gap == Gap::Line && last.kind.is_running() => Some(ItemCut::Text),
        LineKind::Item if indent >= entry.least => Some(ItemCut::Nested),
        _ => None,
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// The outermost list entry that is open at the end of a piece.
#[derive(Clone, Copy)]
struct Entry {
    /// With this many blanks in front, a line belongs to it.
    least: usize,
}

/// The entry that is open at the end of a piece; `carried` is the one that is open at its start.
fn entry(view: &View<'_>, at: usize, carried: Option<Entry>) -> Option<Entry> {
    let (piece, shape) = (&view.pieces[at], &view.shapes[at]);
    let Some(last) = shape.last_until(piece.body_end()) else { return carried };
    let carried = carried.filter(|entry| {
        let first = shape.first_from(piece.body_start()).map(|line| shape.lines[line].span);
        first.is_some_and(|span| width(&piece.text[span.range()]) >= entry.least)
    });
    let mut open: Option<usize> = None;
    let mut whole = true;
    for line in shape.lines[..=last].iter().rev().take(LINES) {
        let text = &piece.text[line.span.range()];
        let indent = width(text);
        match line.kind {
            // Entries of logs, glossaries and laws hold no more than their line.
            LineKind::Item if item_mark(text.trim_start_matches([' ', '\t', '>'])).is_some() => {
                let outer = open.is_none_or(|least| indent < least);
                open = if outer { Some(indent) } else { open };
                if indent == 0 {
                    whole = false;
                    break;
                }
            }
            // Text of an entry is indented, or right below other text of it.
            LineKind::Blank | LineKind::Context => {}
            LineKind::Prose if indent > 0 || follows_text(shape, line.span) => {}
            kind if kind.is_code() && indent > 0 => {}
            _ => {
                whole = false;
                break;
            }
        }
    }
    // Entries are nested by two blanks at least.
    let own = open.map(|indent| Entry { least: indent + 2 });
    if whole { carried.or(own) } else { own }
}

/// True when text or an entry stands on the line right above.
fn follows_text(shape: &Shape, span: Span) -> bool {
    let line = shape.line_at(span.start as usize).and_then(|line| line.checked_sub(1));
    line.is_some_and(|line| shape.lines[line].kind.is_running())
}

/// How many blanks a line begins with; a tab is four.
fn width(line: &str) -> usize {
    leading(line).chars().map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

fn mend(view: &View<'_>, left: usize, cut: ItemCut) -> Option<Repair> {
    let ItemCut::Mark { from } = cut else { return merge(view, left, line_glue(view, left, "\n")) };
    let (first, second) = (&view.pieces[left], &view.pieces[left + 1]);
    let between = " ".to_owned();
    let own = first.text.get(first.body_start()..from)?.trim_end();
    if own.chars().all(is_invisible) {
        return merge(view, left, between);
    }
    let title = format!("move the mark of the entry to {}", label(second));
    let change = lines_down(view, left, from, between);
    may_grow(view, left + 1, &first.text[from..]).then(|| Repair::lossless(title, change))
}
