//! One page of HTML with all it needs: no network, no other file.
//!
//! Text of chunks cannot run: it is escaped, and the page's policy allows no script but its own, by hash.

mod finding;

use std::io::{self, Write};

use super::groups::{Group, counts, groups};
use super::{FixReport, RuleInfo, ScanReport, Shown, visible, words};
use crate::html::escape;
use crate::report::page::number;

/// Findings of one rule that are listed unless all are asked for.
const LISTED: usize = 1000;

const STYLE: &str = include_str!("style.css");

const SCRIPT: &str = include_str!("script.js");

/// SHA-256 of the script in base 64, by which browsers know it.
const SCRIPT_HASH: &str = "33rpljIGOlmJv0vwwcNIetD8tn0AszhoY4vDtI1bURo=";

/// What was found.
pub(super) fn scan(report: &ScanReport, rules: &[RuleInfo], shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    head("Scan", &report.input, out)?;
    writeln!(out, "<p class=\"lead\">{}</p>", escaped(&words::scanned(report)))?;
    figures(report, out)?;
    if let Some(command) = shown.command.as_ref().filter(|_| report.summary.fixable > 0) {
        writeln!(out, "<p>Run <code>{}</code> to repair.</p>", escaped(command))?;
    }
    writeln!(out, "</header>")?;
    listing(report, rules, shown, out)?;
    foot(&report.gristmill, out)
}

/// What was done, and what is left.
pub(super) fn fix(report: &FixReport, rules: &[RuleInfo], shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    head("Repair", &report.input, out)?;
    writeln!(out, "<p class=\"lead\">{}</p>", escaped(&words::repaired(report)))?;
    for said in words::written(report).iter().chain(&report.notes) {
        writeln!(out, "<p>{}</p>", prose(said))?;
    }
    writeln!(out, "</header>")?;
    if !report.changes.is_empty() {
        writeln!(out, "<section class=\"done\"><h2>Repaired</h2>\n<table>")?;
        for (n, rule, title) in counts(&report.changes, &report.fixed, rules) {
            let (n, rule, title) = (number(n), escaped(rule), escaped(title));
            writeln!(out, "<tr><td class=\"n\">{n}</td><td><code>{rule}</code></td><td>{title}</td></tr>")?;
        }
        writeln!(out, "</table>")?;
        let listed = report.fixed.iter().filter(|finding| shown.diff && finding.diff.is_some());
        listed.into_iter().try_for_each(|finding| finding::repaired(finding, out))?;
        writeln!(out, "</section>")?;
    }
    writeln!(out, "<section class=\"left\"><h2>Left</h2>")?;
    figures(&report.left, out)?;
    writeln!(out, "</section>")?;
    listing(&report.left, rules, shown, out)?;
    foot(&report.gristmill, out)
}

fn head(what: &str, input: &str, out: &mut dyn Write) -> io::Result<()> {
    let input = escaped(input);
    writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'sha256-{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{what} of {input} · gristmill</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<p class=\"brand\">gristmill</p>\n\
         <h1>{what} of <bdi>{input}</bdi></h1>"
    )
}

fn foot(version: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<footer>gristmill {}</footer>\n<script>{SCRIPT}</script>\n</body>\n</html>", escaped(version))
}

/// The counts, large.
fn figures(report: &ScanReport, out: &mut dyn Write) -> io::Result<()> {
    let summary = &report.summary;
    if summary.total() == 0 {
        return writeln!(out, "<p class=\"clean\">{}</p>", escaped(&words::total(report)));
    }
    write!(out, "<ul class=\"figures\">")?;
    for (severity, n) in summary.by_severity.pairs() {
        let (name, none) = (severity.name(), if n == 0 { " none" } else { "" });
        write!(out, "<li class=\"{name}{none}\"><b>{}</b> {name}</li>", number(n))?;
    }
    for (n, what) in
        [(summary.fixable, "fixable"), (summary.baseline, "in the baseline"), (summary.hidden, "not listed")]
    {
        if n > 0 {
            write!(out, "<li><b>{}</b> {what}</li>", number(n))?;
        }
    }
    writeln!(out, "</ul>")
}

/// Every rule with its findings, below what filters them.
fn listing(report: &ScanReport, rules: &[RuleInfo], shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let groups = groups(&report.findings);
    writeln!(out, "<main>")?;
    if !groups.is_empty() {
        filters(report, &groups, out)?;
    }
    for found in &groups {
        let known = rules.iter().find(|rule| rule.name == found.rule);
        group(found, known, shown, out)?;
    }
    writeln!(out, "</main>")
}

/// The filters stay hidden where scripts do not run.
fn filters(report: &ScanReport, groups: &[Group<'_>], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<form id=\"filters\" hidden>\n<fieldset><legend>Severity</legend>")?;
    for (severity, n) in report.summary.by_severity.pairs().into_iter().filter(|(_, n)| *n > 0) {
        let (name, n) = (severity.name(), number(n));
        write!(out, "<label><input type=\"checkbox\" name=\"{name}\" checked> {name} <small>{n}</small></label>")?;
    }
    write!(out, "</fieldset>\n<label class=\"rule\">Rule <select name=\"rule\"><option value=\"\">all rules</option>")?;
    for group in groups {
        let (rule, n) = (escaped(group.rule), number(group.findings.len() as u64));
        write!(out, "<option value=\"{rule}\">{rule} ({n})</option>")?;
    }
    writeln!(
        out,
        "</select></label>\n<label><input type=\"checkbox\" name=\"fixable\"> fixable only</label>\n\
         <output name=\"count\" aria-live=\"polite\"></output>\n</form>"
    )
}

fn group(group: &Group<'_>, rule: Option<&RuleInfo>, shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let (name, title, all) = (escaped(group.rule), escaped(group.title), group.findings.len());
    writeln!(
        out,
        "<section data-rule=\"{name}\">\n<h2>{title} <span class=\"count\">{}</span></h2>",
        number(all as u64)
    )?;
    let summary = rule.map_or_else(String::new, |rule| format!(" {}", prose(rule.summary)));
    writeln!(out, "<p class=\"about\"><code>{name}</code>{summary}</p>")?;
    let listed = if shown.verbose { all } else { LISTED };
    group.findings.iter().take(listed).try_for_each(|finding| finding::write(finding, out))?;
    if all > listed {
        let more = number((all - listed) as u64);
        writeln!(out, "<p class=\"more\">… and {more} more: see the JSON report.</p>")?;
    }
    writeln!(out, "</section>")
}

/// Text within an element or a quoted attribute.
fn escaped(text: &str) -> String {
    escape(&visible(text)).into_owned()
}

/// A message; what stands between a pair of backticks is code.
fn prose(text: &str) -> String {
    let text = escaped(text);
    let pieces: Vec<_> = text.split('`').collect();
    let paired = pieces.len() % 2 == 1 && pieces.iter().skip(1).step_by(2).all(|name| !name.is_empty());
    if !paired {
        return text;
    }
    let pieces = pieces.iter().enumerate();
    pieces.map(|(i, piece)| if i % 2 == 0 { (*piece).to_owned() } else { format!("<code>{piece}</code>") }).collect()
}

#[cfg(test)]
mod tests {
    use gristmill_core::Fingerprint;

    use super::*;
    use crate::html::testing::base64;

    #[test]
    fn the_policy_names_the_script() {
        assert_eq!(SCRIPT_HASH, base64(&Fingerprint::of(SCRIPT.as_bytes()).0), "put the second in place of the first");
    }

    #[test]
    fn the_page_needs_nothing_else() {
        for part in [STYLE, SCRIPT] {
            assert!(!["url(", "@import", "http", "</", "fetch"].iter().any(|word| part.contains(word)));
        }
    }

    #[test]
    fn messages_are_only_text() {
        assert_eq!(prose("a `b<` \"c\"\u{1b}"), "a <code>b&lt;</code> &quot;c&quot;␛");
        assert_eq!(prose("a ` b"), "a ` b");
    }
}
