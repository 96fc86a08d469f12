//! Findings that are known, and findings that are too many.

use gristmill_core::Severity;
use gristmill_format::findings::{Baseline, ScanReport};

use crate::sample::{finding, report};

fn twice() -> ScanReport {
    let found = |n| finding("near-duplicate", Severity::Medium, n, "the same");
    ScanReport::new("0.1.0", "x.json", 4, 1, vec![found(0), found(1)])
}

fn written(baseline: &Baseline) -> String {
    let mut out = Vec::new();
    baseline.write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_baseline_leaves_out_all_that_it_was_made_of() {
    let mut again = report();
    let baseline = Baseline::read(&written(&Baseline::of(&again.findings))).unwrap();
    assert_eq!(again.leave_out(&baseline), 0);
    assert_eq!((again.findings.len(), again.summary.total(), again.summary.fixable), (0, 0, 0));
    assert_eq!((again.summary.baseline, again.worst()), (4, None));
    assert!(again.summary.by_rule.is_empty());
}

#[test]
fn equal_findings_are_known_as_often_as_they_were_found() {
    let baseline = Baseline::of(&twice().findings[..1]);
    let mut report = twice();
    assert_eq!(report.leave_out(&baseline), 0);
    assert_eq!(report.findings.iter().map(|finding| finding.index).collect::<Vec<_>>(), [1]);
    assert_eq!((report.summary.baseline, report.summary.by_severity.medium), (1, 1));

    let both = Baseline::of(&twice().findings);
    assert_eq!(both.findings[0].count, 2);
    let mut report = twice();
    report.findings.pop();
    assert_eq!(report.leave_out(&both), 1, "one is no longer there");
}

#[test]
fn edits_elsewhere_do_not_make_findings_new() {
    let baseline = Baseline::of(&report().findings);
    let mut moved = report();
    for finding in &mut moved.findings {
        finding.index += 7;
        finding.place.line = Some(99);
    }
    assert_eq!(moved.leave_out(&baseline), 0);
    assert!(moved.findings.is_empty());
}

#[test]
fn a_baseline_is_the_same_whatever_the_order() {
    let findings = report().findings;
    let reversed: Vec<_> = findings.iter().rev().cloned().collect();
    assert_eq!(written(&Baseline::of(&findings)), written(&Baseline::of(&reversed)));
    insta::assert_snapshot!(written(&Baseline::of(&findings)));
}

#[test]
fn what_is_no_baseline_is_told() {
    for (text, told) in [
        ("", "not a baseline"),
        ("[]", "not a baseline"),
        ("{\"version\":1}", "not a baseline"),
        ("{\"version\":2,\"findings\":[]}", "a baseline of an unknown version: 2"),
    ] {
        let error = Baseline::read(text).unwrap_err();
        assert!(error.to_string().contains(told), "{error}");
        assert!(error.hint_text().is_some());
    }
    assert!(Baseline::read("\u{feff}{\"version\":1,\"findings\":[],\"later\":0}").is_ok());
}

#[test]
fn the_most_severe_findings_are_kept_in_their_order() {
    let severities = [Severity::Low, Severity::High, Severity::Info, Severity::Medium, Severity::High];
    let found = severities.iter().zip(0..).map(|(severity, n)| finding("near-duplicate", *severity, n, "x"));
    let whole = ScanReport::new("0.1.0", "x.json", 5, 1, found.collect());
    for (max, kept) in [(0, &[][..]), (1, &[1]), (3, &[1, 3, 4]), (4, &[0, 1, 3, 4]), (9, &[0, 1, 2, 3, 4])] {
        let mut report = whole.clone();
        report.keep_at_most(max);
        assert_eq!(report.findings.iter().map(|finding| finding.index).collect::<Vec<_>>(), kept);
        assert_eq!(report.summary.hidden, 5 - kept.len() as u64);
        assert_eq!((report.summary.total(), report.worst()), (5, Some(Severity::High)));
    }
}
