//! Books: an archive of XHTML chapters in the order of the spine.

mod package;

use gristmill_core::{Document, Error, Input, Outcome, Reader, Result};

use self::package::{closed_tags, package, protected};
use crate::archive::Archive;
use crate::converted::Converted;
use crate::pieces::append;
use crate::readers::html::{HtmlOptions, to_markdown};
use crate::xml::{Xml, decoded};

/// Reads EPUB 2 and 3.
#[derive(Clone, Copy, Debug, Default)]
pub struct Epub;

impl Reader for Epub {
    fn name(&self) -> &'static str {
        "epub"
    }

    fn summary(&self) -> &'static str {
        "e-books: chapters in reading order, with what the book declares of itself"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["epub"]
    }

    fn converts(&self) -> bool {
        true
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let mut archive = Archive::open(input.bytes, self.name(), input.source)?;
        let package = package(&mut archive)
            .ok_or_else(|| Error::input(format!("no list of chapters in this epub file: `{}`", input.source)))?;
        let locked = archive.part("META-INF/encryption.xml").map(|bytes| protected(&Xml::parse(&bytes)));
        let locked = locked.unwrap_or_default();
        if package.chapters.iter().any(|chapter| locked.contains(chapter)) {
            let error = Error::input(format!("the chapters are encrypted: `{}`", input.source));
            return Err(error.hint("books protected against copying cannot be read"));
        }
        let mut text = String::new();
        for chapter in &package.chapters {
            if let Some(bytes) = archive.named_part(chapter) {
                let html = closed_tags(&decoded(&bytes));
                append(&mut text, &to_markdown(&html, HtmlOptions { main_content: false }).0);
            }
        }
        archive.ensure_some(&text, input.source)?;
        let diagnostics = archive.problems(input.source);
        let converted = Converted { text, attrs: package.attrs, diagnostics, ..Converted::default() };
        Ok(converted.document(input, self.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::office::testing::{packed, read_bytes, read_parts};

    const CONTAINER: (&str, &str) = (
        "META-INF/container.xml",
        "<container><rootfiles><rootfile full-path='OPS/book.opf' media-type='application/oebps-package+xml'/></rootfiles></container>",
    );

    const BOOK: (&str, &str) = (
        "OPS/book.opf",
        "<package><metadata><dc:title>A book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bo</dc:creator>
        <dc:language>en</dc:language><dc:subject>ducks</dc:subject></metadata><manifest>
        <item id='nav' href='nav.xhtml' properties='nav' media-type='application/xhtml+xml'/>
        <item id='b' href='text/two%20b.xhtml' media-type='application/xhtml+xml'/>
        <item id='a' href='text/one.xhtml' media-type='application/xhtml+xml'/></manifest>
        <spine><itemref idref='nav'/><itemref idref='a'/><itemref idref='b'/><itemref idref='c'/></spine></package>",
    );

    #[test]
    fn chapters_come_in_the_order_of_the_spine() {
        let chapter = |text: &str| format!("<html><head><title/></head><body>{text}</body></html>");
        let one = chapter("<h1>One</h1><p>first<a id='x'/> words</p>");
        let parts = [CONTAINER, BOOK, ("OPS/text/one.xhtml", &one), ("OPS/text/two b.xhtml", &chapter("<h1>Two</h1>"))];
        let read = read_parts(&Epub, &parts);
        assert_eq!(read.value.text, "# One\n\nfirst words\n\n# Two\n");
        assert_eq!(read.value.attrs["title"], "A book");
        assert_eq!(read.value.attrs["author"], "Ann, Bo");
        assert_eq!(read.value.attrs["keywords"], serde_json::json!(["ducks"]));
    }

    #[test]
    fn protected_books_are_an_error() {
        let locks = "<encryption><EncryptedData><CipherData><CipherReference URI='OPS/text/one.xhtml'/></CipherData></EncryptedData></encryption>";
        let book = packed(&[CONTAINER, BOOK, ("META-INF/encryption.xml", locks)]);
        let error = read_bytes(&Epub, &book).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("the chapters are encrypted: `a`"));
    }
}
