//! Metadata that the other chunks of the source have.

use std::collections::BTreeMap;

use gristmill_core::Severity;

use crate::{Check, Finding, GroupRule, Repairs, Rule, View};

pub static RULE: Rule = Rule {
    name: "missing-metadata",
    title: "Chunk lacks metadata that its neighbours have",
    severity: Severity::Medium,
    repairs: Repairs::Never,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&MissingMetadata),
};

/// Fewer other chunks say nothing about what is usual.
const LEAST: usize = 5;

/// Parts of names of what rightly differs between chunks: headings, borders, and what repairs write.
const VARIES: [&str; 13] = [
    "header", "heading", "section", "title", "merged", "injected", "overlap", "prev", "next", "parent", "child",
    "relation", "part",
];

struct MissingMetadata;

impl GroupRule for MissingMetadata {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        let others = view.pieces.len().saturating_sub(1);
        if others < LEAST {
            return;
        }
        let mut filled: BTreeMap<&str, usize> = BTreeMap::new();
        for name in view.pieces.iter().flat_map(|piece| &piece.metadata) {
            *filled.entry(name).or_default() += 1;
        }
        filled.retain(|name, count| *count * 5 >= others * 4 && *count <= others && !varies(name));
        if filled.is_empty() {
            return;
        }
        for (at, piece) in view.pieces.iter().enumerate() {
            let lacks = |name: &&str| !piece.metadata.iter().any(|own| own == name);
            let missing: Vec<String> = filled.keys().copied().filter(lacks).map(|name| format!("`{name}`")).collect();
            if !missing.is_empty() {
                let message = format!("lacks {}, which most chunks of its source have", missing.join(", "));
                out.push(Finding::new(RULE.name, RULE.severity, at, message));
            }
        }
    }
}

fn varies(name: &str) -> bool {
    let name = name.to_lowercase();
    VARIES.iter().any(|part| name.contains(part))
}
