//! A comparison for people.

use std::fmt::Write as _;

use gristmill::eval::{Comparison, EvalReport, Interval, Measured, SettingReport, Target, Worst};

use crate::paint::{BOLD, CYAN, DIM, paint, visible};
use crate::words::{Side, Table, bytes, cut, number, width};

/// Questions shown among the worst.
const WORST: usize = 5;

/// The whole comparison.
pub fn text(report: &EvalReport, columns: usize) -> String {
    let mut out = String::new();
    for (comparison, synthetic) in [(&report.questions, false), (&report.synthetic, true)] {
        if let Some(comparison) = comparison {
            compared(&mut out, report, comparison, synthetic, columns);
            out.push('\n');
        }
    }
    intrinsic(&mut out, &report.settings, columns);
    report.notes.iter().for_each(|note| _ = writeln!(out, "{} {}", paint(CYAN, "note:"), visible(note)));
    targets(&mut out, &report.targets, columns);
    out
}

fn compared(out: &mut String, report: &EvalReport, comparison: &Comparison, synthetic: bool, columns: usize) {
    let kind = if synthetic { "synthetic questions (made by rule)" } else { "questions" };
    let _ = writeln!(out, "{}", paint(BOLD, format!("{} {kind}", number(comparison.asked))));
    if synthetic {
        let rules: Vec<String> =
            comparison.rules.iter().map(|(rule, count)| format!("{} {rule}", number(*count))).collect();
        let _ = writeln!(out, "{}", rules.join(", "));
    }
    let groups = format!("{} {}", number(comparison.groups), comparison.grouping.plural());
    let _ = match comparison.chosen_by {
        0 => writeln!(out, "of {groups}"),
        chosen => writeln!(
            out,
            "of {groups}; settings chosen by {}, figures from the other {}",
            number(chosen),
            number(comparison.measured_by)
        ),
    };
    comparison.notes.iter().for_each(|note| _ = writeln!(out, "{} {}", paint(CYAN, "note:"), visible(note)));
    out.push('\n');
    out.push_str(&ranking(report, comparison, columns));
    if comparison.ranking.len() > 1 {
        let _ = writeln!(out, "{}", paint(DIM, "* chosen; settings of one rank cannot be told apart"));
    }
    if !comparison.worst.is_empty() {
        let _ = writeln!(out, "\n{}", paint(BOLD, "least found"));
        comparison.worst.iter().take(WORST).for_each(|worst| told(out, worst, columns));
    }
}

fn ranking(report: &EvalReport, comparison: &Comparison, columns: usize) -> String {
    let right = |name| (name, Side::Right);
    let mut table = Table::new(&[
        ("setting", Side::Left),
        right("rank"),
        right("recall@2048"),
        right("95 %"),
        right("P@5 (best)"),
        right("R@10 (best)"),
        right("MRR"),
        right("nDCG@10"),
        right("chunks"),
        right("tokens"),
        right("index"),
        right("IoU@5"),
        right("recall@512"),
        right("@1024"),
        right("@4096"),
        right("P-omega"),
    ]);
    let mark = if comparison.ranking.len() > 1 { "* " } else { "" };
    comparison.ranking.iter().for_each(|measured| table.row(row(report, measured, mark)));
    table.fit(columns);
    table.text()
}

/// `mark` stands before the rank of the chosen setting.
fn row(report: &EvalReport, measured: &Measured, mark: &str) -> Vec<String> {
    let mean = |name: &str| measured.figures.get(name).map_or(0.0, |interval| interval.mean);
    let short = |name: &str| figure(mean(name));
    let beside = |name: &str, best: &str| format!("{} ({})", short(name), short(best));
    let main = measured.figures.get("recall@2048").copied().unwrap_or_default();
    let cost = report.settings.get(measured.setting).map(|setting| setting.cost).unwrap_or_default();
    vec![
        measured.name.clone(),
        format!("{}{}", if measured.chosen { mark } else { "" }, measured.rank),
        figure(main.mean),
        range(main),
        beside("precision@5", "best-precision@5"),
        beside("recall@10", "best-recall@10"),
        short("mrr"),
        short("ndcg@10"),
        number(cost.chunks),
        number(cost.tokens),
        bytes(cost.index_bytes),
        short("iou@5"),
        short("recall@512"),
        short("recall@1024"),
        short("recall@4096"),
        short("precision-omega"),
    ]
}

fn figure(value: f64) -> String {
    format!("{value:.3}")
}

fn range(interval: Interval) -> String {
    format!("{:.3}–{:.3}", interval.low, interval.high)
}

/// A question for which little is found, in two lines.
fn told(out: &mut String, worst: &Worst, columns: usize) {
    let rank = worst.rank.map_or_else(|| "in no hit".to_owned(), |rank| format!("hit {rank}"));
    let place = visible(&format!("{}:{}", worst.source, worst.line));
    let head = format!("{place}  {rank}");
    let _ = writeln!(out, "{}  {}", paint(CYAN, &place), paint(DIM, rank));
    let room = columns.saturating_sub(2).max(width(&head));
    let _ = writeln!(out, "  {}", cut(&visible(&worst.question), room));
}

fn intrinsic(out: &mut String, settings: &[SettingReport], columns: usize) {
    let mut seen: Vec<&SettingReport> = Vec::new();
    let key = |s: &SettingReport| (s.strategy.clone(), s.target, s.max, s.min, s.overlap, s.context, s.unit);
    for setting in settings {
        if !seen.iter().any(|other| key(other) == key(setting)) {
            seen.push(setting);
        }
    }
    let right = |name| (name, Side::Right);
    let mut table = Table::new(&[
        ("chunks of", Side::Left),
        right("completeness"),
        right("coverage"),
        right("break rate"),
        right("forced"),
        right("uniformity"),
    ]);
    for setting in seen {
        let i = &setting.intrinsic;
        let forced = number(i.forced);
        let name = setting.name.split(" retriever=").next().unwrap_or_default().to_owned();
        let name = if name.starts_with("retriever=") { "as configured".to_owned() } else { name };
        let figures = [figure(i.completeness), figure(i.coverage), figure(i.break_rate), forced, figure(i.uniformity)];
        table.row(std::iter::once(name).chain(figures).collect());
    }
    table.fit(columns);
    out.push_str(&table.text());
}

/// The chosen setting beside what is wanted.
fn targets(out: &mut String, targets: &[Target], columns: usize) {
    let mut table =
        Table::new(&[("wanted", Side::Left), ("", Side::Right), ("measured", Side::Right), ("", Side::Left)]);
    for target in targets {
        let limit = format!("{} {:.2}", if target.least { "≥" } else { "≤" }, target.wanted);
        let best = target.best.filter(|best| *best < target.wanted);
        let why = best.map_or_else(String::new, |best| format!("; no ranking has more than {best:.3}"));
        let verdict = if target.met { "met".to_owned() } else { format!("missed{why}") };
        table.row(vec![target.figure.to_owned(), limit, figure(target.measured), verdict]);
    }
    if !targets.is_empty() {
        table.fit(columns);
        out.push('\n');
        out.push_str(&table.text());
    }
}
