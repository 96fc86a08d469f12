//! Small files made here, read as a whole.

use gristmill_core::{Document, DocumentId, Error, Input, Outcome, Reader, Result};

use super::PDF;

mod cases;
mod hostile;

/// A file of pages of drawing operators, with Helvetica as `F1`, its bold as `F2` and Courier as `F3`.
struct File {
    objects: Vec<Vec<u8>>,
    pages: Vec<usize>,
    trailer: String,
    /// More entries of the dictionary of fonts.
    faces: String,
}

impl File {
    fn new() -> Self {
        let face =
            |name: &str| format!("<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>").into_bytes();
        let catalog = b"<</Type/Catalog/Pages 2 0 R>>".to_vec();
        let fonts = [face("Helvetica"), face("Helvetica-Bold"), face("Courier")];
        Self {
            objects: [vec![catalog, Vec::new()], fonts.to_vec()].concat(),
            pages: Vec::new(),
            trailer: String::new(),
            faces: String::new(),
        }
    }

    fn add(&mut self, object: impl Into<Vec<u8>>) -> usize {
        self.objects.push(object.into());
        self.objects.len()
    }

    fn stream(&mut self, entries: &str, data: &str) -> usize {
        self.add(format!("<</Length {}{entries}>>stream\n{data}\nendstream", data.len()))
    }

    fn page(mut self, content: &str) -> Self {
        self.add_page(content, "", "");
        self
    }

    fn add_page(&mut self, content: &str, resources: &str, entries: &str) {
        let content = self.stream("", content);
        let fonts = format!("/Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R{}>>", self.faces);
        let page = format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {content} 0 R/Resources<<{fonts}{resources}>>{entries}>>"
        );
        let page = self.add(page);
        self.pages.push(page);
    }

    fn bytes(mut self) -> Vec<u8> {
        let kids: Vec<String> = self.pages.iter().map(|page| format!("{page} 0 R")).collect();
        self.objects[1] = format!("<</Type/Pages/Kids[{}]/Count {}>>", kids.join(" "), kids.len()).into_bytes();
        let mut out = b"%PDF-1.4\n".to_vec();
        let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", self.objects.len() + 1);
        for (index, object) in self.objects.iter().enumerate() {
            table += &format!("{:010} 00000 n \n", out.len());
            out.extend(format!("{} 0 obj\n", index + 1).bytes());
            out.extend(object);
            out.extend(b"\nendobj\n");
        }
        let (at, size) = (out.len(), self.objects.len() + 1);
        let trailer = &self.trailer;
        out.extend(format!("{table}trailer<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{at}\n%%EOF\n").bytes());
        out
    }
}

/// Operators that show lines with a face and a size at their places.
fn text(lines: &[(&str, f32, f32, f32, &str)]) -> String {
    let show = |(face, size, x, y, text): &(&str, f32, f32, f32, &str)| {
        format!("BT /{face} {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET\n")
    };
    lines.iter().map(show).collect()
}

/// Lines of running text, 12 points apart.
fn lines(x: f32, top: f32, lines: &[&str]) -> String {
    let placed = lines.iter().enumerate().map(|(at, line)| ("F1", 10.0, x, top - 12.0 * at as f32, *line));
    text(&placed.collect::<Vec<_>>())
}

fn try_read(bytes: &[u8]) -> Result<Outcome<Document>> {
    PDF.read(&Input { id: DocumentId::new("default", "", "a.pdf"), source: "a.pdf", bytes, open: &[], first: true })
}

fn read(file: File) -> Outcome<Document> {
    try_read(&file.bytes()).expect("the file can be read")
}

fn codes(outcome: &Outcome<Document>) -> Vec<&'static str> {
    outcome.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

fn refusal(bytes: &[u8]) -> Error {
    try_read(bytes).expect_err("the file is refused")
}

#[test]
fn headings_paragraphs_lists_and_listings() {
    let page = text(&[("F1", 20.0, 50.0, 740.0, "Care of valves")])
        + &lines(50.0, 700.0, &["The docu-", "mentation of this state-of-the-", "art plant is long [1]."])
        + &text(&[("F2", 14.0, 50.0, 640.0, "First steps")])
        + &lines(50.0, 610.0, &["\\225 Open the valve.", "\\225 Close it"])
        + &lines(58.0, 586.0, &["again."])
        + &text(&[
            ("F3", 10.0, 50.0, 550.0, "if open {"),
            ("F3", 10.0, 62.0, 538.0, "close\\(\\);"),
            ("F3", 10.0, 50.0, 526.0, "}"),
        ])
        + &lines(50.0, 490.0, &["That is all there is to be done, and it is done every day of the week."]);
    let expected = "# Care of valves\n\nThe documentation of this state-of-the-art plant is long \\[1\\].\n\n\
        ## First steps\n\n- Open the valve.\n- Close it again.\n\n```\nif open {\n  close();\n}\n```\n\n\
        That is all there is to be done, and it is done every day of the week.\n";
    assert_eq!(read(File::new().page(&page)).value.text, expected);
}

#[test]
fn what_runs_from_page_to_page_goes_and_sentences_stay_whole() {
    let page = |number: u32, body: &[&str]| {
        let head = ("F1", 9.0, 50.0, 770.0, "Acme Works - Internal manual");
        let foot = format!("Page {number} of 3");
        text(&[head, ("F1", 9.0, 280.0, 30.0, &foot)]) + &lines(50.0, 700.0, body)
    };
    let file = File::new()
        .page(&page(
            1,
            &["Before any work of any kind is begun on the plant, however small it is,", "the valve must be"],
        ))
        .page(&page(2, &["closed before the pump is opened."]))
        .page(&page(3, &["The third page is about other things."]));
    let outcome = read(file);
    let expected = "Before any work of any kind is begun on the plant, however small it is, the valve must be closed before \
        the pump is opened.\n\nThe third page is about other things.\n";
    assert_eq!(outcome.value.text, expected);
    assert_eq!(codes(&outcome), ["pdf-running-head"]);
    let document = &outcome.value;
    let begins = |text: &str| document.text.find(text).and_then(|at| u32::try_from(at).ok()).expect("it is there");
    assert_eq!(document.pages.starts, [(0, 1), (begins("closed before"), 2), (begins("The third"), 3)]);
    let pages: Vec<Vec<u32>> = document.blocks.iter().map(|block| document.pages_of(block.span)).collect();
    assert_eq!(pages, [vec![1, 2], vec![3]]);
}

#[test]
fn columns_are_read_one_after_the_other() {
    let left =
        ["The left column begins here and", "goes on down the page line after", "line until it comes to its end."];
    let right = ["The right column is read after", "it, from its own top down to the", "last line that stands in it."];
    let page = text(&[("F1", 18.0, 150.0, 740.0, "A title that goes across both columns")])
        + &lines(50.0, 700.0, &left)
        + &lines(220.0, 700.0, &right);
    let expected = "# A title that goes across both columns\n\n\
        The left column begins here and goes on down the page line after line until it comes to its end.\n\n\
        The right column is read after it, from its own top down to the last line that stands in it.\n";
    assert_eq!(read(File::new().page(&page)).value.text, expected);
}

/// Three rows of three cells: `name 100 12`.
fn rows(top: f32) -> String {
    let rows = [["Part", "Mass", "Count"], ["Bolt", "100", "12"], ["Nut", "40", "-"]];
    let cell = |row: usize, column: usize| {
        ("F1", 10.0, 110.0 + 100.0 * column as f32, top - 14.0 - 20.0 * row as f32, rows[row][column])
    };
    text(&(0..9).map(|at| cell(at / 3, at % 3)).collect::<Vec<_>>())
}

const TABLE: &str = "| Part | Mass | Count |\n| --- | --- | --- |\n| Bolt | 100 | 12 |\n| Nut | 40 | - |\n";

#[test]
fn tables_with_rules_round_their_cells() {
    let across: String = (0..4).map(|row| format!("100 {0} m 400 {0} l S\n", 700 - 20 * row)).collect();
    let down: String = (0..4).map(|column| format!("{0} 640 m {0} 700 l S\n", 100 + 100 * column)).collect();
    let page = lines(50.0, 740.0, &["The parts are these."]) + &across + &down + &rows(700.0);
    assert_eq!(read(File::new().page(&page)).value.text, format!("The parts are these.\n\n{TABLE}"));
}

#[test]
fn tables_with_rules_across_only() {
    let across: String = [700, 680, 636].map(|y| format!("100 {y} 300 0.5 re f\n")).concat();
    let page = lines(50.0, 740.0, &["The parts are these."]) + &across + &rows(700.0);
    assert_eq!(read(File::new().page(&page)).value.text, format!("The parts are these.\n\n{TABLE}"));
}

#[test]
fn pages_are_turned_upright() {
    let mut file = File::new();
    let turned = "BT /F1 10 Tf 0 1 -1 0 300 50 Tm (Turned lines are read as they are seen,) Tj ET\n\
        BT /F1 10 Tf 0 1 -1 0 312 50 Tm (one after the other.) Tj ET\n";
    file.add_page(turned, "", "/Rotate 90");
    file.add_page(turned, "", "");
    let expected = "Turned lines are read as they are seen, one after the other.\n\n";
    assert_eq!(read(file).value.text, expected.repeat(2).trim_end().to_owned() + "\n");
}

#[test]
fn pages_that_are_pictures_are_named() {
    let mut file = File::new().page(&lines(50.0, 700.0, &["A page with text."]));
    let data = "/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray";
    let image = file.stream(data, "x");
    file.add_page("q 600 0 0 800 0 0 cm /I Do Q", &format!("/XObject<</I {image} 0 R>>"), "");
    file.add_page("", "", "");
    let outcome = read(file);
    assert_eq!(outcome.value.text, "A page with text.\n");
    assert_eq!(codes(&outcome), ["pdf-no-text", "pdf-empty-page"]);
    let named: Vec<&str> = outcome.diagnostics.iter().filter_map(|d| d.message.rsplit(": ").next()).collect();
    assert_eq!((named, outcome.value.pages.without_text), (vec!["2", "3"], 2));
}

#[test]
fn the_information_of_the_file_is_declared() {
    let mut file = File::new().page(&lines(50.0, 700.0, &["Text."]));
    let info = file.add("<</Title(On valves)/Author(Ann B.)/CreationDate(D:20240131120000Z)>>");
    file.trailer = format!("/Info {info} 0 R");
    let attrs = read(file).value.attrs;
    let found: Vec<(&str, &str)> = attrs.iter().map(|(k, v)| (k.as_str(), v.as_str().unwrap_or_default())).collect();
    assert_eq!(found, [("author", "Ann B."), ("date", "2024-01-31T12:00:00Z"), ("title", "On valves")]);
}

#[test]
fn what_cannot_be_read_is_refused_with_a_reason() {
    assert_eq!(refusal(b"").to_string(), "not a PDF: it has no `%PDF-` header");
    assert!(refusal(b"%PDF-1.4\nnothing").to_string().starts_with("the PDF cannot be read: "));
    let mut file = File::new().page(&lines(50.0, 700.0, &["Secret."]));
    let key = "00".repeat(32);
    let lock = file.add(format!("<</Filter/Standard/V 1/R 2/Length 40/P -4/O<{key}>/U<{key}>>>"));
    file.trailer = format!("/Encrypt {lock} 0 R/ID[<00><00>]");
    assert_eq!(refusal(&file.bytes()).to_string(), "the PDF is encrypted with a password");
    let mut file = File::new().page("");
    file.add("[".repeat(100_000));
    assert_eq!(refusal(&file.bytes()).to_string(), "the PDF nests its objects deeper than the limit: 20000");
}

/// Real files, where they are at hand: each is read or refused, and what it says of its pages is right.
#[test]
fn real_files_have_a_verdict() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora/pdf/files");
    let Ok(files) = std::fs::read_dir(folder) else {
        return skipped(folder);
    };
    let (mut read, mut refused) = (0, 0);
    for file in files.flatten() {
        let bytes = std::fs::read(file.path()).expect("the file can be opened");
        match try_read(&bytes) {
            Ok(outcome) => {
                let said = !outcome.diagnostics.is_empty();
                assert!(said || !outcome.value.text.trim().is_empty(), "{:?}: nothing read, nothing said", file.path());
                read += 1;
            }
            Err(_) => refused += 1,
        }
    }
    // Four are locked or no PDF, three have no page.
    assert!(read >= 50 && refused <= 10, "{read} read, {refused} refused");
}

fn skipped(folder: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "skipped: {folder} is not there");
}
