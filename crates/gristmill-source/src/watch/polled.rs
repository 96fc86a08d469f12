//! Looking through the folders.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use super::entries;
use super::scope::Scope;

/// The shortest pause between two looks.
const PAUSE: Duration = Duration::from_secs(1);

/// A look takes at most this part of the time.
const SHARE: u32 = 10;

/// What all files looked like.
#[derive(Debug)]
pub(super) struct Polled {
    seen: BTreeMap<PathBuf, Stamp>,
    next: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stamp {
    Folder,
    File {
        size: u64,
        modified: Option<SystemTime>,
        /// Changes with its mode and when another file takes its place.
        state: (u64, i64, i64),
    },
}

impl Polled {
    pub(super) fn new(scope: &Scope) -> Self {
        let start = Instant::now();
        let seen = look(scope);
        Self { seen, next: Instant::now() + PAUSE.max(start.elapsed() * SHARE) }
    }

    /// The first path that differs from the last look.
    pub(super) fn look(&mut self, scope: &Scope, now: bool) -> Option<PathBuf> {
        if !now && Instant::now() < self.next {
            return None;
        }
        let before = std::mem::take(self);
        *self = Self::new(scope);
        let changed = self.seen.iter().find(|(path, stamp)| before.seen.get(*path) != Some(stamp));
        let gone = || before.seen.keys().find(|path| !self.seen.contains_key(*path));
        changed.map(|(path, _)| path).or_else(gone).cloned()
    }
}

impl Default for Polled {
    fn default() -> Self {
        Self { seen: BTreeMap::new(), next: Instant::now() }
    }
}

fn look(scope: &Scope) -> BTreeMap<PathBuf, Stamp> {
    let mut seen = BTreeMap::new();
    let mut folders = Vec::new();
    for root in &scope.roots {
        if let Ok(metadata) = std::fs::metadata(root) {
            take(scope, root.clone(), &metadata, &mut seen, &mut folders);
        }
    }
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder) {
            if let Ok(metadata) = entry.metadata() {
                take(scope, entry.path(), &metadata, &mut seen, &mut folders);
            }
        }
    }
    seen
}

fn take(
    scope: &Scope,
    path: PathBuf,
    metadata: &Metadata,
    seen: &mut BTreeMap<PathBuf, Stamp>,
    folders: &mut Vec<PathBuf>,
) {
    if !scope.concerns(&path) {
        return;
    }
    if metadata.is_dir() {
        folders.push(path.clone());
        if scope.holds_ignored(&path) {
            return;
        }
    }
    let stamp = if metadata.is_dir() { Stamp::Folder } else { file(metadata) };
    seen.insert(path, stamp);
}

fn file(metadata: &Metadata) -> Stamp {
    Stamp::File { size: metadata.len(), modified: metadata.modified().ok(), state: state(metadata) }
}

#[cfg(unix)]
fn state(metadata: &Metadata) -> (u64, i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn state(_metadata: &Metadata) -> (u64, i64, i64) {
    (0, 0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_change_is_seen_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("docs");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::write(root.join("a.md"), "one").unwrap();
        let scope = Scope::new(std::slice::from_ref(&root), &[root.join("store")]);
        let mut eyes = Polled::new(&scope);
        let mut seen = |act: &dyn Fn()| {
            act();
            let seen = eyes.look(&scope, true);
            assert_eq!(eyes.look(&scope, true), None);
            seen.map(|path| path.strip_prefix(&root).unwrap().display().to_string())
        };
        let some = |path: &str| Some(path.to_owned());
        assert_eq!(seen(&|| std::fs::write(root.join("a.md"), "longer").unwrap()), some("a.md"));
        assert_eq!(seen(&|| std::fs::write(root.join("sub/b.md"), "x").unwrap()), some("sub/b.md"));
        assert_eq!(seen(&|| std::fs::rename(root.join("sub/b.md"), root.join("sub/c.md")).unwrap()), some("sub/c.md"));
        assert_eq!(seen(&|| std::fs::remove_file(root.join("sub/c.md")).unwrap()), some("sub/c.md"));
        assert_eq!(seen(&|| drop(std::fs::read(root.join("a.md")).unwrap())), None);
        assert_eq!(seen(&|| std::fs::create_dir(root.join("store")).unwrap()), None);
        assert_eq!(seen(&|| std::fs::write(root.join("store/x"), "x").unwrap()), None);
        assert_eq!(seen(&|| std::fs::remove_dir_all(&root).unwrap()), some("a.md"));
        assert_eq!(seen(&|| std::fs::create_dir_all(root.join("new")).unwrap()), some("new"));
    }
}
