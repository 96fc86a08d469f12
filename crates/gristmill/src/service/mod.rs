//! What a server needs: ingests as jobs that wait their turn, survive a kill, and can be followed and cancelled.
//!
//! [`Jobs`] keeps them in an SQLite file beside the store, [`Worker`] runs them one at a time a project. A job that is
//! cancelled closes its gate: from then on nothing of it reaches the store, whatever its threads still do. As every step of
//! an ingest leaves a consistent store, so does a job that ends anywhere.

mod callback;
mod claim;
mod documents;
mod gate;
mod guarded;
mod job;
mod jobs;
mod plans;
mod poster;
mod remote;
mod run;
mod stored;
mod submit;
mod table;
mod worker;

pub use crate::inbox::Inbox;
pub use callback::allows_callback;
pub use claim::Claimed;
pub use documents::{StoredDocument, document_id, stored_chunks, stored_document, stored_documents};
pub use gate::Gate;
pub use job::{Commits, Job, JobError, JobProgress, JobStatus, Mode, Moment, Scope, Stage};
pub use jobs::Jobs;
pub use plans::SavedPlan;
pub use poster::{Posted, Poster};
pub use remote::Remote;
pub use stored::scan_stored;
pub use submit::{Delivery, NewJob, Submitted};
pub use worker::{ServiceCx, Worker};
