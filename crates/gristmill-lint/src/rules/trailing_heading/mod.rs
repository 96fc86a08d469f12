//! Chunks that end with a heading whose text is elsewhere.

use gristmill_core::{Severity, Span};

use super::heading_only::{reunite, trailing};
use crate::{Check, Finding, GroupRule, Repairs, Rule, View};

pub static RULE: Rule = Rule {
    name: "trailing-heading",
    title: "Chunk ends with a heading",
    severity: Severity::Low,
    repairs: Repairs::Lossless,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&TrailingHeading),
};

struct TrailingHeading;

impl GroupRule for TrailingHeading {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for (at, piece) in view.pieces.iter().enumerate() {
            let Some(run) = trailing(view, at).filter(|run| !run.whole) else { continue };
            let span = Span::new(run.start, run.end).trimmed(&piece.text);
            let finding = Finding::new(RULE.name, RULE.severity, at, "ends with a heading: its text is elsewhere");
            out.push(finding.at(span).repair(reunite(view, at)));
        }
    }
}
