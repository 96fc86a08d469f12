//! What the commands say: results on standard output, the rest on standard error. A closed pipe is no error.

use std::io::Write;

/// A line for people who watch.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// What went wrong.
pub fn error(text: &str) {
    note(&format!("error: {text}"));
}

/// A result.
pub fn result(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}
