//! Damaged and hostile files: never a panic, never much more work than there are bytes.

use gristmill_core::Reader;

use super::testing::{packed, read_bytes, relations};
use super::{Docx, Pptx, Xlsx};

/// A reader, the main part of a file for it, and the other parts.
type Sample = (&'static dyn Reader, String, Vec<(&'static str, String)>);

/// A small file of each kind.
fn samples() -> Vec<Sample> {
    let document = "<w:document><w:body><w:p><w:pPr><w:pStyle w:val='H'/><w:numPr><w:ilvl w:val='0'/><w:numId w:val='1'/></w:numPr></w:pPr>
        <w:r><w:rPr><w:b/></w:rPr><w:t>one &amp; two</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r></w:p>
        <w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr><w:p/></w:tc><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr>
        <w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p><m:oMath><m:f><m:num/><m:den/></m:f></m:oMath></w:p></w:tc></w:tr></w:tbl>
        </w:body></w:document>";
    let slide = "<p:sld><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type='title'/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>t</a:t>
        </a:r></a:p></p:txBody></p:sp><p:sp><p:txBody><a:p><a:pPr lvl='3'><a:buAutoNum type='romanUcPeriod' startAt='7'/></a:pPr><a:r>
        <a:t>x</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>";
    let sheet = "<worksheet><sheetData><row r='1'><c r='A1' t='s'><v>0</v></c><c r='C1'><v>1.5</v></c></row><row r='9'><c r='B9' t='b'>
        <v>1</v></c></row></sheetData><mergeCells><mergeCell ref='A1:B2'/></mergeCells></worksheet>";
    let numbering = "<w:numbering><w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.%9'/></w:lvl>
        </w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num></w:numbering>";
    let notes = "<w:footnotes><w:footnote w:id='2'><w:p><w:r><w:t>n</w:t><w:footnoteReference w:id='2'/></w:r></w:p></w:footnote></w:footnotes>";
    vec![
        (&Docx, document.into(), vec![("word/numbering.xml", numbering.into()), ("word/footnotes.xml", notes.into())]),
        (
            &Pptx,
            slide.into(),
            vec![
                (
                    "ppt/presentation.xml",
                    "<p:presentation><p:sldIdLst><p:sldId r:id='a'/></p:sldIdLst></p:presentation>".into(),
                ),
                ("ppt/_rels/presentation.xml.rels", relations(&[("a", "slide", "s.xml")])),
            ],
        ),
        (
            &Xlsx,
            sheet.into(),
            vec![
                ("xl/workbook.xml", "<workbook><sheets><sheet name='S' r:id='a'/></sheets></workbook>".into()),
                (
                    "xl/_rels/workbook.xml.rels",
                    relations(&[("a", "worksheet", "s.xml"), ("b", "sharedStrings", "t.xml")]),
                ),
                ("xl/t.xml", "<sst><si><t>text</t></si></sst>".into()),
            ],
        ),
    ]
}

fn main_part(reader: &dyn Reader) -> &'static str {
    match reader.name() {
        "docx" => "word/document.xml",
        "pptx" => "ppt/s.xml",
        _ => "xl/s.xml",
    }
}

fn file(reader: &dyn Reader, main: &str, others: &[(&'static str, String)]) -> Vec<u8> {
    let others = others.iter().map(|(name, part)| (*name, part.as_str()));
    packed(&std::iter::once((main_part(reader), main)).chain(others).collect::<Vec<_>>())
}

#[test]
fn parts_cut_anywhere_are_read_as_far_as_they_go() {
    for (reader, main, others) in samples() {
        let cuts = (0..main.len()).filter(|cut| main.is_char_boundary(*cut)).step_by(3);
        // From the first text on.
        let mut began = false;
        for cut in cuts {
            match read_bytes(reader, &file(reader, &main[..cut], &others)) {
                Ok(read) => began |= !read.value.text.is_empty(),
                Err(error) => {
                    let told = error.to_string().starts_with("no text can be read, parts are damaged");
                    assert!(told && !began, "{} cut at {cut}: {error}", reader.name());
                }
            }
        }
        assert!(began, "{}", reader.name());
    }
}

#[test]
fn archives_with_wrong_bytes_do_not_panic() {
    for (reader, main, others) in samples() {
        let whole = file(reader, &main, &others);
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] = !bytes[at];
            let _ = read_bytes(reader, &bytes);
            if at % 16 == 0 {
                let _ = read_bytes(reader, &whole[..at]);
            }
        }
    }
}

#[test]
fn many_elements_take_time_in_proportion() {
    let cell = "<w:tc><w:tcPr><w:gridSpan w:val='63'/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>";
    let wide = format!("<w:tr>{}</w:tr>", cell.repeat(2000));
    let narrow = "<w:tr><w:tc><w:p><w:r><w:t>y</w:t></w:r></w:p></w:tc></w:tr>".repeat(20_000);
    let document = format!("<w:document><w:body><w:tbl>{wide}{narrow}</w:tbl></w:body></w:document>");
    let read = read_bytes(&Docx, &packed(&[("word/document.xml", &document)])).expect("read");
    assert!(read.value.text.len() < 4 * document.len());
    let items =
        "<w:p><w:pPr><w:numPr><w:ilvl w:val='8'/><w:numId w:val='1'/></w:numPr></w:pPr><w:r><w:t>z</w:t></w:r></w:p>"
            .repeat(20_000);
    let document = format!("<w:document><w:body>{items}</w:body></w:document>");
    let (_, _, others) = samples().swap_remove(0);
    assert!(read_bytes(&Docx, &file(&Docx, &document, &others)).is_ok());
}

#[test]
fn a_bomb_is_read_to_its_bound_and_said() {
    use std::io::{Cursor, Write};
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("word/document.xml", zip::write::SimpleFileOptions::default()).expect("a part");
    zip.write_all(b"<w:document><w:body><w:p><w:r><w:t>start</w:t></w:r></w:p>").expect("room");
    let blanks = vec![b' '; 1 << 20];
    (0..300).for_each(|_| zip.write_all(&blanks).expect("room"));
    let bytes = zip.finish().expect("room").into_inner();
    assert!(bytes.len() < 1 << 20);
    let read = read_bytes(&Docx, &bytes).expect("read");
    assert_eq!(read.value.text, "start\n");
    assert!(read.diagnostics.iter().any(|found| found.code == "unpacked-size"));
}

/// Files of real programs, where they are at hand: each is read, and says as many words as its reference at least.
#[test]
fn corpora_are_read_without_loss() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora/office");
    for reader in [&Docx as &dyn Reader, &Pptx, &Xlsx] {
        let Ok(folder) = std::fs::read_dir(format!("{root}/{}", reader.name())) else {
            return skipped();
        };
        for entry in folder.flatten() {
            let bytes = std::fs::read(entry.path()).expect("a file");
            let text = read_bytes(reader, &bytes).expect("can be read").value.text;
            let name = entry.file_name().to_string_lossy().into_owned();
            let reference = std::fs::read_to_string(format!("{root}/reference/{}/{name}.md", reader.name()));
            let lost: Vec<String> = words(&reference.unwrap_or_default()).difference(&words(&text)).cloned().collect();
            assert!(lost.len() <= 3, "{name}: {lost:?}");
        }
    }
}

#[expect(clippy::print_stdout, reason = "a skipped check must be seen")]
fn skipped() {
    println!("skipped: no corpora beside the repository");
}

fn words(markdown: &str) -> std::collections::BTreeSet<String> {
    let words = markdown.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    // Of the reference's own making.
    words.filter(|word| !matches!(*word, "image" | "Line" | "Scatter" | "Bar" | "chart")).map(str::to_owned).collect()
}
