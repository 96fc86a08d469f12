//! What is told to people, on standard error.

use std::io::Write;

use anstyle::Style;

use crate::paint::{CYAN, RED, YELLOW, paint, visible};

/// Something that stopped the run.
pub fn error(text: &str) {
    marked(RED, "error", text);
}

/// A document that failed.
pub fn failed(text: &str) {
    marked(RED, "failed", text);
}

/// Something that wants a look.
pub fn warning(text: &str) {
    marked(YELLOW, "warning", text);
}

/// Something worth knowing.
pub fn note(text: &str) {
    marked(CYAN, "note", text);
}

/// What to do about an error.
pub fn hint(text: &str) {
    line("");
    marked(CYAN, "hint", text);
}

fn marked(style: Style, mark: &str, text: &str) {
    line(&format!("{}{} {}", paint(style, mark), paint(style, ":"), visible(text)));
}

/// A line as it is.
pub fn line(text: &str) {
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}
