//! The text form.

use std::collections::BTreeMap;

use gristmill_core::Severity;
use gristmill_format::findings::{Finding, FixReport, Format, ScanReport, Shown, Snippet};
use unicode_width::UnicodeWidthStr;

use crate::sample::{cut_sentence, finding, fix_as, fixed, report, scan_as, shown};

fn text(report: &ScanReport, shown: &Shown) -> String {
    scan_as(Format::Text, report, shown)
}

fn of(findings: Vec<Finding>) -> ScanReport {
    ScanReport::new("0.1.0", "x.json", 9, 1, findings)
}

#[test]
fn findings_stand_by_rule_with_what_to_do_next() {
    insta::assert_snapshot!(text(&report(), &shown()));
    insta::assert_snapshot!("verbose", text(&report(), &Shown { verbose: true, diff: true, ..shown() }));
    insta::assert_snapshot!("statistics", text(&report(), &Shown { statistics: true, ..shown() }));
    insta::assert_snapshot!("colour", text(&report(), &Shown { colour: true, diff: true, ..shown() }));
}

#[test]
fn nothing_found_is_one_line() {
    assert_eq!(text(&of(Vec::new()), &shown()), "9 chunks scanned: no findings\n");
    let mut known = report();
    known.leave_out(&gristmill_format::findings::Baseline::of(&report().findings));
    assert_eq!(text(&known, &shown()), "14 chunks of 3 sources scanned: no findings · 4 in the baseline\n");
}

#[test]
fn long_lists_are_cut_short_with_their_number() {
    let many = of((0..25).map(|n| finding("near-duplicate", Severity::Medium, n, "x")).collect());
    let short = text(&many, &shown());
    assert_eq!(short.matches("[medium]").count(), 10);
    assert!(short.contains("  … and 15 more, shown with `--verbose`\n"), "{short}");
    assert!(short.contains("25 findings: 25 medium\n"), "{short}");
    assert!(!short.contains("run `"), "nothing is fixable");
    assert_eq!(text(&many, &Shown { verbose: true, ..shown() }).matches("[medium]").count(), 25);
}

/// The line of text and the line of the underline, without what stands before the bar.
fn underlined(text_of_chunk: &str, start: u64, end: u64, width: usize) -> (String, String) {
    let snippet = Some(Snippet { text: text_of_chunk.to_owned(), start, end, line: 1 });
    let found = Finding { snippet, ..finding("empty-chunk", Severity::High, 0, "x") };
    let text = text(&of(vec![found]), &Shown { width, ..Shown::default() });
    let lines = text.lines().filter_map(|line| Some(line.split_once(" |")?.1));
    let mut lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned());
    (lines.next().unwrap(), lines.next().unwrap())
}

#[test]
fn the_underline_stands_below_its_place() {
    for (text, start, end, line, under) in [
        ("a cut here", 2, 5, "a cut here", "  ^^^"),
        ("営業利益は 40% 増", 6, 9, "営業利益は 40% 増", "           ^^^"),
        ("営業利益", 1, 3, "営業利益", "  ^^^^"),
        ("\tx\ty", 1, 2, "→   x→   y", "    ^"),
        ("a\u{1b}[0mb", 1, 5, "a␛[0mb", " ^^^^"),
        ("e\u{301}x", 2, 3, "e\u{301}x", " ^"),
        ("a\u{202e}b", 1, 2, "a<U+202E>b", " ^^^^^^^^"),
        ("end", 3, 3, "end", "   ^"),
        ("one\ntwo\r\nsix", 4, 7, "two", "^^^"),
    ] {
        assert_eq!(underlined(text, start, end, 80), (line.to_owned(), under.to_owned()), "{text:?}");
    }
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let long = format!("{}NEEDLE{}", "word ".repeat(50_000), " 말".repeat(50_000));
    let (line, under) = underlined(&long, 250_000, 250_006, 60);
    assert!(line.starts_with('…') && line.ends_with('…') && line.width() <= 50, "{line}");
    assert_eq!(line[..line.find("NEEDLE").unwrap()].width(), under.find('^').unwrap());
    assert_eq!(under.matches('^').count(), 6);

    let (line, under) = underlined(&"x".repeat(500), 3, 400, 40);
    assert!(line.starts_with("xxx") && line.ends_with('…') && line.width() == 30, "{line}");
    assert_eq!((under.find('^'), under.width()), (Some(3), 30));
    let (line, _) = underlined("", 5, 9, 0);
    assert!(line.is_empty());
}

#[test]
fn a_repair_is_summed_up() {
    insta::assert_snapshot!("fix", fix_as(Format::Text, &fixed(), &shown()));
    let dry = FixReport { dry_run: true, output: None, notes: vec!["one note".to_owned()], ..fixed() };
    insta::assert_snapshot!("fix_dry_run", fix_as(Format::Text, &dry, &Shown { diff: true, verbose: true, ..shown() }));
    let nothing = FixReport { chunks_before: 3, chunks_after: 3, ..FixReport::default() };
    assert_eq!(fix_as(Format::Text, &nothing, &shown()), "nothing to repair in 3 chunks\n\nno findings left\n");
    let changes = BTreeMap::from([("oversized-chunk".into(), 1)]);
    let split = FixReport { chunks_before: 3, chunks_after: 5, split: 1, changes, ..FixReport::default() };
    assert!(fix_as(Format::Text, &split, &shown()).starts_with("1 repair: 3 chunks became 5 (1 split)\n"));
}

#[test]
fn colour_is_only_what_was_asked_for() {
    let plain = text(&report(), &Shown { verbose: true, diff: true, ..shown() });
    assert!(!plain.contains('\u{1b}'));
    let coloured = text(&report(), &Shown { colour: true, verbose: true, diff: true, ..shown() });
    assert_eq!(unpainted(&coloured), plain);
    assert!(cut_sentence().diff.is_some());
}

fn unpainted(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.split_once('m').map_or(part, |(_, rest)| rest))
}
