//! Runs the stages over many documents: read, clean, chunk, enrich, validate, deliver.
//!
//! The pipeline knows the traits of the core and never who implements them: a run is put together in [`stages`]. Documents
//! are worked on in parallel and handed on in order ([`ordered`]), large ones in windows ([`work`]).

mod count;
mod facts;
mod ordered;
mod position;
mod records;
mod restart;
mod run;
mod spool;
mod stages;
pub mod sync;
mod validate;
mod window;
mod work;

pub use facts::Facts;
pub use ordered::ordered;
pub use run::{Arrival, Duplicates, Progress, RunOptions, Sink, run};
pub use stages::{Content, Cutting, EnrichOptions, Job, Lint, Linted, Pick, Remark, Stages};
pub use validate::Flaw;
pub use work::{Summary, UNCOVERED, WINDOW, Worked, read_whole};
