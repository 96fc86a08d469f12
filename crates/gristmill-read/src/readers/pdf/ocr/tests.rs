use std::sync::{Arc, Mutex};

use gristmill_core::{Document, DocumentId, Error, Input, Outcome, Reader};

use super::super::Pdf;

use super::*;

/// Says what it is told to, and keeps the pictures.
struct Told {
    lines: Result<Vec<Line>, String>,
    seen: Mutex<Vec<Picture>>,
}

impl Recognise for Told {
    fn name(&self) -> String {
        "a friend".to_owned()
    }

    fn recognise(&self, picture: &Picture) -> Result<Vec<Line>> {
        self.seen.lock().expect("no other test holds it").push(picture.clone());
        self.lines.clone().map_err(Error::input)
    }
}

/// A line of words of ten pixels' height, each as wide as five pixels a letter, from `left` and `top`.
fn line(paragraph: u32, left: f32, top: f32, text: &str) -> Line {
    let mut x = left;
    let word = |text: &str| {
        let from = x;
        x += 5.0 * text.len() as f32 + 4.0;
        let (right, bottom) = (x - 4.0, top + 10.0);
        Word { text: text.to_owned(), left: from, top, right, bottom, confidence: 90.0 }
    };
    Line { paragraph, words: text.split(' ').map(word).collect() }
}

/// One page of 600 by 800 points that is one grey picture of 300 by 400 pixels, with more operators behind it.
fn scan(more: &str) -> Vec<u8> {
    let samples = "w".repeat(300 * 400);
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>/Font<</F1 6 0 R>>>>>>"
            .to_owned(),
        {
            let content = format!("q 600 0 0 800 0 0 cm /I Do Q {more}");
            format!("<</Length {}>>stream\n{content}\nendstream", content.len())
        },
        format!(
            "<</Type/XObject/Subtype/Image/Width 300/Height 400/BitsPerComponent 8/ColorSpace/DeviceGray/Length {}>>stream\n{samples}\nendstream",
            samples.len()
        ),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    let mut out = "%PDF-1.4\n".to_owned();
    let mut table = "xref\n0 7\n0000000000 65535 f \n".to_owned();
    for (index, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", out.len());
        out += &format!("{} 0 obj\n{object}\nendobj\n", index + 1);
    }
    let at = out.len();
    (out + &format!("{table}trailer<</Size 7/Root 1 0 R>>\nstartxref\n{at}\n%%EOF\n")).into_bytes()
}

fn read(bytes: &[u8], told: &Arc<Told>, images: bool) -> Outcome<Document> {
    let input = Input { id: DocumentId::new("default", "", "a.pdf"), source: "a.pdf", bytes, open: &[], first: true };
    let ocr = Ocr { recogniser: told.clone(), images };
    Pdf::Here { ocr: Some(ocr) }.read(&input).expect("the file can be read")
}

fn told(lines: Result<Vec<Line>, String>) -> Arc<Told> {
    Arc::new(Told { lines, seen: Mutex::default() })
}

fn codes(outcome: &Outcome<Document>) -> Vec<&'static str> {
    outcome.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn pages_that_are_pictures_are_read_off_them() {
    let lines = vec![
        line(0, 30.0, 40.0, "The first line of a scan goes over"),
        line(0, 30.0, 53.0, "to the second."),
        line(1, 30.0, 90.0, "A paragraph of its own."),
    ];
    let told = told(Ok(lines));
    let outcome = read(&scan(""), &told, false);
    let expected = "The first line of a scan goes over to the second.\n\nA paragraph of its own.\n";
    assert_eq!(outcome.value.text, expected);
    assert_eq!(codes(&outcome), ["pdf-ocr"]);
    let seen = told.seen.lock().expect("no other test holds it");
    // 300 pixels on 600 points, which are 8⅓ inches.
    assert_eq!((seen[0].width, seen[0].height, seen[0].dpi), (300, 400, 36));
    assert!(seen[0].bytes.starts_with(b"P5 300 400 255\nwww"));
}

#[test]
fn pictures_that_lie_on_their_side_are_turned() {
    // Three words one above the other, the first at the bottom: the line runs up.
    let up = |x: f32, words: [&str; 3]| Line {
        paragraph: 0,
        words: (0u8..3)
            .map(|at| {
                let bottom = 300.0 - 60.0 * f32::from(at);
                Word {
                    text: words[usize::from(at)].into(),
                    left: x,
                    right: x + 10.0,
                    top: bottom - 50.0,
                    bottom,
                    confidence: 90.0,
                }
            })
            .collect(),
    };
    let told = told(Ok(vec![up(40.0, ["Lines", "that", "run"]), up(53.0, ["up", "the", "page."])]));
    assert_eq!(read(&scan(""), &told, false).value.text, "Lines that run up the page.\n");
}

#[test]
fn pages_with_text_are_left_alone_unless_asked_for() {
    let body = "A page with text of its own that is long enough not to be taken for a stamp on a scan.";
    let bytes = scan(&format!("BT /F1 10 Tf 50 400 Td ({body}) Tj ET"));
    let told = told(Ok(vec![line(0, 30.0, 40.0, "In the picture.")]));
    assert_eq!(read(&bytes, &told, false).value.text, format!("{body}\n"));
    assert_eq!(read(&bytes, &told, true).value.text.lines().filter(|line| !line.is_empty()).count(), 2);
}

#[test]
fn what_cannot_be_recognised_is_said() {
    let outcome = read(&scan(""), &told(Err("no such language".to_owned())), false);
    assert_eq!(outcome.value.text, "");
    assert_eq!(codes(&outcome), ["pdf-ocr-failed", "pdf-no-text"]);
    assert!(outcome.diagnostics[0].message.contains("no such language"), "{}", outcome.diagnostics[0].message);
}

#[test]
fn the_table_of_tesseract_is_lines_of_words() {
    let table = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n\
        4\t1\t1\t1\t1\t0\t10\t20\t90\t12\t-1\t\n\
        5\t1\t1\t1\t1\t1\t10\t20\t40\t12\t96.5\tTwo\n\
        5\t1\t1\t1\t1\t2\t60\t20\t40\t12\t95\twords\n\
        5\t1\t1\t1\t2\t1\t10\t40\t40\t12\t95\tbelow\n\
        5\t1\t1\t1\t2\t2\t10\t40\t40\t12\t95\t \n\
        5\tbroken\n";
    let found = tesseract::lines(table);
    let texts: Vec<Vec<&str>> =
        found.iter().map(|line| line.words.iter().map(|word| word.text.as_str()).collect()).collect();
    assert_eq!(texts, [vec!["Two", "words"], vec!["below"]]);
    assert_eq!(found[0].paragraph, found[1].paragraph);
    let first = Word { text: "Two".into(), left: 10.0, top: 20.0, right: 50.0, bottom: 32.0, confidence: 96.5 };
    assert_eq!(found[0].words[0], first);
}

/// Real scans, where they and Tesseract are at hand.
#[test]
fn real_scans_are_read() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora/pdf/files/docling--ocr_test.pdf");
    let tesseract = Tesseract::default();
    let (Ok(bytes), true) = (std::fs::read(file), tesseract.version().is_some()) else {
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "skipped: no scan at {file}, or no program `tesseract`");
        return;
    };
    let input =
        Input { id: DocumentId::new("default", "", "a.pdf"), source: "a.pdf", bytes: &bytes, open: &[], first: true };
    let ocr = Ocr { recogniser: Arc::new(tesseract), images: false };
    let outcome = Pdf::Here { ocr: Some(ocr) }.read(&input).expect("the file can be read");
    assert!(outcome.value.text.contains("Docling bundles PDF document conversion"), "{}", outcome.value.text);
}
