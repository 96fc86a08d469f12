//! What text is made of: sentences, words, graphemes, tokens.

pub mod clean;
pub mod count;
#[cfg(test)]
mod sample;
pub mod segment;
