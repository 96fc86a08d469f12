//! Chunks over the limits.

use gristmill_core::{Severity, Span};

use crate::split::parts;
use crate::{Change, Check, Finding, GroupRule, Repair, Repairs, Rule, View};

pub static RULE: Rule = Rule {
    name: "oversized-chunk",
    title: "Chunk is too large",
    severity: Severity::Low,
    repairs: Repairs::Unsafe,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&OversizedChunk),
};

struct OversizedChunk;

impl GroupRule for OversizedChunk {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for at in 0..view.pieces.len() {
            if let Some(excess) = excess(view, at) {
                let finding = Finding::new(RULE.name, excess.severity, at, excess.message).at(excess.beyond);
                out.push(finding.repair(repair(view, at)));
            }
        }
    }
}

fn repair(view: &View<'_>, at: usize) -> Option<Repair> {
    let into = parts(view, at)?;
    let title = format!("split it into {} chunks", into.len());
    Some(Repair::risky(title, Change::Split { piece: at, into }))
}

struct Excess {
    severity: Severity,
    message: String,
    /// What is over the limit, or the last character where the place is not known.
    beyond: Span,
}

fn excess(view: &View<'_>, at: usize) -> Option<Excess> {
    let text = &view.pieces[at].text;
    let limit = view.cx.max_chars;
    if let Some(tokens) = view.cx.tokens {
        let size = tokens.sizer.size(text);
        if size > tokens.max {
            let message =
                format!("has {size} tokens; the model takes {}, and the rest is cut off or refused", tokens.max);
            let last = text.char_indices().next_back().map_or(0, |(last, _)| last);
            return Some(Excess { severity: Severity::High, message, beyond: Span::new(last, text.len()) });
        }
    }
    let (from, _) = text.char_indices().nth(limit)?;
    let size = limit + text[from..].chars().count();
    let message = format!("has {size} characters, more than {limit}: one vector for several subjects");
    Some(Excess { severity: Severity::Low, message, beyond: Span::new(from, text.len()) })
}
