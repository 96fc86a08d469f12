//! One finding.

use std::io::{self, Write};

use super::{escaped, markup, prose};
use crate::findings::diff::{Line, pairs, shared};
use crate::findings::visible::picture;
use crate::findings::{Diff, Finding, Snippet};
use crate::report::page::count;

/// What is wrong, the lines it is about, and what can be done.
pub(super) fn write(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let severity = finding.severity.name();
    let (rule, fixable) = (escaped(&finding.rule), finding.fixable);
    writeln!(out, "<article data-rule=\"{rule}\" data-severity=\"{severity}\" data-fixable=\"{fixable}\">")?;
    headline(finding, out)?;
    if let Some(lines) = finding.snippet.as_ref().filter(|snippet| !snippet.text.is_empty()) {
        snippet(lines, out)?;
    }
    let repair = finding.repair.as_ref().map(|repair| ("Repair", repair));
    for (what, text) in repair.into_iter().chain(finding.help.as_ref().map(|help| ("Help", help))) {
        writeln!(out, "<p class=\"advice\"><b>{what}</b> {}</p>", prose(text))?;
    }
    if let Some(changes) = &finding.diff {
        writeln!(out, "<details><summary>Before and after</summary>")?;
        diff(changes, out)?;
        writeln!(out, "</details>")?;
    }
    writeln!(out, "</article>")
}

/// What was wrong, and the chunks before and after.
pub(super) fn repaired(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<article data-severity=\"{}\">", finding.severity.name())?;
    headline(finding, out)?;
    finding.diff.as_ref().map_or(Ok(()), |changes| diff(changes, out))?;
    writeln!(out, "</article>")
}

fn headline(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let (severity, chunk) = (finding.severity.name(), escaped(&finding.chunk()));
    let place = escaped(&finding.place.written());
    let fixable = if finding.fixable { " <span class=\"fixable\">fixable</span>" } else { "" };
    writeln!(
        out,
        "<p class=\"where\"><span class=\"pill {severity}\">{severity}</span> <bdi class=\"id\">{chunk}</bdi> \
         <bdi class=\"place\">{place}</bdi>{fixable}</p>\n<p class=\"message\" dir=\"auto\">{}</p>",
        prose(&finding.message)
    )
}

/// The lines with their place marked.
fn snippet(snippet: &Snippet, out: &mut dyn Write) -> io::Result<()> {
    let place = |n: u64| {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        snippet.text.char_indices().nth(n).map_or(snippet.text.len(), |(at, _)| at)
    };
    let (start, end) = (place(snippet.start), place(snippet.end.max(snippet.start)));
    let (before, rest) = snippet.text.split_at(start);
    let (inside, after) = rest.split_at(end - start);
    let line = snippet.line;
    write!(out, "<figure><figcaption>line {line}</figcaption><pre dir=\"auto\">{}", lines(before))?;
    writeln!(out, "<mark>{}</mark>{}</pre></figure>", lines(inside), lines(after))
}

/// Lines of a chunk: line ends and tabs stay, other controls become visible.
fn lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match picture(c) {
            Some(picture) if !matches!(c, '\n' | '\t') => out.push_str(&picture),
            _ => out.push(c),
        }
    }
    markup(&out)
}

/// Each chunk that changes: what goes and what comes, line by line.
fn diff(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    for pair in pairs(diff) {
        let (chunk, state) = (escaped(&pair.chunk()), pair.state());
        write!(out, "<div class=\"diff\"><p class=\"where\"><bdi class=\"id\">{chunk}</bdi> {state}</p><pre>")?;
        let all = pair.lines();
        let mut at = 0;
        while let Some(line) = all.get(at) {
            at += 1;
            match (*line, all.get(at)) {
                (Line::Gone(old), Some(Line::New(new))) if !matches!(all.get(at + 1), Some(Line::New(_))) => {
                    at += 1;
                    changed(old, new, out)?;
                }
                (Line::Same(text), _) => write!(out, "<span class=\"same\">{}</span>", lines(text))?,
                (Line::Gone(text), _) => write!(out, "<del>{}</del>", lines(text))?,
                (Line::New(text), _) => write!(out, "<ins>{}</ins>", lines(text))?,
                (Line::Skipped(n), _) => {
                    write!(out, "<span class=\"skipped\">… {}</span>", count(n as u64, "unchanged line"))?;
                }
            }
        }
        writeln!(out, "</pre></div>")?;
    }
    Ok(())
}

/// A line that became another, with what differs marked.
fn changed(old: &str, new: &str, out: &mut dyn Write) -> io::Result<()> {
    let (head, tail) = shared(old, new);
    for (element, text) in [("del", old), ("ins", new)] {
        let (before, rest) = text.split_at(head);
        let (inside, after) = rest.split_at(rest.len() - tail);
        let (before, inside, after) = (lines(before), lines(inside), lines(after));
        let inside = if inside.is_empty() { inside } else { format!("<b>{inside}</b>") };
        write!(out, "<{element}>{before}{inside}{after}</{element}>")?;
    }
    Ok(())
}
