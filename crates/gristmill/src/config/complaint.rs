//! Errors that show the line of a file.

use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use gristmill_core::Error;

use super::secret::LITERAL;

/// A file that something is wrong in.
#[derive(Clone, Copy, Debug)]
pub(super) struct File<'a> {
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
}

/// What is wrong.
pub(super) struct Complaint<'a> {
    pub(super) message: &'a str,
    /// Where, in bytes of the text.
    pub(super) at: Option<Range<usize>>,
    /// Written beside the underline.
    pub(super) label: &'a str,
    pub(super) hint: Option<&'a str>,
}

/// Lines longer than this are not shown.
const LONGEST_SHOWN: usize = 400;

impl File<'_> {
    /// The line that the byte `at` is on, from 1.
    fn line(&self, at: usize) -> u32 {
        LineStarts::new(self.text).line(at)
    }

    /// The error. Its first line says what and where; the lines after it show the place, as far as what is wrong reaches.
    /// A line that may hold a secret is named, never shown, and neither is what was found on it.
    pub(super) fn wrong(&self, complaint: &Complaint<'_>) -> Error {
        let Complaint { message, at, label, hint } = complaint;
        let path = self.path.display();
        let text = match at.as_ref().filter(|at| at.start <= self.text.len()) {
            None => format!("{message}: {path}"),
            Some(at) => {
                let start = self.text[..at.start].rfind('\n').map_or(0, |end| end + 1);
                let line = self.text[start..].lines().next().unwrap_or_default();
                let number = self.line(at.start);
                let from = (at.start - start).min(line.len());
                let to = at.end.saturating_sub(start).clamp(from, line.len());
                let place = format!("{path}:{number}:{}", line[..from].chars().count() + 1);
                if may_hold_secret(line) {
                    format!("{}: {place}", without_found(message))
                } else if to > LONGEST_SHOWN {
                    format!("{message}: {place}")
                } else {
                    format!("{message}: {place}\n{}", render(&line[..to], number, from..to, label))
                }
            }
        };
        let error = Error::config(text);
        match hint {
            Some(hint) => error.hint(*hint),
            None => error,
        }
    }
}

/// Where the lines of a text begin.
pub(super) struct LineStarts(Vec<usize>);

impl LineStarts {
    pub(super) fn new(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1).collect())
    }

    /// The line that the byte `at` is on, from 1.
    pub(super) fn line(&self, at: usize) -> u32 {
        u32::try_from(self.0.partition_point(|start| *start <= at) + 1).unwrap_or(u32::MAX)
    }
}

fn render(line: &str, number: u32, span: Range<usize>, label: &str) -> String {
    let annotation = AnnotationKind::Primary.span(span).label(label);
    let snippet = Snippet::source(line).line_start(number as usize).annotation(annotation);
    let report = [Group::with_level(Level::ERROR).element(snippet)];
    Renderer::plain().render(&report)
}

fn may_hold_secret(line: &str) -> bool {
    let line = line.to_lowercase();
    ["key", "secret", "password"].iter().any(|word| line.contains(word))
}

/// The message without what was found, except where it says how secrets are given.
fn without_found(message: &str) -> &str {
    if message.ends_with(LITERAL) { message } else { message.split(", ").next().unwrap_or(message) }
}
