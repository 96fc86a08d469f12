//! PDF files as the command reads them: in a process of their own, and their pictures with Tesseract where asked for.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::run::{Folder, Ran, contents, lines};

/// One page that is a picture of two lines of text.
const SCAN: &[u8] = include_bytes!("../../../gristmill-read/src/readers/pdf/tests/scan.pdf");

/// One page that says so.
const HELLO: &str = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
    3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj\n\
    4 0 obj<</Length 40>>stream\nBT /F1 12 Tf 50 700 Td (Hello there.) Tj ET\nendstream endobj\n\
    5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\nxref\n0 6\n0000000000 65535 f \n0000000009 00000 n \n\
    0000000052 00000 n \n0000000101 00000 n \n0000000211 00000 n \n0000000300 00000 n \n\
    trailer<</Size 6/Root 1 0 R>>\nstartxref\n361\n%%EOF";

/// A folder with the scan, a text, and these settings.
fn folder(settings: &str) -> Folder {
    let folder = Folder::with(&[("notes.md", "# Notes\n\nClose the blue valve.\n"), ("hello.pdf", HELLO)]);
    folder.write("gristmill.toml", settings);
    folder.write("scan.pdf", SCAN);
    folder
}

const NO_TEXT: &str =
    "warning: scan.pdf: no text, or hardly any, on 1 of 1 pages, which are pictures (scan): 1 [pdf-no-text]\n";

#[test]
fn type_of_any_size_takes_no_more_room() {
    // The layout of a page takes room for what its type covers.
    let folder = folder("[read]\nmemory_mib = 200\n");
    let small = "BT /F1 12 Tf 50 700 Td (Hello there.) Tj ET";
    for large in [
        "BT /F1 240000000 Tf 50 600 Td (Hello there.) Tj ET",
        "BT /F1 12 Tf 9e9 700 Td (Hello there.) Tj -9.1e9 0 Td (Hello there.) Tj ET",
        "BT /F1 12 Tf 900000000 Tz 50 600 Td (Hello there.) Tj ET",
    ] {
        let pages = HELLO.replace(small, &format!("q {large} Q {small}")).replace("/Length 40", "/Length 140");
        folder.write("large.pdf", pages);
        let ran = folder.run(&["chunk", "large.pdf"]);
        assert_eq!(ran.code, Some(0), "{large}: {}", ran.stderr);
        let count = contents(&lines(&ran.stdout)).concat().matches("Hello there.").count();
        assert!(count >= 2, "{large}: {}", ran.stdout);
    }
}

#[test]
fn pages_that_are_pictures_are_named_unless_ocr_is_asked_for() {
    let folder = folder("");
    let ran = folder.run(&["chunk", "scan.pdf", "hello.pdf"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), NO_TEXT));
    assert_eq!(contents(&lines(&ran.stdout)), ["Hello there."]);
}

/// Runs with a program `tesseract` that is this script, and nothing else to be found.
#[cfg(unix)]
fn with_tesseract(folder: &Folder, script: &str, args: &[&str]) -> Ran {
    use std::os::unix::fs::PermissionsExt;
    folder.write("bin/tesseract", format!("#!/bin/sh\n{script}"));
    fs::set_permissions(folder.at("bin/tesseract"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = folder.command(args);
    command.env("PATH", folder.at("bin"));
    folder.finish(command)
}

/// Says its version, and for every picture the language it was asked for.
#[cfg(unix)]
const TOLD: &str = "if [ \"$1\" = --version ]; then echo tesseract 9; exit; fi\n\
    printf '5\\t1\\t1\\t1\\t1\\t1\\t50\\t50\\t200\\t40\\t95\\t%s\\n' \"$4\"\n";

#[cfg(unix)]
#[test]
fn what_tesseract_reads_is_text_with_its_page() {
    let folder = folder("[read]\nocr_lang = \"deu\"\n");
    let ran = with_tesseract(&folder, TOLD, &["chunk", "scan.pdf", "--ocr", "auto"]);
    let records = ran.records();
    assert_eq!(contents(&records), ["deu"]);
    assert_eq!(records[0]["metadata"]["pages"], Value::from(vec![1]));
    let ran = with_tesseract(&folder, TOLD, &["extract", "scan.pdf", "--ocr", "images", "--ocr-lang", "eng+fra"]);
    ran.is(0, "eng+fra\n", "");
}

/// A file with these lines on its pages.
fn pages(pages: &[&[&str]]) -> String {
    let kids: Vec<String> = (0..pages.len()).map(|page| format!("{} 0 R", 4 + 2 * page)).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Kids[{}]/Count {}>>", kids.join(" "), pages.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    for (index, lines) in pages.iter().enumerate() {
        let line = |(row, text): (usize, &&str)| format!("BT /F1 10 Tf 50 {} Td ({text}) Tj ET\n", 700 - 12 * row);
        let drawn: String = lines.iter().enumerate().map(line).collect();
        let place = "/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>";
        objects.push(format!("<</Type/Page{place}/Contents {} 0 R>>", 5 + 2 * index));
        objects.push(format!("<</Length {}>>stream\n{drawn}endstream", drawn.len()));
    }
    let (mut file, mut places) = ("%PDF-1.4\n".to_owned(), String::new());
    for (number, object) in objects.iter().enumerate() {
        places += &format!("{:010} 00000 n \n", file.len());
        file += &format!("{} 0 obj{object}endobj\n", number + 1);
    }
    let (start, size) = (file.len(), objects.len() + 1);
    file + &format!(
        "xref\n0 {size}\n0000000000 65535 f \n{places}trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF"
    )
}

/// A paragraph of two sentences, of 25 and 8 words, whose first goes on over the end of its page; and one of 7 words.
fn manual() -> Folder {
    let first =
        ["Before any work of any kind is begun on the plant, however small it is,", "the valve must be"].as_slice();
    let second = ["closed before the pump is opened. Then the tank is filled to the mark."].as_slice();
    let third = ["The third page is about other things."].as_slice();
    Folder::with(&[("manual.pdf", &pages(&[first, second, third]))])
}

/// Pages and citation of each chunk.
fn cited(folder: &Folder, args: &[&str]) -> Vec<(Vec<u64>, String)> {
    let usual = ["chunk", "manual.pdf", "--unit", "words", "--min", "0", "--context", "none"];
    let records = folder.run(&[&usual[..], args].concat()).records();
    let of = |record: &Value| {
        let metadata = &record["metadata"];
        let pages = metadata["pages"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
        (pages, metadata["cite"].as_str().unwrap_or_default().to_owned())
    };
    records.iter().map(of).collect()
}

#[test]
fn a_chunk_cites_the_page_on_which_its_text_begins() {
    let cite = |page: u64| format!("manual.pdf#page={page}");
    let found = cited(&manual(), &["--strategy", "sentence", "--sentences-per-chunk", "1"]);
    assert_eq!(found, [(vec![1, 2], cite(1)), (vec![2], cite(2)), (vec![3], cite(3))]);
    let found = cited(&manual(), &["--strategy", "markdown", "--max", "26", "--overlap", "0"]);
    assert_eq!(found, [(vec![1, 2], cite(1)), (vec![2, 3], cite(2))]);
    // Where nothing else is said, a page is kept apart.
    let found = cited(&manual(), &["--max", "26", "--overlap", "0"]);
    assert_eq!(found, [(vec![1, 2], cite(1)), (vec![2], cite(2)), (vec![3], cite(3))]);
}

#[test]
fn an_overlap_is_no_text_of_the_chunk_to_cite() {
    let folder = manual();
    let args = ["--strategy", "paragraph", "--max", "34", "--overlap", "8"];
    let cite = |page: u64| format!("manual.pdf#page={page}");
    assert_eq!(cited(&folder, &args), [(vec![1, 2], cite(1)), (vec![3], cite(3))]);
    let usual = ["chunk", "manual.pdf", "--unit", "words", "--min", "0", "--context", "none"];
    let records = folder.run(&[&usual[..], &args].concat()).records();
    let last = "Then the tank is filled to the mark.\n\nThe third page is about other things.";
    assert_eq!(contents(&records)[1], last);
}

#[test]
fn a_file_that_was_cut_off_does_not_replace_what_was_read_of_it() {
    let texts: Vec<[String; 2]> = (1..=9)
        .map(|page| [format!("Page {page} of the manual tells how pump {page} is"), "opened and closed.".to_owned()])
        .collect();
    let lines: Vec<[&str; 2]> = texts.iter().map(|page| [page[0].as_str(), page[1].as_str()]).collect();
    let whole = pages(&lines.iter().map(<[&str; 2]>::as_slice).collect::<Vec<_>>());
    let folder = Folder::with(&[("docs/manual.pdf", &whole), ("docs/other.pdf", &pages(&[&["Another text stays."]]))]);
    let finds_the_last = || folder.run(&["search", "pump 9"]).stdout.contains("Page 9 of the manual");
    assert_eq!(folder.run(&["ingest", "docs", "-q"]).code, Some(0));
    assert!(finds_the_last());

    folder.write("docs/manual.pdf", &whole[..whole.len() * 6 / 10]);
    let cut = folder.run(&["ingest", "docs"]);
    let told = "failed: manual.pdf: its last version stays (`ingest --only 'manual.pdf' --rebuild` replaces it): ";
    assert!(cut.stderr.contains(told) && cut.stderr.contains("pages are missing: 6 of 9 found"), "{}", cut.stderr);
    assert_eq!(cut.code, Some(4));
    assert!(finds_the_last());
    let counts = |ran: &Ran| serde_json::from_str::<Value>(&ran.stdout).unwrap()["chunks"]["embedded"].clone();
    let again = folder.run(&["ingest", "docs", "--format", "json"]);
    assert_eq!(
        (again.code, counts(&again)),
        (Some(4), Value::from(0)),
        "it is not taken for done, and nothing of it is paid for"
    );
    let planned = folder.run(&["plan", "docs"]);
    assert!(planned.stdout.contains("! manual.pdf (its last version stays"), "{}", planned.stdout);
    assert_eq!(planned.code, Some(4));
    let status = folder.run(&["status"]).stdout;
    assert!(!status.contains("not complete"), "{status}");
    assert_eq!(folder.run(&["verify", "docs", "--repair"]).code, Some(1), "the difference is left");
    assert!(finds_the_last(), "a repair does not replace it either");

    let asked = folder.run(&["ingest", "docs", "--only", "manual.pdf", "--rebuild"]);
    assert_eq!(asked.code, Some(0), "{}", asked.stderr);
    assert!(!finds_the_last());
    assert!(folder.run(&["search", "another text"]).stdout.contains("Another text stays."));
    let nobody = folder.run(&["ingest", "docs", "--only", "manul.pdf"]);
    assert!(nobody.stderr.contains("failed: manul.pdf: no document is called so"), "{}", nobody.stderr);
    assert_eq!(nobody.code, Some(4));
    // From then on the damaged one is the one to compare with.
    folder.write("docs/manual.pdf", &whole[..whole.len() * 6 / 10 + 9]);
    let as_before = folder.run(&["ingest", "docs"]);
    assert_eq!(as_before.code, Some(0), "{}", as_before.stderr);
}

#[test]
fn pages_without_text_are_counted() {
    let folder = folder("");
    folder.write("part.pdf", pages(&[&["A page with text."], &[], &[]]));
    let ran = folder.run(&["inspect", "scan.pdf", "hello.pdf", "part.pdf", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let documents = report["documents"].as_array().unwrap().iter();
    let of = |d: &Value| {
        let count = d["inspection"]["pages_without_text"].as_u64().unwrap();
        (d["source"].as_str().unwrap().to_owned(), count, d["needs_review"] == true)
    };
    let counts: Vec<_> = documents.map(of).collect();
    let all = [("hello.pdf", 0, false), ("part.pdf", 2, false), ("scan.pdf", 1, true)];
    assert_eq!(counts, all.map(|(name, count, review)| (name.to_owned(), count, review)));
    assert_eq!(report["totals"]["inspection"]["pages_without_text"], 3);
}

#[cfg(unix)]
#[test]
fn without_tesseract_or_its_languages_it_is_said() {
    let folder = folder("");
    let mut command = folder.command(&["extract", "scan.pdf", "--ocr", "auto"]);
    command.env("PATH", folder.at("nowhere"));
    let ran = folder.finish(command);
    let failed = "warning: scan.pdf: pictures on pages 1 could not be recognised: `tesseract` cannot be run: No such file \
        or directory (os error 2) [pdf-ocr-failed]\n";
    ran.is(0, "", &format!("{NO_TEXT}{failed}"));
    let ran = with_tesseract(&folder, "echo no such language >&2; exit 1", &["extract", "scan.pdf", "--ocr", "auto"]);
    assert!(ran.stderr.contains(": no such language [pdf-ocr-failed]"), "{}", ran.stderr);
    let ran = folder.run(&["extract", "scan.pdf", "--ocr", "auto", "--ocr-lang", "--psm"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

#[test]
fn a_real_scan_is_read_by_the_real_program() {
    if !Command::new("tesseract").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("skipped: no program `tesseract`");
        return;
    }
    let folder = folder("");
    let mut command = folder.command(&["extract", "scan.pdf", "--ocr", "auto"]);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    folder.finish(command).is(0, "Open the red valve before the pump is started.\n", "");
}

#[cfg(unix)]
#[test]
fn a_file_that_takes_too_long_is_ended_and_the_others_are_read() {
    let folder = folder("[read]\nocr = \"auto\"\ntimeout_seconds = 1\n");
    let ran = with_tesseract(&folder, "exec /bin/sleep 20", &["chunk", "scan.pdf", "hello.pdf", "notes.md"]);
    assert_eq!(ran.code, Some(4));
    assert_eq!(ran.stderr, "failed: scan.pdf: the PDF takes longer than the limit: 1 s\n");
    assert_eq!(lines(&ran.stdout).len(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_takes_too_much_memory_is_ended_and_the_others_are_read() {
    let folder = folder("[read]\nmemory_mib = 200\n");
    folder.write("large.pdf", HELLO);
    // Nothing of it is on the disk.
    fs::File::options().write(true).open(folder.at("large.pdf")).unwrap().set_len(600 << 20).unwrap();
    let ran = folder.run(&["chunk", "large.pdf", "hello.pdf", "notes.md"]);
    assert_eq!(ran.code, Some(4));
    assert_eq!(ran.stderr, "failed: large.pdf: the PDF takes more memory than the limit: 200 MiB\n");
    assert_eq!(lines(&ran.stdout).len(), 2);
}

#[cfg(unix)]
#[test]
fn other_pictures_read_are_a_change_of_their_documents_alone() {
    let folder = folder("");
    let changed = |args: &[&str], script: &str| {
        let files = ["ingest", "--format", "json", "scan.pdf", "hello.pdf", "notes.md"];
        let ran = with_tesseract(&folder, script, &[&files[..], args].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        (report["files"]["modified"].as_u64(), report["chunks"]["embedded"].as_u64())
    };
    assert_eq!(changed(&[], TOLD), (Some(0), Some(2)));
    // The text of the other PDF is the same.
    assert_eq!(changed(&["--ocr", "auto"], TOLD), (Some(2), Some(1)));
    assert_eq!(changed(&["--ocr", "auto"], TOLD), (Some(0), Some(0)));
    assert_eq!(changed(&["--ocr", "auto"], &TOLD.replace("tesseract 9", "tesseract 10")), (Some(2), Some(0)));
}
