//! Readers: from the bytes of a file to a document with blocks, sections and exact positions.
#![deny(missing_docs)]

pub mod decode;
mod document;
#[cfg(test)]
mod fixture;
pub mod front_matter;
mod lines;
pub mod outline;
pub mod readers;
