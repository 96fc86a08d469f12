//! The kinds of source.

pub mod fs;

use gristmill_core::Entry;

use crate::Build;

/// Every kind of source, by the name used in `type`.
pub static SOURCES: &[Entry<Build>] =
    &[Entry { name: "fs", summary: "files and folders of this machine", item: &fs::build }];
