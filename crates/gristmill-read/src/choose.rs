//! Which reader a file is for.

use gristmill_core::Reader;

use crate::decode::{glance, is_binary};
use crate::readers::chat::{self, Chat};
#[cfg(feature = "code")]
use crate::readers::code;
use crate::readers::faq::{self, Faq};
use crate::readers::log::{self, Log};
use crate::readers::rst::{self, Rst};
use crate::readers::text::Text;
use crate::readers::{READERS, reader_by_name};

/// What is to be done with a file.
#[derive(Clone, Copy)]
pub enum Choice {
    /// Read it.
    Reader(&'static dyn Reader),
    /// It is no text and no known kind of document.
    Binary,
    /// It is a document of a kind that has no reader.
    Unsupported {
        /// Its name: `pdf`, `html`, `docx`, …
        kind: &'static str,
    },
}

/// Bytes of a file's start that are looked at.
const HEAD: usize = 64 * 1024;

/// Chooses by the content of the file, of which `head` is the start, then by the name. 64 KiB are enough.
pub fn choose(path: &str, head: &[u8]) -> Choice {
    let head = &head[..head.len().min(HEAD)];
    let extension = extension(path);
    if let Some(kind) = document_kind(&extension, head) {
        // Of the kinds that are told by name alone, the readers of the others find out themselves.
        if kind == "html" && is_binary(head) {
            return Choice::Binary;
        }
        return reader_by_name(kind).map_or(Choice::Unsupported { kind }, Choice::Reader);
    }
    if is_binary(head) {
        return Choice::Binary;
    }
    Choice::Reader(match extension.as_str() {
        "" => script(head).unwrap_or_else(|| by_content(head)),
        "txt" | "text" => by_content(head),
        "log" => log_or_chat(head),
        other => READERS.iter().find(|reader| reader.extensions().contains(&other)).copied().unwrap_or(&Text),
    })
}

/// The extension in lower case; that before it for the numbered copies of a log (`app.log.1`).
fn extension(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let (stem, last) = name.rsplit_once('.').unwrap_or((name, ""));
    if stem.is_empty() {
        return String::new();
    }
    if !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()) {
        return stem.rsplit_once('.').map_or("", |(_, before)| before).to_lowercase();
    }
    last.to_lowercase()
}

/// Formats in a ZIP archive or an OLE file, by extension.
const PACKED: &[&str] = &["docx", "pptx", "xlsx", "epub", "odt", "odp", "ods", "doc", "ppt", "xls", "msg"];

/// Other extensions of the same formats.
const VARIANTS: &[(&str, &str)] = &[
    ("docm", "docx"),
    ("dotx", "docx"),
    ("pptm", "pptx"),
    ("ppsx", "pptx"),
    ("potx", "pptx"),
    ("xlsm", "xlsx"),
    ("xltx", "xlsx"),
];

/// What tells of a ZIP archive what it is, whatever it is called.
const PARTS: &[(&[u8], &str)] = &[
    (b"word/document.xml", "docx"),
    (b"ppt/presentation.xml", "pptx"),
    (b"xl/workbook.xml", "xlsx"),
    (b"mimetypeapplication/epub+zip", "epub"),
];

/// Text formats that are of no use as they stand, by extension, with the name of the kind.
const MARKED_UP: &[(&str, &str)] = &[
    ("html", "html"),
    ("htm", "html"),
    ("xhtml", "html"),
    ("ipynb", "ipynb"),
    ("eml", "eml"),
    ("rtf", "rtf"),
    ("pdf", "pdf"),
];

/// The kind of a document that has no reader.
fn document_kind(extension: &str, head: &[u8]) -> Option<&'static str> {
    // A PDF may have some bytes before its header.
    if memchr::memmem::find(&head[..head.len().min(1024)], b"%PDF-").is_some_and(|at| at == 0 || extension == "pdf") {
        return Some("pdf");
    }
    let packed = head.starts_with(b"PK\x03\x04") || head.starts_with(b"\xd0\xcf\x11\xe0");
    if packed {
        return packed_kind(extension, head);
    }
    if head.starts_with(b"{\\rtf") {
        return Some("rtf");
    }
    let named = MARKED_UP.iter().find(|(name, _)| *name == extension).map(|(_, kind)| *kind);
    let plain = matches!(extension, "txt" | "text") || READERS.iter().any(|r| r.extensions().contains(&extension));
    named.or_else(|| (!plain && is_html(head)).then_some("html"))
}

/// By the parts of the archive that its start shows, then by the extension.
fn packed_kind(extension: &str, head: &[u8]) -> Option<&'static str> {
    let extension = VARIANTS.iter().find(|(name, _)| *name == extension).map_or(extension, |(_, kind)| kind);
    let named = PACKED.iter().find(|kind| **kind == extension).copied();
    let shown = PARTS.iter().find(|(part, _)| memchr::memmem::find(head, part).is_some()).map(|(_, kind)| *kind);
    shown.or(named)
}

fn is_html(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    ["<!doctype html", "<html"]
        .iter()
        .any(|mark| text.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark.as_bytes())))
}

/// The reader of programs, for one that says in its first line what runs it.
#[cfg(feature = "code")]
fn script(head: &[u8]) -> Option<&'static dyn Reader> {
    code::is_script(head).then_some(&code::Code)
}

#[cfg(not(feature = "code"))]
fn script(_: &[u8]) -> Option<&'static dyn Reader> {
    None
}

fn by_content(head: &[u8]) -> &'static dyn Reader {
    let text = whole_lines(head);
    match () {
        () if faq::fits(&text) => &Faq,
        () if chat::fits(&text) => &Chat,
        () if log::fits(&text) => &Log,
        () if rst::fits(&text) => &Rst,
        () => &Text,
    }
}

fn log_or_chat(head: &[u8]) -> &'static dyn Reader {
    if chat::fits(&whole_lines(head)) { &Chat } else { &Log }
}

/// The text of `head` without the line that its end cuts.
fn whole_lines(head: &[u8]) -> String {
    let mut text = glance(head);
    if head.len() == HEAD {
        text.truncate(text.rfind('\n').map_or(text.len(), |end| end + 1));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(path: &str, head: &[u8]) -> &'static str {
        match choose(path, head) {
            Choice::Reader(reader) => reader.name(),
            Choice::Binary => "binary",
            Choice::Unsupported { kind } => kind,
        }
    }

    #[test]
    fn names_decide_between_texts() {
        let prose = b"# Words\n\nof prose.\n";
        for (path, reader) in [
            ("a.md", "markdown"),
            ("x/A.MDX", "markdown"),
            ("a.rst", "rst"),
            ("a.adoc", "adoc"),
            ("a.log", "log"),
            ("a.log.3", "log"),
            ("a.txt", "text"),
            ("README", "text"),
            (".gitignore", "text"),
            ("x.y/LICENSE", "text"),
            ("a.py", if cfg!(feature = "code") { "code" } else { "text" }),
            ("a.htm", "html"),
            ("a.ipynb", "ipynb"),
        ] {
            assert_eq!(name(path, prose), reader, "{path}");
        }
    }

    #[test]
    fn content_goes_before_the_name() {
        assert_eq!(name("a.txt", b"%PDF-1.7\n"), "pdf");
        assert_eq!(name("a.md", b"\x89PNG\r\n\x1a\n\0\0\0"), "binary");
        assert_eq!(name("a.html", b"\x1f\x8b\x08\0\0\0\0\0packed"), "binary");
        assert_eq!(name("a.html", b"\xff\xfe<\0p\0>\0"), "html");
        assert_eq!(name("a.docx", b"PK\x03\x04rest"), "docx");
        assert_eq!(name("a.zip", b"PK\x03\x04rest"), "binary");
        assert_eq!(name("a.zip", b"PK\x03\x04..word/document.xml.."), "docx");
        assert_eq!(name("a.docx", b"PK\x03\x04..xl/workbook.xml.."), "xlsx");
        assert_eq!(name("a.xlsm", b"PK\x03\x04rest"), "xlsx");
        assert_eq!(name("page", b"\n<!DOCTYPE html><p>"), "html");
        assert_eq!(name("a.txt", b"<html>is how a page begins"), "text");
        assert_eq!(name("a.txt", b"\xff\xfea\0b\0"), "text");
        assert_eq!(name("a.md", b""), "markdown");
    }

    #[test]
    fn plain_texts_are_told_apart() {
        assert_eq!(name("a.txt", b"Q: a?\r\nA: b.\r\n\r\nQ: c?\r\nA: d.\r\n"), "faq");
        assert_eq!(name("a", b"<ann> a\n<bo> b\n<ann> c\n<bo> d\n"), "chat");
        assert_eq!(name("a.log", b"<ann> a\n<bo> b\n<ann> c\n<bo> d\n"), "chat");
        assert_eq!(name("a.txt", "10:00:00 a\n".repeat(5).as_bytes()), "log");
        assert_eq!(name("a.txt", b"Title\n=====\n\n.. note:: x\n\n.. code-block:: sh\n\n   ls\n"), "rst");
    }
}
