//! Which rules are checked.

use gristmill_core::{Error, Result};
use gristmill_format::findings::{Repair, RuleInfo};
use gristmill_lint::{RULES, Repairs, Rule};

use crate::config::{ALL, LintSettings, nearest};

/// The rules that settings select.
pub(crate) fn selected(settings: &LintSettings) -> Result<Vec<&'static Rule>> {
    let LintSettings { select, extend_select, ignore, .. } = settings;
    for name in select.iter().chain(extend_select).chain(ignore).filter(|name| *name != ALL) {
        find_rule(name)?;
    }
    let named = |names: &[String], rule: &Rule| names.iter().any(|name| name == rule.name || name == ALL);
    let chosen = |rule: &&&Rule| (named(select, rule) || named(extend_select, rule)) && !named(ignore, rule);
    Ok(RULES.iter().filter(chosen).copied().collect())
}

/// What is known of a rule.
///
/// # Errors
/// Usage: there is none of that name.
pub fn find_rule(name: &str) -> Result<RuleInfo> {
    let found = RULES.iter().find(|rule| rule.name == name);
    found.map(|rule| info(rule)).ok_or_else(|| {
        let error = Error::usage(format!("unknown rule: `{name}`"));
        match nearest(name, RULES.iter().map(|rule| rule.name)) {
            Some(near) => error.hint(format!("did you mean `{near}`? `gristmill rules` lists all")),
            None => error.hint("`gristmill rules` lists all"),
        }
    })
}

/// What is known of every rule, in the order in which findings are told.
pub fn rule_infos() -> Vec<RuleInfo> {
    RULES.iter().map(|rule| info(rule)).collect()
}

fn info(rule: &'static Rule) -> RuleInfo {
    let repair = match rule.repairs {
        Repairs::Never => Repair::None,
        Repairs::Unsafe => Repair::Unsafe,
        Repairs::Lossless => Repair::Lossless,
    };
    let Rule { name, title, severity, docs, .. } = *rule;
    RuleInfo { name, title, summary: summary(docs), severity, repair, docs }
}

/// The first paragraph.
fn summary(docs: &'static str) -> &'static str {
    docs.split("\n\n").next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Task, resolve};

    fn settings() -> LintSettings {
        resolve(Task::Scan, ".".as_ref(), &[]).unwrap().value.lint
    }

    fn names(settings: &LintSettings) -> Vec<&'static str> {
        selected(settings).unwrap().iter().map(|rule| rule.name).collect()
    }

    #[test]
    fn rules_are_chosen_by_name() {
        assert_eq!(names(&settings()).len(), RULES.len());
        let own = |name: &str| vec![name.to_owned()];
        let one = LintSettings { select: own("empty-chunk"), ..settings() };
        assert_eq!(names(&one), ["empty-chunk"]);
        let more = LintSettings { extend_select: own("split-word"), ..one.clone() };
        assert_eq!(names(&more), ["empty-chunk", "split-word"]);
        let less = LintSettings { ignore: own("empty-chunk"), ..settings() };
        assert_eq!(names(&less).len(), RULES.len() - 1);
        assert!(names(&LintSettings { ignore: own(ALL), ..settings() }).is_empty());
    }

    #[test]
    fn an_unknown_rule_is_told_with_the_nearest() {
        let error = selected(&LintSettings { select: vec!["emty-chunk".to_owned()], ..settings() }).err().unwrap();
        assert_eq!(error.chain(), "unknown rule: `emty-chunk`");
        assert!(error.hint_text().is_some_and(|hint| hint.contains("`empty-chunk`")));
    }

    #[test]
    fn every_rule_says_what_it_finds_in_a_paragraph() {
        for info in rule_infos() {
            assert!(info.summary.starts_with("Finds "), "{}: {}", info.name, info.summary);
            for part in ["**Why it hurts.**", "**Repair.**"] {
                assert!(info.docs.contains(part), "{}: no {part}", info.name);
            }
            let shows = ["```text\nfound", "```text\nbefore"].iter().any(|example| info.docs.contains(example));
            assert!(shows, "{}: no example", info.name);
        }
    }
}
