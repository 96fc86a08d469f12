//! The kinds of source.

pub mod fs;
pub mod git;
#[cfg(feature = "object")]
pub mod object;
pub mod web;

use gristmill_core::Entry;

use crate::Build;

/// Every kind of source, by the name used in `type`.
pub static SOURCES: &[Entry<Build>] = &[
    Entry { name: "fs", summary: "files and folders of this machine", item: &fs::build },
    Entry { name: "git", summary: "a branch or commit of a git repository, near or far", item: &git::build },
    Entry { name: "web", summary: "pages of the web: a list, sitemaps, or what links lead to", item: &web::build },
    #[cfg(feature = "object")]
    Entry { name: "object", summary: "objects of S3, Google Cloud Storage or Azure", item: &object::build },
];
