//! The one door to the engine that reads the file: everything it may do wrong ends here.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gristmill_core::{Error, Result};
use unpdf::parser::backend::{PageId, PdfBackend, PdfMetadataRaw, RawBackend, RawOutlineItem, ResourceScope};
use unpdf::parser::{LayoutAnalyzer, TextSpan};

use super::guard::Guard;
use super::ocr::Picture;
use super::page::{Page, Placed};
use super::{nesting, rules, symbols};

/// Pages that are read; the rest is left out and said.
pub(super) const MOST_PAGES: usize = 20_000;
/// Runs of text on one page; a page with more is read in part.
const MOST_SPANS: usize = 60_000;

/// Runs of text of all pages together: each takes some hundred bytes in memory. Pages after that are left out.
const MOST_SPANS_IN_ALL: usize = 4_000_000;

/// A file that is open.
pub(super) struct Engine {
    guard: Guard,
    /// Runs of text given out so far.
    given: Cell<usize>,
    pages: Vec<(u32, PageId)>,
}

/// What was found out about the file besides its pages.
pub(super) struct About {
    pub info: PdfMetadataRaw,
    /// Title, page and level from 0 of each bookmark, in order.
    pub outline: Vec<(String, Option<u32>, u8)>,
    /// Name and value of the fields that are filled in.
    pub fields: Vec<(String, String)>,
    /// What the file lacks, for people.
    pub damage: Vec<String>,
}

impl Engine {
    /// Opens the file, with the empty password when it is encrypted.
    ///
    /// # Errors
    /// When it is no PDF, needs a password or is broken beyond use.
    pub(super) fn open(bytes: &[u8]) -> Result<Self> {
        let bytes = from_header(bytes)?;
        if nesting::too_deep(bytes) {
            return Err(Error::input(format!("the PDF nests its objects deeper than the limit: {}", nesting::DEEPEST)));
        }
        let engine = Self::load(bytes).map_err(|error| refusal(&error))?;
        if engine.pages.is_empty() {
            let error = Error::input("the PDF has no page that can be found");
            return Err(error.hint("the file is damaged: repair it, e.g. with `qpdf`"));
        }
        Ok(engine)
    }

    fn load(bytes: &[u8]) -> unpdf::Result<Self> {
        let guard = Guard::new(caught(|| RawBackend::load_bytes(bytes))?);
        let pages = caught(|| Ok(guard.pages()))?.into_iter().collect();
        Ok(Self { guard, given: Cell::new(0), pages })
    }

    /// How many pages there are.
    pub(super) fn count(&self) -> usize {
        self.pages.len()
    }

    /// What is known besides the pages. Parts that the engine fails on are left empty.
    pub(super) fn about(&self) -> About {
        let info = caught(|| Ok(self.guard.metadata())).unwrap_or_default();
        let items = caught(|| self.guard.outline()).unwrap_or_default();
        let fields = caught(|| Ok(self.guard.acroform_fields())).unwrap_or_default();
        let fields = fields.into_iter().filter(|f| f.value.is_some()).map(|f| (f.name.clone(), f.display_value()));
        About {
            info,
            outline: flatten(items),
            fields: fields.filter(|(_, value)| !value.trim().is_empty()).collect(),
            damage: self.damage(),
        }
    }

    fn damage(&self) -> Vec<String> {
        let Ok(found) = caught(|| Ok(self.guard.integrity())) else { return Vec::new() };
        let mut out = Vec::new();
        if found.xref_reconstructed {
            out.push("its table of objects is wrong and was made anew".to_owned());
        }
        if found.pages_incomplete() {
            let declared = found.declared_page_count.unwrap_or_default();
            out.push(format!("pages are missing: {} of {declared} found", found.found_page_count));
        }
        if found.skipped_object_count > 0 {
            out.push(format!("objects that cannot be read: {}", found.skipped_object_count));
        }
        out
    }

    /// Reads the `index`th page, from 0, turned the way most of its text is. A page the engine fails on comes empty and marked.
    pub(super) fn page(&self, index: usize) -> Option<Page> {
        let (number, id) = *self.pages.get(index)?;
        let page = self.attempt(number, id, 0);
        let aslant = askew(&page.spans);
        if aslant * 2 <= page.spans.iter().map(letters).sum::<usize>() {
            return Some(page);
        }
        let other = self.attempt(number, id, turn(&page.spans));
        Some(if askew(&other.spans) < aslant { other } else { page })
    }

    fn attempt(&self, number: u32, id: PageId, turn: u16) -> Page {
        self.guard.begin_page(turn);
        let partial = self.guard.exhausted() || self.given.get() > MOST_SPANS_IN_ALL;
        let mut page = Page {
            number,
            width: 0.0,
            height: 0.0,
            spans: Vec::new(),
            tables: Vec::new(),
            rules: Vec::new(),
            recognised: false,
            images: 0,
            pictures: Vec::new(),
            unreadable: 0,
            partial,
        };
        if partial {
            return page;
        }
        let read = caught(|| self.fill(&mut page, id));
        page.partial |= read.is_err() || self.guard.stopped() || page.spans.len() > MOST_SPANS;
        page.spans.truncate(MOST_SPANS);
        symbols::settle(&mut page);
        self.given.set(self.given.get() + page.spans.len());
        page
    }

    fn fill(&self, page: &mut Page, id: PageId) -> unpdf::Result<()> {
        let around = self.guard.page_box(id);
        (page.width, page.height) = (around.width(), around.height());
        let analyzer = LayoutAnalyzer::new(&self.guard);
        page.spans = analyzer.extract_page_spans(page.number)?;
        page.spans.iter_mut().for_each(tame);
        page.images = analyzer.page_op_counts().image;
        page.unreadable = analyzer.suppressed_text_runs();
        page.partial = analyzer.undecodable_content_streams() > 0;
        (page.rules, page.pictures) = rules::drawn(&self.guard, id);
        Ok(())
    }

    /// A picture of a page as a file; nothing when it cannot be made one.
    pub(super) fn picture(&self, number: u32, placed: &Placed) -> Option<Picture> {
        let (_, page) = *self.pages.iter().find(|(own, _)| *own == number)?;
        let scope = ResourceScope { page, form: placed.form };
        let image = caught(|| Ok(self.guard.image_xobject(scope, &placed.name))).ok()??;
        let points = placed.matrix[0].hypot(placed.matrix[1]).max(1.0);
        let dpi = image.width? as f32 * 72.0 / points;
        caught(|| Ok(Picture::new(&image, dpi.round() as u32))).ok()?
    }

    /// Runs `work` with the engine's own layout rules at hand; nothing when they fail.
    pub(super) fn layout<T>(&self, work: impl FnOnce(&LayoutAnalyzer<'_>) -> T) -> Option<T> {
        let analyzer = LayoutAnalyzer::new(&self.guard);
        caught(|| Ok(work(&analyzer))).ok()
    }
}

/// Points beyond which a page holds nothing: the largest page has 14,400. The layout rules of the engine take room for every
/// point that a run covers.
const FARTHEST: f32 = 20_000.0;

/// Brings what a damaged file says of a run's place and size to what a page can have. Its text stays.
fn tame(span: &mut TextSpan) {
    let within = |n: f32, least: f32| if n.is_nan() { 0.0 } else { n.clamp(least, FARTHEST) };
    (span.x, span.y) = (within(span.x, -FARTHEST), within(span.y, -FARTHEST));
    (span.width, span.font_size) = (within(span.width, 0.0), within(span.font_size, 0.0));
    span.ink_width = span.ink_width.map(|width| within(width, 0.0));
}

fn letters(span: &TextSpan) -> usize {
    span.text.chars().filter(|c| !c.is_whitespace()).count()
}

/// Letters that do not run from left to right.
fn askew(spans: &[TextSpan]) -> usize {
    spans.iter().filter(|span| span.is_rotated()).map(letters).sum()
}

/// How far to turn a page clockwise for most of its text to run from left to right.
fn turn(spans: &[TextSpan]) -> u16 {
    let along = |wanted: fn(&TextSpan) -> bool| spans.iter().filter(|span| wanted(span)).map(letters).sum::<usize>();
    let (up, down) = (along(|span| span.direction[1] > 0.7), along(|span| span.direction[1] < -0.7));
    match along(|span| span.direction[0] < -0.7) {
        over if over > up.max(down) => 180,
        _ if up >= down => 90,
        _ => 270,
    }
}

/// The bytes from the header on: offsets in the file count from there.
fn from_header(bytes: &[u8]) -> Result<&[u8]> {
    let head = &bytes[..bytes.len().min(1024)];
    let at = memchr::memmem::find(head, b"%PDF-").ok_or_else(|| Error::input("not a PDF: it has no `%PDF-` header"))?;
    Ok(&bytes[at..])
}

/// A panic of the engine becomes an error.
fn caught<T>(work: impl FnOnce() -> unpdf::Result<T>) -> unpdf::Result<T> {
    let failed = |_| Err(unpdf::Error::Other("the reader of PDF files failed".to_owned()));
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(failed)
}

fn refusal(error: &unpdf::Error) -> Error {
    match error {
        unpdf::Error::Encrypted | unpdf::Error::InvalidPassword => {
            Error::input("the PDF is encrypted with a password").hint("save a copy without the password and read that")
        }
        other => Error::input(format!("the PDF cannot be read: {other}"))
            .hint("the file is damaged or cut off: fetch it again, or repair it, e.g. with `qpdf`"),
    }
}

/// Bookmarks in reading order. The engine bounds how deep they go.
fn flatten(items: Vec<RawOutlineItem>) -> Vec<(String, Option<u32>, u8)> {
    let mut out = Vec::new();
    let mut open: Vec<RawOutlineItem> = items.into_iter().rev().collect();
    while let Some(item) = open.pop() {
        out.push((item.title, item.page, item.level));
        open.extend(item.children.into_iter().rev());
    }
    out
}
