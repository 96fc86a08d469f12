//! The literate cases beside each rule.
//!
//! A case is a heading and fenced blocks below it: `json` holds the chunks; `findings` the findings of the rule, one a line
//! (`CHUNK RULE SEVERITY [fixable]`); `fixed` the chunks after repair (left out: they stay as they are). `settings` may set
//! `max_chars`, `min_chars` and `unsafe`, and `rules`, further rules that take part. A chunk is named by its identity, or by
//! its index. What holds for every repair (it converges, says so rightly, loses nothing) is checked with all rules on.

mod set;

use gristmill_lint::{LintCx, Piece, RULES, Rule, Safety, part_of};
use serde_json::Value;
use set::{Outcome, groups, run};

#[derive(Default)]
struct Case {
    title: String,
    chunks: Value,
    settings: Value,
    findings: Option<String>,
    fixed: Option<Value>,
}

fn parse(rule: &Rule) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut lines = rule.cases.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("# ") {
            cases.push(Case { title: title.to_owned(), ..Case::default() });
        }
        let Some(kind) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let block = block.join("\n");
        let case = cases.last_mut().unwrap_or_else(|| panic!("{}: a block without a heading", rule.name));
        let json = || serde_json::from_str(&block).unwrap_or_else(|e| panic!("{}, {}: {e}", rule.name, case.title));
        match kind {
            "json" => case.chunks = json(),
            "settings" => case.settings = json(),
            "fixed" => case.fixed = Some(json()),
            "findings" => case.findings = Some(block),
            other => panic!("{}: a block of unknown kind: {other}", rule.name),
        }
    }
    cases
}

fn cx(settings: &Value) -> LintCx<'static> {
    let usual = LintCx::default();
    let size = |key: &str, usual: usize| settings[key].as_u64().map_or(usual, |size| size as usize);
    LintCx { max_chars: size("max_chars", usual.max_chars), min_chars: size("min_chars", usual.min_chars), ..usual }
}

fn label(chunks: &Value, index: usize) -> String {
    chunks[index]["id"].as_str().map_or_else(|| index.to_string(), str::to_owned)
}

fn name(chunks: &Value, piece: &Piece) -> String {
    piece.id.clone().unwrap_or_else(|| label(chunks, part_of(piece.index).0))
}

#[test]
fn cases_hold() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let cases = parse(rule);
        assert!(cases.len() >= 2, "{}: a rule needs cases that find and cases that do not", rule.name);
        for case in cases {
            for fault in faults(rule, &case) {
                wrong.push(format!("{} / {}: {fault}", rule.name, case.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

fn faults(rule: &'static Rule, case: &Case) -> Vec<String> {
    let more = case.settings["rules"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let more = more.map(|name| *RULES.iter().find(|rule| rule.name == name).expect("a rule"));
    let rules: Vec<&'static Rule> = std::iter::once(rule).chain(more).collect();
    let least = if case.settings["unsafe"] == true { Safety::Unsafe } else { Safety::Lossless };
    let cx = cx(&case.settings);
    let outcome = run(&groups(&case.chunks), &rules, &cx, least);
    let mut faults = Vec::new();
    let found = found(rule, case, &outcome, least);
    let expected = case.findings.as_deref().expect("a block of findings");
    let mut wanted: Vec<&str> = expected.lines().filter(|line| !line.is_empty()).collect();
    wanted.sort_unstable();
    if found != wanted {
        faults.push(format!("found\n    {}\n  expected\n    {}", found.join("\n    "), wanted.join("\n    ")));
    }
    faults.extend(fixed(case, &outcome));
    faults.extend(promises(case, &rules, &cx, least));
    faults.extend(promises(case, RULES, &cx, Safety::Lossless));
    faults
}

fn found(rule: &Rule, case: &Case, outcome: &Outcome, least: Safety) -> Vec<String> {
    let own = outcome.found.iter().filter(|(_, finding)| finding.rule == rule.name);
    let line = |(index, finding): &(usize, gristmill_lint::Finding)| {
        let fixable = if finding.is_offered(least) { " fixable" } else { "" };
        format!("{} {} {}{fixable}", label(&case.chunks, *index), finding.rule, finding.severity.name())
    };
    let mut lines: Vec<String> = own.map(line).collect();
    lines.sort_unstable();
    lines
}

fn fixed(case: &Case, outcome: &Outcome) -> Option<String> {
    let text = |chunk: &Value| chunk.as_str().or_else(|| chunk["text"].as_str()).expect("a text").to_owned();
    let pieces = outcome.pieces();
    let after: Vec<(String, String)> =
        pieces.iter().map(|piece| (name(&case.chunks, piece), piece.text.clone())).collect();
    let all = case.fixed.as_ref().unwrap_or(&case.chunks);
    let all = all.as_array().expect("a list");
    let wanted: Vec<(String, String)> = all
        .iter()
        .enumerate()
        .map(|(at, chunk)| {
            let own = chunk["id"].as_str().map_or_else(|| at.to_string(), str::to_owned);
            (own, text(chunk))
        })
        .collect();
    if after != wanted {
        return Some(format!("after repair\n    {after:?}\n  expected\n    {wanted:?}"));
    }
    for (piece, chunk) in pieces.iter().zip(all) {
        let Some(ids) = chunk["merged_ids"].as_array() else { continue };
        let merged: Vec<Value> = piece.merged.iter().map(|at| label(&case.chunks, *at).into()).collect();
        if merged != *ids {
            return Some(format!("{:?} holds {merged:?}, expected {ids:?}", piece.id));
        }
    }
    None
}

/// What holds for every repair: it ends without faults, a second one changes nothing, and what was shown as fixable is gone.
fn promises(case: &Case, rules: &[&'static Rule], cx: &LintCx<'_>, least: Safety) -> Vec<String> {
    let outcome = run(&groups(&case.chunks), rules, cx, least);
    let mut faults: Vec<String> = outcome.repaired.iter().flat_map(|(_, group)| group.faults.clone()).collect();
    let again = outcome
        .repaired
        .iter()
        .map(|(source, group)| gristmill_lint::Group { source: source.clone(), pieces: group.pieces.clone() });
    let again = run(&again.collect::<Vec<_>>(), rules, cx, least);
    if again.repaired.iter().any(|(_, group)| !group.applied.is_empty()) {
        let what: Vec<_> = again.repaired.iter().flat_map(|(_, group)| &group.applied).collect();
        faults.push(format!("a second repair goes on: {what:?}"));
    }
    let open = outcome.left.iter().filter(|finding| finding.is_offered(least));
    faults.extend(open.map(|finding| format!("still to be repaired: {finding:?}")));
    faults
}
