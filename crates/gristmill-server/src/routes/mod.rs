//! What can be called, one file a subject. A subject joins by its file and its line in [`all`].

mod documents;
mod health;
mod jobs;
mod plans;
mod search;
mod texts;
mod webhooks;

use axum::http::StatusCode;

use crate::problem::Problem;
use crate::route::Route;
pub use search::{SearchRequest, hit};
pub use texts::settings_with;
pub use webhooks::take as take_webhook;

/// Everything that can be called.
pub fn all() -> Vec<Route> {
    [
        health::routes(),
        jobs::routes(),
        plans::routes(),
        documents::routes(),
        texts::routes(),
        search::routes(),
        webhooks::routes(),
        vec![crate::mcp::route()],
        crate::ui::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What is answered where nothing can be called.
pub fn nowhere() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not-found", "there is nothing at this address")
        .hint("what can be called is listed at /docs")
}
