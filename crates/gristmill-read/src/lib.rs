//! Readers: from the bytes of a file to a document with blocks, sections and exact positions.
//!
//! [`choose`] says which reader a file is for; every reader is in [`READERS`] and lives in a folder of its own under
//! [`readers`]. All of them take their text from [`decode`] and are pure: no file, no network, no panic on any bytes.
#![deny(missing_docs)]

#[cfg(feature = "office")]
mod archive;
mod choose;
pub mod converted;
pub mod decode;
mod document;
#[cfg(test)]
mod fixture;
pub mod front_matter;
mod lines;
pub mod markup;
pub mod outline;
mod pieces;
pub mod readers;
#[cfg(any(feature = "html", feature = "office"))]
mod scripts;
mod window;
#[cfg(feature = "office")]
mod xml;

pub use choose::{Choice, choose};
pub use readers::{READERS, reader_by_name};
pub use window::window_end;
