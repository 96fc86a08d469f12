//! Whole documents: front matter, line ends, windows, diagnostics.

use gristmill_core::{DocumentId, EditKind, Input, Reader, Severity, Span};
use serde_json::json;

use super::{paths, read, shape};
use crate::readers::markdown::Markdown;

#[test]
fn front_matter_leaves_the_text() {
    let text = "\u{feff}---\r\ntitle: \"A: b\"\r\n# c\r\ntags: [x, 2]\r\n---\r\n\r\n# T\r\n";
    let document = read("a.md", text).value;
    assert_eq!(document.text, "\n# T\n");
    assert_eq!(document.attrs["title"], json!("A: b"));
    assert_eq!(document.attrs["tags"], json!(["x", 2]));
    let kinds: Vec<_> = document.edits.iter().map(|edit| edit.kind).collect();
    assert_eq!(kinds, [EditKind::ByteOrderMark, EditKind::FrontMatter, EditKind::LineEnd, EditKind::LineEnd]);
    let heading = document.map.span(document.blocks[0].span);
    assert_eq!(&text[heading.range()], "# T");
    assert_eq!(document.edits[1].at, Span::new(3, text.find("\r\n\r\n").expect("blank line") + 2));
}

#[test]
fn other_front_matter_and_none() {
    assert_eq!(read("a.md", "+++\na = 1\n+++\nT").value.attrs["a"], json!(1));
    assert_eq!(read("a.md", "{\"a\": 1}\n\nT").value.text, "\nT");
    let rules = read("a.md", "---\n\nA\n\n---\n\nB\n").value;
    assert!(rules.attrs.is_empty());
    assert_eq!(shape(&rules), "rule ---\nparagraph A\nrule ---\nparagraph B\n");
}

#[test]
fn broken_front_matter_stays_text_and_is_told() {
    let outcome = read("a.md", "---\na: [1\nb: 2\n---\n# T\n");
    assert!(outcome.value.attrs.is_empty());
    assert!(outcome.value.text.starts_with("---\na: [1"));
    let told = &outcome.diagnostics[0];
    assert_eq!((told.code, told.severity), ("malformed-front-matter", Severity::Medium));
    assert_eq!(told.place.line, Some(3));
    let twice = read("a.md", "---\na: 1\na: 2\n---\n");
    assert_eq!((twice.diagnostics[0].code, twice.diagnostics[0].place.line), ("repeated-attribute", Some(3)));
}

#[test]
fn unclosed_fences_are_told_with_their_line() {
    let outcome = read("a.md", "---\na: 1\n---\n\nx\n\n- ```\n  y\n\nz\n\n```\n# end\n");
    let told: Vec<_> = outcome.diagnostics.iter().map(|d| (d.code, d.place.line)).collect();
    assert_eq!(told, [("unclosed-fence", Some(7)), ("unclosed-fence", Some(12))]);
    assert!(read("a.md", "```\nx\n```\n").diagnostics.is_empty());
}

#[test]
fn crlf_gives_the_same_document() {
    let text = "---\ntitle: Mix\n---\n\n# Top\n\nLine one\nline two.\n\n```sh\n# c\n```\n\n| a |\n|---|\n| 1 |\n\nSetext\n---\n\n::: tip\nx\n:::\n\n!!! n\n    y\nz";
    let lf = read("a.md", text).value;
    for ends in ["\r\n", "\r"] {
        let other = read("a.md", &text.replace('\n', ends)).value;
        assert_eq!(lf.text, other.text);
        assert_eq!(lf.blocks, other.blocks);
        assert_eq!(lf.sections, other.sections);
        assert_eq!(lf.attrs, other.attrs);
    }
    assert_eq!(paths(&lf), ["Top", "Top > Setext"]);
}

#[test]
fn windows_go_on_where_the_one_before_ended() {
    let open = [(1, "Book".to_owned()), (2, "Chapter".to_owned())];
    let text = "---\na: 1\n---\n\n# New\n";
    let input = Input {
        id: DocumentId::new("default", "", "a.md"),
        source: "a.md",
        bytes: text.as_bytes(),
        open: &open,
        first: false,
    };
    let document = Markdown.read(&input).expect("text can be read").value;
    assert!(document.attrs.is_empty());
    assert_eq!(shape(&document), "rule ---\nh2 a: 1⏎---\nh1 # New\n");
    assert_eq!(paths(&document), ["Book", "Book > Chapter", "Book > a: 1", "New"]);
    assert_eq!(document.blocks[0].section, 2);
}

#[test]
fn empty_and_blank_files() {
    for text in ["", "\n", " \n\t\n", "\u{feff}"] {
        assert!(read("a.md", text).value.blocks.is_empty(), "{text:?}");
    }
}

#[test]
fn the_reader_names_itself() {
    assert_eq!(Markdown.name(), "markdown");
    assert_eq!(Markdown.extensions(), ["md", "markdown", "mdx"]);
    assert_eq!(read("a.md", "x").value.format, "markdown");
}
