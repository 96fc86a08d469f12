//! Where documents come from: listing what is there without reading it, and fetching the bytes of one document.
//!
//! Nothing here reads the environment, the current folder or the clock: the caller hands them in. A source that cannot
//! be listed whole says which parts it could not see, so that a missing document is never taken for a deleted one.
#![deny(missing_docs)]

mod copies;
mod names;
mod raw;
mod select;
pub mod sources;
mod spec;
pub mod watch;

pub use raw::{HELD_MAX, Raw};
pub use select::check_glob;
#[cfg(feature = "object")]
pub use sources::object::ObjectSource;
pub use sources::{SOURCES, fs::FsSource, git::GitSource, web::WebSource};
pub use spec::{Build, GitSpec, Listed, Listing, ObjectSpec, Source, SourceSpec, Symlinks, WebSpec};
