//! The page docs/reference/rules.md, from the rules.

use std::fmt::Write as _;

use gristmill::findings::{Repair, RuleInfo};

const HEAD: &str = "\
# Rules

<!-- Made by `cargo xtask generate` from the program; not to be edited. -->

`gristmill scan` checks all rules, unless `--select`, `--ignore` or `[lint]` say otherwise. `gristmill fix` makes the repairs
that lose nothing, and the others with `--unsafe`; a finding says `fixable` only when it will really be repaired.
`gristmill explain RULE` prints what stands here. How to use them: [scan and fix](../guide/scan-and-fix.md).

| rule | severity | what it finds | repair |
| --- | --- | --- | --- |
";

/// The page.
pub fn page(rules: &[RuleInfo]) -> String {
    let mut page = HEAD.to_owned();
    for rule in rules {
        let (name, severity) = (rule.name, rule.severity.name());
        let repair = match rule.repair {
            Repair::None => "",
            Repair::Lossless => "lossless",
            Repair::Unsafe => "with `--unsafe`",
        };
        let _ = writeln!(page, "| [`{name}`](#{name}) | {severity} | {} | {repair} |", gist(rule).replace('|', "\\|"));
    }
    for rule in rules {
        let (name, severity, title) = (rule.name, rule.severity.name(), rule.title);
        let _ = write!(page, "\n## {name}\n\n{title} (`{severity}`).\n\n{}\n", rule.docs.trim());
    }
    page
}

/// What the rule finds: the first sentence of its documentation on one line.
fn gist(rule: &RuleInfo) -> String {
    let summary = rule.summary.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = summary.split(". ").next().unwrap_or_default().trim_end_matches('.');
    first.strip_prefix("Finds ").unwrap_or(first).to_owned()
}
