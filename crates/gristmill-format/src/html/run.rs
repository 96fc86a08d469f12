//! The report of a run as one page that needs no other file: the quality report, then documents beside their chunks.

use std::borrow::Cow;

use pulldown_cmark::{Event, Options, Parser, html};
use serde_json::Value;

use super::overlay::{self, Found};
use super::{Html, OVERLAY_SCRIPT, OVERLAY_STYLE};
use crate::report::page::count;
use crate::report::{RunReport, markdown};

/// SHA-256 of the script in base 64, by which browsers know it.
const SCRIPT_HASH: &str = "XPAYV9iwHAAu1BXXk/PK2GlWFlLGk8Bpct7yp9cvFPI=";

const STYLE: &str = include_str!("run.css");

/// A document of a run with what it was cut into.
#[derive(Clone, Debug)]
pub struct CutDocument {
    /// Path relative to the source's root, or URL.
    pub source: String,
    /// The text that the parts of the records point into.
    pub text: String,
    /// Its chunks, as records.
    pub records: Vec<Value>,
    /// What was found in it.
    pub found: Vec<Found>,
}

/// The page. `documents` are those of the run that are shown; how many there are the report knows. Text of documents cannot
/// run: it is escaped, and the page's policy allows no script but its own.
pub fn run_page(report: &RunReport, documents: &[CutDocument]) -> String {
    let mut page = Html::new();
    page.push(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\"",
    );
    page.attribute(
        "content",
        format!(
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{SCRIPT_HASH}'; base-uri 'none'; \
             form-action 'none'"
        ),
    );
    page.push(
        "><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" \
         content=\"light dark\"><title>Quality report · gristmill</title><style>",
    );
    page.push(OVERLAY_STYLE).push(STYLE).push("</style></head><body><header><p class=\"brand\">gristmill</p></header>");
    page.push("<main><div class=\"report\">").html(&prose(&markdown(report))).push("</div>");
    shown(&mut page, report, documents);
    page.push("</main><script>").push(OVERLAY_SCRIPT).push("</script></body></html>\n");
    page.into_string()
}

fn shown(page: &mut Html, report: &RunReport, documents: &[CutDocument]) {
    if documents.is_empty() {
        return;
    }
    page.push("<h2 id=\"documents\">Documents beside their chunks</h2><p>");
    let read = report.totals.documents - report.totals.failed;
    if (documents.len() as u64) < read {
        page.text(&format!("{} of {}, those with the most findings first", documents.len(), count(read, "document")));
        page.push("; name others to see them. ");
    }
    page.push("In an open document <kbd>j</kbd> goes to the next chunk, <kbd>k</kbd> to the one before.</p>");
    page.html(&overlay::legend());
    for (index, document) in documents.iter().enumerate() {
        page.push(if index == 0 { "<details open><summary>" } else { "<details><summary>" }).push("<b>");
        page.text(&document.source)
            .push("</b> <small>")
            .text(&count(document.records.len() as u64, "chunk"))
            .push(", ");
        page.text(&count(document.found.len() as u64, "finding")).push("</small></summary>");
        let prefix = format!("d{}-", index + 1);
        page.html(&overlay::overlay(&prefix, &document.text, &document.records, &document.found)).push("</details>\n");
    }
}

/// Markdown as HTML; what it holds of HTML is shown, not obeyed.
fn prose(text: &str) -> Html {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        other => other,
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    Html::made(Cow::Owned(out))
}

#[cfg(test)]
mod tests {
    use super::super::testing::base64;
    use super::*;
    use gristmill_core::Fingerprint;
    use serde_json::json;

    #[test]
    fn the_policy_names_the_script() {
        let hash = base64(&Fingerprint::of(OVERLAY_SCRIPT.as_bytes()).0);
        assert_eq!(SCRIPT_HASH, hash, "put the second in place of the first");
    }

    #[test]
    fn the_page_needs_nothing_else() {
        for part in [STYLE, OVERLAY_STYLE, OVERLAY_SCRIPT] {
            assert!(!["url(", "@import", "http", "</", "fetch"].iter().any(|word| part.contains(word)));
        }
    }

    #[test]
    fn text_of_documents_is_only_text() {
        let evil = "<script>alert(1)</script>";
        let part = json!({ "kind": "body", "start": 0, "end": evil.len(), "origin": [0, evil.len()] });
        let record = json!({ "content": evil, "metadata": { "parts": [part], "line_start": 1, "line_end": 1 } });
        let found = Found { line: 1, rule: "r".into(), message: evil.into(), severity: "low".into() };
        let document =
            CutDocument { source: evil.into(), text: evil.into(), records: vec![record], found: vec![found] };
        let mut report = RunReport::default();
        report.documents.push(crate::report::DocumentReport { source: evil.into(), ..Default::default() });
        let page = run_page(&report, &[document]);
        assert_eq!(page.matches("<script>").count(), 1, "its own");
        assert!(page.contains("&lt;script&gt;alert(1)"));
        assert!(page.contains("id=\"d1-c0\""));
    }
}
