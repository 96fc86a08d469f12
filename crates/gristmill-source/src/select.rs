//! Which files of a folder are wanted, by name.

use std::ffi::OsStr;
use std::path::Path;

use gristmill_core::{Error, Result};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::names;

/// The globs and switches of a source.
#[derive(Debug)]
pub(crate) struct Selection {
    include: Option<Gitignore>,
    exclude: Gitignore,
    /// Hidden names that some include glob names by a part that begins with a dot.
    hidden: Gitignore,
    readmes: bool,
}

impl Selection {
    pub(crate) fn new(include: &[String], exclude: &[String], readmes: bool) -> Result<Self> {
        let dotted: Vec<String> = include
            .iter()
            .flat_map(|glob| glob.split('/'))
            .filter(|part| part.starts_with('.') && !part.trim_matches('.').is_empty())
            .map(str::to_owned)
            .collect();
        Ok(Self {
            include: if include.is_empty() { None } else { Some(globs("include", include)?) },
            exclude: globs("exclude", exclude)?,
            hidden: globs("include", &dotted)?,
            readmes,
        })
    }

    /// False for folders that need not be entered and files that are not wanted. `path` is relative to the base.
    pub(crate) fn wants(&self, path: &Path, is_folder: bool) -> bool {
        let Some(name) = path.file_name() else { return true };
        if self.leaves_out(path, is_folder) {
            return false;
        }
        if is_folder {
            return true;
        }
        let included = |globs: &Gitignore| globs.matched_path_or_any_parents(path, false).is_ignore();
        (self.readmes || !names::is_readme(name)) && self.include.as_ref().is_none_or(included)
    }

    /// True for what is excluded or hidden, whatever is included.
    pub(crate) fn leaves_out(&self, path: &Path, is_folder: bool) -> bool {
        let excluded = || self.exclude.matched(path, is_folder).is_ignore();
        path.file_name().is_some_and(|name| self.is_hidden(name, is_folder) || excluded())
    }

    fn is_hidden(&self, name: &OsStr, is_folder: bool) -> bool {
        name.as_encoded_bytes().starts_with(b".")
            && (name == ".git" || !self.hidden.matched(Path::new(name), is_folder).is_ignore())
    }
}

/// Refuses a glob that cannot be understood, before anything is listed.
///
/// # Errors
/// Config: it is malformed.
pub fn check_glob(key: &str, glob: &str) -> Result<()> {
    globs(key, &[glob.to_owned()]).map(|_| ())
}

/// A `[` that nothing closes would be taken for the sign itself in an ignore file; here it is a slip.
fn globs(key: &str, globs: &[String]) -> Result<Gitignore> {
    let mut builder = GitignoreBuilder::new("");
    builder.allow_unclosed_class(false);
    for glob in globs {
        builder.add_line(None, glob).map_err(|e| bad_glob(key, glob, e))?;
    }
    builder.build().map_err(|e| bad_glob(key, &globs.join(", "), e))
}

fn bad_glob(key: &str, glob: &str, cause: ignore::Error) -> Error {
    Error::config(format!("`{key}` has a malformed glob: {glob}")).because(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(include: &[&str], exclude: &[&str]) -> Selection {
        let own = |globs: &[&str]| globs.iter().map(ToString::to_string).collect::<Vec<_>>();
        Selection::new(&own(include), &own(exclude), true).unwrap()
    }

    fn wanted<'p>(selection: &Selection, files: &[&'p str]) -> Vec<&'p str> {
        files.iter().copied().filter(|f| selection.wants(Path::new(f), false)).collect()
    }

    #[test]
    fn globs_mean_what_they_mean_in_ignore_files() {
        let files = ["a.md", "x/b.md", "x/c.pdf", "drafts/d.md"];
        assert_eq!(wanted(&selection(&[], &[]), &files), files);
        assert_eq!(wanted(&selection(&["*.md"], &[]), &files), ["a.md", "x/b.md", "drafts/d.md"]);
        assert_eq!(wanted(&selection(&["**/*.md"], &[]), &files), ["a.md", "x/b.md", "drafts/d.md"]);
        assert_eq!(wanted(&selection(&["/*.md"], &[]), &files), ["a.md"]);
        assert_eq!(wanted(&selection(&["x/"], &[]), &files), ["x/b.md", "x/c.pdf"]);
        assert_eq!(wanted(&selection(&["x/**/*.pdf"], &[]), &files), ["x/c.pdf"]);
        let drafts = selection(&["*.md"], &["drafts/", "b.md"]);
        assert!(!drafts.wants(Path::new("drafts"), true));
        assert_eq!(wanted(&drafts, &files[..3]), ["a.md"]);
    }

    #[test]
    fn hidden_names_are_wanted_only_when_named() {
        let files = [".env", ".github/a.md", ".git/config", "a.md"];
        let all = |s: &Selection| wanted(s, &files).len();
        assert_eq!(wanted(&selection(&["*.md"], &[]), &files), [".github/a.md", "a.md"]);
        assert!(!selection(&["*.md"], &[]).wants(Path::new(".github"), true));
        assert!(selection(&[".github/**/*.md"], &[]).wants(Path::new(".github"), true));
        assert!(!selection(&[".*/**"], &[]).wants(Path::new(".git"), true));
        assert_eq!(all(&selection(&[".env"], &[])), 1);
    }

    #[test]
    fn readmes_can_be_left_out() {
        let selection = Selection::new(&[], &[], false).unwrap();
        assert_eq!(wanted(&selection, &["README.md", "a/readme.txt", "a.md"]), ["a.md"]);
    }

    #[test]
    fn malformed_globs_are_named() {
        for glob in ["a{b", "[", "x/[a-.md", "[z-a]"] {
            let error = Selection::new(&[glob.to_owned()], &[], true).unwrap_err();
            assert_eq!(error.to_string(), format!("`include` has a malformed glob: {glob}"));
        }
        let error = Selection::new(&[], &["[".to_owned()], true).unwrap_err();
        assert_eq!(error.to_string(), "`exclude` has a malformed glob: [");
        assert!(check_glob("include", "[ab]*.md").is_ok());
    }
}
