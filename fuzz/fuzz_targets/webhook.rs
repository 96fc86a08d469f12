//! Any bytes as the body of a webhook's call.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    gristmill_server::read_any(body);
});
