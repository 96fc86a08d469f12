//! The service: an HTTP interface over the façade, jobs that survive a kill, webhooks, pages for people, and tools for agents.
//!
//! One process holds all of it. Requests are answered by tasks, work on documents is done on threads, jobs by a worker.
//! What may be called is said once, in the table of [`routes`]: the router, the rights and the description of the interface
//! are made from it.

mod app;
mod auth;
mod bounds;
mod evaluation;
mod extract;
mod mcp;
mod metrics;
mod openapi;
mod problem;
mod route;
mod routes;
mod serve;
mod stream;
mod token;
mod traces;
mod ui;
mod webhooks;

pub use mcp::{Mcp, mcp};
pub use serve::{Serve, check, serve};
pub use token::{NewToken, new_token};
#[doc(hidden)]
pub use webhooks::read_any;
