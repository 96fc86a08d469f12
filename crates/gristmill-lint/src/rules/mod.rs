//! The rules, one folder each.

mod empty_chunk;
mod mid_sentence_start;

use crate::Rule;

/// All rules, in the order in which they are told.
pub static RULES: &[&Rule] = &[&empty_chunk::RULE, &mid_sentence_start::RULE];
