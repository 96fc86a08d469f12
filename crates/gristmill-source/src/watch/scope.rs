//! Which paths matter.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::is_internal;

/// What is watched, and what in it is not.
#[derive(Debug)]
pub(super) struct Scope {
    /// As they were given.
    pub(super) roots: Vec<PathBuf>,
    /// As they are called below the roots.
    ignore: Vec<PathBuf>,
}

impl Scope {
    pub(super) fn new(roots: &[PathBuf], ignore: &[PathBuf]) -> Self {
        let mut all = ignore.to_vec();
        // The same file may be called by another name, through a link.
        for path in ignore {
            let real_path = real(path);
            let below = |root: &PathBuf| real_path.strip_prefix(real(root)).ok().map(|rest| root.join(rest));
            all.extend(roots.iter().filter_map(below));
        }
        all.sort_unstable();
        all.dedup();
        Self { roots: roots.to_vec(), ignore: all }
    }

    /// True when a change of this path is one.
    pub(super) fn concerns(&self, path: &Path) -> bool {
        let is_below = |root: &PathBuf| path.strip_prefix(root).is_ok_and(|rest| !rest.iter().any(is_internal));
        self.roots.iter().any(is_below) && !self.ignore.iter().any(|ignored| is_part(path, ignored))
    }

    /// True for a folder that something ignored lies in. That it is made tells nothing: what is made in it does.
    pub(super) fn holds_ignored(&self, folder: &Path) -> bool {
        self.ignore.iter().any(|ignored| ignored.starts_with(folder))
    }
}

/// True for the path itself, all below it, and what SQLite keeps beside it: `store.db-wal`, `-shm`, `-journal`.
fn is_part(path: &Path, ignored: &Path) -> bool {
    if path.starts_with(ignored) {
        return true;
    }
    let name = |path: &Path| path.file_name().map(OsStr::as_encoded_bytes).unwrap_or_default().to_owned();
    let suffix = name(path).strip_prefix(name(ignored).as_slice()).map(<[u8]>::to_owned);
    path.parent() == ignored.parent()
        && suffix.is_some_and(|suffix| [&b"-wal"[..], b"-shm", b"-journal"].contains(&suffix.as_slice()))
}

/// The path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    for folder in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (folder.canonicalize(), path.strip_prefix(folder)) {
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_below_a_root_matters_unless_it_is_ignored() {
        let own = |paths: &[&str]| paths.iter().map(PathBuf::from).collect::<Vec<_>>();
        let scope = Scope::new(&own(&["/docs", "/one.md"]), &own(&["/docs/.gristmill/store.db", "/docs/out"]));
        let concerns = |path: &str| scope.concerns(Path::new(path));
        for path in ["/docs", "/docs/a.md", "/one.md", "/docs/outer", "/docs/.gristmill/store.db2", "/docs/.gitignore"]
        {
            assert!(concerns(path), "{path}");
        }
        for path in [
            "/two.md",
            "/docs/.git",
            "/docs/x/.git/index",
            "/docs/out/a.json",
            "/docs/.gristmill/store.db",
            "/docs/.gristmill/store.db-wal",
        ] {
            assert!(!concerns(path), "{path}");
        }
        assert!(scope.holds_ignored(Path::new("/docs/.gristmill")));
        assert!(!scope.holds_ignored(Path::new("/docs/a")));
    }
}
