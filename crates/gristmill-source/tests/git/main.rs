//! The git source over real repositories.

mod cache;
mod contents;
mod place;
mod remote;
