//! Tables as text: values apart by commas, semicolons, tabs or bars.

mod delimiter;
mod records;

use gristmill_core::{Diagnostic, Document, Input, Outcome, Reader, Result, Severity};

use self::delimiter::delimiter;
use self::records::{Records, records};
use crate::converted::Converted;
use crate::decode::decode;
use crate::markup::{Inline, Markdown, Table};

/// Reads CSV and TSV.
#[derive(Clone, Copy, Debug, Default)]
pub struct Csv;

/// Tables with fewer places than these are never too sparse.
const SPARSE_MIN: usize = 10_000;

impl Reader for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn summary(&self) -> &'static str {
        "tables as text, apart by commas, semicolons, tabs or bars, as one Markdown table"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["csv", "tsv", "tab", "psv"]
    }

    fn converts(&self) -> bool {
        true
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let decoded = decode(input)?;
        let (delimiter, text) = match declared(&decoded.text) {
            Some((delimiter, rest)) => (delimiter, rest),
            None => (delimiter(&decoded.text, tabs_first(input.source)), &*decoded.text),
        };
        let found = records(text, delimiter);
        let mut diagnostics = decoded.diagnostics;
        diagnostics.extend(problems(&found, input.source));
        let text = written(found.rows);
        let converted = Converted { text, encoding: decoded.encoding, diagnostics, ..Converted::default() };
        Ok(converted.document(input, self.name()))
    }
}

/// The delimiter that Excel's `sep=;` in the first line declares, and the text after that line.
fn declared(text: &str) -> Option<(u8, &str)> {
    let (line, rest) = text.split_once('\n')?;
    match line.strip_prefix("sep=")?.as_bytes() {
        [delimiter] if delimiter.is_ascii() => Some((*delimiter, rest)),
        _ => None,
    }
}

fn tabs_first(source: &str) -> bool {
    source.rsplit_once('.').is_some_and(|(_, extension)| matches!(&*extension.to_lowercase(), "tsv" | "tab"))
}

/// The rows as a table; as paragraphs where most cells of a table would be missing.
fn written(rows: Vec<Vec<String>>) -> String {
    let mut out = Markdown::default();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let given: usize = rows.iter().map(Vec::len).sum();
    if columns.saturating_mul(rows.len()) > SPARSE_MIN + 8 * given {
        rows.iter().for_each(|row| out.paragraph(Inline::of(&row.join("; "))));
        return out.finish();
    }
    let mut table = Table::default();
    // Each row is let go as soon as it is written.
    rows.into_iter().for_each(|row| table.row(row.iter().map(|cell| Inline::of(cell))));
    out.table(&table);
    out.finish()
}

fn problems(found: &Records, source: &str) -> Vec<Diagnostic> {
    let unclosed = found.unclosed.map(|line| {
        let told = Diagnostic::new("unclosed-quote", Severity::Medium, source, "quote is never closed, read as text");
        told.at_line(line).help("close it, or write it twice within quotes")
    });
    let ragged = found.ragged.map(|(line, count)| {
        let message = format!("rows with more or fewer values than the first: {count}");
        Diagnostic::new("ragged-rows", Severity::Low, source, message).at_line(line)
    });
    unclosed.into_iter().chain(ragged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{read, shape};

    fn text(csv: &str) -> String {
        read(&Csv, csv).text
    }

    #[test]
    fn values_become_cells() {
        let csv = "name;note\r\n\"Ann; B.\";\"says \"\"hi\"\"\nand | more\"\r\nCy;\r\n";
        assert_eq!(text(csv), "| name | note |\n| --- | --- |\n| Ann; B. | says \"hi\" and \\| more |\n| Cy | |\n");
        let blocks = "table \"| a | b |\\n| --- | --- |\"\n  row \"| 1 | 2 |\"\n";
        assert_eq!(shape(&read(&Csv, "a,b\n1,2\n")), blocks);
    }

    #[test]
    fn the_first_line_may_tell_the_delimiter() {
        assert_eq!(text("sep=|\na,b|c\n1|2\n"), "| a,b | c |\n| --- | --- |\n| 1 | 2 |\n");
    }

    #[test]
    fn rows_of_other_lengths_lose_nothing() {
        assert_eq!(text("a,b\n1\n2,3,4\n"), "| a | b | |\n| --- | --- | --- |\n| 1 | | |\n| 2 | 3 | 4 |\n");
        let wide = format!("{}\n{}", ",x".repeat(20_000), "y\n".repeat(20_000));
        assert!(text(&wide).len() < 400_000);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(text(""), "");
        assert_eq!(text("\n \n"), "");
        assert_eq!(text("\"\n"), "| \" |\n| --- |\n");
    }
}
