//! Repairs that touch the same chunks, so that each chunk is shown once.

use std::collections::HashMap;

use super::diff::{Pair, pairs};
use super::{Diff, Finding};

/// Repairs that touch the same chunks.
pub(super) struct Repairs<'a> {
    /// What was repaired, in the order of the report.
    pub(super) findings: Vec<&'a Finding>,
    diffs: Vec<&'a Diff>,
}

impl<'a> Repairs<'a> {
    /// The chunks that differ, in their order.
    pub(super) fn pairs(&self) -> Vec<Pair<'a>> {
        pairs(self.diffs.iter().copied())
    }
}

/// Repairs that show what they change, in the order of their first findings.
pub(super) fn repairs(fixed: &[Finding]) -> Vec<Repairs<'_>> {
    let shown: Vec<(&Finding, &Diff)> = fixed.iter().filter_map(|f| Some((f, f.diff.as_ref()?))).collect();
    let mut first = Firsts((0..shown.len()).collect());
    let mut by_chunk: HashMap<u64, usize> = HashMap::new();
    for (at, (_, diff)) in shown.iter().enumerate() {
        for version in diff.before.iter().chain(&diff.after) {
            let other = *by_chunk.entry(version.index).or_insert(at);
            first.join(other, at);
        }
    }
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut repairs: Vec<Repairs<'_>> = Vec::new();
    for (at, (finding, diff)) in shown.into_iter().enumerate() {
        let place = *places.entry(first.of(at)).or_insert(repairs.len());
        if place == repairs.len() {
            repairs.push(Repairs { findings: Vec::new(), diffs: Vec::new() });
        }
        repairs[place].findings.push(finding);
        repairs[place].diffs.push(diff);
    }
    repairs
}

/// The first of those that belong together, for each.
struct Firsts(Vec<usize>);

impl Firsts {
    fn of(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{Place, Version};
    use gristmill_core::Severity;

    fn finding(rule: &'static str, touched: &[u64]) -> Finding {
        let version = |index: &u64| Version { id: None, index: *index, text: format!("text {index}") };
        Finding {
            rule: rule.into(),
            title: "".into(),
            severity: Severity::Low,
            chunk_id: None,
            index: touched.first().copied().unwrap_or_default(),
            message: String::new(),
            fixable: true,
            repair: None,
            related: Vec::new(),
            help: None,
            place: Place::default(),
            snippet: None,
            diff: Some(Diff { before: touched.iter().map(version).collect(), after: Vec::new() }),
            fingerprint: String::new(),
        }
    }

    #[test]
    fn a_chunk_is_shown_once() {
        let fixed = [finding("a", &[1, 2]), finding("b", &[5]), finding("c", &[3]), finding("d", &[2, 3])];
        let repairs = repairs(&fixed);
        let rules = |at: usize| repairs[at].findings.iter().map(|f| &*f.rule).collect::<Vec<_>>();
        assert_eq!((repairs.len(), rules(0), rules(1)), (2, vec!["a", "c", "d"], vec!["b"]));
        let chunks: Vec<String> = repairs[0].pairs().iter().map(|pair| pair.chunk().into_owned()).collect();
        assert_eq!(chunks, ["#1", "#2", "#3"]);
    }

    #[test]
    fn what_shows_nothing_is_left_out() {
        assert!(repairs(&[Finding { diff: None, ..finding("a", &[1]) }]).is_empty());
    }
}
