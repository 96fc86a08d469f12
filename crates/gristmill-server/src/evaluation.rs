//! Settings compared on questions, for the page and the tool.

use gristmill::eval::{Contender, EvalCx, EvalReport, candidates, evaluate, load_questions, make_questions};
use gristmill::{Error, Retriever};

use crate::app::App;
use crate::auth::Caller;
use crate::problem::Problem;
use crate::routes::settings_with;

/// Settings that one call may compare.
const MOST: usize = 24;

/// What is compared.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Strategies; without any, the configured one.
    pub strategies: Vec<String>,
    /// Values, as `target=200,400;overlap=0,60`.
    pub grid: String,
}

/// Compares settings on the configured questions; without such, on questions made by rule from the documents.
pub async fn compare(app: &App, caller: &Caller, compared: &Compared) -> Result<EvalReport, Problem> {
    let all = candidates(&compared.strategies, Some(&compared.grid)).map_err(Problem::from)?;
    if all.len() > MOST {
        let message = format!("{} settings are more than the {MOST} that one call compares", all.len());
        return Err(Problem::invalid(message).pointing("grid", "too many values"));
    }
    let settings = app.settings_of(&app.project(caller, None)?);
    let mut contenders = Vec::with_capacity(all.len());
    for candidate in all {
        let mut own = settings.clone();
        own.chunk = settings_with(app, Some(candidate.options), None)?.chunk;
        contenders.push(Contender { name: candidate.name, settings: own });
    }
    let (inputs, workers) = (app.inputs(), app.threads);
    app.work(move || {
        let questions = match &settings.eval.questions {
            Some(path) => load_questions(path)?,
            None => make_questions(&settings, &inputs)?,
        };
        if questions.is_empty() {
            return Err(Error::input("there are no questions, and none can be made of these documents")
                .hint("name a file of questions in `[eval] questions`"));
        }
        let cx = EvalCx { questions, retrievers: vec![Retriever::Hybrid], workers, ..EvalCx::default() };
        evaluate(&contenders, &inputs, &cx)
    })
    .await
}
