//! Evaluation: which settings find most, with intervals, and the questions for which least is found over the source.

use gristmill::eval::{Comparison, EvalReport, Interval, Measured, Worst};

use super::html::Html;
use super::{answer, asked};
use crate::evaluation::{Compared, compare};
use crate::route::{Answer, Call};

/// Strategies that are compared where nobody says otherwise.
const USUAL: [&str; 3] = ["markdown", "recursive", "fixed"];

pub fn show(call: Call) -> Answer {
    Box::pin(async move {
        let grid = asked(&call, "grid").to_owned();
        let strategies: Vec<String> = asked(&call, "strategies")
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(String::from)
            .collect();
        let begun = call.query.contains_key("strategies");
        let mut main = Html::new();
        main.push("<h1>Evaluation</h1>").html(&form(begun, &strategies, &grid));
        if begun {
            let report = compare(&call.app, &call.caller, &Compared { strategies, grid }).await?;
            main.html(&whole(&report));
        }
        answer(&call.app, "/evaluation", "Evaluation", &main)
    })
}

fn form(begun: bool, strategies: &[String], grid: &str) -> Html {
    let strategies = if begun { strategies.join(",") } else { USUAL.join(",") };
    let grid = if begun { grid } else { "target=200,400" };
    let mut html = Html::new();
    html.push("<p>Every setting is cut, embedded and searched; what is found is held against questions whose evidence is known.</p>");
    html.push("<form action=\"/evaluation\" class=\"row\"><label>Strategies <input name=\"strategies\" size=\"30\" maxlength=\"200\"");
    html.attribute("value", strategies)
        .push("></label><label>Values <input name=\"grid\" size=\"30\" maxlength=\"200\"");
    html.attribute("value", grid).push("></label><button>Compare</button></form>");
    html
}

fn whole(report: &EvalReport) -> Html {
    let mut html = Html::new();
    for (comparison, title) in [
        (&report.questions, "Questions that were asked"),
        (&report.synthetic, "Synthetic questions, made by rule from the documents"),
    ] {
        if let Some(comparison) = comparison {
            html.push("<h2>").text(title).push("</h2>").html(&compared(report, comparison));
        }
    }
    if !report.left_out.is_empty() {
        html.push("<h2>Questions left out</h2><ul>");
        for left in &report.left_out {
            html.push("<li>").text(&left.id).push(": ").text(&left.reason).push("</li>");
        }
        html.push("</ul>");
    }
    html
}

fn compared(report: &EvalReport, comparison: &Comparison) -> Html {
    let mut html = Html::new();
    html.push("<p>").value(comparison.measured_by).push(" questions of ").value(report.documents);
    html.push(" documents; ranked by ")
        .text(&report.ranked_by)
        .push(". Settings of one rank cannot be told apart.</p>");
    for note in &comparison.notes {
        html.push("<p class=\"soft\">Note: ").text(note).push("</p>");
    }
    html.push("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Settings\"><table><thead><tr><th>Setting</th><th class=\"n\">Rank</th><th>");
    html.text(&report.ranked_by)
        .push("</th><th>95 %</th><th class=\"n\">precision@5</th><th class=\"n\">recall@10</th>");
    html.push("<th class=\"n\">MRR</th><th class=\"n\">Chunks</th><th class=\"n\">Tokens</th></tr></thead><tbody>");
    for measured in &comparison.ranking {
        html.html(&row(report, measured));
    }
    html.push("</tbody></table></div>");
    if !comparison.worst.is_empty() {
        html.push("<h3>Least found by the chosen setting</h3><p class=\"soft\">Evidence is marked; a bar is where a chunk begins.</p>");
        for worst in &comparison.worst {
            html.html(&told(worst));
        }
    }
    html
}

fn row(report: &EvalReport, measured: &Measured) -> Html {
    let figure = |name: &str| measured.figures.get(name).copied().unwrap_or_default();
    let name = if measured.name.is_empty() { "as configured" } else { &measured.name };
    let mut html = Html::new();
    html.push("<tr><td>").text(name);
    if measured.chosen {
        html.push(" <b>(chosen)</b>");
    }
    html.push("</td><td class=\"n\">").value(measured.rank).push("</td><td>");
    html.html(&range(figure(&report.ranked_by))).push("</td><td><small>");
    let Interval { low, high, .. } = figure(&report.ranked_by);
    html.value(format_args!("{low:.3}–{high:.3}")).push("</small></td>");
    for name in ["precision@5", "recall@10", "mrr"] {
        html.push("<td class=\"n\">").value(format_args!("{:.3}", figure(name).mean)).push("</td>");
    }
    let cost = report.settings.get(measured.setting).map(|setting| setting.cost).unwrap_or_default();
    html.push("<td class=\"n\">").value(cost.chunks).push("</td><td class=\"n\">").value(cost.tokens);
    html.push("</td></tr>");
    html
}

/// A figure with its interval on a scale from 0 to 1.
fn range(interval: Interval) -> Html {
    const WIDTH: f64 = 100.0;
    let Interval { mean, low, high } = interval;
    let mut html = Html::new();
    html.push("<svg class=\"range\" width=\"100\" height=\"12\" aria-hidden=\"true\"><line x1=\"0\" x2=\"100\" y1=\"6\" y2=\"6\"></line><rect y=\"3\" height=\"6\"");
    html.attribute("x", format_args!("{:.1}", WIDTH * low));
    html.attribute("width", format_args!("{:.1}", (WIDTH * (high - low)).max(1.0)));
    html.push("></rect><circle cy=\"6\" r=\"4\"").attribute("cx", format_args!("{:.1}", WIDTH * mean));
    html.push("></circle></svg> ").value(format_args!("{mean:.3}"));
    html
}

fn told(worst: &Worst) -> Html {
    let rank = worst.rank.map_or_else(|| "in no hit".to_owned(), |rank| format!("hit {rank}"));
    let mut html = Html::new();
    html.push("<details><summary>").text(&worst.question).push(" <small>").text(&worst.source).push(":");
    html.value(worst.line).push(", ").text(&rank).push("</small></summary><pre tabindex=\"0\">");
    for piece in &worst.around {
        if piece.border {
            html.push("<b class=\"border\">▏</b>");
        }
        if piece.evidence {
            html.push("<mark>").text(&piece.text).push("</mark>");
        } else {
            html.text(&piece.text);
        }
    }
    html.push("</pre><p class=\"soft\">The first hits:</p><ol>");
    for hit in &worst.hits {
        html.push("<li>").text(&hit.source).push(":").value(hit.line);
        html.push(if hit.relevant { " <b>holds it</b> " } else { " " }).push("<small>").text(&hit.text);
        html.push("</small></li>");
    }
    html.push("</ol></details>");
    html
}
