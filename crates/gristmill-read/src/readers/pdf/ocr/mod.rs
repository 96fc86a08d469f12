//! Text in pictures: what a program for it (OCR) finds, put on the page as if it had been drawn.

mod picture;
mod place;
mod tesseract;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use gristmill_core::Result;

use super::engine::Engine;
use super::page::Page;

pub use picture::Picture;
pub use tesseract::Tesseract;

/// Smaller pictures hold no text worth a look, in pixels.
const SMALL: u32 = 24;
/// Pictures of one page that are looked at.
const MOST: usize = 64;
/// Words are not believed below this.
const DOUBTED: f32 = 20.0;

/// A word on a picture: its box in pixels from the upper left corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// Its letters.
    pub text: String,
    /// Left edge.
    pub left: f32,
    /// Upper edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Lower edge.
    pub bottom: f32,
    /// From 0 to 100.
    pub confidence: f32,
}

/// A line of words on a picture, in reading order.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Lines with the same number are one paragraph.
    pub paragraph: u32,
    /// Its words.
    pub words: Vec<Word>,
}

/// Reads the text off a picture.
pub trait Recognise: Send + Sync {
    /// Its name and what it reads, for people: `tesseract (eng)`.
    fn name(&self) -> String;

    /// The lines found on the picture.
    ///
    /// # Errors
    /// When the picture cannot be looked at.
    fn recognise(&self, picture: &Picture) -> Result<Vec<Line>>;
}

/// How the text of pictures is read.
#[derive(Clone)]
pub struct Ocr {
    /// What recognises text.
    pub recogniser: Arc<dyn Recognise>,
    /// Also read the pictures of pages that have text.
    pub images: bool,
}

/// What recognising brought.
#[derive(Debug, Default)]
pub(super) struct Recognised {
    /// The pages that got text.
    pub pages: Vec<u32>,
    /// The sum of the confidence of all words, and how many they are.
    confidence: (f32, usize),
    /// Why pictures could not be read: the first reason, and the pages.
    pub failed: Option<(String, Vec<u32>)>,
}

impl Recognised {
    /// How sure the words are, from 0 to 100.
    pub(super) fn confidence(&self) -> f32 {
        self.confidence.0 / self.confidence.1.max(1) as f32
    }

    fn fail(&mut self, page: u32, reason: &str) {
        let (_, pages) = self.failed.get_or_insert_with(|| (reason.to_owned(), Vec::new()));
        if pages.last() != Some(&page) {
            pages.push(page);
        }
    }
}

impl Ocr {
    /// Puts the text of pictures on the pages that lack text, and on the others when asked for.
    pub(super) fn fill(&self, engine: &Engine, pages: &mut [Page]) -> Recognised {
        let mut out = Recognised::default();
        for page in pages.iter_mut().filter(|page| !page.partial && (self.images || page.is_blank() || page.is_scan()))
        {
            self.fill_page(engine, page, &mut out);
        }
        out
    }

    fn fill_page(&self, engine: &Engine, page: &mut Page, out: &mut Recognised) {
        let mut found = Vec::new();
        for placed in page.pictures.iter().take(MOST) {
            let Some(picture) = engine.picture(page.number, placed) else {
                out.fail(page.number, "a picture in a format that is not read");
                continue;
            };
            if picture.width < SMALL || picture.height < SMALL {
                continue;
            }
            match self.recogniser.recognise(&picture) {
                Ok(lines) => found.extend(place::lines(&lines, &picture, &placed.matrix, DOUBTED)),
                Err(error) => out.fail(page.number, &error.chain()),
            }
        }
        if found.is_empty() {
            return;
        }
        let words = found.iter().flat_map(|line| &line.words);
        out.confidence = words.fold(out.confidence, |(sum, count), word| (sum + word.confidence, count + 1));
        out.pages.push(page.number);
        place::on_page(&mut found, page);
    }
}
