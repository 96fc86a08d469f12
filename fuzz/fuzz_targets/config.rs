//! Any text as a settings file.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/gristmill/tests/settings/check.rs"]
mod check;

fuzz_target!(|text: &str| check::check(text));
