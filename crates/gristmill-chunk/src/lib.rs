//! Cuts documents into chunks.
//!
//! A strategy says where a document may be cut and how good each place is ([`border`]); what follows is shared by all:
//! units larger than a chunk are opened ([`split`]), the cheapest cuts are chosen ([`pack`]), and each chunk is built from
//! its own text and what is injected around it, its size counted on the final text ([`assemble`]).

mod apart;
mod assemble;
mod blocks;
mod border;
mod context;
mod cut;
#[cfg(test)]
mod fixture;
mod lines;
mod overlap;
mod pack;
mod split;
mod strategies;
mod units;

use gristmill_core::{Chunker, Entry, Error, Result};

/// The strategies, by name.
pub static STRATEGIES: &[Entry<dyn Chunker>] = &[
    Entry { name: "markdown", summary: "along sections, blocks, items and sentences", item: &strategies::Markdown },
    Entry { name: "recursive", summary: "by a hierarchy of separators, for any text", item: &strategies::Recursive },
    Entry { name: "paragraph", summary: "whole paragraphs up to the limit", item: &strategies::Paragraph },
    Entry { name: "sentence", summary: "whole sentences up to the target, or N a chunk", item: &strategies::Sentence },
    Entry { name: "fixed", summary: "windows of a fixed size with overlap", item: &strategies::Fixed },
    Entry { name: "semantic", summary: "where neighbouring sentences are least alike", item: &strategies::Semantic },
    Entry { name: "code", summary: "source code by definition, large ones at statements", item: &strategies::Code },
    Entry { name: "page", summary: "one page a chunk, for paged documents", item: &strategies::Page },
    Entry {
        name: "auto",
        summary: "code by definition, logs by entry, PDF by page, all else as markdown",
        item: &strategies::Auto,
    },
];

/// The strategy of this name.
///
/// # Errors
/// When there is none.
pub fn strategy(name: &str) -> Result<&'static dyn Chunker> {
    let found = STRATEGIES.iter().find(|entry| entry.name == name);
    found.map(|entry| entry.item).ok_or_else(|| {
        let names: Vec<&str> = STRATEGIES.iter().map(|entry| entry.name).collect();
        Error::config(format!("there is no strategy `{name}`")).hint(format!("choose one of {}", names.join(", ")))
    })
}
