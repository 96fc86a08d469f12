use super::*;
use crate::readers::office::testing::{packed, read_bytes, read_parts, relations};

const STYLES: &str =
    "<w:styles><w:style w:type='paragraph' w:default='1' w:styleId='Normal'><w:name w:val='Normal'/></w:style>
    <w:style w:styleId='T'><w:name w:val='Title'/></w:style>
    <w:style w:styleId='H1'><w:name w:val='heading 1'/><w:rPr><w:b/></w:rPr></w:style>
    <w:style w:styleId='C'><w:name w:val='Source Code'/></w:style>
    <w:style w:styleId='TOC1'><w:name w:val='toc 1'/></w:style></w:styles>";

const NUMBERING: &str = "<w:numbering><w:abstractNum w:abstractNumId='0'>
    <w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.'/></w:lvl>
    <w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='bullet'/><w:lvlText w:val='o'/></w:lvl></w:abstractNum>
    <w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num></w:numbering>";

fn read(body: &str) -> Outcome<Document> {
    let document = format!("<w:document><w:body>{body}<w:sectPr/></w:body></w:document>");
    let related = relations(&[
        ("s", "styles", "styles.xml"),
        ("n", "numbering", "numbering.xml"),
        ("f", "footnotes", "footnotes.xml"),
        ("l", "hyperlink", "https://example.org/a"),
        ("i", "image", "media/image1.png"),
    ]);
    let notes = "<w:footnotes><w:footnote w:type='separator' w:id='0'><w:p/></w:footnote>
        <w:footnote w:id='2'><w:p><w:r><w:t>Said below.</w:t></w:r></w:p></w:footnote></w:footnotes>";
    let core = "<cp:coreProperties><dc:title>A title</dc:title><dc:creator>Ann Other</dc:creator>
        <dcterms:created>2024-05-06T07:08:09Z</dcterms:created><dc:subject/></cp:coreProperties>";
    read_parts(
        &Docx,
        &[
            ("word/document.xml", &document),
            ("word/_rels/document.xml.rels", &related),
            ("word/styles.xml", STYLES),
            ("word/numbering.xml", NUMBERING),
            ("word/footnotes.xml", notes),
            ("docProps/core.xml", core),
        ],
    )
}

fn p(style: &str, runs: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr>{runs}</w:p>")
}

fn r(text: &str) -> String {
    format!("<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>")
}

fn item(level: u8, text: &str) -> String {
    format!("<w:p><w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='1'/></w:numPr></w:pPr>{}</w:p>", r(text))
}

#[test]
fn styles_make_headings_lists_and_code() {
    let body = [
        p("T", &r("The whole")),
        p("TOC1", &r("First 1")),
        p("H1", &r("First")),
        item(0, "one"),
        item(1, "below"),
        item(0, "two"),
        p("C", &r("let a = 1;")),
        p("C", &r("  a")),
    ];
    let read = read(&body.concat());
    let expected = "# The whole\n\n## First\n\n1. one\n   - below\n2. two\n\n```\nlet a = 1;\n  a\n```\n";
    assert_eq!(read.value.text, expected);
    assert_eq!(read.value.attrs["author"], "Ann Other");
    assert_eq!(read.value.attrs["date"], "2024-05-06T07:08:09Z");
    assert!(!read.value.attrs.contains_key("subject"));
    assert_eq!(read.diagnostics[0].to_string(), "a: lines of tables of contents left out: 1 [contents-left-out]");
}

#[test]
fn runs_keep_marks_links_notes_and_pictures() {
    let body = "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r><w:r><w:t xml:space='preserve'> and </w:t></w:r>\
        <w:hyperlink r:id='l'><w:r><w:t>there</w:t></w:r></w:hyperlink><w:r><w:footnoteReference w:id='2'/></w:r>\
        <w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>, new</w:t></w:r></w:ins>\
        <w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>\
        <w:p><w:r><w:drawing><wp:inline><wp:docPr id='1' descr='A duck'/><pic:blipFill><a:blip r:embed='i'/></pic:blipFill>\
        </wp:inline></w:drawing></w:r></w:p>";
    let read = read(body);
    let expected =
        "**bold** and [there](https://example.org/a)[^1], new\n\n[^1]: Said below.\n\n![A duck](image1.png)\n";
    assert_eq!(read.value.text, expected);
    assert_eq!(read.diagnostics[0].code, "hidden-text");
}

#[test]
fn fields_show_their_results() {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>");
    let body = format!(
        "<w:p>{}{}<w:r><w:instrText> HYPERLINK \"https://a.example/\" </w:instrText></w:r>{}{}{}{}</w:p>",
        r("see "),
        mark("begin"),
        mark("separate"),
        r("here"),
        mark("end"),
        r(" now")
    );
    assert_eq!(read(&body).value.text, "see [here](https://a.example/) now\n");
}

#[test]
fn merged_cells_are_repeated_and_frames_opened() {
    let cell = |properties: &str, text: &str| {
        format!(
            "<w:tc><w:tcPr>{properties}</w:tcPr><w:p>{}</w:p></w:tc>",
            if text.is_empty() { String::new() } else { r(text) }
        )
    };
    let rows = [
        format!("{}{}", cell("", "a|b"), cell("<w:gridSpan w:val='2'/>", "wide")),
        format!("{}{}{}", cell("<w:vMerge w:val='restart'/>", "tall"), cell("", "1"), cell("", "2")),
        format!("{}{}{}", cell("<w:vMerge/>", ""), cell("", "3"), "<w:tc><w:p/><w:p/></w:tc>"),
    ];
    let rows: String = rows.iter().map(|row| format!("<w:tr>{row}</w:tr>")).collect();
    let frame = format!("<w:tbl><w:tr><w:tc>{}{}</w:tc></w:tr></w:tbl>", p("H1", &r("In a frame")), p("", &r("text")));
    let read = read(&format!("<w:tbl>{rows}</w:tbl>{frame}"));
    let expected =
        "| a\\|b | wide | wide |\n| --- | --- | --- |\n| tall | 1 | 2 |\n| tall | 3 | |\n\n# In a frame\n\ntext\n";
    assert_eq!(read.value.text, expected);
}

#[test]
fn text_boxes_follow_their_paragraph() {
    let choice = "<mc:AlternateContent><mc:Choice><w:drawing><wp:anchor><wp:docPr id='1'/><wps:txbx><w:txbxContent>\
        <w:p><w:r><w:t>in the box</w:t></w:r></w:p></w:txbxContent></wps:txbx></wp:anchor></w:drawing></mc:Choice>\
        <mc:Fallback><w:pict><v:textbox><w:txbxContent><w:p><w:r><w:t>twice</w:t></w:r></w:p></w:txbxContent></v:textbox>\
        </w:pict></mc:Fallback></mc:AlternateContent>";
    let body = format!("<w:p>{}<w:r>{choice}</w:r></w:p>", r("around"));
    assert_eq!(read(&body).value.text, "around\n\nin the box\n");
}

#[test]
fn hostile_spans_and_loops_end() {
    let span = "<w:tc><w:tcPr><w:gridSpan w:val='99999999999'/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>";
    let row = format!("<w:tr>{}</w:tr>", span.repeat(20));
    let text = read(&format!("<w:tbl>{row}{row}</w:tbl>")).value.text;
    assert!(text.len() < 100 << 20);
    let deep = format!("{}{}", "<w:tbl><w:tr><w:tc>".repeat(5000), "<w:p><w:r><w:t>deep</w:t></w:r></w:p>");
    let read = read(&format!("{}{deep}", p("Normal", &r("Here."))));
    assert_eq!(read.value.text, "Here.\n");
    // The tables are not closed, too.
    assert_eq!(told(&read), [("malformed-part", true), ("deeply-nested-part", true)]);
}

fn told(read: &Outcome<Document>) -> Vec<(&'static str, bool)> {
    read.diagnostics.iter().map(|told| (told.code, told.incomplete)).collect()
}

#[test]
fn nesting_deeper_than_is_read_is_told_as_that() {
    let tables = |depth: usize| {
        let inner = p("Normal", &r("deep"));
        format!(
            "{}{}{inner}{}",
            p("Normal", &r("Here.")),
            "<w:tbl><w:tr><w:tc>".repeat(depth),
            "</w:tc></w:tr></w:tbl>".repeat(depth)
        )
    };
    assert_eq!(told(&read(&tables(60))), []);
    let read = read(&tables(80));
    assert_eq!(told(&read), [("deeply-nested-part", true)]);
    let message = "parts that are nested too deeply, read down to a bound: 1 (word/document.xml)";
    assert_eq!(read.diagnostics[0].message, message);
}

#[test]
fn breaks_of_pages_and_columns_part_words() {
    let br = |kind: &str| format!("<w:r><w:br w:type='{kind}'/></w:r>");
    let body = format!("<w:p>{}{}{}{}{}</w:p>", r("alpha"), br("page"), r("beta"), br("column"), r("gamma"));
    assert_eq!(read(&body).value.text, "alpha  \nbeta  \ngamma\n");
    let code = p("C", &format!("{}{}", br("page"), r("let a = 1;")));
    let heading = p("H1", &format!("{}{}", br("page"), r("First")));
    assert_eq!(read(&(heading + &code)).value.text, "# First\n\n```\nlet a = 1;\n```\n");
}

#[test]
fn notes_that_the_file_does_not_hold_are_told() {
    let related = relations(&[("f", "footnotes", "footnotes.xml"), ("e", "endnotes", "endnotes.xml")]);
    let document = |body: &str| format!("<w:document><w:body>{}{body}</w:body></w:document>", p("Normal", &r("Here.")));
    let told = |body: &str| {
        let parts = [("word/document.xml", &*document(body)), ("word/_rels/document.xml.rels", &related)];
        let read = read_parts(&Docx, &parts);
        assert!(read.value.text.starts_with("Here.\n"), "{}", read.value.text);
        read.diagnostics.into_iter().map(|told| (told.code, told.incomplete, told.message)).collect::<Vec<_>>()
    };
    // Templates relate to notes that no text refers to.
    assert_eq!(told(""), []);
    let twice = "<w:p><w:r><w:footnoteReference w:id='2'/><w:footnoteReference w:id='3'/></w:r></w:p>";
    let message = "parts that the file names and does not hold: 1 (word/footnotes.xml)".to_owned();
    assert_eq!(told(twice), [("missing-part", true, message)]);
    let message = "parts that the file names and does not hold: 1 (word/endnotes.xml)".to_owned();
    assert_eq!(told("<w:p><w:r><w:endnoteReference w:id='2'/></w:r></w:p>"), [("missing-part", true, message)]);
}

#[test]
fn raised_figures_stay_apart_from_their_base() {
    let raised = |text: &str| format!("<w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>{text}</w:t></w:r>");
    let body = format!("<w:p>{}{}{}{}</w:p>", r("10"), raised("-6"), r(" m, the 1"), raised("st"));
    assert_eq!(read(&body).value.text, "10⁻⁶ m, the 1st\n");
}

#[test]
fn what_is_put_in_as_a_document_of_another_kind_is_told() {
    let made = read(&format!("{}<w:altChunk r:id='h'/>", p("Normal", &r("Here."))));
    assert_eq!(made.value.text, "Here.\n");
    assert_eq!(made.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["embedded-documents"]);
    let alone = packed(&[("word/document.xml", "<w:document><w:body><w:altChunk r:id='h'/></w:body></w:document>")]);
    let error = read_bytes(&Docx, &alone).unwrap_err();
    assert_eq!(error.to_string(), "all text is in documents that are put in (altChunk): `a`");
}

#[test]
fn a_document_that_is_too_damaged_for_any_text_is_an_error() {
    let body = "A paragraph of words that say something about tides. ".repeat(40);
    let document = format!("<w:document><w:body>{}</w:body></w:document>", p("Normal", &r(&body)));
    let mut bytes = packed(&[("word/document.xml", &document)]);
    // The packed bytes follow the head of 30 bytes and the name.
    let first = 30 + "word/document.xml".len();
    bytes[first..first + 20].fill(0xff);
    let error = read_bytes(&Docx, &bytes).unwrap_err();
    let expected = "no text can be read, parts are damaged, encrypted or missing (word/document.xml): `a`";
    assert_eq!(error.to_string(), expected);
    let cut = packed(&[("word/document.xml", "<w:document><w:body><w:p")]);
    assert!(read_bytes(&Docx, &cut).is_err());
    let empty = packed(&[("word/document.xml", "<w:document><w:body/></w:document>")]);
    assert_eq!(read_bytes(&Docx, &empty).unwrap().value.text, "");
}
