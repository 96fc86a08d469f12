//! A writer of exact Markdown (CommonMark with GFM tables), for readers that turn a file into it.
//!
//! What the file says is said by the Markdown, and nothing else: characters that would be read as structure are escaped,
//! and only those. [`Inline`] makes the text of one paragraph, heading or cell; [`Markdown`] puts blocks together.

mod blocks;
mod code;
mod escape;
mod inline;
mod table;
#[cfg(test)]
mod tests;

pub use blocks::Markdown;
pub use inline::{Inline, Mark};
pub use table::{Align, Table};
