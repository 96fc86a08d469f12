//! Whether it lives, whether it can work, and its figures.

use std::time::Duration;

use axum::http::{Method, StatusCode, header};
use axum::response::IntoResponse;
use gristmill::config::TokenScope;
use gristmill::status;
use schemars::JsonSchema;
use serde::Serialize;

use crate::problem::Problem;
use crate::route::{Answer, Call, Right, Route, json};

/// That it lives.
#[derive(Serialize, JsonSchema)]
struct Health {
    /// Always `ok`.
    status: &'static str,
    /// Version of gristmill.
    version: &'static str,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/healthz", "Whether the server lives", health)
            .right(Right::Open)
            .gives::<Health>(StatusCode::OK, "It lives"),
        Route::new(Method::GET, "/readyz", "Whether the server can do its work", ready)
            .right(Right::Open)
            .gives::<Health>(StatusCode::OK, "The store can be read"),
        Route::new(Method::GET, "/metrics", "Figures in the form of Prometheus", metrics)
            .right(Right::Token(TokenScope::Admin))
            .gives_kind(StatusCode::OK, "The figures", "text/plain"),
    ]
}

const ALIVE: Health = Health { status: "ok", version: env!("CARGO_PKG_VERSION") };

fn health(_: Call) -> Answer {
    Box::pin(async { json(StatusCode::OK, &ALIVE) })
}

fn ready(call: Call) -> Answer {
    Box::pin(async move {
        let settings = call.app.settings_of(&call.app.settings.project);
        let again = settings.clone();
        let mut looked = call.app.work(move || status(&settings)).await;
        if looked.is_err() {
            // The first job may be making the store just now.
            tokio::time::sleep(Duration::from_millis(500)).await;
            looked = call.app.work(move || status(&again)).await;
        }
        // Why not is for those who may look into the log; the address of a service is nobody else's business.
        looked.map_err(|problem| {
            (call.app.log)(&format!("not ready: {}", problem.detail));
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "not-ready", "the store cannot be read").later(5)
        })?;
        json(StatusCode::OK, &ALIVE)
    })
}

fn metrics(call: Call) -> Answer {
    Box::pin(async move {
        let counts = call.app.with_jobs(gristmill::service::Jobs::counts).await?;
        let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
        Ok((kind, call.app.metrics.text(&counts)).into_response())
    })
}
