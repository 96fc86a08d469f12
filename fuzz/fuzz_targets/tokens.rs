//! Any text counted, beside another implementation.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/gristmill-text/tests/counts/mod.rs"]
mod counts;

fuzz_target!(|text: &str| counts::compare("fuzzed", text, 7));
