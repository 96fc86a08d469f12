//! From lines of a file to questions with places.

use std::collections::HashMap;

use gristmill_eval::{Asked, Haystack, How, Located, Question, Range, Source, find_exact};
use rayon::prelude::*;
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

/// Finds the evidence of questions: places that are named, then quotes as they are, then with other white space and capitals,
/// then by what they share. A quote that one document has as it is is looked for no further in the others.
pub(super) fn place(asked: &[Asked], corpus: &Corpus) -> Placed {
    let mut places: Vec<Result<Place, String>> = asked.iter().map(|asked| named(asked, corpus)).collect();
    for how in [How::Exact, How::Folded, How::Fuzzy] {
        look(asked, &mut places, corpus, how);
    }
    let mut out = Placed::default();
    for (asked, place) in asked.iter().zip(places) {
        match place {
            Ok(Place::Known(document, spans)) => out.questions.push(question(asked, document, spans)),
            Ok(Place::Found(document, found)) => {
                out.inexact.extend(inexact(asked, &corpus.sources[document], &found));
                let spans = found.iter().map(|located| located.span).collect();
                out.questions.push(question(asked, document, spans));
            }
            Ok(Place::Among(_)) => out.left_out.push(left_out(asked, "the evidence was not found".to_owned())),
            Err(reason) => out.left_out.push(left_out(asked, reason)),
        }
    }
    out
}

/// Where the evidence of a question is, as far as it is known.
enum Place {
    /// In this document, at these places.
    Known(usize, Vec<Range>),
    /// In one of these documents, to be looked for; in any where none are named.
    Among(Option<Vec<usize>>),
    /// Its quotes were found in this document.
    Found(usize, Vec<Located>),
}

fn question(asked: &Asked, document: usize, spans: Vec<Range>) -> Question {
    let (id, text, rule) = (asked.id.clone(), asked.question.clone(), asked.synthetic.clone());
    Question { id, text, document, spans, rule }
}

fn left_out(asked: &Asked, reason: String) -> LeftOut {
    LeftOut { id: asked.id.clone(), reason }
}

/// What a question says of the place of its evidence.
fn named(asked: &Asked, corpus: &Corpus) -> Result<Place, String> {
    let among = candidates(asked, corpus)?;
    if asked.spans.is_empty() {
        return Ok(Place::Among(among));
    }
    let document = among.and_then(|among| among.first().copied()).ok_or("spans need a `doc`")?;
    let size = corpus.sources[document].size();
    match asked.spans.iter().find(|(_, end)| *end > size) {
        Some((start, end)) => Err(format!("span [{start}, {end}] is beyond the end of the document at {size}")),
        None => Ok(Place::Known(document, asked.spans.clone())),
    }
}

/// The documents in which the evidence may be; nothing where it may be in any.
fn candidates(asked: &Asked, corpus: &Corpus) -> Result<Option<Vec<usize>>, String> {
    let Some(name) = &asked.doc else { return Ok(None) };
    let found = corpus.named(name);
    match found.len() {
        0 => Err(format!("no such document: {name}")),
        several if several > 1 && !asked.spans.is_empty() => Err(format!("{several} documents are called {name}")),
        _ => Ok(Some(found)),
    }
}

/// Looks for the quotes that are not found yet, one document after another, so that no more than one is held ready for it.
/// All quotes of a question are found in one document: the one in which they are most alike, of equal ones the first.
fn look(asked: &[Asked], places: &mut [Result<Place, String>], corpus: &Corpus, how: How) {
    let mut best: HashMap<usize, (f64, usize, Vec<Located>)> = HashMap::new();
    for (document, source) in corpus.sources.iter().enumerate() {
        let is_here = |place: &Result<Place, String>| match place {
            Ok(Place::Among(among)) => among.as_ref().is_none_or(|among| among.contains(&document)),
            _ => false,
        };
        let open: Vec<usize> = (0..places.len()).filter(|question| is_here(&places[*question])).collect();
        if open.is_empty() {
            continue;
        }
        let haystack = (how > How::Exact).then(|| Haystack::new(&source.text));
        let find = |quote: &String| match &haystack {
            Some(haystack) => haystack.find(quote, how),
            None => find_exact(&source.text, quote),
        };
        let all =
            |&question: &usize| Some((question, asked[question].quotes.iter().map(find).collect::<Option<Vec<_>>>()?));
        let found: Vec<(usize, Vec<Located>)> = open.par_iter().filter_map(all).collect();
        for (question, found) in found {
            let score = found.iter().map(|located| located.score).sum();
            if best.get(&question).is_none_or(|(most, ..)| score > *most) {
                best.insert(question, (score, document, found));
            }
        }
    }
    for (question, (_, document, found)) in best {
        places[question] = Ok(Place::Found(document, found));
    }
}

/// The quotes that were not found as they are.
fn inexact<'a>(asked: &'a Asked, source: &'a Source, found: &'a [Located]) -> impl Iterator<Item = Inexact> + 'a {
    let told = |(located, quote): (&Located, &String)| Inexact {
        id: asked.id.clone(),
        source: source.name.clone(),
        line: source.line(located.span.0),
        how: if located.by == How::Folded { "folded" } else { "fuzzy" },
        score: located.score,
        quote: quote.clone(),
        found: source.at(located.span).to_owned(),
    };
    found.iter().zip(&asked.quotes).filter(|(located, _)| located.by != How::Exact).map(told)
}
