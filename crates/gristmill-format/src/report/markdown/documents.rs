//! The parts of the report that speak of single documents.

use super::page::{Page, Place, code, count, number, prose};
use crate::report::{DocumentReport, RunReport};

/// A table lists no more documents than a person looks through.
const LISTED: usize = 200;

/// Documents that failed, and those that a person should look at.
pub(super) fn attention(page: &mut Page, report: &RunReport) {
    let failed = report.documents.iter().filter_map(|document| {
        let error = document.error.as_ref()?;
        Some([code(&document.source, Place::Cell), prose(&error.message, Place::Cell)])
    });
    listing(page, "Failed documents", ["document", "reason"], failed.collect());
    let review = report.documents.iter().filter(|document| document.needs_review);
    let review = review.map(|document| [code(&document.source, Place::Cell), reasons(document)]);
    listing(page, "Documents to look at before they are used", ["document", "why"], review.collect());
}

/// Why a person should look at a document: its serious warnings, else the counts that stand out.
fn reasons(document: &DocumentReport) -> String {
    let serious = document.warnings.iter().filter(|w| matches!(&*w.severity, "high" | "medium"));
    let warnings = serious.take(3).map(|warning| match warning.line {
        Some(line) => format!("line {line}: {}", prose(&warning.message, Place::Cell)),
        None => prose(&warning.message, Place::Cell),
    });
    let inspection = document.inspection.unwrap_or_default();
    let counts =
        [("unclosed fences", inspection.unclosed_fences), ("pages without text", inspection.pages_without_text)];
    let counts = counts.into_iter().filter(|(_, n)| *n > 0).map(|(what, n)| format!("{what}: {}", number(n)));
    let mut reasons = warnings.collect::<Vec<_>>();
    if reasons.is_empty() {
        reasons.extend(counts);
    }
    if reasons.is_empty() { "see its findings".to_owned() } else { reasons.join("; ") }
}

/// Every document with what became of it.
pub(super) fn table(page: &mut Page, report: &RunReport) {
    let rows = report.documents.iter().map(|document| {
        let format = if document.format.is_empty() { "–".to_owned() } else { prose(&document.format, Place::Cell) };
        let (chunks, tokens) = (number(document.chunks), number(document.tokens));
        [code(&document.source, Place::Cell), format, chunks, tokens, state(document)]
    });
    listing(page, "Documents", ["document", "format", "chunks:", "tokens:", "state"], rows.collect());
}

fn state(document: &DocumentReport) -> String {
    let warnings = document.warnings.len() as u64 + document.warnings_omitted;
    let mut state = Vec::new();
    if document.error.is_some() {
        state.push("failed".to_owned());
    }
    if document.needs_review {
        state.push("to look at".to_owned());
    }
    if warnings > 0 {
        state.push(count(warnings, "warning"));
    }
    if state.is_empty() { "fine".to_owned() } else { state.join(", ") }
}

/// Files that were passed over.
pub(super) fn skipped(page: &mut Page, report: &RunReport) {
    let rows = report.skipped.iter().map(|file| [code(&file.source, Place::Cell), prose(&file.reason, Place::Cell)]);
    let unlisted = report.totals.skipped.saturating_sub(report.skipped.len() as u64);
    rows_of(page, "Skipped files", ["file", "reason"], rows.collect(), unlisted);
}

fn listing<const N: usize>(page: &mut Page, title: &str, titles: [&str; N], rows: Vec<[String; N]>) {
    rows_of(page, title, titles, rows, 0);
}

/// A titled table of at most [`LISTED`] rows, and the number of those that are left out. Nothing without rows.
fn rows_of<const N: usize>(page: &mut Page, title: &str, titles: [&str; N], rows: Vec<[String; N]>, unlisted: u64) {
    if rows.is_empty() {
        return;
    }
    let more = rows.len().saturating_sub(LISTED) as u64 + unlisted;
    page.heading(2, title);
    page.table(titles, rows.into_iter().take(LISTED));
    if more > 0 {
        page.block(&format!("… and {} more: see the JSON run report.", number(more)));
    }
}
