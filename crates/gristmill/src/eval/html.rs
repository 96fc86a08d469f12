//! A comparison as one page that needs nothing else: tables, and the worst questions over the source.

use std::borrow::Cow;
use std::fmt::Write as _;

use gristmill_eval::Interval;
use gristmill_format::html::escape;

use super::report::{Comparison, EvalReport, Measured, Piece, Worst};
use super::targets::Target;

/// Works without anything else: no script, no address.
const STYLE: &str = include_str!("html.css");

/// The page.
pub fn html(report: &EvalReport) -> String {
    let mut out = String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    let _ = write!(out, "<title>Which settings find most</title>\n<style>\n{STYLE}</style></head><body>\n");
    let model = report.model.as_deref().map_or(Cow::Borrowed("none, words alone"), escape);
    let _ = writeln!(out, "<h1>Which settings find most</h1>");
    let documents = number(report.documents);
    let _ = writeln!(out, "<p>{documents} documents; vectors: {model}; ranked by {}.</p>", report.ranked_by);
    if let Some(comparison) = &report.questions {
        compared(&mut out, report, comparison, "Questions");
    }
    if let Some(comparison) = &report.synthetic {
        compared(&mut out, report, comparison, "Synthetic questions, made by rule");
    }
    intrinsic(&mut out, report);
    targets(&mut out, &report.targets);
    left_out(&mut out, report);
    out + "</body></html>\n"
}

fn compared(out: &mut String, report: &EvalReport, comparison: &Comparison, title: &str) {
    let (asked, groups) = (number(comparison.asked), number(comparison.groups));
    let _ = write!(out, "<h2>{title}</h2>\n<p>{asked} questions of {groups} {}", comparison.grouping.plural());
    if comparison.chosen_by > 0 {
        let (chosen, rest) = (number(comparison.chosen_by), number(comparison.measured_by));
        let _ = write!(out, "; settings chosen by {chosen}, figures from the other {rest}");
    }
    out.push_str(".</p>\n");
    notes(out, &comparison.notes);
    ranking(out, report, comparison);
    others(out, comparison);
    if !comparison.worst.is_empty() {
        out.push_str("<h3>Least found by the chosen setting</h3>\n");
        out.push_str("<p class=\"quiet\">Evidence is marked; a red bar is where a chunk begins.</p>\n");
        comparison.worst.iter().for_each(|worst| told(out, worst));
    }
}

fn notes(out: &mut String, notes: &[String]) {
    notes.iter().for_each(|note| _ = writeln!(out, "<p class=\"quiet\">Note: {}</p>", escape(note)));
}

/// Begins a table that is scrolled where it is too wide.
fn begin(out: &mut String, columns: &[&str]) {
    out.push_str("<div class=\"scroll\"><table><tr>");
    columns.iter().for_each(|name| _ = write!(out, "<th>{name}</th>"));
    out.push_str("</tr>\n");
}

const END: &str = "</table></div>\n";

fn ranking(out: &mut String, report: &EvalReport, comparison: &Comparison) {
    let columns = [
        "setting",
        "rank",
        "recall@2048",
        "95 % of draws",
        "precision@5 (best)",
        "recall@10 (best)",
        "MRR",
        "nDCG@10",
        "chunks",
        "tokens",
        "index",
    ];
    begin(out, &columns);
    comparison.ranking.iter().for_each(|measured| row(out, report, measured));
    out.push_str(END);
    out.push_str(
        "<p class=\"quiet\">Settings of one rank cannot be told apart. The chosen one is bold. In brackets: what the best order of \
         the same chunks would have.</p>\n",
    );
}

fn row(out: &mut String, report: &EvalReport, measured: &Measured) {
    let class = if measured.chosen { " class=\"chosen\"" } else { "" };
    let _ = write!(out, "<tr{class}><td>{}</td><td>{}</td>", escape(named(&measured.name)), measured.rank);
    let mean = |name: &str| measured.figures.get(name).map_or(0.0, |interval| interval.mean);
    let main = measured.figures.get(&report.ranked_by).copied().unwrap_or_default();
    let _ = write!(out, "<td>{:.3}</td><td class=\"left\">{}</td>", main.mean, range(main));
    for (name, best) in [("precision@5", "best-precision@5"), ("recall@10", "best-recall@10")] {
        let _ = write!(out, "<td>{:.3} <small>({:.3})</small></td>", mean(name), mean(best));
    }
    let _ = write!(out, "<td>{:.3}</td><td>{:.3}</td>", mean("mrr"), mean("ndcg@10"));
    let cost = report.settings.get(measured.setting).map(|setting| setting.cost).unwrap_or_default();
    let size = cost.index_bytes as f64 / 1e6;
    let _ = writeln!(out, "<td>{}</td><td>{}</td><td>{size:.1} MB</td></tr>", number(cost.chunks), number(cost.tokens));
}

/// An interval on a scale from 0 to 1, and in figures.
fn range(interval: Interval) -> String {
    let Interval { mean, low, high } = interval;
    let (from, width, at) = (100.0 * low, 100.0 * (high - low), 100.0 * mean);
    format!(
        "<span class=\"range\"><span style=\"left:{from:.1}%;width:{width:.1}%\"></span><i style=\"left:{at:.1}%\"></i></span> \
         <small>{low:.3}–{high:.3}</small>"
    )
}

/// Figures of the first table.
const FIRST: [&str; 7] =
    ["recall@2048", "precision@5", "best-precision@5", "recall@10", "best-recall@10", "mrr", "ndcg@10"];

/// The figures that the first table leaves out.
fn others(out: &mut String, comparison: &Comparison) {
    let Some(first) = comparison.ranking.first() else { return };
    let names: Vec<&str> = first.figures.keys().map(String::as_str).filter(|name| !FIRST.contains(name)).collect();
    out.push_str("<details><summary>More figures</summary>\n");
    begin(out, &[&["setting"], names.as_slice()].concat());
    for measured in &comparison.ranking {
        let _ = write!(out, "<tr><td>{}</td>", escape(named(&measured.name)));
        for interval in names.iter().filter_map(|name| measured.figures.get(*name)) {
            let Interval { mean, low, high } = interval;
            let _ = write!(out, "<td>{mean:.3} <small>{low:.3}–{high:.3}</small></td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str(END);
    out.push_str("</details>\n");
}

/// A single setting has no name.
fn named(name: &str) -> &str {
    if name.is_empty() { "as configured" } else { name }
}

/// A number with a comma between groups of three digits.
fn number(n: u64) -> String {
    let digits = n.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

fn told(out: &mut String, worst: &Worst) {
    let rank = worst.rank.map_or_else(|| "in no hit".to_owned(), |rank| format!("hit {rank}"));
    let place = format!("{}:{}", escape(&worst.source), worst.line);
    let _ = writeln!(out, "<details><summary>{} <small>({place}, {rank})</small></summary>", escape(&worst.question));
    out.push_str("<div class=\"source\">");
    worst.around.iter().for_each(|piece| self::piece(out, piece));
    out.push_str("</div>\n");
    out.push_str("<small>The first hits:</small><ol>\n");
    for hit in &worst.hits {
        let class = if hit.relevant { "met" } else { "quiet" };
        let (source, tokens) = (escape(&hit.source), number(hit.tokens));
        let place = format!("<span class=\"{class}\">{source}:{} ({tokens} tokens)</span>", hit.line);
        let _ = writeln!(out, "<li>{place} <span class=\"hit\">{}</span></li>", escape(&one_line(&hit.text)));
    }
    out.push_str("</ol></details>\n");
}

/// A text with its line ends as blanks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn piece(out: &mut String, piece: &Piece) {
    if piece.border {
        out.push_str("<span class=\"border\">▏</span>");
    }
    let text = escape(&piece.text);
    let _ = if piece.evidence { write!(out, "<mark>{text}</mark>") } else { write!(out, "{text}") };
}

fn intrinsic(out: &mut String, report: &EvalReport) {
    out.push_str("<h2>How whole the chunks are</h2>\n");
    begin(out, &["setting", "completeness", "coverage", "break rate", "forced", "uniformity"]);
    for setting in &report.settings {
        let i = &setting.intrinsic;
        let name = escape(named(&setting.name));
        let figures = format!("<td>{:.3}</td><td>{:.3}</td><td>{:.3}</td>", i.completeness, i.coverage, i.break_rate);
        let (forced, uniformity) = (number(i.forced), i.uniformity);
        let _ = writeln!(out, "<tr><td>{name}</td>{figures}<td>{forced}</td><td>{uniformity:.3}</td></tr>");
    }
    out.push_str(END);
    notes(out, &report.notes);
    missing(out, report);
}

/// Key items that are listed.
const LISTED: usize = 200;

/// The key items that no chunk of the chosen setting holds whole.
fn missing(out: &mut String, report: &EvalReport) {
    let comparison = report.questions.as_ref().or(report.synthetic.as_ref());
    let chosen = comparison.and_then(|comparison| comparison.ranking.iter().find(|measured| measured.chosen));
    let setting = chosen.and_then(|chosen| report.settings.get(chosen.setting));
    let Some(setting) = setting.filter(|setting| !setting.intrinsic.missing.is_empty()) else { return };
    let whole: u64 = setting.intrinsic.by_kind.values().map(|[whole, _]| whole).sum();
    let count = number(setting.intrinsic.items - whole);
    let _ = writeln!(
        out,
        "<details><summary>Key items that no chunk of the chosen setting holds whole: {count}</summary><ul>"
    );
    for item in setting.intrinsic.missing.iter().take(LISTED) {
        let place = format!("{}:{}", escape(&item.source), item.line);
        let text = one_line(&item.text);
        let text = escape(&text);
        let _ = writeln!(out, "<li><span class=\"quiet\">{place} {}</span> {text}</li>", item.kind.name());
    }
    out.push_str("</ul></details>\n");
}

fn targets(out: &mut String, targets: &[Target]) {
    if targets.is_empty() {
        return;
    }
    out.push_str("<h2>The chosen setting and what is wanted</h2>\n");
    begin(out, &["figure", "wanted", "measured", ""]);
    for target in targets {
        let side = if target.least { "≥" } else { "≤" };
        let verdict =
            if target.met { "<span class=\"met\">met</span>" } else { "<span class=\"missed\">missed</span>" };
        let best = target.best.filter(|best| *best < target.wanted);
        let why = best.map_or_else(String::new, |best| format!("; no ranking has more than {best:.3}"));
        let Target { figure, wanted, measured, .. } = target;
        let _ = write!(out, "<tr><td>{figure}</td><td>{side} {wanted:.2}</td><td>{measured:.3}</td>");
        let _ = writeln!(out, "<td class=\"left\">{verdict}{why}</td></tr>");
    }
    out.push_str(END);
}

fn left_out(out: &mut String, report: &EvalReport) {
    if report.left_out.is_empty() {
        return;
    }
    out.push_str("<h2>Questions left out</h2>\n<ul>\n");
    for left in &report.left_out {
        let _ = writeln!(out, "<li>{}: {}</li>", escape(&left.id), escape(&left.reason));
    }
    out.push_str("</ul>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_document_becomes_a_part_of_the_page() {
        assert_eq!((number(1), number(1234), number(1_000_000)), ("1".into(), "1,234".into(), "1,000,000".into()));
        assert_eq!(escape("<script>'\"&\u{7}\u{202e}"), "&lt;script&gt;&#39;&quot;&amp;\u{fffd}\u{fffd}");
        let mut out = String::new();
        piece(&mut out, &Piece { text: "<b>".into(), evidence: true, border: true });
        assert_eq!(out, "<span class=\"border\">▏</span><mark>&lt;b&gt;</mark>");
    }
}
