//! Calls from services that hold repositories.

use axum::http::{Method, StatusCode};
use gristmill::service::Submitted;
use schemars::JsonSchema;
use serde::Serialize;

use crate::problem::Problem;
use crate::route::{Answer, Call, JSON, Right, Route, json};
use crate::webhooks::{Asked, PROVIDERS, Provider, judge};

/// What came of a call.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Outcome {
    /// `accepted`, `duplicate`, `ignored` or `pong`.
    status: &'static str,
    /// Why nothing is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The job.
    #[serde(skip_serializing_if = "Option::is_none")]
    job_id: Option<String>,
}

pub fn routes() -> Vec<Route> {
    PROVIDERS
        .iter()
        .map(|provider| {
            let route =
                Route::new(Method::POST, provider.path, provider.summary, provider.handler).right(Right::Signature);
            let route = provider
                .headers
                .iter()
                .fold(route, |route, (name, about)| route.header(name, about, serde_json::json!({ "type": "string" })));
            route
                .takes_bytes(JSON)
                .gives::<Outcome>(StatusCode::OK, "Nothing is done, and why")
                .gives::<Outcome>(StatusCode::ACCEPTED, "A job was taken in")
        })
        .collect()
}

/// Takes a call of a provider in: first its signature, then all else.
pub fn take(call: Call, provider: &'static Provider) -> Answer {
    Box::pin(async move {
        let secret = call.app.settings.server.webhook_secret.as_ref();
        let Some(secret) = secret.map(|secret| secret.reveal(call.app.env())).transpose()? else {
            return Err(Problem::new(StatusCode::FORBIDDEN, "no-webhook-secret", "calls of webhooks are not taken")
                .hint("set `[server] webhook_secret_env`"));
        };
        if !(provider.is_signed)(&call.headers, &call.body, secret.as_bytes()) {
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "bad-signature", "the signature is missing or wrong"));
        }
        match judge(&call, provider)? {
            Asked::Ping => said("pong", None, None),
            Asked::Nothing(reason) => said("ignored", Some(reason), None),
            Asked::Job(job) => taken(call.app.with_jobs(move |jobs| jobs.submit(&job)).await?),
        }
    })
}

fn taken(submitted: Submitted) -> Result<axum::response::Response, Problem> {
    match submitted {
        Submitted::New(job) => {
            json(StatusCode::ACCEPTED, &Outcome { status: "accepted", reason: None, job_id: Some(job.id) })
        }
        Submitted::Repeated(job) => said("duplicate", Some("the delivery is known".into()), job.map(|job| job.id)),
        Submitted::Stale | Submitted::Conflict => said("ignored", Some("a newer push is known".into()), None),
    }
}

fn said(
    status: &'static str,
    reason: Option<String>,
    job_id: Option<String>,
) -> Result<axum::response::Response, Problem> {
    json(StatusCode::OK, &Outcome { status, reason, job_id })
}
