//! A sentence that says what something is, asked for without its subject.

use std::sync::LazyLock;

use gristmill_core::{BlockKind, Span};
use gristmill_text::segment::sentence_starts;
use regex::Regex;

use super::{Made, asks};
use crate::Source;

/// What follows the subject is the question.
static DEFINITIONS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| [ENGLISH, KOREAN, CHINESE].iter().filter_map(|p| Regex::new(p).ok()).collect());

const ENGLISH: &str = r"^(?:(?:A|An|The) )?(?:[\w-]+ ){1,4}(?:is|are) ((?:an?|the) [^.!?]{20,200})[.!?]?$";
const KOREAN: &str = r"^[^\s]+?(?: [^\s]+){0,2}?[은는] ([^.!?]{8,150}?)(?:이다|다|입니다|이었다)\.?$";
const CHINESE: &str = r"^[^，。、；：\s]{2,15}是([^。！？]{8,120})[。！？]?$";

pub(super) fn make(source: &Source) -> Vec<Made> {
    let document = &source.document;
    let mut out = Vec::new();
    let mut starts = Vec::new();
    for block in document.blocks.iter().filter(|block| block.kind == BlockKind::Paragraph) {
        let text = &document.text[block.span.range()];
        sentence_starts(text, &mut starts);
        starts.push(text.len());
        for pair in starts.windows(2) {
            let sentence = text[pair[0]..pair[1]].trim();
            if let Some(question) = question(sentence) {
                let start = block.span.start as usize;
                out.push(Made { text: question, evidence: Span::new(start + pair[0], start + pair[1]) });
            }
        }
    }
    out
}

fn question(sentence: &str) -> Option<String> {
    if sentence.starts_with("This ") || sentence.starts_with("It ") || sentence.starts_with("There ") {
        return None;
    }
    let found = DEFINITIONS.iter().find_map(|pattern| pattern.captures(sentence))?;
    let question = found.get(1)?.as_str().trim();
    (asks(question) && !question.contains('\n')).then(|| question.to_owned())
}
