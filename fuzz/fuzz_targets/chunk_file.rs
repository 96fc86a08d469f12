//! Any bytes as a file of chunks.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/gristmill-format/tests/chunk_file/bytes.rs"]
mod bytes;

fuzz_target!(|data: &[u8]| bytes::check(data));
