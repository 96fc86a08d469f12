//! The program as people and scripts meet it: arguments, exit codes, what is written where.

#![expect(clippy::print_stdout, reason = "says what was skipped")]

mod ci;
mod compared;
mod config;
mod curate;
mod documents;
mod embedding;
#[cfg(feature = "readers")]
mod enriched;
mod errors;
mod eval;
mod extract;
mod full;
mod help;
mod init;
mod inspect;
mod kill;
mod lint;
mod mcp;
mod pages;
#[cfg(feature = "readers")]
mod pdf;
mod records;
mod run;
#[cfg(feature = "serve")]
mod serve;
mod service;
mod store;
mod stored;
mod streams;
mod unasked;
mod watch;
mod web;
