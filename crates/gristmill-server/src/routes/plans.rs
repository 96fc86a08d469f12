//! Plans: what an ingest would do.

use std::collections::BTreeSet;

use axum::http::{Method, StatusCode};
use gristmill::service::{Mode, SavedPlan};
use gristmill::{IngestOptions, plan};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::jobs::WITHIN;
use crate::app::quietly;
use crate::problem::Problem;
use crate::route::{Answer, Call, Route, json};

/// A plan that is asked for.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct PlanRequest {
    /// Whose documents; by default those of the settings.
    project: Option<String>,
    /// How much would be done anew.
    mode: Mode,
    /// Paths of documents and folders that alone are looked at; by default all are.
    #[schemars(length(max = 10_000), inner(regex(pattern = WITHIN)))]
    select: Option<Vec<String>>,
}

/// Reading and cutting what has changed takes longer than an answer usually may.
const SECONDS: u64 = 600;

pub fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::POST, "/v1/plans", "Find out what an ingest would do", make)
            .takes::<PlanRequest>()
            .seconds(Some(SECONDS))
            .gives::<Value>(StatusCode::CREATED, "The plan; its `id` can be given to a job")
            .fails(StatusCode::CONFLICT, "A guard forbids such an ingest"),
        Route::new(Method::GET, "/v1/plans/{id}", "A plan", show).gives::<Value>(StatusCode::OK, "The plan"),
    ]
}

/// A plan of a project.
pub async fn of(call: &Call, id: &str, project: &str) -> Result<SavedPlan, Problem> {
    let wanted = id.to_owned();
    let found = call.app.with_jobs(move |jobs| jobs.plan(&wanted)).await?;
    found.filter(|saved| saved.project == project).ok_or_else(|| Problem::not_found("plan", id))
}

fn make(call: Call) -> Answer {
    Box::pin(async move {
        let request: PlanRequest = call.object(&[])?;
        let select = super::jobs::selection(request.select)?;
        let project = call.app.project(&call.caller, request.project.as_deref())?;
        let settings = call.app.settings_of(&project);
        let (inputs, threads) = (call.app.inputs(), call.app.threads);
        let options = IngestOptions {
            rebuild: request.mode != Mode::Incremental,
            recreate: request.mode == Mode::Recreate,
            select: select.map(BTreeSet::from_iter),
            ..IngestOptions::default()
        };
        let made = call.app.work(move || quietly(threads, false, |cx| plan(&settings, &inputs, &options, cx))).await?;
        let saved = call.app.with_jobs(move |jobs| jobs.save_plan(&project, made)).await?;
        json(StatusCode::CREATED, &saved)
    })
}

fn show(call: Call) -> Answer {
    Box::pin(async move {
        let id = call.part("id").to_owned();
        let wanted = id.clone();
        let found = call.app.with_jobs(move |jobs| jobs.plan(&wanted)).await?;
        let found = found.filter(|saved| call.caller.may_see(&saved.project));
        json(StatusCode::OK, &found.ok_or_else(|| Problem::not_found("plan", &id))?)
    })
}
