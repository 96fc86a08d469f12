//! Which questions stand or fall together: those of one document, or of one section where there are few documents.

use std::collections::HashMap;

use gristmill_core::ROOT;
use gristmill_eval::{Question, Source};
use serde::Serialize;

use super::corpus::Corpus;

/// With fewer documents, questions are grouped by section.
const FEW: usize = 20;

/// Fewer groups than this say nothing of how sure a figure is.
const LEAST: usize = 4;

/// What questions are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    /// The document of the evidence.
    Document,
    /// Its section: of the topmost level at which its document has several.
    Section,
    /// Each question by itself.
    Question,
}

impl Grouping {
    /// The name of several.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Document => "documents",
            Self::Section => "sections",
            Self::Question => "questions",
        }
    }
}

/// The group of each question, numbered from 0.
pub(super) fn grouped(questions: &[Question], corpus: &Corpus) -> (Grouping, Vec<usize>) {
    let by_document = numbered(questions.iter().map(|question| (question.document, 0)));
    if count(&by_document) >= FEW {
        return (Grouping::Document, by_document);
    }
    let section = |question: &Question| {
        let source = &corpus.sources[question.document];
        (question.document, question.spans.first().map_or(ROOT, |span| top_section(source, span.0)))
    };
    let by_section = numbered(questions.iter().map(section));
    if count(&by_section) >= LEAST {
        return (Grouping::Section, by_section);
    }
    (Grouping::Question, (0..questions.len()).collect())
}

pub(super) fn count(groups: &[usize]) -> usize {
    groups.iter().max().map_or(0, |most| most + 1)
}

/// Numbers for keys, in the order in which they first come.
fn numbered(keys: impl Iterator<Item = (usize, u32)>) -> Vec<usize> {
    let mut known = HashMap::new();
    keys.map(|key| {
        let next = known.len();
        *known.entry(key).or_insert(next)
    })
    .collect()
}

/// The section around a place, of the topmost level at which the document has more than one.
fn top_section(source: &Source, point: u64) -> u32 {
    let document = &source.document;
    let byte = u32::try_from(source.byte(point)).unwrap_or(u32::MAX);
    let level = (1..=6).find(|level| document.sections[1..].iter().filter(|s| s.level <= *level).count() > 1);
    let mut at = document.section_at(document.map.from_source(byte));
    while at != ROOT && level.is_some_and(|level| document.sections[at as usize].level > level) {
        at = document.sections[at as usize].parent;
    }
    at
}
