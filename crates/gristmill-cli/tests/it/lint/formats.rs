//! Each format is what it says.

use serde_json::Value;

use super::folder;
use crate::run::lines;

fn scanned(format: &str) -> String {
    let ran = folder().run(&["scan", "worn.json", "--format", format]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""), "{format}");
    ran.stdout
}

#[track_caller]
fn assert_valid(schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let faults: Vec<String> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?} in {value:#}");
}

#[test]
fn json_follows_its_schema() {
    let report: Value = serde_json::from_str(&scanned("json")).unwrap();
    assert_valid(&gristmill::findings::scan_schema(), &report);
    assert_eq!(report["findings"].as_array().unwrap().len(), 4);
    let fixed = folder().run(&["fix", "worn.json", "--diff", "--format", "json"]);
    assert_valid(&gristmill::findings::fix_schema(), &serde_json::from_str(&fixed.stdout).unwrap());
    let events = lines(&scanned("jsonl"));
    assert_eq!(events.len(), 5);
    assert!(events[..4].iter().all(|event| event["rule"].is_string()));
}

#[test]
fn sarif_names_rules_and_places() {
    let sarif: Value = serde_json::from_str(&scanned("sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 4);
    for result in results {
        let at = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][at]["id"], result["ruleId"]);
        assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "worn.json");
    }
}

#[test]
fn the_formats_of_services_hold_every_finding() {
    let github = scanned("github");
    let levels: Vec<&str> = github.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(levels, ["::error", "::notice", "::warning", "::notice"]);
    let gitlab: Value = serde_json::from_str(&scanned("gitlab")).unwrap();
    let severities: Vec<_> =
        gitlab.as_array().unwrap().iter().map(|issue| issue["severity"].as_str().unwrap()).collect();
    assert_eq!(severities, ["critical", "minor", "major", "minor"]);
    let junit = scanned("junit");
    let xml = roxmltree::Document::parse(&junit).unwrap();
    assert_eq!(xml.descendants().filter(|node| node.has_tag_name("failure")).count(), 4);
    assert!(scanned("markdown").starts_with("## Scan of `worn.json`\n"));
}

#[test]
fn a_page_is_whole() {
    for args in [&["scan", "worn.json"][..], &["fix", "worn.json", "--dry-run"]] {
        let page = folder().run(&[args, &["--format", "html", "-q"]].concat()).stdout;
        assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
        for tag in ["head", "body", "style", "script", "main"] {
            let (opened, closed) =
                (page.matches(&format!("<{tag}")).count(), page.matches(&format!("</{tag}>")).count());
            assert!(closed <= opened, "{tag}");
        }
        assert!(!page.contains("src=\"http") && page.contains("mid-sentence-start"));
        // The chunks before and after.
        assert!(page.matches("had thought likely before.").count() >= 2, "{args:?}");
    }
}

#[test]
fn nothing_found_is_well_formed_too() {
    let folder = folder();
    let clean = |format: &str| {
        let ran = folder.run(&["scan", "sound.json", "--format", format]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{format}");
        ran.stdout
    };
    for format in ["json", "sarif", "gitlab"] {
        let _: Value = serde_json::from_str(&clean(format)).unwrap();
    }
    assert_eq!((lines(&clean("jsonl")).len(), clean("github")), (1, String::new()));
    roxmltree::Document::parse(&clean("junit")).unwrap();
}
