//! The rules, one folder each.

mod empty_chunk;
mod exact_duplicate;
mod mid_sentence_end;
mod mid_sentence_start;
mod near_duplicate;
mod split_word;

use crate::Rule;

/// All rules, in the order in which they are told.
pub static RULES: &[&Rule] = &[
    &empty_chunk::RULE,
    &mid_sentence_start::RULE,
    &mid_sentence_end::RULE,
    &split_word::RULE,
    &near_duplicate::RULE,
    &exact_duplicate::RULE,
];
