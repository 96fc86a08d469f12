//! One source under the rules.

use gristmill_lint::{Digest, Finding, Group, LintCx, Repaired, Rule, Safety, check, digest, repair};

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
    if !checked.found.iter().any(|finding| finding.is_offered(least)) {
        return (checked, None);
    }
    let after = repair(checked.group.clone(), rules, cx, least);
    after.withdraw(&mut checked.found, &checked.group.pieces, least);
    (checked, Some(after))
}
