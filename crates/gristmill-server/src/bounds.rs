//! What holds for every call: who may make it, how much it may send, how many at a time, and how long it may take.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Bytes, to_bytes};
use axum::extract::{Query, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use tokio::sync::Semaphore;

use crate::app::{Shared, WATCHED};
use crate::auth::{Caller, caller, ensure, ensure_here};
use crate::problem::Problem;
use crate::route::{Call, Right, Route};
use crate::serve::PathParts;
use crate::traces;

/// Answers a request by its entry in the table.
pub async fn answer(app: Shared, route: Arc<Route>, parts: PathParts, request: Request) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let span = app.traces.as_ref().and_then(|traces| traces.request(&request, route.path));
    let mut response = match admitted(&app, &route, &parts, request).await {
        Ok(response) => response,
        Err(problem) if route.is_page => crate::ui::sorry(&app, &problem),
        Err(problem) => problem.into_response(),
    };
    protect(&mut response);
    app.metrics.note(method.as_str(), route.path, response.status().as_u16(), begun.elapsed());
    if let Some(span) = span {
        traces::answered(span, &response);
    }
    response
}

async fn admitted(app: &Shared, route: &Route, parts: &PathParts, request: Request) -> Result<Response, Problem> {
    let headers = request.headers().clone();
    let caller = match route.right {
        Right::Token(scope) => {
            let caller = caller(app, &headers)?;
            ensure(&caller, scope)?;
            caller
        }
        Right::Open if app.is_open() => ensure_here(&headers).map(|()| Caller::local())?,
        Right::Open | Right::Signature => Caller::local(),
    };
    let Ok(_place) = places(app, route).try_acquire() else {
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", "too many requests at a time").later(1));
    };
    let query = Query::<HashMap<String, String>>::try_from_uri(request.uri());
    let query = query.map_err(|_| Problem::invalid("the query of the address is malformed"))?.0;
    let body = body(app, request).await?;
    let malformed = |_| Problem::new(StatusCode::BAD_REQUEST, "malformed", "the address is no UTF-8");
    let path = parts.as_ref().map_err(malformed)?;
    let path = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let call = Call { app: Arc::clone(app), caller, path, query, headers, body };
    let answer = (route.handler)(call);
    let Some(seconds) = route.seconds else { return answer.await };
    let late = |_| {
        let message = format!("no answer within {seconds} s");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too-slow", message).hint("run large work as a job").later(30)
    };
    tokio::time::timeout(Duration::from_secs(seconds), answer).await.map_err(late)?
}

/// Whose places a call takes. Those who watch the server, wait for a job, or have not said who they are must not take them from
/// the others.
fn places<'a>(app: &'a Shared, route: &Route) -> &'a Semaphore {
    if WATCHED.contains(&route.path) {
        return &app.watches;
    }
    match route.right {
        Right::Open | Right::Signature => &app.strangers,
        Right::Token(_) if route.seconds.is_none() => &app.streams,
        Right::Token(_) => &app.requests,
    }
}

/// Reads the body as far as it is allowed.
async fn body(app: &Shared, request: Request) -> Result<Bytes, Problem> {
    let most = (app.settings.server.max_body_mb as usize) << 20;
    let told =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let large = || {
        let message = format!("the body is larger than {} MB", app.settings.server.max_body_mb);
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
    };
    if told.is_some_and(|told| told > most as u64) {
        return Err(large());
    }
    let read = tokio::time::timeout(Duration::from_secs(60), to_bytes(request.into_body(), most)).await;
    let slow = |_| Problem::new(StatusCode::REQUEST_TIMEOUT, "too-slow", "the body did not come in time").later(1);
    read.map_err(slow)?.map_err(|_| large())
}

/// What a browser is told about every answer.
pub fn protect(response: &mut Response) {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Nothing for others; with `no-referrer` a browser would call the `Origin` of our own forms `null`.
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
}
