//! One finding.

use std::io::{self, Write};

use super::paint::Paint;
use super::snippet;
use crate::findings::diff::{Line, Pair, pairs};
use crate::findings::repairs::Repairs;
use crate::findings::{Finding, Shown, visible, words};
use crate::report::page::count;

/// The finding, its place (always one in a document), the lines it is about, and what is asked for beside them.
pub(super) fn write(
    finding: &Finding,
    places: bool,
    shown: &Shown,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    headline(finding, paint, out)?;
    if finding.place.source.is_some() || places {
        let place = format!("      --> {}", visible(&finding.place.written()));
        writeln!(out, "{}", paint.dim(&place))?;
    }
    if let Some(lines) = &finding.snippet {
        snippet::write(lines, finding.severity, shown, paint, out)?;
    }
    if shown.verbose {
        for advice in words::advice(finding) {
            writeln!(out, "      {} {}", paint.dim("="), visible(&advice))?;
        }
    }
    match &finding.diff {
        Some(changes) if shown.diff => diff(&pairs([changes]), paint, out),
        _ => Ok(()),
    }
}

/// Findings that were repaired, how, and what became of their chunks.
pub(super) fn repaired(repairs: &Repairs<'_>, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    for finding in &repairs.findings {
        let repair = finding.repair.as_deref().map_or_else(String::new, |repair| format!(" · {}", visible(repair)));
        let (rule, chunk) = (visible(&finding.rule), visible(&finding.chunk()).into_owned());
        writeln!(out, "{}  {chunk}  {}{repair}", paint.bold(&rule), visible(&finding.message))?;
    }
    diff(&repairs.pairs(), paint, out)
}

fn headline(finding: &Finding, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let severity = paint.severity(finding.severity, &format!("[{}]", finding.severity.name()));
    let fixable = if finding.fixable { paint.added(" ·fixable") } else { String::new() };
    writeln!(out, "  {severity} {}  {}{fixable}", visible(&finding.chunk()), visible(&finding.message))
}

/// Every chunk that changes, by lines.
fn diff(pairs: &[Pair<'_>], paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    for pair in pairs {
        writeln!(out, "      {} ({})", visible(&pair.chunk()), pair.state())?;
        for line in pair.lines() {
            let line = match line {
                Line::Same(text) => format!("    {}", visible(text)),
                Line::Gone(text) => paint.gone(&format!("  - {}", visible(text))),
                Line::New(text) => paint.added(&format!("  + {}", visible(text))),
                Line::Skipped(n) => paint.dim(&format!("    … {}", count(n as u64, "unchanged line"))),
            };
            writeln!(out, "{}", format!("    {line}").trim_end())?;
        }
    }
    Ok(())
}
