//! `gristmill serve`: jobs, webhooks, documents, rights, bounds, traces.

mod documents;
mod http;
mod jobs;
mod rights;
mod server;
mod texts;
mod traces;
mod webhooks;
