//! Readers: from the bytes of a file to a document with blocks, sections and exact positions.
#![deny(missing_docs)]

pub mod decode;
