//! Chunks that neither hold nor carry the heading that governs them.

use gristmill_core::{PartKind, Severity};

use super::heading_only::{reunite, trailing};
use crate::border::cuts_heading;
use crate::outline::plain;
use crate::{Change, Check, Finding, GroupRule, Repair, Repairs, Rule, View, is_invisible};

pub static RULE: Rule = Rule {
    name: "missing-heading",
    title: "Chunk has lost its heading",
    severity: Severity::Low,
    repairs: Repairs::Lossless,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&MissingHeading),
};

struct MissingHeading;

impl GroupRule for MissingHeading {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        if view.outline.is_empty() {
            out.extend(no_headings(view));
            return;
        }
        for at in 0..view.pieces.len() {
            if let Some(title) = missing(view, at) {
                let message = format!("stands under the heading '{title}' and neither holds nor carries it");
                out.push(Finding::new(RULE.name, RULE.severity, at, message).repair(repair(view, at)));
            }
        }
    }
}

/// One remark for a document without any heading.
fn no_headings(view: &View<'_>) -> Option<Finding> {
    let carries = |at: &usize| !view.pieces[*at].path.is_empty() || view.pieces[*at].has(PartKind::Heading);
    let visible = |at: &usize| !view.pieces[*at].text.chars().all(is_invisible);
    if (0..view.pieces.len()).any(|at| carries(&at)) {
        return None;
    }
    let first = (0..view.pieces.len()).find(visible)?;
    let message = "the document has no headings: its chunks say nothing of their place in it";
    Some(Finding::new(RULE.name, Severity::Info, first, message))
}

/// The heading that governs the start of a piece, when the piece neither holds nor carries it.
fn missing<'v>(view: &'v View<'_>, at: usize) -> Option<&'v str> {
    let (piece, shape) = (&view.pieces[at], &view.shapes[at]);
    let carries = !piece.path.is_empty() || piece.has(PartKind::Heading);
    if carries || piece.text.chars().all(is_invisible) || view.begins_with_heading(at).is_some() {
        return None;
    }
    let title = *view.outline.path_before(at).last()?;
    let own = piece.body_start();
    let repeated = shape.headings.iter().take_while(|heading| (shape.lines[heading.line].span.start as usize) < own);
    let first = piece.text.trim_start().lines().next().unwrap_or_default();
    let short = first.chars().count() <= 3 * title.chars().count() + 20;
    let held = short && first.contains(title) || repeated.into_iter().any(|heading| heading.title == title);
    (!held).then_some(title)
}

fn repair(view: &View<'_>, at: usize) -> Option<Repair> {
    if let Some(left) = view.before(at).filter(|left| trailing(view, *left).is_some()) {
        // The heading itself is the last of the chunk before, and comes back.
        if let Some(repair) = reunite(view, left) {
            return Some(repair);
        }
        if cuts_heading(view, left) {
            // Half of a title is no heading.
            return None;
        }
    }
    let titles: Vec<String> = view.outline.path_before(at).into_iter().map(plain).collect();
    let text = &view.pieces[at].text;
    let note = (0..titles.len()).map(|first| format!("[{}]\n\n", titles[first..].join(" > ")));
    let note = note.into_iter().find(|note| is_note(note) && view.cx.fits(&format!("{note}{text}")))?;
    let title = format!("put its headings in front of it: {}", note.trim());
    let insert = Change::Insert { piece: at, at: 0, text: note, kind: PartKind::Heading };
    Some(Repair::lossless(title, insert))
}

/// True when a reader of the file takes the line for a note.
fn is_note(note: &str) -> bool {
    let odd = note.contains("](") || note.starts_with("[^") || note.starts_with("[ ]");
    !odd && note.len() > "[]\n\n".len()
}
