//! The quality report for people, in Markdown.

mod documents;
mod findings;
pub(crate) mod page;

use std::collections::BTreeMap;

use serde_json::Value;

use self::findings::Found;
use self::page::{Page, Place, code, count, figure, number, percent};
use super::{RunReport, SizeReport, Totals};

/// The whole report as Markdown. Equal runs give equal text.
pub fn markdown(report: &RunReport) -> String {
    let mut page = Page::default();
    page.heading(1, "Quality report");
    let found = Found::of(report);
    page.block(&summary(report, found.count()));
    documents::attention(&mut page, report);
    measured(&mut page, &report.totals);
    configuration(&mut page, report);
    documents::table(&mut page, report);
    inspection(&mut page, &report.totals);
    documents::skipped(&mut page, report);
    findings::section(&mut page, &found);
    page.finish()
}

fn summary(report: &RunReport, found: u64) -> String {
    let totals = &report.totals;
    let mut text = format!("{} became {}.", count(totals.documents, "document"), count(totals.chunks, "chunk"));
    if let (Some(mean), Some(min), Some(max)) = (totals.size.mean, totals.size.min, totals.size.max) {
        text += &format!(
            " A chunk has {mean:.1} {} on average; the smallest has {}, the largest {}.",
            totals.size.measure(),
            number(min),
            number(max)
        );
    }
    let rejected = totals.rejected.values().sum::<u64>();
    if rejected > 0 {
        text += &format!(" {} not accepted.", were(rejected, "chunk"));
    }
    if totals.failed > 0 {
        text += &format!(" {} not read.", were(totals.failed, "document"));
    }
    if totals.needs_review > 0 {
        let (is, it_is) = if totals.needs_review == 1 { ("is", "it is") } else { ("are", "they are") };
        text +=
            &format!(" {} {is} for a person to look at before {it_is} used.", count(totals.needs_review, "document"));
    }
    text += &match found {
        0 => " There are no findings.".to_owned(),
        1 => " There is 1 finding.".to_owned(),
        _ => format!(" There are {} findings.", number(found)),
    };
    format!("{text} Made by gristmill {}.", report.tool_version)
}

fn were(n: u64, noun: &str) -> String {
    format!("{} {}", count(n, noun), if n == 1 { "was" } else { "were" })
}

fn measured(page: &mut Page, totals: &Totals) {
    page.heading(2, "Measured results");
    let (size, expansion) = (&totals.size, &totals.expansion);
    let whole = |n: Option<u64>| n.map_or_else(|| "–".to_owned(), number);
    let rows = [
        ("documents", number(totals.documents)),
        ("accepted chunks", number(totals.chunks)),
        ("chunks for each document read", figure(expansion.chunks_per_document)),
        ("sizes counted in", size.measure()),
        ("mean size", figure(size.mean)),
        ("median size", figure(size.median)),
        ("smallest size", whole(size.min)),
        ("largest size", whole(size.max)),
        ("standard deviation", figure(size.standard_deviation)),
        ("sum of sizes", number(size.total)),
        ("duplicates", format!("{} ({})", number(totals.duplicates.count), percent(Some(totals.duplicates.rate)))),
        ("rejected chunks", number(totals.rejected.values().sum())),
    ];
    let rejected = totals.rejected.iter().map(|(reason, n)| [format!("rejected: {reason}"), number(*n)]);
    page.table(["figure", "value:"], rows.map(|(name, value)| [name.to_owned(), value]).into_iter().chain(rejected));
    page.block("The figures describe the chunks. They do not show how well a search finds the right one, or that an answer made from them is right: that takes questions with known answers.");
    if !size.histogram.is_empty() {
        page.heading(3, "Sizes");
        page.block(&histogram(size));
    }
    completeness(page, totals);
}

/// One line a range, the longest bar 40 characters.
fn histogram(size: &SizeReport) -> String {
    let most = size.histogram.iter().map(|bar| bar.chunks).max().unwrap_or(1).max(1);
    let label =
        |from: u64, to: u64| if from == to { number(from) } else { format!("{}–{}", number(from), number(to)) };
    let labels = size.histogram.iter().map(|bar| label(bar.from, bar.to)).collect::<Vec<_>>();
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let mut lines = vec!["```text".to_owned()];
    for (bar, label) in size.histogram.iter().zip(labels) {
        let length = usize::try_from((bar.chunks * 40).div_ceil(most)).unwrap_or(40);
        let gap = if length > 0 { " " } else { "" };
        lines.push(format!("{label:>width$}  {}{gap}{}", "█".repeat(length), number(bar.chunks)));
    }
    lines.push("```".to_owned());
    lines.join("\n")
}

fn completeness(page: &mut Page, totals: &Totals) {
    let complete = &totals.metadata_completeness;
    if totals.chunks == 0 {
        return;
    }
    page.heading(3, "Metadata");
    page.block(&format!(
        "{} of the chunks have source, file name, document title and section title. The other fields are filled only where a document declares them.",
        percent(complete.complete)
    ));
    let rows = complete.fields.iter();
    page.table(
        ["field", "chunks that have it:", "share:"],
        rows.map(|field| [code(field.field, Place::Cell), number(field.chunks), percent(field.share)]),
    );
}

fn configuration(page: &mut Page, report: &RunReport) {
    if report.configuration.is_empty() {
        return;
    }
    page.heading(2, "Settings");
    page.block("The recommended values are starting points, neither measured here nor right for all documents.");
    let rows = report.configuration.iter().map(|setting| {
        let name = code(&setting.name, Place::Cell);
        [name, value(&setting.recommended), value(&setting.used), page::prose(&setting.origin, Place::Cell)]
    });
    page.table(["setting", "recommended", "used", "set by"], rows);
}

fn value(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) if !text.is_empty() => code(text, Place::Cell),
        other => code(&other.to_string(), Place::Cell),
    }
}

fn inspection(page: &mut Page, totals: &Totals) {
    page.heading(2, "What stands in the documents");
    if let Some(counts) = &totals.inspection {
        page.table(["what", "count:"], counts.rows().map(|(name, n)| [name.to_owned(), number(n)]));
    }
    let listed = |counts: &BTreeMap<String, u64>| {
        counts
            .iter()
            .map(|(name, n)| format!("{} {}", code(name, Place::Line), number(*n)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    for (what, counts) in [("Encodings", &totals.encodings), ("Languages", &totals.languages)] {
        if !counts.is_empty() {
            page.block(&format!("{what}, by number of documents: {}.", listed(counts)));
        }
    }
    page.heading(2, "What cleaning removed or replaced");
    if totals.removals.is_empty() {
        page.block("Nothing.");
        return;
    }
    let rows =
        totals.removals.iter().map(|r| [page::prose(&r.kind, Place::Cell), number(r.count), number(r.characters)]);
    page.table(["kind", "places:", "characters:"], rows);
}
