//! HTML: the main content of a page as Markdown.
//!
//! The page is parsed once, as browsers do ([`parse`]), into one tree. [`content`] finds the part of it that is the
//! article, and what in there belongs to the page's frame; [`render`] writes the rest as Markdown; [`meta`] reads what the
//! page declares of itself.

mod around;
mod code;
mod content;
mod facts;
mod grid;
mod math;
mod meta;
mod names;
mod parse;
mod render;
mod roles;
mod script;
mod tags;
#[cfg(test)]
mod tests;
mod tree;

use gristmill_core::{Attrs, Diagnostic, Document, Input, Outcome, Reader, Result, Severity};

use crate::converted::Converted;
use crate::decode::{Decoded, declared_encoding, decode, decode_as};
use content::Content;
use parse::{Parsed, parse};

/// Reads web pages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Html;

/// How HTML is turned into Markdown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HtmlOptions {
    /// Look for the main content, and leave out navigation, side bars, advertisements and the like. Without it, all that
    /// is shown is kept: for chapters of books, bodies of mails and other pieces without a frame.
    pub main_content: bool,
}

impl Reader for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn summary(&self) -> &'static str {
        "web pages: the main content with headings, lists, tables, code and links"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["html", "htm", "xhtml"]
    }

    fn converts(&self) -> bool {
        true
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let Decoded { text, encoding, mut diagnostics, .. } = decode_page(input)?;
        let page = convert(&text, HtmlOptions { main_content: true });
        if page.passed_over > 0 {
            diagnostics.push(tangled(input.source, page.passed_over));
        }
        if page.text.is_empty() && !text.trim().is_empty() {
            let message = "the page shows no text";
            let found = Diagnostic::new("page-without-text", Severity::Medium, input.source, message);
            diagnostics.push(found.help("pages that scripts fill in must be saved after they have run"));
        }
        let converted = Converted { text: page.text, attrs: page.attrs, encoding, diagnostics, ..Converted::default() };
        Ok(converted.document(input, self.name()))
    }
}

/// The Markdown of a page or a piece of one, and what it declares of itself.
pub fn to_markdown(html: &str, options: HtmlOptions) -> (String, Attrs) {
    let page = convert(html, options);
    (page.text, page.attrs)
}

struct Page {
    text: String,
    attrs: Attrs,
    passed_over: usize,
}

fn convert(html: &str, options: HtmlOptions) -> Page {
    let Parsed { tree, passed_over } = parse(html);
    let attrs = meta::attrs(&tree);
    let content = if options.main_content { Content::main(&tree) } else { Content::whole(&tree) };
    let before = if options.main_content { content.title_before(&tree, &attrs) } else { None };
    Page { text: render::render(&tree, &content, before), attrs, passed_over }
}

/// Decodes by what the page declares, unless its bytes say otherwise: a byte order mark, or UTF-8 that is well formed.
fn decode_page<'a>(input: &Input<'a>) -> Result<Decoded<'a>> {
    let declared = meta::declared_encoding(input.bytes).and_then(declared_encoding);
    let Some(encoding) = declared.filter(|encoding| !encoding.starts_with("utf-")) else { return decode(input) };
    let marked = input.bytes.starts_with(b"\xfe\xff") || input.bytes.starts_with(b"\xff\xfe");
    if marked || std::str::from_utf8(input.bytes).is_ok_and(|text| !text.is_ascii()) {
        return decode(input);
    }
    let mut decoded = decode_as(input, encoding)?;
    // It was not found by a look at the bytes.
    decoded.diagnostics.retain(|diagnostic| diagnostic.code != "legacy-encoding");
    Ok(decoded)
}

fn tangled(source: &str, tags: usize) -> Diagnostic {
    let message = format!("elements are nested too deep or overlap too often, tags passed over: {tags}");
    Diagnostic::new("tangled-markup", Severity::Low, source, message)
}
