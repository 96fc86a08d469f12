//! Chunks that end inside a sentence of which no chunk holds the rest.

use gristmill_core::{Severity, Span};
use gristmill_text::resume::{Unfinished, unfinished};

use crate::shape::LineKind;
use crate::{Check, Cut, Finding, GroupRule, Repairs, Rule, View};

pub static RULE: Rule = Rule {
    name: "mid-sentence-end",
    title: "Chunk ends inside a sentence",
    severity: Severity::Medium,
    repairs: Repairs::Never,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&MidSentenceEnd),
};

struct MidSentenceEnd;

impl GroupRule for MidSentenceEnd {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        out.extend((0..view.pieces.len()).filter_map(|at| finding(view, at)));
    }
}

fn finding(view: &View<'_>, at: usize) -> Option<Finding> {
    let (piece, shape) = (&view.pieces[at], &view.shapes[at]);
    // One cut is told once: by the chunk that resumes it.
    let seam = view.seams.get(at);
    if seam.is_some_and(|seam| seam.cut() != Cut::None) || repeated(view, at) {
        return None;
    }
    let line = shape.last_until(piece.body_end())?;
    let kind = shape.lines[line].kind;
    if !kind.is_running() || !view.after(at).is_none_or(|next| could_go_on(view, next)) {
        return None;
    }
    let paragraph = shape.paragraph(line);
    let text = &piece.text[paragraph.start as usize..piece.body_end().min(paragraph.end as usize)];
    let item = shape.lines[shape.line_at(paragraph.start as usize)?].kind == LineKind::Item;
    let why = why(unfinished(text)?, item)?;
    let shown: String = ending(text);
    let message = match view.after(at) {
        Some(next) => {
            format!("ends mid-sentence ('{shown}'), and {} does not go on with it (after {why})", view.label(next))
        }
        None => format!("ends mid-sentence ('{shown}'), and no chunk of its source follows (after {why})"),
    };
    let end = paragraph.start as usize + text.trim_end().len();
    let start = end - shown.trim_start_matches('…').len();
    let finding = Finding::new(RULE.name, RULE.severity, at, message).at(Span::new(start, end));
    Some(view.after(at).into_iter().fold(finding, Finding::with))
}

/// True when a sentence could go on in the piece: a list, code or a table may follow a line without end mark.
fn could_go_on(view: &View<'_>, piece: usize) -> bool {
    let shape = &view.shapes[piece];
    let first = shape.first_from(view.pieces[piece].body_start()).map(|line| shape.lines[line].kind);
    matches!(first, Some(LineKind::Prose | LineKind::Heading(_)))
}

/// Evidence that is enough without a continuation. Items of a list may end with a comma or a semicolon, and may be titles.
fn why(evidence: Unfinished, item: bool) -> Option<&'static str> {
    match evidence {
        Unfinished::Mark if !item => Some("a comma or dash"),
        Unfinished::Hyphen => Some("a hyphen"),
        Unfinished::Word if !item => Some("a word that needs another after it"),
        Unfinished::Abbreviation => Some("an abbreviation that ends no sentence"),
        Unfinished::Mark | Unfinished::Word | Unfinished::Open | Unfinished::Unmarked => None,
    }
}

/// True when the next chunk repeats the open sentence from its start.
fn repeated(view: &View<'_>, at: usize) -> bool {
    view.after(at).is_some_and(|next| view.pieces[next].overlap_len() > 0)
}

/// The last words of a text, cut short.
fn ending(text: &str) -> String {
    let line = text.trim_end().lines().next_back().unwrap_or_default();
    let from = line.char_indices().rev().nth(31).map_or(0, |(at, _)| at);
    if from == 0 { line.to_owned() } else { format!("…{}", &line[from..]) }
}
