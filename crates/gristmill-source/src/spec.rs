//! What a source is told, and what it answers.

use std::path::PathBuf;
use std::time::SystemTime;

use gristmill_core::{Outcome, Result};

use crate::Raw;

/// A place that holds documents.
pub trait Source: Send + Sync {
    /// Names everything there is, without reading any content. Sorted by [`Listed::path`], each once.
    ///
    /// # Errors
    /// When nothing can be listed at all. Parts that cannot be listed are in [`Listing::unseen`] and have a diagnostic.
    fn list(&self) -> Result<Outcome<Listing>>;

    /// The bytes of one document.
    ///
    /// # Errors
    /// When it cannot be read (any more).
    fn fetch(&self, listed: &Listed) -> Result<Raw>;

    /// The file of this machine that holds a document; `None` for sources of another kind.
    fn file(&self, _listed: &Listed) -> Option<PathBuf> {
        None
    }
}

/// What a source holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The documents, sorted by path, no path twice.
    pub entries: Vec<Listed>,
    /// Folders (by path relative to the root, the root itself as the empty text) and files that could not be looked at.
    /// Whatever lies in them may still exist.
    pub unseen: Vec<String>,
}

/// One document that a source offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Relative to the root of the source, with `/`. Names that are not Unicode are escaped, see [`Listed::escaped`].
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Last change, where the source knows one.
    pub modified: Option<SystemTime>,
    /// True when `path` differs from the name itself: bytes that are not UTF-8 are written as `\xHH`, and a backslash
    /// that would read as such an escape is written as `\x5C`.
    pub escaped: bool,
}

/// What to do with symbolic links found below a root. A root may itself be a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symlinks {
    /// Follow those that stay within the source's root; name the others.
    #[default]
    Within,
    /// Follow all.
    Anywhere,
    /// Follow none.
    Never,
}

/// What a source is built from.
#[derive(Clone, Debug, Default)]
pub struct SourceSpec {
    /// The current folder, absolute: what relative paths are relative to.
    pub folder: PathBuf,
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// The folder that names are relative to; see [`crate::FsSource::open`] for what holds without one.
    pub root: Option<PathBuf>,
    /// Globs as in `.gitignore` files: only matching files are listed. Empty means all.
    pub include: Vec<String>,
    /// Globs as in `.gitignore` files: matching files and folders are left out.
    pub exclude: Vec<String>,
    /// False leaves out files named `README`, whatever their extension and letter case.
    pub readmes: bool,
    /// What to do with symbolic links.
    pub symlinks: Symlinks,
}

/// Makes a source.
pub type Build = dyn Fn(&SourceSpec) -> Result<Box<dyn Source>> + Sync;
