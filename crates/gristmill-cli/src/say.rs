//! What is told to people, on standard error.

use std::io::Write;

use anstyle::Style;

use crate::paint::{CYAN, RED, YELLOW, paint, visible};

/// Something that stopped the run. It may show lines of a file.
pub fn error(text: &str) {
    marked(RED, "error", &lines(text));
}

/// A document that failed.
pub fn failed(text: &str) {
    marked(RED, "failed", &visible(text));
}

/// Something that wants a look.
pub fn warning(text: &str) {
    marked(YELLOW, "warning", &visible(text));
}

/// Something worth knowing.
pub fn note(text: &str) {
    marked(CYAN, "note", &visible(text));
}

/// What to do about an error.
pub fn hint(text: &str) {
    line("");
    marked(CYAN, "hint", &lines(text));
}

fn marked(style: Style, mark: &str, text: &str) {
    line(&format!("{}{} {text}", paint(style, mark), paint(style, ":")));
}

/// The lines of a text, each with control characters written out.
fn lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// A line as it is.
pub fn line(text: &str) {
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}
