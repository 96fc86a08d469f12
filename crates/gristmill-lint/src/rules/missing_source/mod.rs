//! Chunks that do not say where they come from.

use gristmill_core::Severity;

use crate::{Check, Corpus, CorpusRule, Finding, Repairs, Rule};

pub static RULE: Rule = Rule {
    name: "missing-source",
    title: "Chunk names no source",
    severity: Severity::Medium,
    repairs: Repairs::Never,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Corpus(&MissingSource),
};

struct MissingSource;

impl CorpusRule for MissingSource {
    fn check(&self, corpus: &Corpus<'_>, out: &mut Vec<Finding>) {
        let digests = corpus.digests();
        if digests.iter().any(|digest| digest.source.is_some()) {
            let without = digests.iter().filter(|digest| digest.source.is_none());
            let message = "names no source, while other chunks do";
            out.extend(without.map(|digest| Finding::new(RULE.name, RULE.severity, digest.index, message)));
        } else if let Some(first) = digests.first() {
            let message = "no chunk of the set names a source; all count as one text in the order of the file";
            out.push(Finding::new(RULE.name, Severity::Info, first.index, message));
        }
    }
}
