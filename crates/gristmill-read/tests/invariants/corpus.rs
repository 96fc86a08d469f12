//! Inputs that fuzzing begins with, and those that it found worth keeping, read again: `corpus/NAME` has those of each reader.

use std::path::Path;

use gristmill_read::READERS;

use crate::check::{check, name};
use crate::read_if_any;

#[test]
fn what_fuzzing_begins_with_is_read() {
    for reader in READERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(reader.name());
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        assert!(!paths.is_empty(), "no inputs: {}", folder.display());
        paths.sort();
        for path in paths {
            let bytes = std::fs::read(&path).unwrap();
            read_if_any(*reader, &name(*reader, &bytes), &bytes).iter().for_each(|read| check(&read.value));
        }
    }
}
