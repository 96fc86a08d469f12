//! The report of a run, as JSON, in Markdown and in one line.

mod sample;

use gristmill_core::{Diagnostic, Error, Severity, Unit};
use gristmill_format::report::{
    DocumentMetadata, DocumentReport, Finding, Inspection, KEPT, Removal, RemovalTotal, ReportBuilder, Setting,
    WARNINGS_KEPT, markdown, report_schema, short,
};
use gristmill_format::{Record, RunReport};
use sample::{attributes, record};
use serde_json::json;

fn blanks(ranges: &[[u64; 2]]) -> Removal {
    let mut removal = Removal { kind: "blanks".into(), ..Removal::default() };
    ranges.iter().for_each(|[start, end]| removal.add(*start, *end));
    removal
}

fn document(source: &str, chunks: u64) -> DocumentReport {
    DocumentReport {
        source: source.to_owned(),
        format: "markdown".into(),
        encoding: "utf-8".into(),
        metadata: DocumentMetadata {
            title: Some("Tern".into()),
            language: Some("en".into()),
            attributes: attributes(),
            ..DocumentMetadata::default()
        },
        chunks,
        tokens: chunks * 200,
        inspection: Some(Inspection { headings: 3, paragraphs: 9, tokens: 1000, ..Inspection::default() }),
        removals: vec![blanks(&[[4, 6], [9, 12]])],
        ..DocumentReport::default()
    }
}

fn settings() -> Vec<Setting> {
    let setting = |name: &str, recommended, used, origin: &'static str| Setting {
        name: name.to_owned(),
        recommended,
        used,
        origin: origin.into(),
    };
    vec![
        setting("chunk.max", json!(600), json!(300), "flag"),
        setting("chunk.tokenizer", json!("o200k_base"), json!("o200k_base"), "default"),
        setting("source.path", json!(null), json!("docs|old"), "project file"),
    ]
}

/// Two documents read, one of them damaged, and one that failed.
fn report() -> RunReport {
    let (mut builder, attributes) = (ReportBuilder::default(), attributes());
    for (index, size) in [120, 180, 240, 240, 299].into_iter().enumerate() {
        let mut record: Record<'_> = record(index as u64, &attributes);
        if index == 4 {
            record.metadata.section_title = "".into();
        }
        builder.chunk(&record, size);
    }
    builder.duplicate();
    builder.reject("duplicate");
    builder.document(document("en/a|b.md", 3));
    let mut damaged = document("ko/설치.md", 2);
    damaged.needs_review = true;
    damaged.inspection.get_or_insert_default().unclosed_fences = 1;
    let fence = Diagnostic::new("unclosed-fence", Severity::Medium, "ko/설치.md", "a code fence is never closed");
    damaged.warn(&fence.at_line(41));
    damaged.warn(&Diagnostic::new("legacy-encoding", Severity::Info, "ko/설치.md", "read as `euc-kr`"));
    // A finding tells the same, with its place.
    damaged
        .warn(&Diagnostic::new("broken_sentence_fallback", Severity::Low, "ko/설치.md", "a row was cut").at_chunk(1));
    builder.document(damaged);
    builder.document(DocumentReport::failed("zh/x.pdf", &Error::input("cannot open: `zh/x.pdf`").because("locked")));
    builder.skip("logo.png", "binary");
    let short = Diagnostic::new("short-chunk", Severity::Low, "en/a|b.md", "12 tokens, less than `min`").at_chunk(2);
    builder.finding(Finding::from(&short.at_line(7).help("merge it by hand")));
    let cut = Diagnostic::new("broken_sentence_fallback", Severity::Medium, "ko/설치.md", "a <b>row</b> was cut");
    builder.finding(Finding::from(&cut.at_line(50).at_chunk(1)));
    builder.finish("0.1.0", Unit::Tokens, "o200k_base", settings())
}

const EXPECTED: &str = include_str!("report.md");

#[test]
fn markdown_reads_as_intended() {
    assert_eq!(markdown(&report()), EXPECTED);
}

#[test]
fn one_line_says_the_most_important() {
    assert_eq!(short(&report()), "3 documents → 5 chunks, mean size 215.8 tokens (o200k_base); 1 failed; 1 to look at");
    let empty = ReportBuilder::default().finish("0.1.0", Unit::Chars, "chars", Vec::new());
    assert_eq!(short(&empty), "0 documents → 0 chunks");
}

#[test]
fn figures_are_those_of_the_run() {
    let totals = report().totals;
    assert_eq!((totals.documents, totals.failed, totals.skipped, totals.needs_review), (3, 1, 1, 1));
    assert_eq!((totals.size.mean, totals.size.median, totals.size.total), (Some(215.8), Some(240.0), 1079));
    // One duplicate of six chunks made, five of them accepted from two documents read.
    assert_eq!((totals.duplicates.count, totals.duplicates.rate), (1, 0.1667));
    assert_eq!((totals.expansion.documents, totals.expansion.chunks_per_document), (2, Some(2.5)));
    assert_eq!(totals.metadata_completeness.complete, Some(0.8));
    let filled = totals.metadata_completeness.fields.iter().map(|f| (f.field, f.chunks)).collect::<Vec<_>>();
    assert!(filled.contains(&("source", 5)) && filled.contains(&("keywords", 0)) && filled.contains(&("language", 0)));
    assert_eq!(totals.removals, [RemovalTotal { kind: "blanks".into(), count: 4, characters: 10 }]);
    let counts = totals.inspection.unwrap();
    assert_eq!((counts.paragraphs, counts.unclosed_fences), (18, 1));
    assert_eq!((totals.encodings["utf-8"], totals.languages["en"]), (2, 2));
}

#[test]
fn json_holds_its_schema_and_keeps_types() {
    let validator = jsonschema::validator_for(&report_schema()).unwrap();
    let empty = ReportBuilder::default().finish("0.1.0", Unit::Words, "words", Vec::new());
    for report in [report(), empty] {
        let value = serde_json::to_value(report).unwrap();
        let errors = validator.iter_errors(&value).map(|e| e.to_string()).collect::<Vec<_>>();
        assert!(errors.is_empty(), "{errors:?}");
    }
    let value = serde_json::to_value(report()).unwrap();
    let document = &value["documents"][0];
    assert_eq!(document["metadata"]["attributes"]["draft"], json!(false));
    assert_eq!((&document["error"], &document["chunks"]), (&json!(null), &json!(3)));
    assert_eq!(
        value["documents"][2]["error"],
        json!({"code": "unreadable", "message": "cannot open: `zh/x.pdf`: locked"})
    );
    let removals = json!([{
        "kind": "blanks", "count": 2, "characters": 5, "ranges": [[4, 6], [9, 12]], "ranges_omitted": 0
    }]);
    assert_eq!(document["removals"], removals);
    assert_eq!(value["totals"]["removals"], json!([{"kind": "blanks", "count": 4, "characters": 10}]));
    assert_eq!(value["documents"][1]["warnings"][0]["code"], "unclosed-fence");
    assert_eq!(value["findings"][0]["rule"], "short-chunk");
}

#[test]
fn what_is_not_listed_is_counted() {
    let mut builder = ReportBuilder::default();
    let diagnostic = Diagnostic::new("short-chunk", Severity::Low, "a.md", "short");
    let mut document = document("a.md", 0);
    for _ in 0..KEPT + 5 {
        builder.finding(Finding::from(&diagnostic));
        builder.skip("b.png", "binary");
        document.warn(&diagnostic);
    }
    assert_eq!((document.warnings.len(), document.warnings_omitted), (WARNINGS_KEPT, (KEPT + 5 - 100) as u64));
    (0..250).for_each(|_| builder.document(document.clone()));
    let report = builder.finish("0.1.0", Unit::Tokens, "o200k_base", Vec::new());
    assert_eq!((report.findings.len(), report.totals.findings["short-chunk"]), (KEPT, 10_005));
    let text = markdown(&report);
    for line in ["… and 9,905 more", "… and 50 more", "… and 9,805 more", "### `short-chunk`: 10,005 (low)"] {
        assert!(text.contains(line), "{line}");
    }
    assert!(text.lines().count() < 800);
}

#[test]
fn warnings_of_documents_are_findings_with_their_place() {
    let mut builder = ReportBuilder::default();
    let at =
        |source: &str, line| Diagnostic::new("control-characters", Severity::Low, source, "2 removed").at_line(line);
    for name in ["a.md", "b.md"] {
        let mut document = document(name, 1);
        (1..=60).for_each(|line| document.warn(&at(name, line)));
        builder.document(document);
    }
    // One of the warnings comes as a finding as well.
    builder.finding(Finding::from(&at("b.md", 7)));
    let text = markdown(&builder.finish("0.1.0", Unit::Tokens, "o200k_base", Vec::new()));
    assert!(text.contains("There are 120 findings."), "{text}");
    assert!(text.contains("### `control-characters`: 120 (low)\n"));
    assert!(text.contains("\n- `a.md:60`: 2 removed\n") && text.contains("\n… and 20 more:"));
    assert_eq!((text.matches("`b.md:7`").count(), text.matches("\n- `").count()), (1, 100));
}

#[test]
fn warnings_alone_are_findings_too() {
    let mut builder = ReportBuilder::default();
    let mut document = document("a.md", 1);
    let diagnostic = Diagnostic::new("legacy-encoding", Severity::Info, "a.md", "read as `euc-kr`");
    (0..WARNINGS_KEPT + 1).for_each(|_| document.warn(&diagnostic));
    builder.document(document);
    let text = markdown(&builder.finish("0.1.0", Unit::Tokens, "o200k_base", Vec::new()));
    assert!(!text.contains("None. The checks"));
    assert!(text.contains("### `legacy-encoding`: 100 (info)\n\n- `a.md`: read as `euc-kr`\n"));
    assert!(text.ends_with("\n1 more warning of documents with very many of them: counted, not kept.\n"));
}
