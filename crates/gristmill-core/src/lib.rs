//! The words gristmill is built from: documents, blocks, chunks and their parts, diagnostics, errors, and the
//! traits at which readers, chunkers, embedders and stores meet.
//!
//! Nothing here reads a file, asks the time or knows a format. Every fact is stored once: later stages borrow what an
//! earlier one found, so that positions and identities are carried from the first byte and never searched for again.
#![deny(missing_docs)]

mod chunk;
mod diagnostic;
mod document;
mod embed;
mod error;
mod id;
mod map;
mod seams;
mod similarity;
mod span;
mod store;
mod stored;

pub use chunk::{Chunk, Part, PartKind};
pub use diagnostic::{Diagnostic, Outcome, Place, Severity};
pub use document::{Attrs, Block, BlockKind, Document, Origin, Pages, ROOT, Section};
pub use embed::{EmbedError, EmbedLimits, EmbedQueue, Embedded, Embedder, Purpose, Remedy};
pub use error::{Error, ErrorKind, Result, Retry};
pub use id::{ChunkId, DocumentId, Fingerprint, OccurrenceCounter, uuid_v5};
pub use map::{Edit, EditKind, OffsetMap};
pub use seams::{ChunkCx, Chunker, ContextMode, Entry, Input, Limits, Measured, Reader, Sizer, Unit};
pub use similarity::{Similarity, Threshold};
pub use span::Span;
pub use store::{
    Filter, Hit, Point, Query, Reads, Retriever, Store, StoredPoint, Tracked, VectorSpec, Version, Writer,
};
pub use stored::{Damage, Damaged};
