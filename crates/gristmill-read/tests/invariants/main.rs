//! What holds for every document that any reader gives.

mod check;
mod corpora;
mod fixtures;
mod random;

use gristmill_core::{Document, DocumentId, Fingerprint, Input, Outcome, Reader};

/// Reads bytes as a whole file.
fn read(reader: &dyn Reader, source: &str, bytes: &[u8]) -> Outcome<Document> {
    let input = Input {
        id: DocumentId::new("default", "", source),
        source,
        fingerprint: Fingerprint::of(bytes),
        bytes,
        open: &[],
        first: true,
    };
    reader.read(&input).unwrap_or_else(|error| panic!("{source}: {error}"))
}
