//! gristmill: documents in, retrieval-ready chunks out, kept in step with their source, with proof.
//!
//! This crate joins the parts: options become settings ([`config`]), settings become tools, and the registries of
//! readers, strategies, sources, embedders and stores meet here and nowhere else. Front ends depend on it alone.
//!
//! ```
//! use gristmill::config::{self, Task};
//!
//! let settings = config::resolve(Task::Chunk, ".".as_ref(), &[]).unwrap().value;
//! assert_eq!(settings.chunk.max, 600);
//! ```
#![deny(missing_docs)]

mod at_hand;
mod check;
mod compare;
pub mod config;
mod corpus;
mod cut_now;
mod documents;
mod embed_given;
pub mod eval;
mod extract;
mod given;
mod inbox;
mod ingest;
mod init;
mod inspect;
mod kinds;
mod lint;
mod open;
mod own_text;
#[cfg(feature = "pdf")]
mod pdf;
mod preview;
mod readers;
mod ready;
mod run;
mod search;
pub mod service;
mod similar;
mod stored;
mod toolkit;
mod watched;

pub use at_hand::{TakeRecord, chunk_given, title};
pub use check::check;
pub use compare::{ChangedChunk, ChunkChange, ChunkChanges, Comparison, SourceChanges, compare};
pub use corpus::{CorpusTokens, corpus_tokens};
pub use cut_now::{CutNow, cut_for_page, cut_given, cut_now};
pub use documents::{Documents, Inputs};
pub use embed_given::embed_given;
pub use extract::{Take, extract};
pub use given::Given;
pub use gristmill_chunk::STRATEGIES;
pub use gristmill_core::{
    Attrs, Block, BlockKind, Diagnostic, Document, Error, ErrorKind, Hit, Outcome, Result, Retriever, Severity, Sizer,
    Unit,
};
pub use gristmill_embed::{EMBEDDERS, Model, models};
pub use gristmill_format::{self as format, chunk_file, findings, report};
pub use gristmill_read::READERS;
pub use gristmill_source::{SOURCES, watch};
pub use gristmill_store::STORES;
pub use gristmill_text::count::{TOKENIZERS, sizer};
pub use ingest::{
    Chunks, Drift, DriftKind, Files, IngestFailure, IngestOptions, IngestReport, Plan, PlannedChange, PlannedChunks,
    PlannedDocument, VerifyReport, ingest, ingest_given, ingest_given_into, ingest_into, plan, verify,
    verify_and_repair,
};
pub use init::{CiFile, CiKind, Proposal, ProposedSource, ci_file, propose};
pub use inspect::{ChunkFile, InspectOptions, InspectReport, Share, inspect};
pub use kinds::{FileKind, file_kind, unread_kinds};
pub use lint::{
    CutDocuments, Fate, Fates, Fixed, LintCx, Scanned, cut_documents, find_rule, fix, is_chunk_file, open_chunks,
    rule_infos, scan, tripped, trips,
};
#[cfg(feature = "pdf")]
pub use pdf::read_pdf;
pub use preview::{CuttingTold, Preview, PreviewedChunk, preview};
pub use run::{RunCx, deliver};
pub use search::{Found, Passage, SearchOptions, search, search_passages};
pub use stored::{
    ExportOptions, Exported, GcReport, Incomplete, Lineage, ModelInMaking, ModelOf, Neighbour, Present, PresentState,
    Status, StoreAt, export, gc, lineage, status,
};
pub use watched::watched_paths;
