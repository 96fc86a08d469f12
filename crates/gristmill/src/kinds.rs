//! Kinds of file: what is read, what is known and not read, and what is no document.

use gristmill_read::{Choice, READERS, choose};

/// What a file is, as far as its name and first bytes tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A document, and the name of its reader.
    Document(&'static str),
    /// A document of a kind that has no reader.
    Unread(&'static str),
    /// Text of another kind, such as source code or settings. It is read as plain text.
    OtherText,
    /// No text.
    Binary,
}

/// The kind of a file. `head` is its start; 64 KiB are enough.
pub fn file_kind(path: &str, head: &[u8]) -> FileKind {
    match choose(path, head) {
        Choice::Binary => FileKind::Binary,
        Choice::Unsupported { kind } => FileKind::Unread(kind),
        Choice::Reader(reader) if has_reader(path) => FileKind::Document(reader.name()),
        Choice::Reader(_) => FileKind::OtherText,
    }
}

/// True for a file of records, which is what documents become and no document itself.
pub(crate) fn is_records(path: &str, head: &[u8]) -> bool {
    let named = [".json", ".jsonl", ".ndjson"].iter().any(|end| path.to_ascii_lowercase().ends_with(end));
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let first = text.strip_prefix(b"[").unwrap_or(text).trim_ascii_start();
    named && first.starts_with(br#"{"chunk_id":"#)
}

/// True when some reader claims the extension of the path.
fn has_reader(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    extension.is_some_and(|own| READERS.iter().any(|reader| reader.extensions().contains(&own.as_str())))
}

/// How archives of office documents begin.
const PACKED: &[u8] = b"PK\x03\x04";

/// Extensions of documents that people keep beside texts, each with the start of such a file.
const ASKED_FOR: [(&str, &[u8]); 14] = [
    ("pdf", b"%PDF-1.7\n"),
    ("html", b"<!doctype html>"),
    ("docx", PACKED),
    ("pptx", PACKED),
    ("xlsx", PACKED),
    ("epub", PACKED),
    ("odt", PACKED),
    ("odp", PACKED),
    ("ods", PACKED),
    ("ipynb", b"{}"),
    ("eml", b"From: a\n"),
    ("rtf", b"{\\rtf1"),
    ("doc", b"\xd0\xcf\x11\xe0"),
    ("msg", b"\xd0\xcf\x11\xe0"),
];

/// Kinds of document that are recognised and passed over for want of a reader.
pub fn unread_kinds() -> Vec<&'static str> {
    let unread = ASKED_FOR.iter().filter_map(|(extension, head)| match choose(&format!("file.{extension}"), head) {
        Choice::Unsupported { kind } => Some(kind),
        _ => None,
    });
    unread.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart() {
        for (path, head, kind) in [
            ("a/b.md", &b"# A\n"[..], FileKind::Document("markdown")),
            ("a/faq.txt", b"Q: a?\nA: b.\n\nQ: c?\nA: d.\n", FileKind::Document("faq")),
            ("main.py", b"print(1)\n", FileKind::OtherText),
            ("LICENSE", b"Licence\n", FileKind::OtherText),
            ("a.b/x", b"words\n", FileKind::OtherText),
            ("a.PNG", b"\x89PNG\r\n\x1a\n\0\0", FileKind::Binary),
        ] {
            assert_eq!(file_kind(path, head), kind, "{path}");
        }
    }

    #[test]
    fn files_of_records_are_known() {
        assert!(
            is_records("a/Chunks.JSON", b"[\n{\"chunk_id\":\"x\"") && is_records("c.jsonl", b"{\"chunk_id\":\"x\"")
        );
        assert!(!is_records("a.json", b"{\"name\":1}") && !is_records("a.md", b"{\"chunk_id\":\"x\""));
    }

    #[test]
    fn a_kind_is_read_or_unread() {
        for kind in unread_kinds() {
            assert!(
                READERS.iter().all(|reader| reader.name() != kind && !reader.extensions().contains(&kind)),
                "{kind}"
            );
        }
    }
}
