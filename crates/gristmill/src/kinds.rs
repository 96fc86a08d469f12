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

/// What a file is that a run wrote: what documents become is no document itself. `None` for everything else.
pub(crate) fn own_output(path: &str, head: &[u8]) -> Option<&'static str> {
    let named = [".json", ".jsonl", ".ndjson"].iter().any(|end| path.to_ascii_lowercase().ends_with(end));
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    if is_quality_report(text) {
        return Some("a quality report");
    }
    let first = after(text, &["["]).unwrap_or(text);
    if named && after(first, &["{", "\"chunk_id\"", ":"]).is_some() {
        return Some("a file of chunks");
    }
    let version = after(text, &["{", "\"schema_version\"", ":"]).map(<[u8]>::trim_ascii_start);
    let digits = |rest: &[u8]| rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let next = version.and_then(|rest| rest.get(digits(rest)..));
    let is_report = next.is_some_and(|rest| after(rest, &[",", "\"tool_version\"", ":"]).is_some());
    (named && is_report).then_some("a run report")
}

/// What comes after these marks, with any white space before each.
fn after<'t>(text: &'t [u8], marks: &[&str]) -> Option<&'t [u8]> {
    marks.iter().try_fold(text, |rest, mark| rest.trim_ascii_start().strip_prefix(mark.as_bytes()))
}

/// True for the Markdown that `--report` writes: its title, and near the start who made it.
fn is_quality_report(text: &[u8]) -> bool {
    const MADE: &[u8] = b" Made by gristmill ";
    let Some(rest) = text.strip_prefix(b"# Quality report") else { return false };
    let start = rest.get(..4096).unwrap_or(rest);
    start.first().is_some_and(|end| matches!(end, b'\r' | b'\n')) && start.windows(MADE.len()).any(|at| at == MADE)
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
const ASKED_FOR: [(&str, &[u8]); 16] = [
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
    ("ppt", b"\xd0\xcf\x11\xe0"),
    ("xls", b"\xd0\xcf\x11\xe0"),
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
            ("main.unknown", b"const x = 1;\n", FileKind::OtherText),
            ("LICENSE", b"Licence\n", FileKind::OtherText),
            ("a.b/x", b"words\n", FileKind::OtherText),
            ("a.PNG", b"\x89PNG\r\n\x1a\n\0\0", FileKind::Binary),
        ] {
            assert_eq!(file_kind(path, head), kind, "{path}");
        }
    }

    #[test]
    fn what_a_run_writes_is_known() {
        let (chunks, run, quality) = (Some("a file of chunks"), Some("a run report"), Some("a quality report"));
        for (path, head, what) in [
            ("a/Chunks.JSON", "[\n{\"chunk_id\":\"x\"", chunks),
            ("c.jsonl", "{\"chunk_id\":\"x\"", chunks),
            ("c.json", "\u{feff}[\r\n  {\r\n    \"chunk_id\" : \"x\"", chunks),
            ("a.json", "{\"name\":1}", None),
            ("a.md", "{\"chunk_id\":\"x\"", None),
            ("run.json", "{\n  \"schema_version\": 1,\n  \"tool_version\": \"0.1.0\"", run),
            ("run.json", "{\"schema_version\":12,\"tool_version\":\"1\"}", run),
            ("other.json", "{\"schema_version\": 1, \"name\": \"tool_version\"}", None),
            ("r.md", "# Quality report\n\n3 documents became 5 chunks. Made by gristmill 0.1.0.\n", quality),
            ("r.txt", "# Quality report\r\n\r\n3 documents became 5 chunks. Made by gristmill 0.1.0.\r\n", quality),
            ("r.md", "# Quality report\n\nThe pumps were tested.\n", None),
            ("r.md", "# Quality reports\n\nAll are well. Made by gristmill 0.1.0.\n", None),
        ] {
            assert_eq!(own_output(path, head.as_bytes()), what, "{path}: {head}");
        }
        let far = format!("# Quality report\n{} Made by gristmill 1.\n", "x".repeat(5000));
        assert_eq!(own_output("r.md", far.as_bytes()), None);
    }

    #[test]
    fn the_reports_of_this_version_are_known() {
        let report =
            gristmill_format::RunReport { schema_version: 1, tool_version: "0.1.0".into(), ..Default::default() };
        for json in [serde_json::to_string(&report).unwrap(), serde_json::to_string_pretty(&report).unwrap()] {
            assert_eq!(own_output("run.json", json.as_bytes()), Some("a run report"));
        }
        let markdown = gristmill_format::report::markdown(&report);
        assert_eq!(own_output("report.md", markdown.as_bytes()), Some("a quality report"));
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
