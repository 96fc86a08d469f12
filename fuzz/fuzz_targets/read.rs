//! Any bytes through one reader: `cargo xtask fuzz read NAME`.

#![no_main]

use std::sync::OnceLock;

use gristmill_core::{DocumentId, Input, Reader};
use gristmill_read::{READERS, reader_by_name};
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/gristmill-read/tests/invariants/check.rs"]
#[expect(dead_code, reason = "not all of it holds for every reader")]
mod check;

/// The reader that `GRISTMILL_FUZZ` names.
fn reader() -> &'static dyn Reader {
    static READER: OnceLock<&'static dyn Reader> = OnceLock::new();
    *READER.get_or_init(|| {
        let name = std::env::var("GRISTMILL_FUZZ").unwrap_or_default();
        let names = || READERS.iter().map(|reader| reader.name()).collect::<Vec<_>>().join(", ");
        reader_by_name(&name).unwrap_or_else(|| panic!("GRISTMILL_FUZZ must name a reader: {}", names()))
    })
}

fuzz_target!(|bytes: &[u8]| {
    let reader = reader();
    let source = check::name(reader, bytes);
    let input = Input {
        id: DocumentId::new("default", "", &source),
        source: &source,
        bytes,
        open: &[],
        first: true,
    };
    if let Ok(read) = reader.read(&input) {
        check::check(&read.value);
    }
});
