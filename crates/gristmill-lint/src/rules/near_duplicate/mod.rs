//! Chunks that say nearly the same as another one.

use gristmill_core::Severity;
use gristmill_text::similar::{Pair, Relation};

use crate::{Check, Corpus, CorpusRule, Finding, Repairs, Rule};

pub static RULE: Rule = Rule {
    name: "near-duplicate",
    title: "Chunk says nearly the same as another one",
    severity: Severity::Medium,
    repairs: Repairs::Never,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Corpus(&NearDuplicate),
};

struct NearDuplicate;

impl CorpusRule for NearDuplicate {
    fn check(&self, corpus: &Corpus<'_>, out: &mut Vec<Finding>) {
        out.extend(corpus.pairs().iter().filter_map(|pair| finding(corpus, pair)));
    }
}

fn finding(corpus: &Corpus<'_>, pair: &Pair) -> Option<Finding> {
    let (first, second) = (corpus.digest(pair.a)?, corpus.digest(pair.b)?);
    let (piece, other, message) = match pair.relation {
        Relation::Equal => return None,
        Relation::Near { ratio } if ratio >= 1.0 => {
            (second, first, format!("says the same as {} but for case, marks and spacing", first.label()))
        }
        Relation::Near { ratio } => {
            (second, first, format!("shares {} of its word sequences with {}", percent(ratio), first.label()))
        }
        Relation::Contained { inner, share } => {
            let (piece, other) = if inner == pair.a { (first, second) } else { (second, first) };
            (piece, other, format!("stands within {}, which holds {} of it", other.label(), percent(share)))
        }
    };
    Some(Finding::new(RULE.name, RULE.severity, piece.index, message).with(other.index))
}

/// Rounded down, so that nothing but the same is called 100 %.
fn percent(share: f64) -> String {
    format!("{:.0} %", (share * 100.0).floor())
}
