//! One source under the rules.

use gristmill_lint::{Digest, Finding, Group, LintCx, Piece, Repaired, Rule, Safety, check, digest, repair};
use rustc_hash::FxHashMap;

/// What is found in a group. Findings name pieces of `group`.
pub(super) struct Checked {
    pub group: Group,
    pub found: Vec<Finding>,
    /// What the rules that compare all pieces need.
    pub digests: Vec<Digest>,
}

impl Checked {
    /// Checks a group.
    pub fn of(mut group: Group, source: Option<u32>, rules: &[&'static Rule], cx: &LintCx<'_>) -> Self {
        let found = check(&mut group, rules, cx);
        let digests = digest(&group, source);
        Self { group, found, digests }
    }
}

/// Checks a group. What is shown as fixable was repaired on a copy first: it is gone there. Gives the copy, too.
pub(super) fn scanned(
    group: Group,
    source: Option<u32>,
    rules: &[&'static Rule],
    cx: &LintCx<'_>,
    least: Safety,
) -> (Checked, Option<Repaired>) {
    let mut checked = Checked::of(group, source, rules, cx);
    if !checked.found.iter().any(|finding| is_offered(finding, least)) {
        return (checked, None);
    }
    let after = repair(checked.group.clone(), rules, cx, least);
    withdraw(&mut checked.found, &checked.group.pieces, &after);
    (checked, Some(after))
}

pub(super) fn is_offered(finding: &Finding, least: Safety) -> bool {
    finding.repair.as_ref().is_some_and(|repair| repair.safety >= least)
}

/// Takes back the repair of findings that are still there afterwards.
pub(super) fn withdraw(found: &mut [Finding], before: &[Piece], after: &Repaired) {
    let mut left: FxHashMap<(&str, usize), usize> = FxHashMap::default();
    for finding in &after.left {
        if let Some(piece) = after.pieces.get(finding.piece) {
            *left.entry((finding.rule, piece.index)).or_default() += 1;
        }
    }
    // The last ones are those that stay: repairs are made in the order of the text.
    for finding in found.iter_mut().rev() {
        let Some(piece) = before.get(finding.piece) else { continue };
        let Some(count) = left.get_mut(&(finding.rule, piece.index)).filter(|count| **count > 0) else { continue };
        *count -= 1;
        finding.repair = None;
    }
}
