//! Walking folders.

use std::collections::HashSet;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gristmill_core::{Diagnostic, Outcome, Severity};
use ignore::{DirEntry, WalkBuilder};

use crate::names::text_of;
use crate::select::Selection;
use crate::{Listed, Listing};

/// What has been found so far.
pub(super) struct Collector<'a> {
    pub(super) base: &'a Path,
    pub(super) selection: &'a Arc<Selection>,
    pub(super) listing: Listing,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Links met on the way, relative to the base.
    pub(super) links: Vec<PathBuf>,
    /// Real paths of files reached through links.
    pub(super) reached: HashSet<PathBuf>,
}

/// A folder that is reached through a link.
pub(super) struct Via<'a> {
    /// Relative to the base.
    pub(super) link: &'a Path,
    /// Where it leads.
    pub(super) real: &'a Path,
    /// How many entries, sorted, were reached without links, and the real path of the base.
    pub(super) direct: usize,
    pub(super) real_base: &'a Path,
}

impl<'a> Collector<'a> {
    pub(super) fn new(base: &'a Path, selection: &'a Arc<Selection>) -> Self {
        Self {
            base,
            selection,
            listing: Listing::default(),
            diagnostics: Vec::new(),
            links: Vec::new(),
            reached: HashSet::new(),
        }
    }

    /// Lists what is below the folder `path`, relative to the base. Links are noted, not followed.
    pub(super) fn walk(&mut self, path: &Path, via: Option<&Via<'_>>) {
        for entry in self.walker(path) {
            match entry {
                Ok(entry) => self.entry(&entry, via),
                Err(error) => self.unseen(&error),
            }
        }
    }

    fn walker(&self, path: &Path) -> ignore::Walk {
        let root = self.base.join(path);
        let (base, selection) = (self.base.to_owned(), Arc::clone(self.selection));
        // In a repository git's own rules hold, with ignore files read from its top; elsewhere every folder above counts.
        let in_repository = root.ancestors().any(|folder| folder.join(".git").exists());
        let mut builder = WalkBuilder::new(&root);
        builder
            .hidden(false)
            .ignore(false)
            .git_global(false)
            .git_exclude(false)
            .require_git(in_repository)
            .follow_links(false)
            .add_custom_ignore_filename(".gristmillignore")
            .filter_entry(move |entry| {
                let is_folder = entry.file_type().is_some_and(|t| t.is_dir());
                let relative = entry.path().strip_prefix(&base).unwrap_or(entry.path());
                // A link may lead to a folder, so it is looked at once its target is known.
                entry.depth() == 0 || entry.path_is_symlink() || selection.wants(relative, is_folder)
            });
        builder.build()
    }

    fn entry(&mut self, entry: &DirEntry, via: Option<&Via<'_>>) {
        let Ok(path) = entry.path().strip_prefix(self.base) else { return };
        if let Some(error) = entry.error() {
            let message = format!("ignore file has a line that cannot be understood: {error}");
            self.note("malformed-ignore-file", Severity::Low, path, message);
        }
        let Some(kind) = entry.file_type() else { return };
        if entry.depth() == 0 || kind.is_dir() {
            return;
        }
        if kind.is_symlink() {
            self.links.push(path.to_owned());
        } else if via.is_none_or(|via| self.is_new(path, via)) {
            match entry.metadata() {
                Ok(metadata) => self.add(path, &metadata),
                Err(error) => self.unseen(&error),
            }
        }
    }

    /// True when the file has not been listed under another name.
    fn is_new(&mut self, path: &Path, via: &Via<'_>) -> bool {
        let Ok(below) = path.strip_prefix(via.link) else { return true };
        let real = via.real.join(below);
        !self.is_listed(&real, via.real_base, via.direct) && self.reached.insert(real)
    }

    /// True when the file with this real path is among the first `direct` entries.
    pub(super) fn is_listed(&self, real: &Path, real_base: &Path, direct: usize) -> bool {
        let Ok(path) = real.strip_prefix(real_base) else { return false };
        let text = text_of(path).0;
        self.listing.entries[..direct].binary_search_by(|e| e.path.as_str().cmp(&text)).is_ok()
    }

    /// Lists a file that was named itself.
    pub(super) fn take(&mut self, path: &Path) {
        match std::fs::metadata(self.base.join(path)) {
            Ok(metadata) => self.add(path, &metadata),
            Err(error) => self.unseen_path(path, &error.to_string()),
        }
    }

    pub(super) fn add(&mut self, path: &Path, metadata: &Metadata) {
        if !metadata.is_file() {
            let message = "skipped: neither file nor folder (a pipe, socket or device)";
            return self.note("special-file", Severity::Low, path, message);
        }
        let (path, escaped) = text_of(path);
        self.listing.entries.push(Listed { path, size: metadata.len(), modified: metadata.modified().ok(), escaped });
    }

    pub(super) fn note(&mut self, code: &'static str, severity: Severity, path: &Path, message: impl Into<String>) {
        let source = text_of(path).0;
        let source = if source.is_empty() { "." } else { &source };
        self.diagnostics.push(Diagnostic::new(code, severity, source, message));
    }

    fn unseen(&mut self, error: &ignore::Error) {
        let path = path_in(error).and_then(|path| path.strip_prefix(self.base).ok()).unwrap_or(Path::new(""));
        if is_gone(error) && path != Path::new("") {
            return; // Deleted between being named and being looked at.
        }
        let cause = error.io_error().map_or_else(|| error.to_string(), io::Error::to_string);
        self.unseen_path(path, &cause);
    }

    pub(super) fn unseen_path(&mut self, path: &Path, cause: &str) {
        self.note("unreadable", Severity::High, path, format!("cannot be looked at: {cause}"));
        self.listing.unseen.push(text_of(path).0);
    }

    pub(super) fn finish(self) -> Outcome<Listing> {
        self.listing.in_order(self.diagnostics)
    }
}

fn path_in(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_in(err),
        _ => None,
    }
}

fn is_gone(error: &ignore::Error) -> bool {
    error.io_error().is_some_and(|e| e.kind() == io::ErrorKind::NotFound)
}
