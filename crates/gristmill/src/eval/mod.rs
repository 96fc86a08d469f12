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
mod rankings;
mod report;
mod targets;
mod worst;
mod write;

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicUsize;
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
use self::index::{Index, Shared, unit};
pub use self::made::make_questions;
pub use self::questions::{Inexact, LeftOut};
pub use self::report::{Comparison, EVAL_SCHEMA, EvalReport, HitTold, Measured, Piece, SettingReport, Worst};
pub use self::targets::Target;
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

/// How far a comparison is: documents done, of how many, and the path of the last.
pub type EvalProgress<'a> = dyn Fn(usize, usize, &str) + Sync + 'a;

/// What is measured.
#[derive(Clone, Default)]
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
    /// Told of every document that a setting has cut.
    pub progress: Option<&'a EvalProgress<'a>>,
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
    cx.rankings.map_or(Ok(()), rankings::begin)?;
    let placed = pool(cx.workers)?.install(|| questions::place(&cx.questions, &corpus));
    if placed.questions.is_empty() {
        return Err(nothing_placed(&placed.left_out));
    }
    let (made, asked): (Vec<Question>, Vec<Question>) =
        placed.questions.into_iter().partition(|question| question.rule.is_some());
    let searched = cx.retrievers.iter().any(|retriever| *retriever != Retriever::Bm25);
    let embedder = searched.then(|| open_embedder(&first.settings)).transpose()?;
    let shared = Shared {
        corpus: &corpus,
        outlines: corpus.sources.iter().map(Outline::of).collect(),
        embedder: embedder.as_ref(),
        vectors: Mutex::new(HashMap::new()),
        budget: budget(&cx.figures),
        done: AtomicUsize::new(0),
        all: contenders.len() * corpus.sources.len(),
        progress: cx.progress,
    };
    let indexes = indexes(contenders, inputs, &shared, cx.workers)?;
    let compared = |questions| set(questions, contenders, &indexes, &corpus, embedder.as_ref(), cx);
    let (questions, synthetic) = (compared(&asked)?, compared(&made)?);
    let settings = told(contenders, &indexes, &cx.retrievers);
    let decisive = questions.as_ref().or(synthetic.as_ref());
    Ok(EvalReport {
        schema_version: EVAL_SCHEMA,
        documents: corpus.sources.len() as u64,
        model: embedder.as_ref().map(|embedder| embedder.name().to_owned()),
        ranked_by: RANKED_BY.to_string(),
        notes: alike(contenders, &indexes),
        targets: decisive.map_or_else(Vec::new, |comparison| targets::targets(comparison, &settings)),
        settings,
        questions,
        synthetic,
        inexact: placed.inexact,
        left_out: placed.left_out,
        failed: corpus.failed.iter().map(|(id, reason)| LeftOut { id: id.clone(), reason: reason.clone() }).collect(),
    })
}

/// Questions that are told where none can be measured.
const TOLD: usize = 5;

fn nothing_placed(left_out: &[LeftOut]) -> Error {
    let told: Vec<String> = left_out.iter().take(TOLD).map(|left| format!("{}: {}", left.id, left.reason)).collect();
    let count = left_out.len();
    Error::input(format!("none of {count} questions can be measured: {}", told.join("; ")))
        .hint("`doc` is a path as records name it under `source`, or its end; `quotes` are words of the document")
}

/// Settings that make the same chunks: no figure can tell them apart.
fn alike(contenders: &[Contender], indexes: &[Index]) -> Vec<String> {
    let first = |at: usize| (0..at).find(|other| indexes[*other].passages.all() == indexes[at].passages.all());
    let note = |(at, other): (usize, usize)| {
        format!("`{}` makes the same chunks as `{}`", contenders[at].name, contenders[other].name)
    };
    (0..indexes.len()).filter_map(|at| Some((at, first(at)?))).map(note).collect()
}

/// The largest number of tokens that a figure looks at.
fn budget(extra: &[Figure]) -> u64 {
    let tokens = |figure: &Figure| if let Figure::RecallWithin(tokens) = figure { *tokens } else { 0 };
    FIGURES.iter().chain(extra).map(tokens).max().unwrap_or_default()
}

/// One index for each setting, made side by side.
fn indexes(contenders: &[Contender], inputs: &Inputs, shared: &Shared<'_>, workers: usize) -> Result<Vec<Index>> {
    let build = |contender: &Contender| Index::build(&contender.settings, inputs, shared);
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
        rankings::append(path, questions, &found, corpus)?;
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
