//! A job as a stream of events: each is the job as it is then, so that whoever misses one misses nothing.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use gristmill::service::Job;
use tokio::sync::{OwnedSemaphorePermit, watch};

use crate::app::Shared;
use crate::problem::Problem;

struct Following {
    app: Shared,
    id: String,
    seen: Option<u64>,
    news: watch::Receiver<u64>,
    ending: watch::Receiver<bool>,
    done: bool,
    _place: OwnedSemaphorePermit,
}

/// The job now and after each change, until it ends. `seen` is the version that the caller has.
///
/// # Errors
/// When too many are followed.
pub fn follow(app: Shared, id: String, seen: Option<u64>) -> Result<Response, Problem> {
    let full = |_| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", "too many jobs are followed").later(5);
    let place = Arc::clone(&app.streams).try_acquire_owned().map_err(full)?;
    let (news, ending) = (app.news.subscribe(), app.ending.subscribe());
    let following = Following { app, id, seen, news, ending, done: false, _place: place };
    let events = stream::unfold(following, |mut following| async {
        let job = following.next().await?;
        Some((Ok::<_, Infallible>(event(&job)), following))
    });
    let mut response = Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response();
    // Proxies must not hold it back.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

impl Following {
    async fn next(&mut self) -> Option<Job> {
        while !self.done {
            // Marked as seen before the look, so that what changes meanwhile is looked at again.
            self.news.borrow_and_update();
            let id = self.id.clone();
            let job = self.app.with_jobs(move |jobs| jobs.job(&id)).await.ok().flatten()?;
            self.done = job.status.is_final();
            if self.seen.is_none_or(|seen| job.version > seen) {
                self.seen = Some(job.version);
                return Some(job);
            }
            if self.done || *self.ending.borrow() {
                return None;
            }
            tokio::select! {
                changed = self.news.changed() => changed.ok()?,
                _ = self.ending.changed() => return None,
            }
        }
        None
    }
}

fn event(job: &Job) -> Event {
    let event = Event::default().event("job").id(job.version.to_string());
    event.json_data(job).unwrap_or_else(|_| Event::default().comment("lost"))
}
