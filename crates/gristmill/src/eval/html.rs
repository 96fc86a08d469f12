//! A comparison as one page that needs nothing else: tables, and the worst questions over the source.

use std::fmt::Write as _;

use super::report::{Comparison, EvalReport, Measured, Piece, Worst};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#222;\
background:#fff}table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .7rem;text-align:right;border-bottom:1px \
solid #ddd;white-space:nowrap}th:first-child,td:first-child{text-align:left}tr.chosen{font-weight:600}mark{background:#ffe08a}\
.source{white-space:pre-wrap;border-left:3px solid #bbb;padding:.5rem 1rem;margin:.5rem 0;background:#f7f7f7}.border{color:#c33;\
font-weight:700}.hit{white-space:pre-wrap;color:#555;margin:.2rem 0 .2rem 1rem}.relevant{color:#176f2c}.note{color:#8a5a00}\
.scroll{overflow-x:auto}details{margin:.7rem 0}summary{cursor:pointer}@media(prefers-color-scheme:dark){body{background:#181818;\
color:#ddd}th,td{border-color:#444}.source{background:#222}mark{background:#7a5c00;color:#fff}.hit{color:#aaa}.relevant{color:#7fd18f}\
.note{color:#e0b060}}";

/// The page.
pub fn html(report: &EvalReport) -> String {
    let mut out = String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    let _ = write!(
        out,
        "<title>Retrieval of settings</title>\n<style>{STYLE}</style></head><body>\n<h1>Which settings find most</h1>\n"
    );
    let model = report.model.as_deref().map_or_else(|| "words alone".to_owned(), escaped);
    let _ = writeln!(out, "<p>{} documents, vectors of {model}, ranked by {}.</p>", report.documents, report.ranked_by);
    if let Some(comparison) = &report.questions {
        compared(&mut out, report, comparison, "Questions");
    }
    if let Some(comparison) = &report.synthetic {
        compared(&mut out, report, comparison, "Synthetic questions, made by rule");
    }
    intrinsic(&mut out, report);
    left_out(&mut out, report);
    out + "</body></html>\n"
}

fn compared(out: &mut String, report: &EvalReport, comparison: &Comparison, title: &str) {
    let _ = writeln!(
        out,
        "<h2>{title}</h2>\n<p>{} questions of {} {}",
        comparison.asked,
        comparison.groups,
        comparison.grouping.plural()
    );
    if comparison.chosen_by > 0 {
        let _ = write!(
            out,
            "; settings chosen by {}, figures from the other {}",
            comparison.chosen_by, comparison.measured_by
        );
    }
    out.push_str(".</p>\n");
    for note in &comparison.notes {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(note));
    }
    ranking(out, report, comparison);
    if !comparison.worst.is_empty() {
        out.push_str("<h3>Least found</h3>\n<p>Evidence is marked; ▏ is where a chunk begins.</p>\n");
        comparison.worst.iter().for_each(|worst| told(out, worst));
    }
}

/// Figures of the table, in its order.
const COLUMNS: [&str; 14] = [
    "recall@512",
    "recall@1024",
    "recall@2048",
    "recall@4096",
    "precision@5",
    "best-precision@5",
    "recall@10",
    "best-recall@10",
    "mrr",
    "ndcg@10",
    "evidence-recall@5",
    "token-precision@5",
    "iou@5",
    "precision-omega",
];

fn ranking(out: &mut String, report: &EvalReport, comparison: &Comparison) {
    out.push_str("<div class=\"scroll\"><table><tr><th>setting</th><th>rank</th>");
    COLUMNS.iter().for_each(|name| _ = write!(out, "<th>{name}</th>"));
    out.push_str("<th>chunks</th><th>tokens</th><th>index bytes</th></tr>\n");
    comparison.ranking.iter().for_each(|measured| row(out, report, measured));
    out.push_str("</table></div>\n<p>Settings of one rank cannot be told apart. The chosen one is bold.</p>\n");
}

fn row(out: &mut String, report: &EvalReport, measured: &Measured) {
    let class = if measured.chosen { " class=\"chosen\"" } else { "" };
    let _ = write!(out, "<tr{class}><td>{}</td><td>{}</td>", escaped(&measured.name), measured.rank);
    for name in COLUMNS {
        let figure = measured.figures.get(name).copied().unwrap_or_default();
        let _ = write!(out, "<td title=\"{:.3} to {:.3}\">{:.3}</td>", figure.low, figure.high, figure.mean);
    }
    let cost = report.settings.get(measured.setting).map(|setting| setting.cost).unwrap_or_default();
    let _ = writeln!(out, "<td>{}</td><td>{}</td><td>{}</td></tr>", cost.chunks, cost.tokens, cost.index_bytes);
}

fn told(out: &mut String, worst: &Worst) {
    let rank = worst.rank.map_or_else(|| "in no hit".to_owned(), |rank| format!("hit {rank}"));
    let place = escaped(&format!("{}:{}", worst.source, worst.line));
    let _ = writeln!(out, "<details><summary>{} <small>({place}, {rank})</small></summary>", escaped(&worst.question));
    out.push_str("<div class=\"source\">");
    worst.around.iter().for_each(|piece| self::piece(out, piece));
    out.push_str("</div>\n");
    for hit in &worst.hits {
        let class = if hit.relevant { "hit relevant" } else { "hit" };
        let _ = writeln!(
            out,
            "<div class=\"{class}\">{}:{} ({} tokens) {}</div>",
            escaped(&hit.source),
            hit.line,
            hit.tokens,
            escaped(&hit.text)
        );
    }
    out.push_str("</details>\n");
}

fn piece(out: &mut String, piece: &Piece) {
    if piece.border {
        out.push_str("<span class=\"border\">▏</span>");
    }
    let text = escaped(&piece.text);
    let _ = if piece.evidence { write!(out, "<mark>{text}</mark>") } else { write!(out, "{text}") };
}

fn intrinsic(out: &mut String, report: &EvalReport) {
    out.push_str(
        "<h2>How whole the chunks are</h2>\n<div class=\"scroll\"><table><tr><th>setting</th><th>completeness</th>",
    );
    out.push_str("<th>coverage</th><th>break rate</th><th>forced</th><th>uniformity</th></tr>\n");
    for setting in &report.settings {
        let i = &setting.intrinsic;
        let name = escaped(&setting.name);
        let figures = format!("<td>{:.3}</td><td>{:.3}</td><td>{:.3}</td>", i.completeness, i.coverage, i.break_rate);
        let _ = writeln!(out, "<tr><td>{name}</td>{figures}<td>{}</td><td>{:.3}</td></tr>", i.forced, i.uniformity);
    }
    out.push_str("</table></div>\n");
}

fn left_out(out: &mut String, report: &EvalReport) {
    if report.left_out.is_empty() {
        return;
    }
    out.push_str("<h2>Questions left out</h2>\n<ul>\n");
    for left in &report.left_out {
        let _ = writeln!(out, "<li>{}: {}</li>", escaped(&left.id), escaped(&left.reason));
    }
    out.push_str("</ul>\n");
}

/// Text that means itself in a page.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() && !c.is_whitespace() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_document_becomes_a_part_of_the_page() {
        assert_eq!(escaped("<script>'\"&\u{7}"), "&lt;script&gt;&#39;&quot;&amp;\u{fffd}");
        let mut out = String::new();
        piece(&mut out, &Piece { text: "<b>".into(), evidence: true, border: true });
        assert_eq!(out, "<span class=\"border\">▏</span><mark>&lt;b&gt;</mark>");
    }
}
