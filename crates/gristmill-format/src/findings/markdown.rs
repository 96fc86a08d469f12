//! Markdown, for job summaries and comments.

use std::io::{self, Write};

use super::diff::{Line, Pair};
use super::groups::{Group, counts, groups};
use super::repairs::{Repairs, repairs};
use super::{Finding, FixReport, RuleInfo, ScanReport, Shown, Snippet, visible, words};
use crate::report::page::{Page, Place, code, count, number, prose};

/// Findings of one rule that are listed unless all are asked for.
const LISTED: usize = 50;

/// Of these, so many are shown with their lines.
const QUOTED: usize = 5;

/// What was found.
pub(super) fn scan(report: &ScanReport, rules: &[RuleInfo], shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## Scan of {}\n", code(&visible(&report.input), Place::Line))?;
    writeln!(out, "{}: **{}**", words::scanned(report), words::total(report))?;
    listing(report, rules, shown, out)?;
    match &shown.command {
        Some(command) if report.summary.fixable > 0 => {
            writeln!(out, "\nRun {} to repair.", code(&visible(command), Place::Line))
        }
        _ => Ok(()),
    }
}

/// What was done, and what is left.
pub(super) fn fix(report: &FixReport, rules: &[RuleInfo], shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## Repair of {}\n", code(&visible(&report.input), Place::Line))?;
    writeln!(out, "**{}**", words::repaired(report))?;
    if let Some(written) = words::written(report) {
        writeln!(out, "\n{}", said(&written, Place::Line))?;
    }
    for note in &report.notes {
        writeln!(out, "\n> {}", said(note, Place::Line))?;
    }
    if !report.changes.is_empty() {
        let rows = counts(&report.changes, &report.fixed, rules).into_iter();
        let rows = rows.map(|(n, rule, title)| [code(rule, Place::Cell), said(title, Place::Cell), number(n)]);
        table(["rule", "what was wrong", "repairs:"], rows, out)?;
    }
    if shown.diff {
        repairs(&report.fixed).iter().try_for_each(|repairs| details(repairs, out))?;
    }
    writeln!(out, "\n### Left\n\n{}", words::left(&report.left))?;
    listing(&report.left, rules, shown, out)
}

fn listing(report: &ScanReport, rules: &[RuleInfo], shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    if report.summary.total() > 0 {
        let rows = counts(&report.summary.by_rule, &report.findings, rules).into_iter();
        let rows = rows.map(|(n, rule, title)| [code(rule, Place::Cell), said(title, Place::Cell), number(n)]);
        table(["rule", "what is wrong", "findings:"], rows, out)?;
    }
    groups(&report.findings).iter().try_for_each(|found| group(found, shown, out))
}

fn table<const N: usize>(
    titles: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut page = Page::default();
    page.table(titles, rows);
    write!(out, "\n{}", page.finish())
}

fn group(group: &Group<'_>, shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let (rule, title) = (html(group.rule), html(group.title));
    let found = number(group.findings.len() as u64);
    writeln!(out, "\n<details><summary><code>{rule}</code> {title} ({found})</summary>\n")?;
    let listed = if shown.verbose { group.findings.len() } else { LISTED };
    for (at, finding) in group.findings.iter().take(listed).enumerate() {
        entry(finding, shown.verbose || at < QUOTED, out)?;
    }
    let more = group.findings.len().saturating_sub(listed);
    if more > 0 {
        writeln!(out, "\n… and {} more: see the JSON report.", number(more as u64))?;
    }
    writeln!(out, "\n</details>")
}

/// One finding of a list.
fn entry(finding: &Finding, quoted: bool, out: &mut dyn Write) -> io::Result<()> {
    let (chunk, message) = (code(&visible(&finding.chunk()), Place::Line), said(&finding.message, Place::Line));
    let place = code(&visible(&finding.place.written()), Place::Line);
    let fixable = if finding.fixable { " · fixable" } else { "" };
    writeln!(out, "- **{}** {chunk} ({place}): {message}{fixable}", finding.severity.name())?;
    match &finding.snippet {
        Some(snippet) if quoted && !snippet.text.trim().is_empty() => block("", &quoted_lines(snippet), "  ", out),
        _ => Ok(()),
    }
}

fn quoted_lines(snippet: &Snippet) -> Vec<String> {
    snippet.text.split('\n').map(|line| shown_line(line).into_owned()).collect()
}

/// One line of a chunk; a tab is harmless in a block of code.
fn shown_line(line: &str) -> std::borrow::Cow<'_, str> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.contains('\t') {
        line.split('\t').map(visible).collect::<Vec<_>>().join("\t").into()
    } else {
        visible(line)
    }
}

/// Repairs with the chunks before and after them.
fn details(repairs: &Repairs<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Some((first, others)) = repairs.findings.split_first() else { return Ok(()) };
    let (rule, chunk) = (html(&first.rule), html(&first.chunk()));
    writeln!(out, "\n<details><summary><code>{rule}</code> {chunk}: {}</summary>\n", html(&first.message))?;
    for other in others {
        let [rule, chunk] = [&other.rule, &other.chunk()].map(|name| code(&visible(name), Place::Line));
        writeln!(out, "- {rule} {chunk}: {}", said(&other.message, Place::Line))?;
    }
    block("diff", &changes(&repairs.pairs()), "", out)?;
    writeln!(out, "\n</details>")
}

fn changes(pairs: &[Pair<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    for pair in pairs {
        lines.push(format!("@@ {} ({}) @@", visible(&pair.chunk()), pair.state()));
        lines.extend(pair.lines().into_iter().map(|line| match line {
            Line::Same(text) => format!(" {}", shown_line(text)),
            Line::Gone(text) => format!("-{}", shown_line(text)),
            Line::New(text) => format!("+{}", shown_line(text)),
            Line::Skipped(n) => format!(" … {}", count(n as u64, "unchanged line")),
        }));
    }
    lines
}

/// A block of code that none of its lines can close.
fn block(language: &str, lines: &[String], indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let runs = lines.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    writeln!(out, "\n{indent}{fence}{language}")?;
    lines.iter().try_for_each(|line| writeln!(out, "{indent}{line}"))?;
    writeln!(out, "{indent}{fence}\n")
}

/// A message in which nothing is taken for markup, and no name for a person to be called (`@name`).
fn said(text: &str, place: Place) -> String {
    let text = visible(text);
    // One mark too many, or a pair with nothing between, and none is taken for code.
    let unpaired = text.matches('`').count() % 2 == 1 || text.split('`').skip(1).step_by(2).any(str::is_empty);
    let mut in_code = false;
    let mut from = 0;
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        in_code ^= c == '`';
        if c == '@' && (unpaired || !in_code) {
            out.push_str(&kept(&text[from..=at], place));
            out.push_str("<!-- -->");
            from = at + 1;
        }
    }
    out + &kept(&text[from..], place)
}

/// The same with the blanks at its ends, which would be lost.
fn kept(text: &str, place: Place) -> String {
    let inner = text.trim_matches(' ');
    let start = text.len() - text.trim_start_matches(' ').len();
    let end = if inner.is_empty() { text.len() } else { start + inner.len() };
    format!("{}{}{}", &text[..start], prose(inner, place), &text[end..])
}

/// Text within an element of HTML.
fn html(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('@', "@<!-- -->")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_only_text() {
        let said = |text| said(text, Place::Line);
        assert_eq!(said("ask @me  or `@code`"), "ask @<!-- -->me  or `@code`");
        assert_eq!(said("a ` b @x"), "a \\` b @<!-- -->x");
        assert_eq!(said("`` ` b @x `"), "\\`\\` \\` b @<!-- -->x \\`");
        assert_eq!(said("</details><b> *x*"), "\\</details\\>\\<b\\> \\*x\\*");
        assert_eq!(said(""), "");
        assert_eq!(said("  "), "  ");
    }

    #[test]
    fn a_block_is_not_closed_from_within() {
        let mut out = Vec::new();
        block("", &["````".to_owned(), "x".to_owned()], "  ", &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "\n  `````\n  ````\n  x\n  `````\n\n");
    }
}
