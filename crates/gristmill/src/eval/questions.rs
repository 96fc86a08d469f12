//! From lines of a file to questions with places.

use gristmill_eval::{Asked, Haystack, How, Question, Range};
use serde::Serialize;

use super::corpus::Corpus;

/// Questions that can be measured, and those that cannot.
#[derive(Default)]
pub(super) struct Placed {
    pub questions: Vec<Question>,
    /// Quotes that were not found as they are.
    pub inexact: Vec<Inexact>,
    pub left_out: Vec<LeftOut>,
}

/// A quote that was found with other words, white space or capitals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inexact {
    /// The question.
    pub id: String,
    /// The document.
    pub source: String,
    /// The line in it, from 1.
    pub line: u64,
    /// `folded` for other white space or capitals, `fuzzy` for other words.
    pub how: &'static str,
    /// How alike quote and place are, from 0 to 1.
    pub score: f64,
    /// The quote.
    pub quote: String,
    /// What stands at the place.
    pub found: String,
}

/// A question that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The question.
    pub id: String,
    /// Why.
    pub reason: String,
}

/// Texts with what is needed to look for quotes, made when they are first asked for.
struct Haystacks<'a> {
    corpus: &'a Corpus,
    made: Vec<Option<Haystack<'a>>>,
}

impl<'a> Haystacks<'a> {
    fn of(&mut self, index: usize) -> &Haystack<'a> {
        let text = &self.corpus.sources[index].text;
        self.made[index].get_or_insert_with(|| Haystack::new(text))
    }
}

/// Finds the evidence of questions.
pub(super) fn place(asked: &[Asked], corpus: &Corpus) -> Placed {
    let mut out = Placed::default();
    let mut haystacks = Haystacks { corpus, made: corpus.sources.iter().map(|_| None).collect() };
    for asked in asked {
        match one(asked, corpus, &mut haystacks, &mut out.inexact) {
            Ok(question) => out.questions.push(question),
            Err(reason) => out.left_out.push(LeftOut { id: asked.id.clone(), reason }),
        }
    }
    out
}

fn one(
    asked: &Asked,
    corpus: &Corpus,
    haystacks: &mut Haystacks<'_>,
    inexact: &mut Vec<Inexact>,
) -> Result<Question, String> {
    let among = candidates(asked, corpus)?;
    let (document, spans) =
        if asked.spans.is_empty() { quoted(asked, &among, haystacks, inexact)? } else { given(asked, &among, corpus)? };
    let (id, text) = (asked.id.clone(), asked.question.clone());
    Ok(Question { id, text, document, spans, rule: asked.synthetic.clone() })
}

/// The documents in which the evidence may be.
fn candidates(asked: &Asked, corpus: &Corpus) -> Result<Vec<usize>, String> {
    let Some(name) = &asked.doc else { return Ok((0..corpus.sources.len()).collect()) };
    let found = corpus.named(name);
    match found.len() {
        0 => Err(format!("no such document: {name}")),
        1 => Ok(found),
        several if !asked.spans.is_empty() => Err(format!("{several} documents are called {name}")),
        _ => Ok(found),
    }
}

fn given(asked: &Asked, among: &[usize], corpus: &Corpus) -> Result<(usize, Vec<Range>), String> {
    let document = among.first().copied().ok_or("no such document")?;
    let size = corpus.sources[document].size();
    match asked.spans.iter().find(|(_, end)| *end > size) {
        Some((start, end)) => Err(format!("span [{start}, {end}] is beyond the end of the document at {size}")),
        None => Ok((document, asked.spans.clone())),
    }
}

/// Looks for all quotes in one document: the one in which they are found best.
fn quoted(
    asked: &Asked,
    among: &[usize],
    haystacks: &mut Haystacks<'_>,
    inexact: &mut Vec<Inexact>,
) -> Result<(usize, Vec<Range>), String> {
    let mut best: Option<(f64, usize, Vec<_>)> = None;
    for &document in among {
        let haystack = haystacks.of(document);
        let found: Option<Vec<_>> = asked.quotes.iter().map(|quote| haystack.find(quote)).collect();
        let Some(found) = found else { continue };
        // What is found as it is comes before what is found folded, that before what is only alike.
        let score: f64 = found.iter().map(|located| located.score - 0.001 * f64::from(located.by as u8)).sum();
        let better = best.as_ref().is_none_or(|(most, ..)| score > *most);
        if better {
            best = Some((score, document, found));
        }
    }
    let Some((_, document, found)) = best else { return Err("the evidence was not found".to_owned()) };
    let source = &haystacks.corpus.sources[document];
    for (located, quote) in found.iter().zip(&asked.quotes).filter(|(located, _)| located.by != How::Exact) {
        inexact.push(Inexact {
            id: asked.id.clone(),
            source: source.name.clone(),
            line: source.line(located.span.0),
            how: if located.by == How::Folded { "folded" } else { "fuzzy" },
            score: located.score,
            quote: quote.clone(),
            found: source.at(located.span).to_owned(),
        });
    }
    Ok((document, found.iter().map(|located| located.span).collect()))
}
