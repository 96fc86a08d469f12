//! Chunks that begin inside a sentence which the chunk before cut.

use gristmill_core::{Severity, Span};

use crate::cut::{self, Mend};
use crate::seam::sides;
use crate::{Check, Cut, Finding, GroupRule, Repairs, Rule, View, label};

pub static RULE: Rule = Rule {
    name: "mid-sentence-start",
    title: "Chunk resumes a cut sentence",
    severity: Severity::High,
    repairs: Repairs::Lossless,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&MidSentenceStart),
};

struct MidSentenceStart;

impl GroupRule for MidSentenceStart {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for (left, seam) in view.seams.iter().enumerate() {
            let Cut::Sentence { sure } = seam.cut() else { continue };
            let right = left + 1;
            let piece = &view.pieces[right];
            let start = piece.shown_start();
            let shown = opening(sides(&view.pieces[left], piece).1);
            let before = label(&view.pieces[left]);
            let message = if sure {
                format!("opens mid-sentence ('{shown}'), resuming what {before} cut")
            } else {
                format!("may open mid-sentence ('{shown}'): {before} ends without the end of a sentence")
            };
            let mend = if sure { cut::mend(view, left) } else { Mend::None };
            let finding = Finding::new(RULE.name, RULE.severity, right, message).with(left);
            let white = piece.text[start..].len() - piece.text[start..].trim_start().len();
            let span = Span::new(start + white, start + white + shown.trim_end_matches('…').len());
            out.push(finding.at(span).repair(mend.repair(view, left)));
        }
    }
}

/// The first words of a text, cut short.
fn opening(text: &str) -> String {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let mut short: String = line.chars().take(32).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}
