//! The comment of a function asks for its code.

use gristmill_core::{BlockKind, Span};

use super::{Made, asks};
use crate::Source;

pub(super) fn make(source: &Source) -> Vec<Made> {
    let text = &source.document.text;
    let mut out = Vec::new();
    for block in &source.document.blocks {
        let BlockKind::Unit { signature } = block.kind else { continue };
        if signature.is_empty() || signature.start < block.span.start || signature.end > block.span.end {
            continue;
        }
        let before = first_sentence(&text[block.span.start as usize..signature.start as usize]);
        let evidence = Span { start: signature.start, end: block.span.end };
        let made = before.map(|text| Made { text, evidence }).or_else(|| docstring(source, signature, block.span));
        out.extend(made);
    }
    out
}

/// A text in triple quotes right after the signature; the code after it is the evidence.
fn docstring(source: &Source, signature: Span, unit: Span) -> Option<Made> {
    let text = &source.document.text;
    let after = &text[signature.end as usize..unit.end as usize];
    let inner = after.trim_start_matches(|c: char| c.is_whitespace() || c == ':');
    let quote = ["\"\"\"", "'''"].into_iter().find(|quote| inner.starts_with(quote))?;
    let begin = unit.end as usize - inner.len() + quote.len();
    let end = begin + text[begin..unit.end as usize].find(quote)?;
    let question = first_sentence(&text[begin..end])?;
    let evidence = Span::new((end + quote.len()).min(unit.end as usize), unit.end as usize);
    (!text[evidence.range()].trim().is_empty()).then_some(Made { text: question, evidence })
}

/// The first sentence of a comment without its marks; nothing when it says too little.
fn first_sentence(comment: &str) -> Option<String> {
    let marks = ['/', '*', '#', '!', '-', ';', ' ', '\t'];
    let lines = comment.lines().map(|line| line.trim().trim_start_matches(marks).trim_end_matches(['*', '/']).trim());
    let said: Vec<&str> = lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
    let said = said.join(" ");
    let end = said.find(". ").map_or(said.len(), |at| at + 1);
    let sentence = said[..end].trim();
    let words = sentence.split_whitespace().count();
    (words >= 4 && asks(sentence) && !sentence.contains('@')).then(|| sentence.to_owned())
}
