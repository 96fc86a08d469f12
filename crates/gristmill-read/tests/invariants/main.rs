//! What holds for every document that any reader gives.

mod check;
mod corpora;
mod corpus;
mod fixtures;
mod random;

use gristmill_core::{Document, DocumentId, ErrorKind, Input, Outcome, Reader, Result};

/// Reads bytes as a whole file.
fn read(reader: &dyn Reader, source: &str, bytes: &[u8]) -> Outcome<Document> {
    tried(reader, source, bytes).unwrap_or_else(|error| panic!("{source}: {error}"))
}

/// Reads bytes that may be no file of this kind at all: a reader of files that are no text may say so.
fn read_if_any(reader: &dyn Reader, source: &str, bytes: &[u8]) -> Option<Outcome<Document>> {
    match tried(reader, source, bytes) {
        Err(error) if reader.converts() && error.kind() == ErrorKind::Input => None,
        other => Some(other.unwrap_or_else(|error| panic!("{source}: {error}"))),
    }
}

fn tried(reader: &dyn Reader, source: &str, bytes: &[u8]) -> Result<Outcome<Document>> {
    let input = Input { id: DocumentId::new("default", "", source), source, bytes, open: &[], first: true };
    reader.read(&input)
}
