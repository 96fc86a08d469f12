//! Chunks that have the same identity.

use gristmill_core::Severity;
use rustc_hash::FxHashMap;

use crate::{Check, Corpus, CorpusRule, Finding, Repairs, Rule};

pub static RULE: Rule = Rule {
    name: "duplicate-id",
    title: "Chunk has the identity of another one",
    severity: Severity::Medium,
    repairs: Repairs::Never,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Corpus(&DuplicateId),
};

struct DuplicateId;

impl CorpusRule for DuplicateId {
    fn check(&self, corpus: &Corpus<'_>, out: &mut Vec<Finding>) {
        let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
        for digest in corpus.digests() {
            let Some(id) = digest.id.as_deref() else { continue };
            let first = *seen.entry(id).or_insert(digest.index);
            if first != digest.index {
                let message = format!("`{id}` is the identity of chunk {first} of the file, too");
                out.push(Finding::new(RULE.name, RULE.severity, digest.index, message).with(first));
            }
        }
    }
}
