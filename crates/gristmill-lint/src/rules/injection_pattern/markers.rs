//! Marks that divide the turns of a chat in the prompts of well-known models.

use gristmill_core::Span;

const MARKERS: [&str; 20] = [
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|endofprompt|>",
    "<|start|>",
    "<|channel|>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<</SYS>>",
    "<start_of_turn>",
    "<end_of_turn>",
];

/// False when a text holds none, cheaply.
pub fn may_hold(text: &str) -> bool {
    ["<|", "INST]", "SYS>>", "_of_turn>"]
        .iter()
        .any(|part| memchr::memmem::find(text.as_bytes(), part.as_bytes()).is_some())
}

/// The first of them.
pub fn find(text: &str) -> Option<Span> {
    let places = MARKERS.iter().filter_map(|mark| Some((text.find(mark)?, mark.len())));
    places.min().map(|(start, len)| Span::new(start, start + len))
}
