//! What was found for each question, written for others to count the figures anew.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use gristmill_core::{Error, Result};
use gristmill_eval::{Judge, Passage, Question};
use serde_json::{Value, json};

use super::compare::Found;
use super::corpus::Corpus;

/// Makes the file, or empties it.
pub(super) fn begin(path: &Path) -> Result<()> {
    File::create(path).map(drop).map_err(|cause| failed(path, cause))
}

/// One line for each question under each setting: the evidence, the places of all chunks that touch it, and the hits, the
/// best first, with the places and sizes of their chunks.
pub(super) fn append(path: &Path, questions: &[Question], found: &[Found<'_>], corpus: &Corpus) -> Result<()> {
    let file = File::options().append(true).open(path).map_err(|cause| failed(path, cause))?;
    let mut out = BufWriter::new(file);
    for found in found {
        for (question, hits) in questions.iter().zip(&found.rankings) {
            let line = line(question, found, hits, corpus);
            writeln!(out, "{line}").map_err(|cause| failed(path, cause))?;
        }
    }
    out.flush().map_err(|cause| failed(path, cause))
}

fn line(question: &Question, found: &Found<'_>, hits: &[usize], corpus: &Corpus) -> Value {
    let passages = found.index.passages.all();
    let hit = |passage: &Passage| {
        json!({
            "doc": corpus.sources[passage.document].name, "ranges": passage.ranges.as_slice(),
            "tokens": passage.tokens, "characters": passage.characters,
        })
    };
    let judge = Judge::new(question, &found.index.passages);
    let touching: Vec<_> = judge.touching().map(|number| passages[number].ranges.as_slice()).collect();
    json!({
        "setting": found.name, "id": question.id, "doc": corpus.sources[question.document].name,
        "spans": question.spans, "touching": touching,
        "hits": hits.iter().map(|number| hit(&passages[*number])).collect::<Vec<_>>(),
    })
}

fn failed(path: &Path, cause: std::io::Error) -> Error {
    Error::input(format!("cannot write: {}", path.display())).because(cause)
}
