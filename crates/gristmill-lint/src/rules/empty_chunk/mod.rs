//! Chunks without visible text.

use gristmill_core::Severity;

use crate::{Change, Check, Finding, GroupRule, Repair, Repairs, Rule, View, is_invisible};

pub static RULE: Rule = Rule {
    name: "empty-chunk",
    title: "Chunk has no visible text",
    severity: Severity::High,
    repairs: Repairs::Lossless,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&EmptyChunk),
};

struct EmptyChunk;

impl GroupRule for EmptyChunk {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for (at, piece) in view.pieces.iter().enumerate() {
            if piece.text.chars().all(is_invisible) {
                let what =
                    if piece.text.is_empty() { "no text at all" } else { "white space and zero-width characters only" };
                let repair = Repair::lossless("remove it", Change::Remove { piece: at });
                out.push(Finding::new(RULE.name, RULE.severity, at, what).repair(Some(repair)));
            }
        }
    }
}
