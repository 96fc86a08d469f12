//! The page of HTML.

use gristmill_core::Severity;
use gristmill_format::findings::{Diff, Finding, FixReport, Format, ScanReport, Shown, Version};

use crate::sample::{finding, fix_as, fixed, report, scan_as, shown};

/// An HTML parser is not at hand; what is written is also well-formed XML but for a few elements without an end.
fn as_xml(page: &str) -> String {
    let page = page.replace("<!doctype html>\n", "");
    let mut out = String::new();
    for part in page.split_inclusive('>') {
        let start = part.rfind('<').unwrap_or(0);
        let element = &part[start..];
        if ["<meta", "<input"].iter().any(|name| element.starts_with(name)) {
            out.push_str(&part[..part.len() - 1].replace(" checked", "").replace(" hidden", ""));
            out.push_str("/>");
        } else {
            out.push_str(&part.replace("<form id=\"filters\" hidden>", "<form id=\"filters\">"));
        }
    }
    let (before, rest) = out.split_once("<script>").unwrap();
    format!("{before}{}", rest.split_once("</script>").unwrap().1)
}

#[test]
fn every_element_is_closed() {
    let scan = Shown { diff: true, verbose: true, ..shown() };
    for page in [scan_as(Format::Html, &report(), &scan), fix_as(Format::Html, &fixed(), &scan)] {
        let xml = as_xml(&page);
        let tree = roxmltree::Document::parse(&xml).unwrap_or_else(|error| panic!("{error}\n{xml}"));
        assert!(tree.descendants().any(|node| node.has_tag_name("article")));
    }
}

#[test]
fn findings_can_be_filtered_by_what_they_carry() {
    let page = scan_as(Format::Html, &report(), &shown());
    assert!(page.contains("<article data-rule=\"mid-sentence-start\" data-severity=\"high\" data-fixable=\"true\">"));
    assert!(page.contains("<option value=\"near-duplicate\">near-duplicate (1)</option>"));
    assert!(page.contains("<mark>40%</mark> year over year"));
    assert!(page.contains("<ins>Revenue grew by<b> 40% year over year, beating forecasts.</b></ins>"), "{page}");
}

#[test]
fn what_differs_within_lines_is_marked() {
    let version = |text: &str| Version { id: None, index: 3, text: text.to_owned() };
    let shown = |before: &str, after: &str| {
        let diff = Diff { before: vec![version(before)], after: vec![version(after)] };
        let found = Finding { diff: Some(diff), ..finding("pdf-noise", Severity::Low, 3, "x") };
        let page = scan_as(Format::Html, &ScanReport::new("0.1.0", "x", 9, 1, vec![found]), &shown());
        page.split_once("changed</p><pre>").unwrap().1.split_once("</pre>").unwrap().0.to_owned()
    };
    assert_eq!(
        shown("a docu-\nment é.", "a document é."),
        "<del>a docu<b>-</b></del><del>ment é.</del><ins>a document é.</ins>"
    );
    assert_eq!(shown("one\ntwo", "one"), "<span class=\"same\">one</span><del>two</del>");
    assert_eq!(shown("값 1", "값 2"), "<del>값 <b>1</b></del><ins>값 <b>2</b></ins>");
}

#[test]
fn a_clean_page_has_no_filters() {
    let page = scan_as(Format::Html, &ScanReport::new("0.1.0", "x.json", 3, 1, Vec::new()), &shown());
    assert!(page.contains("no findings") && !page.contains("<form"));
    let page = fix_as(Format::Html, &FixReport::default(), &shown());
    assert!(!page.contains("<table>"));
}

#[test]
fn the_page_is_whole() {
    let page = scan_as(Format::Html, &report(), &shown());
    let (_, body) = page.split_once("<body>").unwrap();
    let (body, _) = body.split_once("<script>").unwrap();
    insta::assert_snapshot!(body);
}
