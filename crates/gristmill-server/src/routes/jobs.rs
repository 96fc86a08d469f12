//! Jobs: ask, follow, stop.

use std::time::Duration;

use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use gristmill::service::{Job, Mode, NewJob, Submitted, allows_callback};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::problem::Problem;
use crate::route::{Answer, Call, JSON, Route, json};
use crate::stream::follow;
use crate::token::hexadecimal;

/// An ingest that is asked for.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JobRequest {
    /// Whose documents; by default those of the settings.
    project: Option<String>,
    /// How much is done anew: what has changed, every document, or every document and every vector.
    mode: Mode,
    /// Paths of documents and folders that alone are looked at; by default all are.
    #[schemars(length(max = 10_000), inner(regex(pattern = WITHIN)))]
    select: Option<Vec<String>>,
    /// A plan that is followed to the letter, or refused because something has changed.
    plan_id: Option<String>,
    /// Nothing is written: the report of the job is the plan.
    dry_run: bool,
    /// Where the job is sent when it has ended, by `POST`. Addresses of private networks are refused.
    #[schemars(regex(pattern = r"^https?://[!-~]+$"))]
    callback_url: Option<String>,
}

/// Jobs, newest first.
#[derive(Serialize, JsonSchema)]
struct Listed {
    /// The jobs.
    jobs: Vec<Job>,
    /// What to send as `before` for those before; null at the end.
    next: Option<String>,
}

/// Paths within a source: no root before them, no step up, and at least one name.
pub const WITHIN: &str = r"^(\./+)*([^/.][^/]*|\.[^/.][^/]*|\.\.[^/]+)(/([^/.][^/]*|\.[^/.][^/]*|\.\.[^/]+|\.)?)*$";

/// Paths in a selection at most.
const SELECTED: usize = 10_000;
/// Jobs of a project that may wait their turn.
const WAITING: u64 = 1_000;
/// How long a call may wait for the end of a job.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

pub fn routes() -> Vec<Route> {
    let ok = StatusCode::OK;
    vec![
        Route::new(Method::POST, "/v1/jobs", "Ask for an ingest", submit)
            .header("Idempotency-Key", "A repeated call with the same key asks for nothing new", text(1, 255))
            .takes::<JobRequest>()
            .gives::<Job>(StatusCode::ACCEPTED, "The job; `Location` is its address")
            .fails(StatusCode::CONFLICT, "The key belongs to another request")
            .fails(StatusCode::TOO_MANY_REQUESTS, "Too many jobs wait their turn"),
        Route::new(Method::GET, "/v1/jobs", "The newest jobs", list)
            .query("limit", "Jobs at most", json!({ "type": "integer", "minimum": 1, "maximum": 1000, "default": 100 }))
            .query("before", "Only jobs before this one", json!({ "type": "string", "pattern": "^job-[0-9]{1,18}$" }))
            .gives::<Listed>(ok, "Jobs, newest first"),
        Route::new(Method::GET, "/v1/jobs/{id}", "A job", show)
            .query(
                "wait",
                "Answer when it has ended, or after this time, such as 30s",
                json!({ "type": "string", "pattern": "^[0-9]{1,9}s?$" }),
            )
            .seconds(None)
            .gives::<Job>(ok, "The job"),
        Route::new(Method::GET, "/v1/jobs/{id}/events", "Follow a job", events)
            .header("Last-Event-ID", "The event that was seen last", json!({ "type": "string" }))
            .seconds(None)
            .gives_kind(ok, "An event `job` with the whole job after each change, until it ends", "text/event-stream")
            .gives_kind(StatusCode::NO_CONTENT, "It has ended, and the caller has seen that", ""),
        Route::new(Method::GET, "/v1/jobs/{id}/report", "What a job did", report)
            .gives::<Value>(ok, "The report of the ingest; of a dry run the plan")
            .fails(StatusCode::CONFLICT, "The job has not ended"),
        Route::new(Method::POST, "/v1/jobs/{id}/cancel", "Stop a job", cancel)
            .gives::<Job>(ok, "The job, which has ended now"),
        Route::new(Method::POST, "/v1/jobs/{id}/retry", "Ask for the same again", retry)
            .gives::<Job>(StatusCode::ACCEPTED, "The new job; `Location` is its address")
            .fails(StatusCode::CONFLICT, "The job has not ended"),
    ]
}

fn text(least: usize, most: usize) -> Value {
    json!({ "type": "string", "minLength": least, "maxLength": most })
}

impl Call {
    /// The job of the path, when the caller may see it.
    pub async fn job(&self) -> Result<Job, Problem> {
        let id = self.part("id").to_owned();
        let wanted = id.clone();
        let found = self.app.with_jobs(move |jobs| jobs.job(&wanted)).await?;
        found.filter(|job| self.caller.may_see(&job.project)).ok_or_else(|| Problem::not_found("job", &id))
    }

    /// Fails when too many jobs wait their turn.
    pub async fn ensure_room(&self) -> Result<(), Problem> {
        let counts = self.app.with_jobs(gristmill::service::Jobs::counts).await?;
        let waiting = counts.iter().find(|(status, _)| status == "queued").map_or(0, |(_, count)| *count);
        if waiting < WAITING {
            return Ok(());
        }
        Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-jobs", format!("{waiting} jobs wait their turn"))
            .later(30))
    }
}

/// A job that was taken in, with its address.
pub fn accepted(job: &Job) -> Result<Response, Problem> {
    let mut response = json(StatusCode::ACCEPTED, job)?;
    if let Ok(place) = HeaderValue::from_str(&format!("/v1/jobs/{}", job.id)) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

fn submit(call: Call) -> Answer {
    Box::pin(async move {
        let request: JobRequest = call.object(&[])?;
        check(&request, call.app.settings.server.allow_private_callbacks)?;
        call.ensure_room().await?;
        let project = call.app.project(&call.caller, request.project.as_deref())?;
        let key = call.header("idempotency-key").map(|key| (key.to_owned(), hexadecimal(&Sha256::digest(&call.body))));
        if key.as_ref().is_some_and(|(key, _)| key.is_empty() || key.len() > 255) {
            return Err(Problem::invalid("the key must have 1 to 255 characters").pointing("Idempotency-Key", "length"));
        }
        if let Some(id) = &request.plan_id {
            super::plans::of(&call, id, &project).await.map_err(|problem| problem.pointing("/plan_id", "not known"))?;
        }
        let new = NewJob {
            project,
            mode: request.mode,
            select: selection(request.select)?,
            dry_run: request.dry_run,
            plan_id: request.plan_id,
            cause: "api".into(),
            callback: request.callback_url,
            request: key,
            ..NewJob::default()
        };
        answer(call.app.with_jobs(move |jobs| jobs.submit(&new)).await?)
    })
}

fn answer(submitted: Submitted) -> Result<Response, Problem> {
    match submitted {
        Submitted::New(job) | Submitted::Repeated(Some(job)) => accepted(&job),
        Submitted::Repeated(None) => Err(Problem::not_found("job any more for this", "Idempotency-Key")),
        Submitted::Conflict | Submitted::Stale => {
            Err(Problem::new(StatusCode::CONFLICT, "key-reused", "the key belongs to another request")
                .pointing("Idempotency-Key", "used before with another body"))
        }
    }
}

/// Paths of a selection as documents have them: `./a/` is `a`.
pub fn selection(paths: Option<Vec<String>>) -> Result<Option<Vec<String>>, Problem> {
    let Some(paths) = paths else { return Ok(None) };
    if paths.len() > SELECTED {
        return Err(Problem::invalid(format!("more than {SELECTED} paths")).pointing("/select", "too many"));
    }
    let plain = |(at, path): (usize, &String)| {
        let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        if parts.is_empty() || path.starts_with('/') || parts.contains(&"..") {
            let wrong = "must be a path within a source";
            let problem = Problem::invalid(format!("a path of `select` {wrong}"));
            return Err(problem.pointing(format!("/select/{at}"), wrong).hint("without `select` all are looked at"));
        }
        Ok(parts.join("/"))
    };
    paths.iter().enumerate().map(plain).collect::<Result<_, _>>().map(Some)
}

fn check(request: &JobRequest, private: bool) -> Result<(), Problem> {
    let is_web = |url: &String| {
        let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
        rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic()))
    };
    let Some(url) = &request.callback_url else { return Ok(()) };
    let wrong = if !is_web(url) {
        "must be an address of http or https"
    } else if !allows_callback(url, private) {
        "must not be on this machine or in a private network: `allow_private_callbacks` in `[server]` allows it"
    } else {
        return Ok(());
    };
    Err(Problem::invalid(format!("`callback_url` {wrong}")).pointing("/callback_url", wrong))
}

fn list(call: Call) -> Answer {
    Box::pin(async move {
        let limit = call.number("limit", 100, 1000)?;
        let before = call.query.get("before").cloned();
        let is_name =
            |name: &String| name.strip_prefix("job-").is_some_and(|n| n.len() <= 18 && n.parse::<u64>().is_ok());
        if before.as_ref().is_some_and(|before| !is_name(before)) {
            return Err(Problem::invalid("`before` is not the name of a job").pointing("before", "not a name"));
        }
        let projects = call.caller.projects().map(<[String]>::to_vec);
        let jobs = call.app.with_jobs(move |jobs| jobs.list(projects.as_deref(), before.as_deref(), limit)).await?;
        let next = jobs.last().filter(|_| jobs.len() == limit).map(|job| job.id.clone());
        json(StatusCode::OK, &Listed { jobs, next })
    })
}

fn show(call: Call) -> Answer {
    Box::pin(async move {
        let wait = call.time("wait", LONGEST_WAIT)?;
        let mut job = call.job().await?;
        if let Some(wait) = wait {
            let (mut news, mut ending) = (call.app.news.subscribe(), call.app.ending.subscribe());
            let end = tokio::time::Instant::now() + wait;
            while !job.status.is_final() && !*ending.borrow() {
                tokio::select! {
                    _ = news.changed() => {}
                    _ = ending.changed() => {}
                    () = tokio::time::sleep_until(end) => break,
                }
                job = call.job().await?;
            }
        }
        json(StatusCode::OK, &job)
    })
}

fn events(call: Call) -> Answer {
    Box::pin(async move {
        let job = call.job().await?;
        let seen = call.header("last-event-id").and_then(|id| id.parse().ok());
        // A browser asks again and again until it is told that nothing more will come.
        if job.status.is_final() && seen.is_some_and(|seen| seen >= job.version) {
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
        follow(call.app, job.id, seen)
    })
}

fn report(call: Call) -> Answer {
    Box::pin(async move {
        let job = call.job().await?;
        let id = job.id.clone();
        let report = call.app.with_jobs(move |jobs| jobs.report(&id)).await?;
        if report.is_none() && !job.status.is_final() {
            return Err(not_ended(&job).later(1));
        }
        // What failed before it began has no more to tell than its error.
        let report = report.unwrap_or_else(|| json!({ "error": job.error }).to_string());
        Ok(([(header::CONTENT_TYPE, JSON)], report).into_response())
    })
}

fn cancel(call: Call) -> Answer {
    Box::pin(async move {
        let id = call.job().await?.id;
        let wanted = id.clone();
        let job = call.app.with_jobs(move |jobs| jobs.cancel(&wanted)).await?;
        json(StatusCode::OK, &job.ok_or_else(|| Problem::not_found("job", &id))?)
    })
}

fn not_ended(job: &Job) -> Problem {
    Problem::new(StatusCode::CONFLICT, "not-ended", format!("the job `{}` has not ended", job.id))
}

fn retry(call: Call) -> Answer {
    Box::pin(async move {
        let job = call.job().await?;
        if !job.status.is_final() {
            return Err(not_ended(&job));
        }
        call.ensure_room().await?;
        answer(call.app.with_jobs(move |jobs| jobs.retry(&job)).await?)
    })
}
