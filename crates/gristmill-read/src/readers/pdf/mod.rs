//! PDF: pages of placed characters, read back into the text they show.
//!
//! The engine (`unpdf`) opens the file, decodes fonts and gives runs of text with their places; what they make is settled here:
//! running heads, lines and columns, paragraphs, headings, tables, and what goes on over the end of a page.

mod accents;
mod block;
mod child;
mod columns;
mod engine;
mod grid;
mod guard;
mod info;
mod join;
mod leader;
mod legacy;
mod lines;
mod marker;
mod nesting;
mod ocr;
mod page;
mod paragraph;
mod report;
mod rules;
mod running;
mod scripts;
mod split;
mod stack;
mod stream;
mod style;
mod symbols;
mod table;
#[cfg(test)]
mod tests;
mod words;
mod worker;
mod write;

use gristmill_core::{Document, Error, Input, Outcome, Reader, Result};

use crate::converted::Converted;

use block::{Block, Kind};
use engine::{Engine, MOST_PAGES};
use lines::Piece;
pub use ocr::{Line as RecognisedLine, Ocr, Picture, Recognise, Tesseract, Word as RecognisedWord};
use page::Page;
use report::Report;
use words::Words;
pub use worker::{Worker, work};

/// Reads PDF files.
#[derive(Clone)]
pub enum Pdf {
    /// In this process.
    Here {
        /// Reads the text of pictures.
        ocr: Option<Ocr>,
    },
    /// Each in a process that is started for it: whatever a broken file makes the engine do, it costs that file and no other.
    Apart(Worker),
}

/// In this process, and no pictures.
pub static PDF: Pdf = Pdf::Here { ocr: None };

const NAME: &str = "pdf";

impl Reader for Pdf {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "PDF: text in reading order with headings, tables and pages"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pdf"]
    }

    fn converts(&self) -> bool {
        true
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let made = match self {
            Self::Here { ocr } => converted(input, ocr.as_ref()),
            Self::Apart(worker) => worker.converted(input),
        };
        Ok(made?.document(input, NAME))
    }
}

fn converted(input: &Input<'_>, ocr: Option<&Ocr>) -> Result<Converted> {
    // A thread of its own for its stack: the engine reads nested objects by recursion.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(nesting::STACK);
        let work = thread.spawn_scoped(scope, || convert(input, ocr));
        let work =
            work.map_err(|error| Error::input("the PDF cannot be read: no thread can be started").because(error))?;
        work.join().unwrap_or_else(|_| Err(Error::bug("the reader of PDF files failed on this one")))
    })
}

fn convert(input: &Input<'_>, ocr: Option<&Ocr>) -> Result<Converted> {
    let engine = Engine::open(input.bytes)?;
    let about = engine.about();
    let mut report = Report::new(input.source);
    report.damage(&about.damage);
    let mut pages: Vec<Page> = (0..engine.count().min(MOST_PAGES)).filter_map(|index| engine.page(index)).collect();
    if let Some(ocr) = ocr {
        report.recognised(&ocr.fill(&engine, &mut pages), &ocr.recogniser.name());
    }
    report.pages(&pages, engine.count(), ocr.is_some());
    let pages_without_text = pages.iter().filter(|page| page.is_blank() || page.is_scan()).count() as u64;
    report.encoding(legacy::decode(&mut pages));
    pages.iter_mut().for_each(lines::take_grids);
    report.removed(&running::remove(&mut pages));
    let mut blocks = assembled(&engine, pages);
    style::mark_headings(&mut blocks, &style::Outline::new(&about.outline));
    let last = blocks.last().map_or(1, |block| block.page);
    blocks.extend(about.fields.iter().map(|(name, value)| field(name, value, last)));
    let (text, pages) = write::markdown(&blocks);
    let attrs = info::attrs(&about.info);
    let diagnostics = report.into_diagnostics();
    Ok(Converted { text, pages, pages_without_text, attrs, encoding: "utf-8", diagnostics })
}

/// The blocks of all pages, joined where they go on.
fn assembled(engine: &Engine, pages: Vec<Page>) -> Vec<Block> {
    let pieces = |page: Page| (page.number, lines::pieces(engine, page));
    let pages: Vec<(u32, Vec<Piece>)> = pages.into_iter().map(pieces).collect();
    let mut words = Words::default();
    for piece in pages.iter().flat_map(|(_, pieces)| pieces) {
        if let Piece::Line(line) = piece {
            words.learn(&line.text);
        }
    }
    let mut all = Vec::new();
    for (page, pieces) in pages {
        for column in block::blocks(pieces, page, &words) {
            join::append(&mut all, column, &words);
        }
    }
    all
}

/// What a form is filled in with: it is drawn apart from the pages.
fn field(name: &str, value: &str, page: u32) -> Block {
    let text = format!("{}: {}", words::clean(name), words::clean(value));
    Block::new(Kind::Item { mark: "-".to_owned(), left: 0.0 }, text, page)
}
