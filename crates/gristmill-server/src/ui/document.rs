//! One document: its text on the left, its chunks on the right.

use gristmill::report::RunReport;
use gristmill::service::{CutNow, cut_now};

use super::html::Html;
use super::overlay::{self, Found};
use super::{answer, asked, link};
use crate::app::quietly;
use crate::problem::Problem;
use crate::route::{Answer, Call};

pub fn show(call: Call) -> Answer {
    Box::pin(async move {
        let source = asked(&call, "source").to_owned();
        let settings = call.app.settings_of(&call.app.project(&call.caller, None)?);
        let (inputs, threads, wanted) = (call.app.inputs(), call.app.threads, source.clone());
        let now = call.app.work(move || quietly(threads, true, |cx| cut_now(&settings, &inputs, &wanted, cx))).await?;
        let now = now.ok_or_else(|| Problem::not_found("document", &source))?;
        answer("/", &source, &whole(&now))
    })
}

/// What was found in the documents of a run.
pub fn found(report: &RunReport) -> Vec<Found> {
    let found = report.findings.iter().map(|finding| Found {
        line: finding.line.unwrap_or_default(),
        rule: finding.rule.to_string(),
        message: finding.message.clone(),
        severity: finding.severity.to_string(),
    });
    // What a reader notes about a document is a finding for whoever looks at it.
    let noted = report.documents.iter().flat_map(|document| &document.warnings).map(|warning| Found {
        line: warning.line.unwrap_or_default(),
        rule: warning.code.to_string(),
        message: warning.message.clone(),
        severity: warning.severity.to_string(),
    });
    found.chain(noted).collect()
}

fn whole(now: &CutNow) -> Html {
    let found = found(&now.report);
    let mut main = Html::new();
    main.push("<h1>").text(&now.source).push("</h1><div class=\"row\"><p>");
    main.text(&counted(now.records.len(), "chunk")).push(" · ").text(&counted(found.len(), "finding"));
    main.push(" · <kbd>j</kbd> next, <kbd>k</kbd> previous</p>");
    main.push("<p><a href=\"");
    main.link(&link("/try", &[("source", &now.source)]));
    main.push("\">Try other settings</a></p></div>");
    main.push("<p class=\"legend\"><span class=\"overlap\">repeated</span> <ins>put in</ins> <mark class=\"finding\">finding</mark></p>");
    main.push("<div class=\"overlay\"><section aria-label=\"Text\" tabindex=\"0\">").html(&overlay::source(
        &now.text,
        &now.records,
        &found,
    ));
    main.push("</section><section aria-label=\"Chunks\" tabindex=\"0\" class=\"chunks\">")
        .html(&chunks(now, &found))
        .push("</section></div>");
    main
}

/// All chunks, each with what was found on its lines.
fn chunks(now: &CutNow, found: &[Found]) -> Html {
    let mut html = Html::new();
    for (index, record) in now.records.iter().enumerate() {
        let line = |name: &str| record["metadata"][name].as_u64().unwrap_or_default();
        let (first, last) = (line("line_start"), line("line_end"));
        let own: Vec<&Found> = found.iter().filter(|found| (first..=last).contains(&found.line)).collect();
        html.html(&overlay::chunk(index, record, &own));
    }
    html
}

/// A number with its noun.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
