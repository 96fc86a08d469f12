//! Keeps a store in step with its sources: what has to be done ([`diff`]), and doing it ([`Apply`]).
//!
//! A document is written in this order: embed, upsert, commit, remove what is stale. A crash anywhere leaves extra
//! points, never missing ones, and the next run ends where an uninterrupted one would have.

mod apply;
mod diff;
mod document;
mod loss;
mod recipe;
mod shelf;

pub use apply::{Applied, Apply, ApplyOptions};
pub use diff::{Change, Diff, DiffOptions, Gone, Seen, Why, Work, diff};
pub use loss::Doubtful;
pub use recipe::{Recipe, Stage};
