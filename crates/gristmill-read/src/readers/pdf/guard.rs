//! The engine's view of a file: pages turned upright, work bounded, ligatures of right-to-left scripts in page order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

use unpdf::parser::backend::{
    BackendFontInfo, ContentOp, DecodedRun, DecodedText, DocumentIntegrity, GlyphAdvance, PageBox, PageContent, PageId,
    PaintedXObject, PdfBackend, PdfMetadataRaw, RawBackend, RawOutlineItem, RawXObject, ResourceScope,
};
use unpdf::parser::bidi::contains_rtl;
use unpdf::{Error, FormField, Result};

use super::symbols::UNNAMED;
use super::{nesting, split};

/// Bytes of drawing operators that are worked through for one page, forms counted as often as they are painted.
const PAGE_WORK: u64 = 32 << 20;
/// The same for a document.
const DOCUMENT_WORK: u64 = 1 << 30;

/// What a form costs besides its bytes.
const FORM_WORK: usize = 512;
/// Words of one content stream: each takes many times its length in memory.
const MOST_TOKENS: usize = 4_000_000;

/// A backend that bounds what one page and the whole document may cost, counted in bytes of content: no clock.
pub(super) struct Guard {
    inner: RawBackend,
    page: AtomicU64,
    document: AtomicU64,
    stopped: AtomicBool,
    turn: AtomicU16,
}

impl Guard {
    pub(super) fn new(inner: RawBackend) -> Self {
        Self {
            inner,
            page: AtomicU64::new(0),
            document: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            turn: AtomicU16::new(0),
        }
    }

    /// Begins a page, whose content is turned clockwise by `turn` degrees beyond what the page itself asks for.
    pub(super) fn begin_page(&self, turn: u16) {
        self.page.store(0, Relaxed);
        self.stopped.store(false, Relaxed);
        self.turn.store(turn, Relaxed);
    }

    /// True when part of the page was left out because it asked for too much work.
    pub(super) fn stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// True when the document has used up its work.
    pub(super) fn exhausted(&self) -> bool {
        self.document.load(Relaxed) > DOCUMENT_WORK
    }

    /// The matrix from the page's own space to the upright page with its visible part's corner at the origin.
    fn upright(&self, page: PageId) -> [f32; 6] {
        let b = self.inner.crop_box(page);
        match self.rotation(page) {
            90 => [0.0, -1.0, 1.0, 0.0, -b.lly, b.urx],
            180 => [-1.0, 0.0, 0.0, -1.0, b.urx, b.ury],
            270 => [0.0, 1.0, -1.0, 0.0, b.ury, -b.llx],
            _ => [1.0, 0.0, 0.0, 1.0, -b.llx, -b.lly],
        }
    }

    fn rotation(&self, page: PageId) -> u16 {
        (self.inner.page_rotation(page) + self.turn.load(Relaxed)) % 360
    }

    /// True when there is work left for `bytes` more.
    fn spend(&self, bytes: usize) -> bool {
        let bytes = bytes as u64 + 16;
        let page = self.page.fetch_add(bytes, Relaxed) + bytes;
        let document = self.document.fetch_add(bytes, Relaxed) + bytes;
        let fits = page <= PAGE_WORK && document <= DOCUMENT_WORK;
        if !fits {
            self.stopped.store(true, Relaxed);
        }
        fits
    }
}

impl PdfBackend for Guard {
    fn pages(&self) -> BTreeMap<u32, PageId> {
        self.inner.pages()
    }

    fn page_fonts(&self, scope: ResourceScope) -> Result<Vec<BackendFontInfo>> {
        self.inner.page_fonts(scope)
    }

    fn page_content(&self, page: PageId) -> Result<Vec<u8>> {
        self.page_content_with_losses(page).map(|content| content.data)
    }

    fn page_content_with_losses(&self, page: PageId) -> Result<PageContent> {
        let mut content = self.inner.page_content_with_losses(page)?;
        if !self.spend(content.data.len()) {
            return Err(Error::Other("the page's content is larger than the limit".to_owned()));
        }
        let turned = self.upright(page).map(|n| n.to_string()).join(" ") + " cm\n";
        content.data.splice(0..0, turned.into_bytes());
        Ok(content)
    }

    fn decode_content(&self, data: &[u8]) -> Result<Vec<ContentOp>> {
        if nesting::too_deep(data) || tokens(data) > MOST_TOKENS {
            self.stopped.store(true, Relaxed);
            return Err(Error::Other("the content is deeper or longer than the limit".to_owned()));
        }
        self.inner.decode_content(data).map(split::apart)
    }

    fn decode_text(&self, scope: ResourceScope, font_name: &[u8], bytes: &[u8]) -> DecodedText {
        let text = self.inner.decode_text(scope, font_name, bytes);
        if text.suppressed.is_some() && bytes.len() <= 2 {
            return DecodedText::text(UNNAMED.to_owned());
        }
        if contains_rtl(&text.text) { self.decode_run(scope, font_name, bytes).decoded } else { text }
    }

    /// Right-to-left text is turned around character by character later, so what one glyph stands for goes backwards here:
    /// the letters of a ligature would come out in the wrong order otherwise.
    fn decode_run(&self, scope: ResourceScope, font_name: &[u8], bytes: &[u8]) -> DecodedRun {
        let mut run = self.inner.decode_run(scope, font_name, bytes);
        let glyphs = run.glyphs.as_ref().map_or(bytes.len(), Vec::len);
        if run.decoded.suppressed.is_some() && glyphs == 1 {
            run.decoded = DecodedText::text(UNNAMED.to_owned());
            run.clusters = None;
        }
        if !contains_rtl(&run.decoded.text) {
            return run;
        }
        for cluster in run.clusters.iter().flatten() {
            let Some(text) = run.decoded.text.get(cluster.text.clone()) else { continue };
            if contains_rtl(text) {
                let backwards: String = text.chars().rev().collect();
                run.decoded.text.replace_range(cluster.text.clone(), &backwards);
            }
        }
        run
    }

    fn glyph_advances(&self, scope: ResourceScope, font_name: &[u8], bytes: &[u8]) -> Option<Vec<GlyphAdvance>> {
        self.inner.glyph_advances(scope, font_name, bytes)
    }

    fn is_vertical_font(&self, scope: ResourceScope, font_name: &[u8]) -> bool {
        self.inner.is_vertical_font(scope, font_name)
    }

    fn metadata(&self) -> PdfMetadataRaw {
        self.inner.metadata()
    }

    fn page_box(&self, page: PageId) -> PageBox {
        let b = self.inner.crop_box(page);
        let (width, height) = match self.rotation(page) {
            90 | 270 => (b.height(), b.width()),
            _ => (b.width(), b.height()),
        };
        PageBox { llx: 0.0, lly: 0.0, urx: width, ury: height }
    }

    fn outline(&self) -> Result<Vec<RawOutlineItem>> {
        self.inner.outline()
    }

    fn page_xobjects(&self, _page: PageId) -> Result<Vec<RawXObject>> {
        Ok(Vec::new())
    }

    fn xobject(&self, scope: ResourceScope, name: &[u8]) -> Option<PaintedXObject> {
        if self.stopped() {
            return None;
        }
        let painted = self.inner.xobject(scope, name)?;
        match &painted {
            PaintedXObject::Form(form) if !self.spend(FORM_WORK + form.content.as_ref().map_or(0, Vec::len)) => None,
            _ => Some(painted),
        }
    }

    fn image_xobject(&self, scope: ResourceScope, name: &[u8]) -> Option<RawXObject> {
        self.inner.image_xobject(scope, name)
    }

    fn font_bounds(&self, scope: ResourceScope, font_name: &[u8]) -> Option<PageBox> {
        self.inner.font_bounds(scope, font_name)
    }

    fn acroform_fields(&self) -> Vec<FormField> {
        self.inner.acroform_fields()
    }

    fn integrity(&self) -> DocumentIntegrity {
        self.inner.integrity()
    }
}

/// Words between blanks.
fn tokens(data: &[u8]) -> usize {
    let blank = |byte: &u8| byte.is_ascii_whitespace();
    data.windows(2).filter(|pair| blank(&pair[0]) && !blank(&pair[1])).count()
}
