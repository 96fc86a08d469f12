//! Chunks that try to be more than text, and very many findings.

use gristmill_core::Severity;
use gristmill_format::findings::{
    Diff, Finding, FixReport, Format, Place, ScanReport, Shown, Snippet, SourcePlace, Version,
};

use crate::sample::{finding, fix_as, scan_as, shown};
use crate::tools::sarif_errors;

const HOSTILE: &[&str] = &[
    "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{7f}\0",
    "]]><!-- --><![CDATA[ &amp; &#0; \u{fffe}",
    "</script><script>alert(1)</script><img src=x onerror=alert(1)>",
    "%0A::error::%25 ,:::x\r\n::set-env name=a::b",
    "a\nb\r\nc\u{2028}d\u{85}e",
    "\u{202e}desrever\u{2066}\u{200b}\u{feff}\u{e0041}",
    "``` ```` ` </details></summary> @everyone [x](javascript:alert(1)) | a | b |",
    "[link](1) {0} {{1}} \\[ \\",
    "\"'><b>&lt;",
    "",
    " \t ",
];

/// A finding of which every part is hostile.
fn hostile(text: &str, index: u64) -> Finding {
    let version = |index, text: &str| Version { id: Some(text.to_owned()), index, text: text.to_owned() };
    let length = text.chars().count() as u64;
    Finding {
        chunk_id: Some(text.to_owned()),
        fixable: true,
        repair: Some(text.to_owned()),
        related: vec![text.to_owned()],
        help: Some(text.to_owned()),
        place: Place {
            file: text.to_owned(),
            line: Some(1),
            source: Some(SourcePlace {
                path: text.to_owned(),
                line_start: 1,
                column_start: 1,
                ..SourcePlace::default()
            }),
        },
        snippet: Some(Snippet { text: text.to_owned(), start: length / 3, end: length, line: 1 }),
        diff: Some(Diff {
            before: vec![version(0, text), version(1, text)],
            after: vec![version(0, &format!("{text}x{text}"))],
        }),
        ..finding("empty-chunk", Severity::High, index, text)
    }
}

fn reports() -> (ScanReport, FixReport) {
    let findings: Vec<_> = HOSTILE.iter().zip(0..).map(|(text, index)| hostile(text, index)).collect();
    let all = HOSTILE.concat();
    let left = ScanReport::new(&all, &all, 11, 2, findings.clone());
    let fix = FixReport {
        input: all.clone(),
        output: Some(all.clone()),
        changes: [("empty-chunk".into(), 11)].into(),
        fixed: findings,
        left: left.clone(),
        notes: vec![all],
        ..FixReport::default()
    };
    (left, fix)
}

fn everything() -> Shown {
    Shown { verbose: true, diff: true, command: Some(HOSTILE.concat()), ..shown() }
}

fn both(format: Format) -> [String; 2] {
    let (scan, fix) = reports();
    [scan_as(format, &scan, &everything()), fix_as(format, &fix, &everything())]
}

/// Characters that steer, hide or turn.
fn is_dangerous(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200b}' | '\u{2028}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0041}')
}

#[test]
fn no_text_form_holds_what_steers_a_terminal() {
    for format in [Format::Text, Format::Github, Format::Markdown, Format::Html] {
        for text in both(format) {
            assert!(!text.contains(is_dangerous), "{}: {text:?}", format.name());
        }
    }
    assert!(both(Format::Text).iter().all(|text| !text.contains('\t')));
}

#[test]
fn every_annotation_is_one_line() {
    let [text, _] = both(Format::Github);
    assert_eq!(text.lines().count(), HOSTILE.len());
    for line in text.lines() {
        let (properties, _) = line.strip_prefix("::error ").unwrap().split_once("::").unwrap();
        let names: Vec<_> = properties.split(',').map(|pair| pair.split_once('=').unwrap().0).collect();
        assert_eq!(names, ["file", "line", "col", "endColumn", "title"], "{line}");
    }
}

#[test]
fn xml_gives_back_the_text() {
    let [text, _] = both(Format::Junit);
    let tree = roxmltree::Document::parse(&text).unwrap();
    let messages: Vec<_> = tree.descendants().filter_map(|node| node.attribute("message")).collect();
    assert_eq!(messages.len(), HOSTILE.len());
    assert_eq!(messages[2], HOSTILE[2]);
    assert_eq!(messages[3], HOSTILE[3]);
    assert_eq!(messages[4], HOSTILE[4]);
    assert_eq!(messages[1], HOSTILE[1].replace('\u{fffe}', "<U+FFFE>"));
    let legal =
        |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(text.chars().all(legal), "only characters of XML 1.0");
}

#[test]
fn json_gives_back_the_text() {
    let [text, _] = both(Format::Json);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (finding, text) in report["findings"].as_array().unwrap().iter().zip(HOSTILE) {
        assert_eq!(finding["message"], **text);
    }
    let [text, fix] = both(Format::Jsonl);
    assert_eq!((text.lines().count(), fix.lines().count()), (12, 12));
    assert!(text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    let [text, _] = both(Format::Sarif);
    assert_eq!(sarif_errors(&serde_json::from_str(&text).unwrap()), [""; 0]);
    let [text, _] = both(Format::Gitlab);
    assert_eq!(serde_json::from_str::<Vec<serde_json::Value>>(&text).unwrap().len(), HOSTILE.len());
}

#[test]
fn no_script_but_our_own_is_in_the_page() {
    for text in both(Format::Html) {
        assert_eq!((text.matches("<script").count(), text.matches("</script").count()), (1, 1));
        assert!(!text.contains("<img") && !text.contains("onerror=alert(1)>"));
        assert!(text.ends_with("</html>\n"));
    }
}

#[test]
fn markdown_holds_no_markup_but_our_own() {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    for text in both(Format::Markdown) {
        let (mut open, mut in_code) = (0, false);
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            match event {
                Event::Html(html) | Event::InlineHtml(html) => {
                    open += html.matches("<details>").count();
                    open -= html.matches("</details>").count();
                    assert!(is_ours(&html), "{html}");
                }
                Event::Start(Tag::Link { .. } | Tag::Image { .. }) => panic!("a link"),
                Event::Start(Tag::CodeBlock(_)) => in_code = true,
                Event::End(TagEnd::CodeBlock) => in_code = false,
                Event::Text(text) => assert!(in_code || !text.contains("@everyone"), "{text}"),
                _ => {}
            }
        }
        assert_eq!(open, 0);
    }
}

/// True for HTML of nothing but the few elements that we write.
fn is_ours(html: &str) -> bool {
    const OURS: &[&str] = &["details>", "/details>", "summary>", "/summary>", "code>", "/code>", "!-- -->"];
    html.split('<').skip(1).all(|tag| OURS.iter().any(|name| tag.starts_with(name)))
}

#[test]
fn a_hundred_thousand_findings_are_all_written() {
    let found = |n| Finding { snippet: None, ..finding("near-duplicate", Severity::Medium, n, "x") };
    let report = ScanReport::new("0.1.0", "x.json", 100_000, 1, (0..100_000).map(found).collect());
    for format in [Format::Jsonl, Format::Sarif, Format::Github, Format::Gitlab] {
        let text = scan_as(format, &report, &shown());
        let extra = match format {
            Format::Jsonl => 1,
            Format::Gitlab => 2,
            Format::Sarif => 1,
            _ => 0,
        };
        assert_eq!(text.lines().count(), 100_000 + extra, "{}", format.name());
    }
    assert_eq!(scan_as(Format::Junit, &report, &shown()).matches("<failure").count(), 100_000);
    for format in [Format::Text, Format::Markdown, Format::Html] {
        let text = scan_as(format, &report, &shown());
        assert!(text.contains("more") && text.len() < 2_000_000, "{}", format.name());
    }
}

#[test]
fn places_beyond_the_text_are_no_fault() {
    for (start, end) in [(0, 0), (9, 3), (u64::MAX, u64::MAX), (0, u64::MAX), (u64::MAX, 0)] {
        let snippet = Snippet { text: "가\nb".to_owned(), start, end, line: u64::MAX };
        let found = Finding { snippet: Some(snippet), ..finding("empty-chunk", Severity::High, 0, "x") };
        let report = ScanReport::new("0.1.0", "x", 1, 1, vec![found]);
        for format in Format::ALL {
            for width in [0, 1, usize::MAX] {
                assert!(!scan_as(format, &report, &Shown { width, ..everything() }).is_empty());
            }
        }
    }
}

#[test]
fn empty_reports_are_written_in_every_format() {
    let (scan, fix) = (ScanReport::default(), FixReport::default());
    for format in Format::ALL {
        let (scan, fix) = (scan_as(format, &scan, &Shown::default()), fix_as(format, &fix, &Shown::default()));
        assert_eq!(scan.is_empty(), format == Format::Github);
        assert_eq!(fix.is_empty(), format == Format::Github);
    }
}
