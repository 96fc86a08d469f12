//! What is said about a file: pages without text, damage, what was left out.

use gristmill_core::{Diagnostic, Severity};

use super::engine::MOST_PAGES;
use super::ocr::Recognised;
use super::page::Page;
use super::running::Removed;

/// Ranges of pages that are named.
const MOST_RANGES: usize = 12;
/// Heads and feet that are named.
const MOST_TEXTS: usize = 5;

/// The names of all that may be said.
pub(super) const CODES: &[&str] = &[
    "pdf-damaged",
    "pdf-empty-page",
    "pdf-encoding",
    "pdf-no-text",
    "pdf-ocr",
    "pdf-ocr-failed",
    "pdf-partial-page",
    "pdf-running-head",
    "pdf-too-long",
    "pdf-unreadable-font",
];

/// Problems of one file, in the order they are told.
pub(super) struct Report<'a> {
    source: &'a str,
    out: Vec<Diagnostic>,
}

impl<'a> Report<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, out: Vec::new() }
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.out
    }

    fn low(&mut self, code: &'static str, message: String) {
        self.out.push(Diagnostic::new(code, Severity::Low, self.source, message));
    }

    fn high(&mut self, code: &'static str, message: String, help: &str) {
        self.out.push(Diagnostic::new(code, Severity::High, self.source, message).help(help));
    }

    /// What was said last means that text is missing.
    fn is_incomplete(&mut self) {
        if let Some(last) = self.out.last_mut() {
            last.incomplete = true;
        }
    }

    /// What the file as a whole lacks.
    pub(super) fn damage(&mut self, damage: &[String]) {
        if !damage.is_empty() {
            self.low("pdf-damaged", format!("the PDF is damaged: {}", damage.join("; ")));
            self.is_incomplete();
        }
    }

    /// Pages that came without text or not whole; `count` is how many the file has, `looked` whether pictures were looked at.
    pub(super) fn pages(&mut self, pages: &[Page], count: usize, looked: bool) {
        let numbers =
            |which: fn(&Page) -> bool| pages.iter().filter(|p| which(p)).map(|p| p.number).collect::<Vec<u32>>();
        let of = |some: &[u32]| format!("{} of {} pages", some.len(), pages.len());
        let scans = numbers(|page| (page.is_blank() && page.images > 0 || page.is_scan()) && !page.partial);
        if !scans.is_empty() {
            let message =
                format!("no text, or hardly any, on {}, which are pictures (scan): {}", of(&scans), ranges(&scans));
            let help = if looked {
                "no text was found on these pictures: look at them, and at the languages that `ocr_lang` names"
            } else {
                "let Tesseract read them: `--ocr auto`, or `ocr = \"auto\"` in `[read]`"
            };
            self.high("pdf-no-text", message, help);
        }
        let empty = numbers(|page| page.is_blank() && page.images == 0 && !page.partial && page.unreadable == 0);
        if !empty.is_empty() {
            self.low("pdf-empty-page", format!("no text on {}, nor a picture: {}", of(&empty), ranges(&empty)));
        }
        let partial = numbers(|page| page.partial);
        if !partial.is_empty() {
            let message = format!("read in part or not at all are {}: {}", of(&partial), ranges(&partial));
            self.high("pdf-partial-page", message, "repair the file, e.g. with `qpdf`");
            self.is_incomplete();
        }
        let unreadable = numbers(|page| page.unreadable > 0);
        if !unreadable.is_empty() {
            let runs: usize = pages.iter().map(|page| page.unreadable).sum();
            let all: usize = pages.iter().map(|page| page.spans.len()).sum();
            let on = of(&unreadable);
            let message = format!(
                "fonts that name no characters, {runs} of {} pieces of text on {on}: {}",
                all + runs,
                ranges(&unreadable)
            );
            if runs * 20 > all {
                self.high(
                    "pdf-unreadable-font",
                    message,
                    "recognise the text (OCR) first, e.g. with `ocrmypdf --force-ocr`",
                );
            } else {
                self.low("pdf-unreadable-font", message);
            }
        }
        if count > MOST_PAGES {
            self.high(
                "pdf-too-long",
                format!("only the first {MOST_PAGES} of {count} pages are read"),
                "split the file",
            );
            self.is_incomplete();
        }
    }

    /// The encoding that the text turned out to be in.
    pub(super) fn encoding(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            self.low("pdf-encoding", format!("the fonts do not say how the text is encoded; it is read as `{name}`"));
        }
    }

    /// Pages whose text was read off their pictures.
    pub(super) fn recognised(&mut self, found: &Recognised, name: &str) {
        if !found.pages.is_empty() {
            let message = format!(
                "the text of {} pages was recognised by {name}, {:.0} of 100 sure: {}",
                found.pages.len(),
                found.confidence(),
                ranges(&found.pages)
            );
            self.out.push(Diagnostic::new("pdf-ocr", Severity::Info, self.source, message));
        }
        if let Some((reason, pages)) = &found.failed {
            let message = format!("pictures on pages {} could not be recognised: {reason}", ranges(pages));
            self.high(
                "pdf-ocr-failed",
                message,
                "install Tesseract and the data of the languages that `ocr_lang` names",
            );
            self.is_incomplete();
        }
    }

    /// Running lines that were taken out.
    pub(super) fn removed(&mut self, removed: &Removed) {
        if removed.heads + removed.numbers > 0 {
            let Removed { heads, numbers, texts } = removed;
            let mut message =
                format!("left out what runs from page to page: {heads} heads and feet, {numbers} page numbers");
            let shown: Vec<String> = texts.iter().take(MOST_TEXTS).map(|text| format!("`{text}`")).collect();
            if !shown.is_empty() {
                let more = if texts.len() > shown.len() { ", …" } else { "" };
                message += &format!(": {}{more}", shown.join(", "));
            }
            self.out.push(Diagnostic::new("pdf-running-head", Severity::Info, self.source, message));
        }
    }
}

/// `1-3, 7` for ascending numbers.
fn ranges(numbers: &[u32]) -> String {
    let mut out: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match out.last_mut() {
            Some((_, to)) if to.checked_add(1) == Some(*number) => *to = *number,
            _ => out.push((*number, *number)),
        }
    }
    let text = |(from, to): &(u32, u32)| if from == to { from.to_string() } else { format!("{from}-{to}") };
    let shown = out.iter().take(MOST_RANGES).map(text).collect::<Vec<_>>().join(", ");
    let more: u32 = out.iter().skip(MOST_RANGES).map(|(from, to)| to - from + 1).sum();
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_short() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3, 7, 9-10");
        let odd: Vec<u32> = (0..14).map(|at| 2 * at + 1).collect();
        assert!(ranges(&odd).ends_with(", 21, 23 and 2 more"));
    }
}
