//! Which paths of a commit are wanted: by globs and switches, and by `.gristmillignore` files of the commit.

use std::collections::HashMap;
use std::path::Path;

use gristmill_core::{Diagnostic, Severity};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::names::path_of;
use crate::select::Selection;

/// The name of the files that say what is left out.
pub(super) const IGNORE_FILE: &str = ".gristmillignore";

/// Asked for each path below the folder that is read.
pub(super) struct Rules<'a> {
    selection: &'a Selection,
    /// The folder that is read, from the top of the repository.
    base: &'a str,
    /// What the ignore file of each folder says, by the folder's path from the top.
    ignores: HashMap<String, Gitignore>,
    /// Answers for folders below the base.
    folders: HashMap<String, bool>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(selection: &'a Selection, base: &'a str) -> Self {
        Self { selection, base, ignores: HashMap::new(), folders: HashMap::new() }
    }

    /// Takes in the ignore file with this path. `None` when all its lines are understood.
    pub(super) fn ignore(&mut self, path: &str, content: &[u8]) -> Option<Diagnostic> {
        let folder = parent(path).unwrap_or_default();
        let mut builder = GitignoreBuilder::new(path_of(folder, true));
        let text = String::from_utf8_lossy(content);
        let failed: Vec<_> = text.lines().filter_map(|line| builder.add_line(None, line).err()).collect();
        let failed = failed.into_iter().next();
        let failed = match builder.build() {
            Ok(ignore) => {
                self.ignores.insert(folder.to_owned(), ignore);
                failed
            }
            Err(e) => Some(e),
        };
        failed.map(|e| {
            let message = format!("ignore file has a line that cannot be understood: {e}");
            Diagnostic::new("malformed-ignore-file", Severity::Low, path, message)
        })
    }

    /// True for a path, relative to the base, that is wanted and in wanted folders.
    pub(super) fn wants(&mut self, path: &str, is_folder: bool) -> bool {
        self.enters(path) && self.one(path, is_folder)
    }

    /// True when all folders that `path` lies in are wanted.
    pub(super) fn enters(&mut self, path: &str) -> bool {
        for (end, _) in path.match_indices('/') {
            let folder = &path[..end];
            let wanted = match self.folders.get(folder) {
                Some(wanted) => *wanted,
                None => {
                    let wanted = self.one(folder, true);
                    self.folders.insert(folder.to_owned(), wanted);
                    wanted
                }
            };
            if !wanted {
                return false;
            }
        }
        true
    }

    fn one(&self, path: &str, is_folder: bool) -> bool {
        self.selection.wants(&path_of(path, true), is_folder) && !self.is_ignored(path, is_folder)
    }

    /// The nearest ignore file that speaks of it decides.
    fn is_ignored(&self, path: &str, is_folder: bool) -> bool {
        if self.ignores.is_empty() {
            return false;
        }
        let whole = if self.base.is_empty() { path.to_owned() } else { format!("{}/{path}", self.base) };
        let path = path_of(&whole, true);
        let mut folder = parent(&whole);
        loop {
            let said = self.ignores.get(folder.unwrap_or_default()).map(|ignore| said(ignore, &path, is_folder));
            match (said, folder) {
                (Some(Some(ignored)), _) => return ignored,
                (_, None) => return false,
                (_, Some(inner)) => folder = parent(inner),
            }
        }
    }
}

fn said(ignore: &Gitignore, path: &Path, is_folder: bool) -> Option<bool> {
    match ignore.matched(path, is_folder) {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    }
}

/// The folder that a path lies in; `None` at the top.
pub(super) fn parent(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_ignore_file_decides_and_those_above_the_folder_count() {
        let selection = Selection::new(&[], &["drafts/".to_owned()], true).unwrap();
        let mut rules = Rules::new(&selection, "docs");
        assert!(rules.ignore(".gristmillignore", b"*.log\n/docs/private\n").is_none());
        assert!(rules.ignore("docs/a/.gristmillignore", b"!keep.log\n/b.md\n").is_none());
        let mut wants = |path: &str| rules.wants(path, false);
        assert!(wants("a.md"));
        assert!(!wants("x.log"));
        assert!(!wants("private/a.md"));
        assert!(!wants("drafts/a.md"));
        assert!(wants("a/keep.log"));
        assert!(!wants("a/other.log"));
        assert!(!wants("a/b.md"));
        assert!(wants("a/c/b.md"));
        assert!(!wants(".hidden/a.md"));
    }

    #[test]
    fn a_malformed_line_is_named_and_the_others_hold() {
        let selection = Selection::new(&[], &[], true).unwrap();
        let mut rules = Rules::new(&selection, "");
        let said = rules.ignore(".gristmillignore", b"a{b\n*.log\n").unwrap();
        assert_eq!((said.code, said.place.source.as_str()), ("malformed-ignore-file", ".gristmillignore"));
        assert!(!rules.wants("x.log", false));
    }
}
