//! Chunks with the same text.

use gristmill_core::Severity;
use gristmill_text::similar::Relation;

use crate::{Change, Check, Corpus, CorpusRule, Finding, Repair, Repairs, Rule};

pub static RULE: Rule = Rule {
    name: "exact-duplicate",
    title: "Chunk repeats another one",
    severity: Severity::Medium,
    repairs: Repairs::Unsafe,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Corpus(&ExactDuplicate),
};

struct ExactDuplicate;

impl CorpusRule for ExactDuplicate {
    fn check(&self, corpus: &Corpus<'_>, out: &mut Vec<Finding>) {
        for pair in corpus.pairs().iter().filter(|pair| pair.relation == Relation::Equal) {
            let (Some(first), Some(second)) = (corpus.digest(pair.a), corpus.digest(pair.b)) else { continue };
            let message = format!("has the same text as {}", first.label());
            let repair = Repair::risky(
                format!("drop it; {} says the same", first.label()),
                Change::Remove { piece: second.index },
            );
            out.push(
                Finding::new(RULE.name, RULE.severity, second.index, message).with(first.index).repair(Some(repair)),
            );
        }
    }
}
