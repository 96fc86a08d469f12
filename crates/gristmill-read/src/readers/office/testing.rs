//! For tests: packages made of parts.

use std::io::{Cursor, Write};

use gristmill_core::{Document, DocumentId, Input, Outcome, Reader, Result};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// An archive with these parts.
pub(crate) fn packed(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).expect("a new part");
        zip.write_all(content.as_bytes()).expect("room in memory");
    }
    zip.finish().expect("room in memory").into_inner()
}

/// What a reader makes of bytes.
pub(crate) fn read_bytes(reader: &dyn Reader, bytes: &[u8]) -> Result<Outcome<Document>> {
    reader.read(&Input { id: DocumentId::new("default", "", "a"), source: "a", bytes, open: &[], first: true })
}

/// What a reader makes of an archive with these parts.
pub(crate) fn read_parts(reader: &dyn Reader, parts: &[(&str, &str)]) -> Outcome<Document> {
    read_bytes(reader, &packed(parts)).expect("can be read")
}

/// A part that relates each identifier to a kind and a target.
pub(crate) fn relations(all: &[(&str, &str, &str)]) -> String {
    let one = |(id, kind, target): &(&str, &str, &str)| {
        let mode = if target.contains("://") { " TargetMode='External'" } else { "" };
        format!("<Relationship Id='{id}' Type='http://x/{kind}' Target='{target}'{mode}/>")
    };
    format!("<Relationships>{}</Relationships>", all.iter().map(one).collect::<String>())
}
