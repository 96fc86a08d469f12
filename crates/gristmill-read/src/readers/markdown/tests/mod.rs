mod corpora;
mod forms;
mod invariants;
mod random;

use gristmill_core::{Document, DocumentId, Fingerprint, Input, Outcome, Reader};

use super::Markdown;

/// Reads `text` as a file of this name.
fn read(source: &str, text: &str) -> Outcome<Document> {
    let input = Input {
        id: DocumentId::new("default", "", source),
        source,
        fingerprint: Fingerprint::of(text.as_bytes()),
        bytes: text.as_bytes(),
        open: &[],
        first: true,
    };
    Markdown.read(&input).expect("text can be read")
}
