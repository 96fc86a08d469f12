//! Reports made by hand.

use gristmill_core::Severity;
use gristmill_format::findings::{
    Diff, Finding, FixReport, Format, Place, Repair, RuleInfo, ScanReport, Shown, Snippet, SourcePlace, Version,
    fingerprint, write_fix, write_scan,
};

pub const RULES: &[RuleInfo] = &[
    RuleInfo {
        name: "mid-sentence-start",
        title: "Chunk resumes a cut sentence",
        summary: "A chunk that opens in mid-sentence mixes two claims in one vector.",
        severity: Severity::High,
        repair: Repair::Lossless,
        docs: "# mid-sentence-start\n\nThe chunk goes on with a sentence that the chunk before it cut.\n",
    },
    RuleInfo {
        name: "near-duplicate",
        title: "Chunk nearly equals another",
        summary: "Chunks that share most of their text share their rank.",
        severity: Severity::Medium,
        repair: Repair::None,
        docs: "# near-duplicate\n\nTwo chunks share most of their words.\n",
    },
    RuleInfo {
        name: "missing-heading",
        title: "Chunk does not know its heading",
        summary: "A heading governs the chunk, and the chunk carries none.",
        severity: Severity::Low,
        repair: Repair::Lossless,
        docs: "# missing-heading\n",
    },
    RuleInfo {
        name: "empty-chunk",
        title: "Chunk holds nothing",
        summary: "White space only.",
        severity: Severity::High,
        repair: Repair::Lossless,
        docs: "# empty-chunk\n",
    },
];

/// A finding with nothing but what every finding has.
pub fn finding(rule: &'static str, severity: Severity, index: u64, message: &str) -> Finding {
    let title = RULES.iter().find(|info| info.name == rule).map_or("Something else", |info| info.title);
    Finding {
        rule: rule.into(),
        title: title.into(),
        severity,
        chunk_id: Some(format!("c{index}")),
        index,
        message: message.to_owned(),
        fixable: false,
        repair: None,
        related: Vec::new(),
        help: None,
        place: Place { file: "chunks.json".to_owned(), line: Some(index + 2), source: None },
        snippet: None,
        diff: None,
        fingerprint: fingerprint(rule, "chunks.json", message),
    }
}

pub fn cut_sentence() -> Finding {
    let version = |index, text: &str| Version { id: Some(format!("c{index}")), index, text: text.to_owned() };
    let text = "40% year over year, beating forecasts.";
    Finding {
        fixable: true,
        repair: Some("merge it into chunk `c1`".to_owned()),
        related: vec!["c1".to_owned()],
        help: Some("let the splitter end chunks at sentences".to_owned()),
        place: Place {
            file: "chunks.json".to_owned(),
            line: Some(4),
            source: Some(SourcePlace {
                path: "docs/q3 report.md".to_owned(),
                line_start: 12,
                column_start: 17,
                line_end: 12,
                column_end: 20,
                char_start: 310,
                char_end: 313,
            }),
        },
        snippet: Some(Snippet { text: text.to_owned(), start: 0, end: 3, line: 1 }),
        diff: Some(Diff {
            before: vec![version(1, "# Results\n\nRevenue grew by"), version(2, text)],
            after: vec![version(1, "# Results\n\nRevenue grew by 40% year over year, beating forecasts.")],
        }),
        ..finding("mid-sentence-start", Severity::High, 2, "opens in mid-sentence (`40% year over year`)")
    }
}

pub fn report() -> ScanReport {
    let duplicate = Finding {
        related: vec!["c7".to_owned()],
        ..finding("near-duplicate", Severity::Medium, 9, "shares 91 % of its text with chunk `c7`")
    };
    let heading = Finding {
        chunk_id: None,
        fixable: true,
        repair: Some("put the heading path in front".to_owned()),
        ..finding("missing-heading", Severity::Low, 11, "does not carry the heading that governs it: `Limits`")
    };
    let none = finding("missing-heading", Severity::Info, 12, "the document has no heading");
    ScanReport::new("0.1.0", "chunks.json", 14, 3, vec![cut_sentence(), duplicate, heading, none])
}

pub fn fixed() -> FixReport {
    let left = report().findings.into_iter().filter(|finding| !finding.fixable).collect();
    FixReport {
        version: 1,
        gristmill: "0.1.0".to_owned(),
        input: "chunks.json".to_owned(),
        output: Some("chunks.clean.json".to_owned()),
        chunks_before: 14,
        chunks_after: 13,
        merged: 1,
        changes: [("mid-sentence-start".into(), 1), ("missing-heading".into(), 1)].into(),
        fixed: report().findings.into_iter().filter(|finding| finding.fixable).collect(),
        left: ScanReport::new("0.1.0", "chunks.clean.json", 13, 3, left),
        ..FixReport::default()
    }
}

pub fn shown() -> Shown {
    Shown { width: 60, command: Some("gristmill fix chunks.json".to_owned()), ..Shown::default() }
}

pub fn scan_as(format: Format, report: &ScanReport, shown: &Shown) -> String {
    let mut out = Vec::new();
    write_scan(format, report, RULES, shown, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

pub fn fix_as(format: Format, report: &FixReport, shown: &Shown) -> String {
    let mut out = Vec::new();
    write_fix(format, report, RULES, shown, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}
