//! Files and folders of this machine.

mod collect;
mod links;
mod place;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gristmill_core::{Outcome, Result};

use self::collect::Collector;
use self::place::{Place, Root};
use crate::select::Selection;
use crate::{Listed, Listing, Raw, Source, SourceSpec, Symlinks, names};

/// The files of some roots.
///
/// `.gitignore` and `.gristmillignore` hold, inside a git repository and outside; hidden files and folders are left out
/// unless an include glob names them by a part that begins with a dot, and `.git` always. A file that was named itself is
/// taken whatever ignore files, globs and its name say. Pipes, sockets and devices are never opened.
#[derive(Debug)]
pub struct FsSource {
    place: Place,
    selection: Arc<Selection>,
    symlinks: Symlinks,
}

/// The entry of the registry.
pub(super) fn build(spec: &SourceSpec) -> Result<Box<dyn Source>> {
    Ok(Box::new(FsSource::open(spec)?))
}

impl FsSource {
    /// Looks up what was given and settles what names are relative to:
    ///
    /// 1. to `root`, where one is given; every path must lie below it;
    /// 2. to the folder, where one folder is given and nothing else;
    /// 3. to the current folder, where everything given lies below it;
    /// 4. else to the deepest folder that holds everything given.
    ///
    /// So `docs/` gives `b.md`, `docs/b.md` gives `docs/b.md`, and relative and absolute ways to name the same files
    /// give the same names.
    ///
    /// # Errors
    /// Input: a path does not exist or cannot be looked up. Config: a malformed glob. Usage: no path, or one outside of
    /// `root`.
    pub fn open(spec: &SourceSpec) -> Result<Self> {
        let selection = Selection::new(&spec.include, &spec.exclude, spec.readmes)?;
        let place = place::locate(spec)?;
        Ok(Self { place, selection: Arc::new(selection), symlinks: spec.symlinks })
    }

    /// The folder that names are relative to, absolute.
    pub fn base(&self) -> &Path {
        &self.place.base
    }

    /// Where a listed document is.
    pub fn locate(&self, listed: &Listed) -> PathBuf {
        self.place.base.join(names::path_of(&listed.path, listed.escaped))
    }

    /// Roots that are reached without following a link, and the others.
    fn split_roots(&self) -> (Vec<&Root>, Vec<&Root>) {
        let Ok(real_base) = self.place.base.canonicalize() else { return (self.place.roots.iter().collect(), vec![]) };
        self.place.roots.iter().partition(|root| {
            let real = self.place.base.join(&root.path).canonicalize();
            real.map_or(true, |real| real == real_base.join(&root.path))
        })
    }
}

impl Source for FsSource {
    fn list(&self) -> Result<Outcome<Listing>> {
        let mut collector = Collector::new(&self.place.base, &self.selection);
        let (direct, linked) = self.split_roots();
        for root in direct {
            // What was named and has gone since is told; what goes while folders are walked is just not there.
            match std::fs::metadata(self.place.base.join(&root.path)) {
                Err(error) => collector.unseen_path(&root.path, &error.to_string()),
                Ok(_) if root.is_folder => collector.walk(&root.path, None),
                Ok(_) => collector.take(&root.path),
            }
        }
        collector.listing.sort();
        links::follow(&mut collector, self.symlinks, linked.into_iter().map(|root| root.path.clone()).collect());
        Ok(collector.finish())
    }

    fn fetch(&self, listed: &Listed) -> Result<Raw> {
        Raw::open(&self.locate(listed))
    }

    fn file(&self, listed: &Listed) -> Option<PathBuf> {
        Some(self.locate(listed))
    }
}

#[cfg(test)]
mod tests;
