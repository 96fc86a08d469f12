//! Settings compared on questions with evidence.

use std::path::PathBuf;

use gristmill::config::{Options, Task};
use gristmill::eval::{
    Candidate, Contender, EvalCx, candidates, evaluate, html, make_questions, read_questions, with_candidate,
};
use gristmill::{Diagnostic, Error, Inputs, Result, Retriever};
use pyo3::prelude::*;

use crate::failure::working;
use crate::settings::{current_folder, options_of, settle_options, told, workers};

/// What is compared, and on what.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Comparison {
    /// Files and folders; none for the sources of the settings.
    paths: Vec<PathBuf>,
    /// What `source` is relative to.
    root: Option<PathBuf>,
    /// Files that are no documents of it.
    own: Vec<PathBuf>,
    /// Questions, one JSON object a line; none where all are made by rule.
    questions: Option<String>,
    /// How the questions are called in messages.
    called: String,
    /// Whether questions are made by rule as well.
    synthetic: bool,
    strategies: Vec<String>,
    grid: Option<String>,
    retrievers: Vec<String>,
}

/// Compares settings; gives the report as JSON, the notes of the settings as JSON, and the report as a page.
#[pyfunction]
#[pyo3(name = "evaluate")]
pub fn evaluate_settings(
    py: Python<'_>,
    comparison: Comparison,
    options: &str,
    config: Option<PathBuf>,
    jobs: Option<usize>,
) -> PyResult<(String, String, String)> {
    working(py, || {
        let below = options_of(options)?;
        let retrievers = comparison.retrievers.iter().map(|name| retriever(name)).collect::<Result<_>>()?;
        let said = candidates(&comparison.strategies, comparison.grid.as_deref())?;
        let settled = said.iter().map(move |candidate| contender(&below, candidate, config.clone()));
        let (contenders, notes): (Vec<Contender>, Vec<Vec<Diagnostic>>) =
            settled.collect::<Result<Vec<_>>>()?.into_iter().unzip();
        let inputs = Inputs {
            folder: current_folder()?,
            paths: comparison.paths,
            root: comparison.root,
            own: comparison.own,
            ..Inputs::default()
        };
        let asked = comparison.questions.as_deref().map(|text| read_questions(text, &comparison.called));
        let mut questions = asked.transpose()?.unwrap_or_default();
        if comparison.questions.is_none() || comparison.synthetic {
            let first = contenders.first().ok_or_else(|| Error::bug("no settings to compare"))?;
            questions.extend(make_questions(&first.settings, &inputs)?);
        }
        let cx = EvalCx { questions, retrievers, workers: workers(jobs), ..EvalCx::default() };
        let report = evaluate(&contenders, &inputs, &cx)?;
        let unwritten = |error| Error::bug("a report cannot be written").because(error);
        let json = serde_json::to_string(&report).map_err(unwritten)?;
        Ok((json, told(&notes.concat()).to_string(), html(&report)))
    })
}

fn contender(below: &Options, candidate: &Candidate, config: Option<PathBuf>) -> Result<(Contender, Vec<Diagnostic>)> {
    let settled = settle_options(Task::Ingest, with_candidate(below, candidate), config)?;
    Ok((Contender { name: candidate.name.clone(), settings: settled.value }, settled.diagnostics))
}

/// A retriever by its name.
///
/// # Errors
/// Usage: there is none of this name.
pub fn retriever(name: &str) -> Result<Retriever> {
    let all = [Retriever::Hybrid, Retriever::Dense, Retriever::Bm25];
    all.into_iter().find(|retriever| retriever.name() == name).ok_or_else(|| {
        Error::usage(format!("there is no retriever of this name: {name}")).hint("choose hybrid, dense or bm25")
    })
}
