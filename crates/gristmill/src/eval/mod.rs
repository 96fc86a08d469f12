//! Which settings are right for these documents: each is cut, embedded, stored and searched as the product does it, and what
//! is found is held against questions whose evidence is known.

mod compare;
mod corpus;
mod grid;
mod groups;
mod html;
mod index;
mod made;
mod questions;
mod report;
mod worst;
mod write;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use gristmill_core::{Embedder, Error, Purpose, Result, Retriever};
pub use gristmill_eval::{Asked, FIGURES, Figure, Interval, Intrinsic, RANKED_BY, read_questions};
use gristmill_eval::{Outline, Question};
use rayon::prelude::*;

use self::compare::{Found, compare};
use self::corpus::Corpus;
pub use self::grid::{Candidate, candidates, with_candidate};
pub use self::groups::Grouping;
pub use self::html::html;
pub use self::index::Cost;
use self::index::{Index, Vectors, unit};
pub use self::made::make_questions;
pub use self::questions::{Inexact, LeftOut};
pub use self::report::{Comparison, EVAL_SCHEMA, EvalReport, HitTold, Measured, Piece, SettingReport, Worst};
pub use self::write::with_chosen;
use crate::config::{Context, Settings};
use crate::documents::Inputs;
use crate::open::open_embedder;

/// Settings to compare, with their name.
#[derive(Clone, Debug)]
pub struct Contender {
    /// How it is called.
    pub name: String,
    /// How documents are cut.
    pub settings: Settings,
}

/// What is measured.
#[derive(Clone, Debug, Default)]
pub struct EvalCx<'a> {
    /// Questions with evidence.
    pub questions: Vec<Asked>,
    /// How hits are found; each is compared under each setting.
    pub retrievers: Vec<Retriever>,
    /// Figures beyond those of every report.
    pub figures: Vec<Figure>,
    /// Threads.
    pub workers: usize,
    /// Where each ranking is written, one JSON object a line, for others to recount.
    pub rankings: Option<&'a Path>,
}

/// Reads a file of questions.
///
/// # Errors
/// Input: it cannot be read, or a line is no question.
pub fn load_questions(path: &Path) -> Result<Vec<Asked>> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|cause| Error::input(format!("the questions cannot be read: {name}")).because(cause))?;
    read_questions(&text, &name)
}

/// Compares settings. All read the same documents with the same cleaning, which is that of the first.
///
/// # Errors
/// When settings are wrong, nothing can be read, or the embedder cannot be used.
pub fn evaluate(contenders: &[Contender], inputs: &Inputs, cx: &EvalCx<'_>) -> Result<EvalReport> {
    let first = contenders.first().ok_or_else(|| Error::usage("no settings to compare"))?;
    let corpus = Corpus::read(&first.settings, inputs)?;
    if let Some(path) = cx.rankings {
        let failed = |cause| Error::input(format!("cannot write: {}", path.display())).because(cause);
        std::fs::File::create(path).map_err(failed)?;
    }
    let placed = questions::place(&cx.questions, &corpus);
    let (made, asked): (Vec<Question>, Vec<Question>) =
        placed.questions.into_iter().partition(|question| question.rule.is_some());
    let searched = cx.retrievers.iter().any(|retriever| *retriever != Retriever::Bm25);
    let embedder = searched.then(|| open_embedder(&first.settings)).transpose()?;
    let indexes = indexes(contenders, inputs, &corpus, embedder.as_ref(), cx.workers)?;
    let mut sets = Vec::new();
    for questions in [&asked, &made] {
        sets.push(set(questions, contenders, &indexes, &corpus, embedder.as_ref(), cx)?);
    }
    let synthetic = sets.pop().flatten();
    Ok(EvalReport {
        schema_version: EVAL_SCHEMA,
        documents: corpus.sources.len() as u64,
        failed: corpus.failed.into_iter().map(|(id, reason)| LeftOut { id, reason }).collect(),
        model: embedder.map(|embedder| embedder.name().to_owned()),
        ranked_by: RANKED_BY.to_string(),
        settings: told(contenders, &indexes, &cx.retrievers),
        questions: sets.pop().flatten(),
        synthetic,
        inexact: placed.inexact,
        left_out: placed.left_out,
    })
}

/// One index for each setting, made side by side.
fn indexes(
    contenders: &[Contender],
    inputs: &Inputs,
    corpus: &Corpus,
    embedder: Option<&Arc<dyn Embedder>>,
    workers: usize,
) -> Result<Vec<Index>> {
    let outlines: Vec<Outline> = corpus.sources.iter().map(Outline::of).collect();
    let vectors: Vectors = Mutex::new(HashMap::new());
    let build =
        |contender: &Contender| Index::build(&contender.settings, inputs, corpus, &outlines, embedder, &vectors);
    pool(workers)?.install(|| contenders.par_iter().map(build).collect())
}

fn pool(workers: usize) -> Result<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build();
    pool.map_err(|error| Error::bug("no threads to work with").because(error))
}

/// The comparison under one set of questions; none where there are none.
fn set(
    questions: &[Question],
    contenders: &[Contender],
    indexes: &[Index],
    corpus: &Corpus,
    embedder: Option<&Arc<dyn Embedder>>,
    cx: &EvalCx<'_>,
) -> Result<Option<Comparison>> {
    if questions.is_empty() {
        return Ok(None);
    }
    let vectors = embedder.map_or_else(|| Ok(Vec::new()), |embedder| query_vectors(embedder, questions))?;
    let runs: Vec<(usize, Retriever)> =
        (0..indexes.len()).flat_map(|index| cx.retrievers.iter().map(move |retriever| (index, *retriever))).collect();
    let search = |run: &(usize, Retriever)| {
        let name = name(&contenders[run.0], run.1, &cx.retrievers);
        searched(&indexes[run.0], name, questions, &vectors, run.1)
    };
    let found: Vec<Found<'_>> = pool(cx.workers)?.install(|| runs.par_iter().map(search).collect::<Result<_>>())?;
    if let Some(path) = cx.rankings {
        write_rankings(path, questions, &found, corpus)?;
    }
    Ok(Some(compare(questions, &found, corpus, &cx.figures)))
}

/// What one setting finds for each question.
fn searched<'a>(
    index: &'a Index,
    name: String,
    questions: &[Question],
    vectors: &[Vec<f32>],
    retriever: Retriever,
) -> Result<Found<'a>> {
    let one = |(at, question): (usize, &Question)| {
        let vector = vectors.get(at).filter(|vector| !vector.is_empty()).map(Vec::as_slice);
        index.search(&question.text, vector, retriever)
    };
    let rankings = questions.iter().enumerate().map(one).collect::<Result<_>>()?;
    Ok(Found { name, index, rankings })
}

/// The name of a setting under one way to search.
fn name(contender: &Contender, retriever: Retriever, all: &[Retriever]) -> String {
    let named = if contender.name.is_empty() { "as configured" } else { &contender.name };
    match all.len() {
        0 | 1 => named.to_owned(),
        _ if contender.name.is_empty() => format!("retriever={}", retriever.name()),
        _ => format!("{named} retriever={}", retriever.name()),
    }
}

fn query_vectors(embedder: &Arc<dyn Embedder>, questions: &[Question]) -> Result<Vec<Vec<f32>>> {
    let texts: Vec<&str> = questions.iter().map(|question| question.text.as_str()).collect();
    let mut out = Vec::with_capacity(texts.len());
    for batch in texts.chunks(embedder.limits().inputs.clamp(1, 64)) {
        out.extend(embedder.embed(batch, Purpose::Query).map_err(Error::from)?);
    }
    Ok(out)
}

fn told(contenders: &[Contender], indexes: &[Index], retrievers: &[Retriever]) -> Vec<SettingReport> {
    let mut out = Vec::new();
    for (contender, index) in contenders.iter().zip(indexes) {
        let chunk = &contender.settings.chunk;
        for retriever in retrievers {
            out.push(SettingReport {
                name: name(contender, *retriever, retrievers),
                strategy: chunk.strategy.clone(),
                target: chunk.target,
                max: chunk.max,
                min: chunk.min,
                overlap: chunk.overlap,
                unit: unit(&contender.settings),
                context: if chunk.context == Context::None { "none" } else { "headings" },
                retriever: retriever.name(),
                cost: index.cost,
                intrinsic: index.intrinsic.clone(),
            });
        }
    }
    out
}

/// What was found for each question under each setting, with the places of the chunks and of the evidence.
fn write_rankings(path: &Path, questions: &[Question], found: &[Found<'_>], corpus: &Corpus) -> Result<()> {
    use std::io::Write as _;
    let failed = |cause| Error::input(format!("cannot write: {}", path.display())).because(cause);
    let file = std::fs::File::options().create(true).append(true).open(path).map_err(failed)?;
    let mut out = std::io::BufWriter::new(file);
    for found in found {
        let passages = found.index.passages.all();
        for (question, hits) in questions.iter().zip(&found.rankings) {
            let hit = |number: &usize| {
                let passage = &passages[*number];
                serde_json::json!({
                    "doc": corpus.sources[passage.document].name, "ranges": passage.ranges.as_slice(),
                    "tokens": passage.tokens, "characters": passage.characters,
                })
            };
            let line = serde_json::json!({
                "setting": found.name, "id": question.id, "doc": corpus.sources[question.document].name,
                "spans": question.spans, "hits": hits.iter().map(hit).collect::<Vec<_>>(),
            });
            writeln!(out, "{line}").map_err(failed)?;
        }
    }
    out.flush().map_err(failed)
}
