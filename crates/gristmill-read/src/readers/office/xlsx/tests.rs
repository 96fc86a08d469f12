use super::*;
use crate::readers::office::testing::{packed, read_bytes, read_parts, relations};

#[test]
fn sheets_are_tables_under_their_names() {
    let workbook =
        "<workbook><workbookPr/><sheets><sheet name='Ducks | all' r:id='a'/><sheet name='Old' state='hidden' r:id='b'/>
        <sheet name='Empty' r:id='c'/></sheets></workbook>";
    let related = relations(&[
        ("a", "worksheet", "worksheets/sheet1.xml"),
        ("b", "worksheet", "/xl/worksheets/sheet2.xml"),
        ("c", "worksheet", "worksheets/sheet3.xml"),
        ("s", "sharedStrings", "sharedStrings.xml"),
        ("t", "styles", "styles.xml"),
    ]);
    let sheet = "<worksheet><sheetData><row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c></row>
        <row r='2'><c r='A2' s='1'><v>43831</v></c><c r='B2'><v>1.1000000000000001</v></c></row></sheetData></worksheet>";
    let hidden = "<worksheet><sheetData><row><c t='str'><v>a note</v></c></row></sheetData></worksheet>";
    let read = read_parts(
        &Xlsx,
        &[
            ("xl/workbook.xml", workbook),
            ("xl/_rels/workbook.xml.rels", &related),
            ("xl/worksheets/sheet1.xml", sheet),
            ("xl/worksheets/sheet2.xml", hidden),
            ("xl/worksheets/sheet3.xml", "<worksheet><sheetData/></worksheet>"),
            ("xl/sharedStrings.xml", "<sst><si><t>Day</t></si><si><t>Wild | tame</t></si></sst>"),
            ("xl/styles.xml", "<styleSheet><cellXfs><xf numFmtId='0'/><xf numFmtId='14'/></cellXfs></styleSheet>"),
        ],
    );
    let expected =
        "## Ducks | all\n\n| Day | Wild \\| tame |\n| --- | --- |\n| 2020-01-01 | 1.1 |\n\n## Old\n\na note\n";
    assert_eq!(read.value.text, expected);
    assert_eq!(read.diagnostics[0].to_string(), "a: hidden sheets are read, too: `Old` [hidden-sheets]");
    assert_eq!(read.value.sections.len(), 3);
}

#[test]
fn sheets_that_the_file_does_not_hold_are_told() {
    let workbook = "<workbook><sheets><sheet name='Ducks' r:id='a'/><sheet name='Geese' r:id='b'/><sheet name='Swans'/>
        </sheets></workbook>";
    let related = relations(&[("a", "worksheet", "sheet1.xml"), ("b", "worksheet", "sheet2.xml")]);
    let sheet = "<worksheet><sheetData><row><c t='str'><v>wild</v></c></row></sheetData></worksheet>";
    let named = [("xl/workbook.xml", workbook), ("xl/_rels/workbook.xml.rels", related.as_str())];
    let read = read_parts(&Xlsx, &[&named[..], &[("xl/sheet1.xml", sheet)]].concat());
    assert_eq!(read.value.text, "## Ducks\n\nwild\n");
    let told: Vec<_> = read.diagnostics.iter().map(|told| (told.code, told.incomplete, &*told.message)).collect();
    let missing = "parts that the file names and does not hold: 2 (xl/sheet2.xml)";
    assert_eq!(told, [("missing-part", true, missing)]);
    assert!(read_bytes(&Xlsx, &packed(&named)).is_err(), "no sheet is there at all");
}

fn one_sheet(rows: &str) -> Outcome<Document> {
    let related = relations(&[("a", "worksheet", "s.xml"), ("s", "sharedStrings", "t.xml")]);
    read_parts(
        &Xlsx,
        &[
            ("xl/workbook.xml", "<workbook><sheets><sheet name='Ducks' r:id='a'/></sheets></workbook>"),
            ("xl/_rels/workbook.xml.rels", &related),
            ("xl/t.xml", "<sst><si><t>wild</t></si><si><t>tame</t></si></sst>"),
            ("xl/s.xml", &format!("<worksheet><sheetData>{rows}</sheetData></worksheet>")),
        ],
    )
}

#[test]
fn cells_out_of_order_are_all_there() {
    let number = "<row r='1'><c r='B1'><v>2</v></c><c r='A1'><v>1</v></c></row>";
    let inline = "<row r='1'><c r='B1' t='inlineStr'><is><t>tame</t></is></c><c r='A1' t='inlineStr'><is><t>wild</t></is></c></row>";
    let shared = "<row r='1'><c r='B1' t='s'><v>1</v></c><c r='A1' t='s'><v>0</v></c></row>";
    assert_eq!(one_sheet(number).value.text, "## Ducks\n\n| 1 | 2 |\n| --- | --- |\n");
    assert_eq!(one_sheet(inline).value.text, "## Ducks\n\n| wild | tame |\n| --- | --- |\n");
    // The third follows the second, where the first is already.
    let twice = "<row r='1'><c r='B1'><v>2</v></c><c r='A1'><v>1</v></c><c><v>3</v></c><c><v>4</v></c></row>";
    assert_eq!(one_sheet(twice).value.text, "## Ducks\n\n| 1 | 2 3 | 4 |\n| --- | --- | --- |\n");
    assert_eq!(one_sheet(shared).value.text, "## Ducks\n\n| wild | tame |\n| --- | --- |\n");
}

#[test]
fn shared_strings_that_are_not_there_are_told() {
    let row = |at: &str| format!("<row><c t='s'><v>0</v></c><c t='s'><v>{at}</v></c><c t='s'/></row>");
    assert!(one_sheet(&row("1")).diagnostics.is_empty());
    let read = one_sheet(&row("2"));
    assert_eq!(read.value.text, "## Ducks\n\nwild\n");
    let told: Vec<_> = read.diagnostics.iter().map(|told| (told.code, told.incomplete, &*told.message)).collect();
    let lost = "cells whose shared string the file does not hold, read as empty: 1";
    assert_eq!(told, [("damaged-part", true, lost)]);
}
