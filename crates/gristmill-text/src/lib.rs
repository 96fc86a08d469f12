//! What text is made of: sentences, words, graphemes, tokens.

pub mod clean;
pub mod count;
pub mod inspect;
pub mod keywords;
pub mod language;
mod plain;
pub mod resume;
#[cfg(test)]
mod sample;
pub mod segment;
pub mod similar;
