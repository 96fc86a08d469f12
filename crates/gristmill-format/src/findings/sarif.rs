//! SARIF 2.1.0.
//!
//! No `fixes` are written: a repair changes chunks, and a region of the chunk file's JSON, or of the document that the
//! chunks were cut from, is not what would have to be replaced.

use std::collections::HashMap;
use std::io::{self, Write};

use gristmill_core::Severity;
use serde_json::{Map, Value, json};

use super::{Finding, Place, Repair, RuleInfo, ScanReport, uri};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// One run, a result a line.
pub(super) fn write(report: &ScanReport, rules: &[RuleInfo], out: &mut dyn Write) -> io::Result<()> {
    let rules = Rules::of(report, rules);
    let driver = json!({
        "name": "gristmill", "version": report.gristmill, "semanticVersion": report.gristmill, "rules": rules.list,
    });
    let roots = json!({ "%SRCROOT%": { "description": { "text": "the root of the project" } } });
    write!(out, "{{\"$schema\":{},\"version\":\"2.1.0\",\"runs\":[{{\"tool\":", json!(SCHEMA))?;
    serde_json::to_writer(&mut *out, &json!({ "driver": driver }))?;
    write!(out, ",\"columnKind\":\"unicodeCodePoints\",\"originalUriBaseIds\":{roots},\"results\":[")?;
    for (i, finding) in report.findings.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &result(finding, rules.index.get(&*finding.rule)))?;
    }
    let properties = json!({ "chunks": report.chunks, "sources": report.sources, "summary": report.summary });
    writeln!(out, "],\"properties\":{properties}}}]}}")
}

/// The rules, and the place of each.
struct Rules<'a> {
    list: Vec<Value>,
    index: HashMap<&'a str, usize>,
}

impl<'a> Rules<'a> {
    /// The rules that were checked, and those of findings that are not among them.
    fn of(report: &'a ScanReport, rules: &'a [RuleInfo]) -> Self {
        let mut all = Self { list: Vec::new(), index: HashMap::new() };
        for rule in rules {
            all.add(rule.name, || described(rule));
        }
        for finding in &report.findings {
            all.add(&finding.rule, || json!({ "id": finding.rule, "shortDescription": plain(&finding.title) }));
        }
        all
    }

    fn add(&mut self, name: &'a str, rule: impl FnOnce() -> Value) {
        if !self.index.contains_key(name) {
            self.index.insert(name, self.list.len());
            self.list.push(rule());
        }
    }
}

fn described(rule: &RuleInfo) -> Value {
    let fixable = if rule.repair == Repair::None { vec!["chunks"] } else { vec!["chunks", "fixable"] };
    json!({
        "id": rule.name,
        "shortDescription": plain(rule.title),
        "fullDescription": plain(rule.summary),
        "help": { "text": rule.docs, "markdown": rule.docs },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": { "tags": fixable, "problem.severity": problem(rule.severity) },
    })
}

fn plain(text: &str) -> Value {
    json!({ "text": text })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "note",
    }
}

/// The same in the words of code scanning.
fn problem(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "recommendation",
    }
}

fn result(finding: &Finding, rule: Option<&usize>) -> Value {
    let chunk = finding.chunk();
    let mut result = json!({
        "ruleId": finding.rule,
        "level": level(finding.severity),
        "message": { "text": message(&format!("{chunk}: {}", finding.message)) },
        "locations": [{
            "physicalLocation": physical(&finding.place),
            "logicalLocations": [logical(&chunk, &finding.place.file)],
        }],
        "partialFingerprints": { "gristmillFinding/v1": finding.fingerprint },
        "properties": {
            "severity": finding.severity.name(), "index": finding.index, "fixable": finding.fixable,
            "repair": finding.repair, "help": finding.help,
        },
    });
    if let Some(rule) = rule {
        result["ruleIndex"] = (*rule).into();
    }
    let related = finding.related.iter().enumerate().map(|(i, id)| {
        json!({
            "id": i + 1, "logicalLocations": [logical(id, &finding.place.file)],
            "message": { "text": message(&format!("chunk {id}")) },
        })
    });
    let related: Vec<_> = related.collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    result
}

fn logical(chunk: &str, file: &str) -> Value {
    json!({ "name": chunk, "fullyQualifiedName": format!("{file}#{chunk}"), "kind": "chunk" })
}

/// A place in the document where it is known, else in the file of chunks.
fn physical(place: &Place) -> Value {
    let (uri, relative) = uri::of(place.name());
    let mut artifact = Map::from_iter([("uri".to_owned(), Value::from(uri))]);
    if relative {
        artifact.insert("uriBaseId".to_owned(), "%SRCROOT%".into());
    }
    let mut physical = json!({ "artifactLocation": artifact });
    if let Some(at) = &place.source {
        physical["region"] = json!({
            "startLine": at.line_start.max(1), "startColumn": at.column_start.max(1),
            "endLine": at.line_end.max(1), "endColumn": at.column_end.max(1),
        });
    } else if let Some(line) = place.line {
        physical["region"] = json!({ "startLine": line.max(1) });
    }
    physical
}

/// Text that is not taken for a link (`[text](1)`) or a placeholder (`{0}`). Text that cannot be is left as it is, for
/// the sake of viewers that know of no escapes.
fn message(text: &str) -> String {
    let mut out = text.to_owned();
    if text.contains("](") {
        out = out.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]");
    }
    let mut braces = text.match_indices('{').filter_map(|(at, _)| text.as_bytes().get(at + 1));
    if braces.any(u8::is_ascii_digit) {
        out = out.replace('{', "{{").replace('}', "}}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_only_text() {
        assert_eq!(message("see [it](1) {0} a\\b"), "see \\[it\\](1) {{0}} a\\\\b");
        assert_eq!(message("가 [plain] {x} \\"), "가 [plain] {x} \\");
        assert_eq!(message("ends with {"), "ends with {");
    }
}
