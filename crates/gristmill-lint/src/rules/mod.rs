//! The rules, one folder each.

mod boilerplate;
mod duplicate_id;
mod empty_chunk;
mod exact_duplicate;
mod heading_only;
mod hidden_text;
mod injection_pattern;
mod link_farm;
mod low_information;
mod mid_sentence_end;
mod mid_sentence_start;
mod missing_heading;
mod missing_metadata;
mod missing_source;
mod missing_text;
mod mojibake;
mod near_duplicate;
mod orphan_table;
mod oversized_chunk;
mod pdf_noise;
mod replacement_character;
mod split_code;
mod split_list_item;
mod split_word;
mod tiny_chunk;
mod trailing_heading;
mod unclosed_fence;

use crate::Rule;

/// All rules, in the order in which they are told.
pub static RULES: &[&Rule] = &[
    &empty_chunk::RULE,
    &mid_sentence_start::RULE,
    &tiny_chunk::RULE,
    &unclosed_fence::RULE,
    &orphan_table::RULE,
    &near_duplicate::RULE,
    &oversized_chunk::RULE,
    &pdf_noise::RULE,
    &missing_heading::RULE,
    &mid_sentence_end::RULE,
    &exact_duplicate::RULE,
    &duplicate_id::RULE,
    &missing_source::RULE,
    &missing_text::RULE,
    &missing_metadata::RULE,
    &heading_only::RULE,
    &trailing_heading::RULE,
    &split_list_item::RULE,
    &split_code::RULE,
    &split_word::RULE,
    &mojibake::RULE,
    &replacement_character::RULE,
    &boilerplate::RULE,
    &link_farm::RULE,
    &low_information::RULE,
    &hidden_text::RULE,
    &injection_pattern::RULE,
];
