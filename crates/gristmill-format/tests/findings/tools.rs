//! The formats of other tools.

use gristmill_core::Severity;
use gristmill_format::findings::{Finding, Format, ScanReport, Shown};
use serde_json::{Value, json};

use crate::sample::{RULES, cut_sentence, finding, fix_as, fixed, report, scan_as, shown};

/// The schema that comes with the standard.
pub fn sarif_errors(log: &Value) -> Vec<String> {
    let schema = include_str!("../fixtures/sarif-2.1.0.schema.json");
    let mut schema: Value = serde_json::from_str(schema).unwrap();
    // These patterns have a bracket too many for the grammar of JSON Schema; we name no language.
    for described in ["run", "toolComponent"] {
        schema["definitions"][described]["properties"]["language"].as_object_mut().unwrap().remove("pattern");
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator.iter_errors(log).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn sarif(report: &ScanReport) -> Value {
    serde_json::from_str(&scan_as(Format::Sarif, report, &Shown::default())).unwrap()
}

#[test]
fn sarif_holds_the_schema_of_its_standard() {
    for report in [report(), ScanReport::new("0.1.0", "x.json", 0, 0, Vec::new())] {
        assert_eq!(sarif_errors(&sarif(&report)), [""; 0]);
    }
    assert_ne!(sarif_errors(&json!({ "version": "2.1.0", "runs": [{}] })), [""; 0], "the schema does look");
}

#[test]
fn sarif_points_into_the_document_or_the_chunk_file() {
    let log = sarif(&report());
    let run = &log["runs"][0];
    let first = &run["results"][0];
    assert_eq!(
        (&first["level"], &first["ruleId"], &first["ruleIndex"]),
        (&json!("error"), &json!("mid-sentence-start"), &json!(0))
    );
    assert_eq!(run["tool"]["driver"]["rules"][0]["help"]["markdown"], RULES[0].docs);
    let place = &first["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"], json!({ "uri": "docs/q3%20report.md", "uriBaseId": "%SRCROOT%" }));
    assert_eq!(place["region"], json!({ "startLine": 12, "startColumn": 17, "endLine": 12, "endColumn": 20 }));
    assert_eq!(first["partialFingerprints"]["gristmillFinding/v1"], cut_sentence().fingerprint);
    let second = &run["results"][1];
    assert_eq!(second["level"], "warning");
    assert_eq!(second["locations"][0]["physicalLocation"]["region"], json!({ "startLine": 11 }));
    assert_eq!(second["relatedLocations"][0]["logicalLocations"][0]["name"], "c7");
    assert_eq!(run["results"][2]["level"], "note");
    assert_eq!(run["results"][2]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "chunks.json##11");
}

#[test]
fn sarif_lists_rules_that_nobody_described() {
    let log = sarif(&ScanReport::new("0.1.0", "x", 1, 1, vec![finding("odd-rule", Severity::Low, 0, "x")]));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(log["runs"][0]["results"][0]["ruleIndex"], rules.len() - 1);
    assert_eq!(rules.last().unwrap()["id"], "odd-rule");
}

#[test]
fn github_annotates_lines() {
    insta::assert_snapshot!(scan_as(Format::Github, &report(), &shown()));
    let mut long = cut_sentence();
    long.place.source.as_mut().unwrap().line_end = 14;
    let text = scan_as(Format::Github, &ScanReport::new("0.1.0", "x", 1, 1, vec![long]), &shown());
    assert!(text.contains(",line=12,endLine=14,title="), "{text}");
}

#[test]
fn gitlab_gets_the_required_fields_and_no_fingerprint_twice() {
    let same = |n| finding("near-duplicate", Severity::Medium, n, "x");
    let mut findings = report().findings;
    findings.extend([same(1), same(2), same(3)]);
    let text = scan_as(Format::Gitlab, &ScanReport::new("0.1.0", "x", 9, 1, findings), &shown());
    let issues: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut seen = std::collections::HashSet::new();
    for issue in &issues {
        assert!(
            issue["description"].is_string()
                && issue["check_name"].is_string()
                && issue["location"]["path"].is_string()
        );
        assert!(issue["location"]["lines"]["begin"].as_u64().is_some_and(|line| line > 0));
        assert!(["info", "minor", "major", "critical", "blocker"].contains(&issue["severity"].as_str().unwrap()));
        assert!(seen.insert(issue["fingerprint"].as_str().unwrap()), "{issue}");
    }
    assert_eq!(issues[0]["fingerprint"], cut_sentence().fingerprint);
    assert_eq!(issues[0]["location"], json!({ "path": "docs/q3 report.md", "lines": { "begin": 12, "end": 12 } }));
    assert_eq!(issues.len(), 7);
    let none = ScanReport::new("0.1.0", "x", 9, 1, Vec::new());
    assert_eq!(scan_as(Format::Gitlab, &none, &shown()), "[]\n");
}

#[test]
fn junit_has_a_suite_for_every_rule() {
    let text = scan_as(Format::Junit, &report(), &shown());
    let tree = roxmltree::Document::parse(&text).unwrap();
    let root = tree.root_element();
    let count = |name: &str| root.descendants().filter(|node| node.has_tag_name(name)).count();
    let (suites, cases, failures) = (count("testsuite"), count("testcase"), count("failure"));
    assert_eq!((suites, cases, failures), (4, 5, 3), "the finding worth knowing and the rule without findings pass");
    assert_eq!(root.attribute("tests"), Some("5"));
    assert_eq!(root.attribute("failures"), Some("3"));
    for suite in root.children().filter(roxmltree::Node::is_element) {
        let cases = suite.children().filter(|node| node.has_tag_name("testcase")).count();
        let failures = suite.descendants().filter(|node| node.has_tag_name("failure")).count();
        assert_eq!(suite.attribute("tests"), Some(cases.to_string().as_str()));
        assert_eq!(suite.attribute("failures"), Some(failures.to_string().as_str()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn markdown_is_a_table_and_details() {
    insta::assert_snapshot!("markdown", scan_as(Format::Markdown, &report(), &shown()));
    insta::assert_snapshot!("markdown_fix", fix_as(Format::Markdown, &fixed(), &Shown { diff: true, ..shown() }));
    let many = (0..60).map(|n| finding("near-duplicate", Severity::Medium, n, "x")).collect();
    let many = scan_as(Format::Markdown, &ScanReport::new("0.1.0", "x", 99, 1, many), &shown());
    assert!(many.contains("… and 10 more: see the JSON report."), "{many}");
}

#[test]
fn formats_of_other_tools_tell_what_a_repair_left() {
    for format in [Format::Sarif, Format::Github, Format::Gitlab, Format::Junit] {
        assert_eq!(fix_as(format, &fixed(), &shown()), scan_as(format, &fixed().left, &shown()));
    }
}

/// A place that is no file in the project still gives valid logs.
#[test]
fn odd_places_are_valid() {
    let mut found = Finding { chunk_id: None, ..finding("empty-chunk", Severity::High, 0, "x") };
    for file in ["", "-", "/srv/a b.json", "C:\\x\\y.json", "https://example.org/a?b=c#d", "../가/[x].json", "a:b"] {
        found.place.file = file.to_owned();
        found.place.line = None;
        let report = ScanReport::new("0.1.0", file, 1, 1, vec![found.clone()]);
        assert_eq!(sarif_errors(&sarif(&report)), [""; 0], "{file}");
    }
}
