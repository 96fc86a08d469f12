//! What is wrong with the stored chunks, by rule and severity, and what a repair would make of each.

use std::collections::BTreeMap;

use gristmill::findings::{Finding, ScanReport};
use gristmill::service::scan_stored;

use super::html::Html;
use super::{answer, asked, link};
use crate::route::{Answer, Call};

/// Findings on a page.
const SHOWN: usize = 200;
/// Findings that are held.
const HELD: usize = 10_000;

pub fn show(call: Call) -> Answer {
    Box::pin(async move {
        let settings = call.app.settings_of(&call.app.project(&call.caller, None)?);
        let threads = call.app.threads;
        let report = call.app.work(move || scan_stored(&settings, threads, HELD)).await?;
        let mut main = Html::new();
        main.push("<h1>Findings</h1>");
        match report {
            None => main.push("<p>The store is empty.</p>"),
            Some(report) => main.html(&whole(&report, asked(&call, "rule"))),
        };
        answer(&call.app, "/findings", "Findings", &main)
    })
}

fn whole(report: &ScanReport, rule: &str) -> Html {
    let mut by_rule: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for finding in &report.findings {
        *by_rule.entry((&finding.rule, finding.severity.name())).or_default() += 1;
    }
    let mut html = Html::new();
    html.push("<p>")
        .value(report.chunks)
        .push(" chunks, ")
        .text(&super::document::counted(report.findings.len(), "finding"))
        .push(".</p>");
    html.push("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Rules\"><table><thead><tr><th>Rule</th><th>Severity</th><th class=\"n\">Findings</th></tr></thead><tbody>");
    for ((name, severity), count) in &by_rule {
        html.push("<tr><td><a href=\"");
        html.text(&link("/findings", &[("rule", name)]));
        html.push("\">")
            .text(name)
            .push("</a></td><td>")
            .text(severity)
            .push("</td><td class=\"n\">")
            .value(count)
            .push("</td></tr>");
    }
    html.push("</tbody></table></div>");
    let chosen = report.findings.iter().filter(|finding| rule.is_empty() || finding.rule == rule);
    let chosen: Vec<&Finding> = chosen.collect();
    chosen.iter().take(SHOWN).for_each(|finding| {
        html.html(&one(finding));
    });
    if chosen.len() > SHOWN {
        html.push("<p>").value(chosen.len() - SHOWN).push(" more: choose a rule.</p>");
    }
    html
}

fn one(finding: &Finding) -> Html {
    let shown = serde_json::to_value(finding).unwrap_or_default();
    let text = |name: &str| shown[name].as_str().unwrap_or_default().to_owned();
    let mut html = Html::new();
    html.push("<article class=\"finding\"><h3><b>").text(&text("rule")).push("</b> <small>").text(&text("severity"));
    html.push(" · ")
        .text(shown["place"]["source"]["path"].as_str().unwrap_or_default())
        .push("</small></h3><p>")
        .text(&text("message"))
        .push("</p>");
    for (name, title) in [("before", "Before"), ("after", "After")] {
        let said = side(&shown["diff"], name);
        if !said.is_empty() {
            html.push("<details open><summary>")
                .text(title)
                .push("</summary><pre tabindex=\"0\">")
                .text(&said)
                .push("</pre></details>");
        }
    }
    html.push("</article>");
    html
}

/// The texts of one side of a repair.
fn side(diff: &serde_json::Value, name: &str) -> String {
    let texts = diff[name].as_array().into_iter().flatten();
    let text =
        |value: &serde_json::Value| value.as_str().or_else(|| value["text"].as_str()).unwrap_or_default().to_owned();
    texts.map(text).collect::<Vec<_>>().join("\n⸻\n")
}
