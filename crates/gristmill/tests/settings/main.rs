//! Settings files that fuzzing begins with, and those that it found worth keeping.

mod check;

use std::path::Path;

#[test]
fn what_fuzzing_begins_with_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/config");
    let inputs: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!inputs.is_empty());
    inputs.iter().for_each(|input| check::check(&std::fs::read_to_string(input).unwrap()));
}
