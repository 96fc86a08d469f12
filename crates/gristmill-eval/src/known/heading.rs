//! A heading asks for its section.

use gristmill_core::Span;

use super::{Made, asks};
use crate::Source;

/// A title of one word is asked for together with the one around it.
pub(super) fn make(source: &Source) -> Vec<Made> {
    let document = &source.document;
    let mut out = Vec::new();
    for (index, section) in document.sections.iter().enumerate().skip(1).filter(|(_, s)| !s.heading.is_empty()) {
        let end = document.sections.get(index + 1).map_or(document.text.len(), |next| next.heading.start as usize);
        let start = section.heading.end as usize;
        let around = &document.sections[section.parent as usize].title;
        let text = match asks(&section.title) {
            true => section.title.clone(),
            false if !around.is_empty() => format!("{around}: {}", section.title),
            false => continue,
        };
        if start < end && document.text[start..end].chars().any(char::is_alphanumeric) {
            out.push(Made { text, evidence: Span::new(start, end) });
        }
    }
    out
}
