//! One finding.

use std::io::{self, Write};
use std::ops::Range;

use super::{escaped, prose};
use crate::findings::diff::{Line, pairs, shared};
use crate::findings::visible::picture;
use crate::findings::{Diff, Finding, Snippet};
use crate::html::escape;
use crate::report::page::count;

/// What is wrong, the lines it is about, and what can be done.
pub(super) fn write(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let severity = finding.severity.name();
    let (rule, fixable) = (escaped(&finding.rule), finding.fixable);
    writeln!(out, "<article data-rule=\"{rule}\" data-severity=\"{severity}\" data-fixable=\"{fixable}\">")?;
    headline(finding, finding.fixable, out)?;
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
    headline(finding, false, out)?;
    if let Some(repair) = &finding.repair {
        writeln!(out, "<p class=\"advice\"><b>Repair</b> {}</p>", prose(repair))?;
    }
    finding.diff.as_ref().map_or(Ok(()), |changes| diff(changes, out))?;
    writeln!(out, "</article>")
}

fn headline(finding: &Finding, fixable: bool, out: &mut dyn Write) -> io::Result<()> {
    let (severity, chunk) = (finding.severity.name(), escaped(&finding.chunk()));
    let place = escaped(&finding.place.written());
    let fixable = if fixable { " <span class=\"fixable\">fixable</span>" } else { "" };
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
    write!(out, "<figure><figcaption>line {line}</figcaption><pre dir=\"auto\">\n{}", lines(before))?;
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
    escape(&out).into_owned()
}

/// Each chunk that changes: what goes and what comes, line by line.
fn diff(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    for pair in pairs([diff]) {
        let (chunk, state) = (escaped(&pair.chunk()), pair.state());
        write!(out, "<div class=\"diff\"><p class=\"where\"><bdi class=\"id\">{chunk}</bdi> {state}</p><pre>")?;
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for line in pair.lines() {
            match line {
                Line::Gone(text) if new.is_empty() => gone.push(text),
                Line::Gone(text) => {
                    changed(&mut gone, &mut new, out)?;
                    gone.push(text);
                }
                Line::New(text) => new.push(text),
                Line::Same(text) => {
                    changed(&mut gone, &mut new, out)?;
                    write!(out, "<span class=\"same\">{}</span>", lines(text))?;
                }
                Line::Skipped(n) => {
                    changed(&mut gone, &mut new, out)?;
                    write!(out, "<span class=\"skipped\">… {}</span>", count(n as u64, "unchanged line"))?;
                }
            }
        }
        changed(&mut gone, &mut new, out)?;
        writeln!(out, "</pre></div>")?;
    }
    Ok(())
}

/// Lines that became others, with what differs marked. Takes them.
fn changed<'a>(gone: &mut Vec<&'a str>, new: &mut Vec<&'a str>, out: &mut dyn Write) -> io::Result<()> {
    let (old_text, new_text) = (gone.join("\n"), new.join("\n"));
    // Where nothing stands on the other side, all differs, and marks would say nothing.
    let differ =
        |head, tail, length: usize| if old_text.is_empty() || new_text.is_empty() { 0..0 } else { head..length - tail };
    let (head, tail) = shared(&old_text, &new_text);
    for (element, lines, length) in [("del", gone, old_text.len()), ("ins", new, new_text.len())] {
        marked(element, lines, differ(head, tail, length), out)?;
        lines.clear();
    }
    Ok(())
}

/// Lines of which a range, in bytes of all joined, is marked.
fn marked(element: &str, all: &[&str], range: Range<usize>, out: &mut dyn Write) -> io::Result<()> {
    let mut at = 0;
    for text in all {
        let from = range.start.saturating_sub(at).min(text.len());
        let to = range.end.saturating_sub(at).clamp(from, text.len());
        let (before, rest) = text.split_at(from);
        let (inside, after) = rest.split_at(to - from);
        let (before, inside, after) = (lines(before), lines(inside), lines(after));
        let inside = if inside.is_empty() { inside } else { format!("<b>{inside}</b>") };
        write!(out, "<{element}>{before}{inside}{after}</{element}>")?;
        at += text.len() + 1;
    }
    Ok(())
}
