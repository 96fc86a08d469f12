//! The counts of documents as a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gristmill::report::{DocumentReport, Inspection, RunReport};

use crate::paint::{BOLD, YELLOW, columns, paint, visible};
use crate::words::{Side, Table, counted, number};

/// One of the counts.
type Count = fn(&Inspection) -> u64;

/// Counts in the order of the table, the least telling last.
const COUNTS: [(&str, Count); 13] = [
    ("tokens", |counts| counts.tokens),
    ("unclosed", |counts| counts.unclosed_fences),
    ("headings", |counts| counts.headings),
    ("paragraphs", |counts| counts.paragraphs),
    ("sentences", |counts| counts.sentences),
    ("code", |counts| counts.fenced_code_blocks),
    ("tables", |counts| counts.tables),
    ("lists", |counts| counts.lists),
    ("quotes", |counts| counts.blockquotes),
    ("repeated", |counts| counts.repeated_blocks),
    ("boilerplate", |counts| counts.boilerplate_lines),
    ("empty pages", |counts| counts.pages_without_text),
    ("words", |counts| counts.words),
];

/// Columns that stay though they hold zeros only: name, kind and tokens.
const ALWAYS: usize = 3;

/// A table with a line for each document, what they have in common, and those to look at.
pub fn text(report: &RunReport) -> String {
    let mut table = table(report);
    table.drop_zeros(ALWAYS);
    let gone = table.fit(columns());
    let mut out = table.text();
    out.push('\n');
    if gone > 0 {
        let _ = writeln!(out, "`--format json` has {} more", counted(gone as u64, "column"));
    }
    let mut formats: BTreeMap<&str, u64> = BTreeMap::new();
    for document in report.documents.iter().filter(|document| document.error.is_none()) {
        *formats.entry(&document.format).or_insert(0) += 1;
    }
    let totals = &report.totals;
    let _ = writeln!(out, "kinds: {}", most_first(formats.into_iter()));
    let encodings = totals.encodings.iter().map(|(name, count)| (name.as_str(), *count));
    let _ = writeln!(out, "encodings: {}", most_first(encodings));
    if !totals.languages.is_empty() {
        let languages = totals.languages.iter().map(|(name, count)| (name.as_str(), *count));
        let _ = writeln!(out, "languages: {}", most_first(languages));
    }
    if let (Some(mean), Some(min), Some(max)) = (totals.size.mean, totals.size.min, totals.size.max) {
        let (chunks, measure) = (counted(totals.chunks, "chunk"), totals.size.measure());
        let _ = writeln!(out, "these settings make {chunks} of {min} to {max}, on average {mean:.1} {measure}");
    }
    let review: Vec<&DocumentReport> = report.documents.iter().filter(|document| document.needs_review).collect();
    if !review.is_empty() {
        let heading = format!("{} for a person to look at:", counted(review.len() as u64, "document"));
        let _ = writeln!(out, "{}", paint(YELLOW, heading));
        review.iter().for_each(|document| out.push_str(&look(document)));
    }
    out
}

fn table(report: &RunReport) -> Table {
    let mut header = vec![("document", Side::Left), ("kind", Side::Left)];
    header.extend(COUNTS.iter().map(|(name, _)| (*name, Side::Right)));
    let mut table = Table::new(&header);
    let counts = |counts: &Option<Inspection>| {
        COUNTS
            .iter()
            .map(|(_, count)| counts.as_ref().map_or_else(|| "–".to_owned(), |all| number(count(all))))
            .collect::<Vec<_>>()
    };
    for document in &report.documents {
        let kind = if document.error.is_some() { "failed" } else { &document.format };
        let name = vec![visible(&document.source), kind.to_owned()];
        table.row([name, counts(&document.inspection)].concat());
    }
    if report.documents.len() > 1 {
        let name = vec![counted(report.totals.documents, "document"), String::new()];
        table.row([name, counts(&report.totals.inspection)].concat());
    }
    table
}

/// Why a document is to be looked at.
fn look(document: &DocumentReport) -> String {
    let serious = document.warnings.iter().filter(|warning| matches!(&*warning.severity, "high" | "medium"));
    let reasons: Vec<String> = serious
        .map(|warning| match warning.line {
            Some(line) => format!("line {line}: {}", warning.message),
            None => warning.message.clone(),
        })
        .collect();
    let reasons = if reasons.is_empty() { "see the run report".to_owned() } else { reasons.join("; ") };
    format!("  {}: {}\n", paint(BOLD, visible(&document.source)), visible(&reasons))
}

/// `12 markdown, 3 text`.
fn most_first<'k>(counts: impl Iterator<Item = (&'k str, u64)>) -> String {
    let mut counts: Vec<(&str, u64)> = counts.collect();
    counts.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    if counts.is_empty() {
        return "none".to_owned();
    }
    counts.iter().map(|(name, count)| format!("{} {name}", number(*count))).collect::<Vec<_>>().join(", ")
}
