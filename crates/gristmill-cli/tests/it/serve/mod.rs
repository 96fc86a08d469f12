//! `gristmill serve`: jobs, webhooks, documents, rights, bounds.

mod documents;
mod http;
mod jobs;
mod rights;
mod server;
mod texts;
mod webhooks;
