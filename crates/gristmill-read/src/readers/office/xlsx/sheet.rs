//! The cells of a sheet, read event by event: sheets are large.

use std::rc::Rc;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use super::format::{Format, shown};
use crate::readers::office::flow::REPEATED_MAX;
use crate::xml::{decoded, lenient, referenced};

/// A cell that shows something. Rows and columns count from 0.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) row: u32,
    pub(super) column: u32,
    pub(super) text: Rc<str>,
    pub(super) is_number: bool,
    /// It only repeats the cell that it is merged with.
    pub(super) is_repeat: bool,
}

/// What the workbook gives to all sheets.
#[derive(Default)]
pub(super) struct Book {
    pub(super) strings: Vec<Rc<str>>,
    pub(super) formats: Vec<Format>,
    pub(super) from_1904: bool,
}

/// A sheet.
#[derive(Default)]
pub(super) struct Sheet {
    /// By row, then column.
    pub(super) cells: Vec<Cell>,
    /// Relationship of the part with charts and pictures.
    pub(super) drawing: Option<String>,
    /// The part ends where it should.
    pub(super) whole: bool,
    /// Cells that show a shared string which the workbook does not hold.
    pub(super) lost: usize,
    /// First row, first column, last row, last column.
    merges: Vec<[u32; 4]>,
}

/// The last row and column of a sheet.
const LAST: (u32, u32) = (1_048_575, 16_383);

/// Merged areas of more places than these are not filled.
const AREA_MAX: usize = 4096;

impl Sheet {
    /// Reads a sheet's part.
    pub(super) fn read(bytes: &[u8], book: &Book) -> Self {
        let text = decoded(bytes);
        let mut reader = lenient(&text);
        let mut sheet = Self::default();
        let mut open = Open::default();
        loop {
            match reader.read_event() {
                Ok(Event::Eof) | Err(_) => break,
                Ok(Event::Start(start)) => open.start(&start, &mut sheet),
                Ok(Event::Empty(start)) => {
                    open.start(&start, &mut sheet);
                    open.end(start.local_name().as_ref(), book, &mut sheet);
                }
                Ok(Event::End(end)) => open.end(end.local_name().as_ref(), book, &mut sheet),
                Ok(Event::Text(text)) => open.take(|out| out.push_str(&text.xml10_content())),
                Ok(Event::CData(text)) => open.take(|out| out.push_str(&text.xml10_content())),
                Ok(Event::GeneralRef(reference)) => open.take(|out| referenced(&reference, out)),
                Ok(_) => {}
            }
        }
        sheet.cells.sort_by_key(Cell::place);
        if sheet.cells.windows(2).any(|pair| pair[0].place() == pair[1].place()) {
            sheet.cells = one_a_place(&sheet.cells);
        }
        sheet.fill_merged();
        sheet
    }

    /// Repeats what merged cells show at all their places, as long as that stays short.
    fn fill_merged(&mut self) {
        let mut left = 1usize << 20;
        let mut more = Vec::new();
        for &[top, first, bottom, last] in &self.merges {
            let area = (bottom - top + 1) as usize * (last - first + 1) as usize;
            let Ok(at) = self.cells.binary_search_by_key(&(top, first), Cell::place) else { continue };
            let cell = &self.cells[at];
            if area > left.min(AREA_MAX) || cell.text.chars().count() > REPEATED_MAX {
                continue;
            }
            left -= area;
            let places = (top..=bottom).flat_map(|row| (first..=last).map(move |column| (row, column))).skip(1);
            more.extend(places.map(|(row, column)| Cell { row, column, is_repeat: true, ..cell.clone() }));
        }
        if !more.is_empty() {
            self.cells.append(&mut more);
            self.cells.sort_by_key(Cell::place);
            self.cells.dedup_by_key(|cell| cell.place());
        }
    }
}

impl Cell {
    fn place(&self) -> (u32, u32) {
        (self.row, self.column)
    }
}

/// The row and cell that are open.
#[derive(Default)]
struct Open {
    row: u32,
    column: u32,
    kind: String,
    style: usize,
    value: String,
    formula: String,
    inside: Inside,
    in_reading_aid: bool,
}

#[derive(Default, PartialEq)]
enum Inside {
    #[default]
    Nothing,
    Value,
    Formula,
}

impl Open {
    fn start(&mut self, start: &BytesStart<'_>, sheet: &mut Sheet) {
        match start.local_name().as_ref() {
            "row" => {
                let given = attr(start, "r").and_then(|row| row.parse::<u32>().ok()).and_then(|row| row.checked_sub(1));
                self.row = given.unwrap_or(self.row).min(LAST.0);
                self.column = 0;
            }
            "c" => {
                let given = attr(start, "r").and_then(|place| parse_place(&place));
                (self.row, self.column) = given.unwrap_or((self.row, self.column));
                self.kind = attr(start, "t").unwrap_or_default();
                self.style = attr(start, "s").and_then(|style| style.parse().ok()).unwrap_or(0);
                self.value.clear();
                self.formula.clear();
            }
            "v" | "t" if !self.in_reading_aid => self.inside = Inside::Value,
            "f" => self.inside = Inside::Formula,
            "rPh" => self.in_reading_aid = true,
            "mergeCell" => sheet.merges.extend(attr(start, "ref").and_then(|area| parse_area(&area))),
            "drawing" => sheet.drawing = attr(start, "id"),
            _ => {}
        }
    }

    fn take(&mut self, write: impl FnOnce(&mut String)) {
        match self.inside {
            Inside::Value => write(&mut self.value),
            Inside::Formula => write(&mut self.formula),
            Inside::Nothing => {}
        }
    }

    fn end(&mut self, name: &str, book: &Book, sheet: &mut Sheet) {
        match name {
            "v" | "t" | "f" => self.inside = Inside::Nothing,
            "rPh" => self.in_reading_aid = false,
            "c" => {
                sheet.cells.extend(self.cell(book));
                sheet.lost += usize::from(self.is_lost(book));
                self.column = (self.column + 1).min(LAST.1);
            }
            "row" => self.row = (self.row + 1).min(LAST.0),
            "worksheet" | "chartsheet" | "dialogsheet" => sheet.whole = true,
            _ => {}
        }
    }

    /// True when the shared string of the cell is not there.
    fn is_lost(&self, book: &Book) -> bool {
        let value = self.value.trim();
        self.kind == "s" && !value.is_empty() && shared(value, book).is_none()
    }

    fn cell(&self, book: &Book) -> Option<Cell> {
        let value = self.value.trim();
        let is_number = matches!(self.kind.as_str(), "" | "n") && !value.is_empty();
        let text: Rc<str> = match self.kind.as_str() {
            // A formula whose result was never stored.
            _ if value.is_empty() && !self.formula.is_empty() => Rc::from(format!("={}", self.formula)),
            "s" => Rc::clone(shared(value, book)?),
            "b" => Rc::from(if value == "0" { "FALSE" } else { "TRUE" }),
            "" | "n" => {
                let format = book.formats.get(self.style).copied().unwrap_or_default();
                Rc::from(shown(value, format, book.from_1904))
            }
            _ => Rc::from(value),
        };
        let seen = !text.trim().is_empty();
        seen.then_some(Cell { row: self.row, column: self.column, text, is_number, is_repeat: false })
    }
}

/// Sorted cells, those that say they are at the same place as one.
fn one_a_place(cells: &[Cell]) -> Vec<Cell> {
    let joined = |cells: &[Cell]| {
        let mut cell = cells.first()?.clone();
        if cells.len() > 1 {
            cell.text = cells.iter().map(|cell| &*cell.text).collect::<Vec<_>>().join(" ").into();
            cell.is_number = false;
        }
        Some(cell)
    };
    cells.chunk_by(|a, b| a.place() == b.place()).filter_map(joined).collect()
}

/// The shared string of this number.
fn shared<'b>(number: &str, book: &'b Book) -> Option<&'b Rc<str>> {
    book.strings.get(number.parse::<usize>().ok()?)
}

fn attr(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attrs = start.attributes();
    let found = attrs.with_checks(false).flatten().find(|attr| attr.key.local_name().as_ref() == name)?;
    let value = found.normalized_value(XmlVersion::Implicit1_0);
    Some(value.map_or_else(|_| found.value.to_string(), std::borrow::Cow::into_owned))
}

/// Row and column of a place such as `AB12`.
fn parse_place(place: &str) -> Option<(u32, u32)> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic).count();
    let column = place[..letters].bytes().try_fold(0u32, |column, letter| {
        column.checked_mul(26)?.checked_add(u32::from(letter.to_ascii_uppercase() - b'A') + 1)
    })?;
    let row: u32 = place[letters..].parse().ok()?;
    let (row, column) = (row.checked_sub(1)?, column.checked_sub(1)?);
    (row <= LAST.0 && column <= LAST.1).then_some((row, column))
}

/// First row, first column, last row, last column.
fn parse_area(area: &str) -> Option<[u32; 4]> {
    let (first, last) = area.split_once(':')?;
    let ((top, left), (bottom, right)) = (parse_place(first)?, parse_place(last)?);
    (top <= bottom && left <= right).then_some([top, left, bottom, right])
}

/// The strings that all sheets share, without the reading aids of East Asian text; and whether the part is whole.
pub(super) fn strings(bytes: &[u8]) -> (Vec<Rc<str>>, bool) {
    let text = decoded(bytes);
    let mut reader = lenient(&text);
    let (mut out, mut now) = (Vec::new(), String::new());
    let (mut in_text, mut in_reading_aid) = (false, false);
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => return (out, true),
            Ok(Event::Start(start)) => match start.local_name().as_ref() {
                "t" => in_text = !in_reading_aid,
                "rPh" => in_reading_aid = true,
                _ => {}
            },
            Ok(Event::Empty(start)) if start.local_name().as_ref() == "si" => out.push(Rc::from("")),
            Ok(Event::End(end)) => match end.local_name().as_ref() {
                "t" => in_text = false,
                "rPh" => in_reading_aid = false,
                "si" => out.push(Rc::from(std::mem::take(&mut now))),
                _ => {}
            },
            Ok(Event::Text(text)) if in_text => now.push_str(&text.xml10_content()),
            Ok(Event::CData(text)) if in_text => now.push_str(&text.xml10_content()),
            Ok(Event::GeneralRef(reference)) if in_text => referenced(&reference, &mut now),
            Ok(_) => {}
            Err(_) => return (out, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_letters_and_digits() {
        assert_eq!(parse_place("A1"), Some((0, 0)));
        assert_eq!(parse_place("AB12"), Some((11, 27)));
        assert_eq!(parse_place("XFD1048576"), Some(LAST));
        for wrong in ["", "A", "12", "A0", "XFE1", "ZZZZZZZZZZ1", "Ä1"] {
            assert_eq!(parse_place(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn cells_show_strings_numbers_and_results() {
        let (strings, whole) = strings(
            b"<sst><si><t>one &amp; two</t></si><si><r><t>ri</t></r><r><t>ch</t></r><rPh><t>x</t></rPh></si><si/></sst>",
        );
        assert!(whole);
        let book = Book { strings, formats: vec![Format::Plain, Format::Percent], from_1904: false };
        let sheet = Sheet::read(
            b"<worksheet><sheetData><row r='2'><c r='B2' t='s'><v>0</v></c><c t='s'><v>1</v></c>
            <c r='E2' s='1'><v>0.5</v></c></row>
            <row><c t='b'><v>1</v></c><c t='inlineStr'><is><t>in</t></is></c><c><f>A1+1</f></c><c t='s'><v>2</v></c></row>
            </sheetData><mergeCells><mergeCell ref='B2:B3'/><mergeCell ref='E2:E3'/></mergeCells></worksheet>",
            &book,
        );
        let shown: Vec<_> = sheet.cells.iter().map(|c| (c.row, c.column, &*c.text, c.is_repeat)).collect();
        let expected = [
            (1, 1, "one & two", false),
            (1, 2, "rich", false),
            (1, 4, "50%", false),
            (2, 0, "TRUE", false),
            (2, 1, "in", false),
            (2, 2, "=A1+1", false),
            (2, 4, "50%", true),
        ];
        assert_eq!(shown, expected);
        assert!(sheet.whole);
    }
}
