//! What text is made of: sentences, words, graphemes, tokens.

pub mod segment;
