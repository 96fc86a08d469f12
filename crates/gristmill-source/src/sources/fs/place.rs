//! Which folder the names of documents are relative to.

use std::io;
use std::path::{Component, Path, PathBuf};

use gristmill_core::{Error, Result};

use crate::{SourceSpec, names};

/// A folder or file that was given, below a common base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Root {
    /// Relative to the base; empty when it is the base.
    pub(super) path: PathBuf,
    pub(super) is_folder: bool,
}

/// The base and what was given, relative to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Absolute.
    pub(super) base: PathBuf,
    pub(super) roots: Vec<Root>,
}

struct Given {
    absolute: PathBuf,
    is_folder: bool,
}

/// Finds what was given and the base of its names.
pub(super) fn locate(spec: &SourceSpec) -> Result<Place> {
    let given = spec.paths.iter().map(|path| find(&spec.folder, path)).collect::<Result<Vec<_>>>()?;
    if given.is_empty() {
        return Err(Error::usage("no path given"));
    }
    match &spec.root {
        Some(root) => below_root(spec, root, &given),
        None => {
            let base = base_of(&spec.folder, &given)?;
            let found = if base == spec.folder { None } else { really_below(&spec.folder, &given)? };
            found.or_else(|| place(base, &given)).ok_or_else(|| Error::input("the paths have no folder in common"))
        }
    }
}

/// What lies below the current folder after all, though it was named by way of a link.
fn really_below(folder: &Path, given: &[Given]) -> Result<Option<Place>> {
    if matches!(given, [only] if only.is_folder) {
        return Ok(None);
    }
    let Ok(folder) = folder.canonicalize() else { return Ok(None) };
    let found = place(folder, &all_real(given)?);
    Ok(found.filter(|place| place.roots.iter().all(|root| !root.path.as_os_str().is_empty())))
}

/// The absolute path of something that exists.
fn find(folder: &Path, path: &Path) -> Result<Given> {
    let joined = folder.join(path);
    let metadata = std::fs::metadata(&joined).map_err(|e| missing(path, e))?;
    let absolute = if names::is_plain(&joined) {
        joined.components().filter(|c| !matches!(c, Component::CurDir)).collect()
    } else {
        // Only the file system knows where `..` leads when there are links before it.
        real(&joined).map_err(|e| missing(path, e))?
    };
    Ok(Given { absolute, is_folder: metadata.is_dir() })
}

fn missing(path: &Path, cause: io::Error) -> Error {
    match cause.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            Error::input(format!("no such file or folder: {}", path.display()))
        }
        _ => Error::input(format!("cannot read: {}", path.display())).because(cause),
    }
}

/// The path with links resolved in all but its last name, which is what the document is called.
fn real(path: &Path) -> io::Result<PathBuf> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => Ok(parent.canonicalize()?.join(name)),
        _ => path.canonicalize(),
    }
}

fn below_root(spec: &SourceSpec, root: &Path, given: &[Given]) -> Result<Place> {
    let base = find(&spec.folder, root)?;
    if !base.is_folder {
        return Err(Error::usage(format!("source root is not a folder: {}", root.display())));
    }
    if let Some(place) = place(base.absolute.clone(), given) {
        return Ok(place);
    }
    // The same folder may have been named in two ways.
    let real_base = base.absolute.canonicalize().map_err(|e| missing(root, e))?;
    place(real_base, &all_real(given)?).ok_or_else(|| {
        let outside = given.iter().position(|g| !g.absolute.starts_with(&base.absolute)).unwrap_or_default();
        let outside = spec.paths.get(outside).map_or_else(String::new, |p| p.display().to_string());
        Error::usage(format!("path is outside of the source root `{}`: {outside}", root.display()))
    })
}

/// One folder: itself. Else the current folder if everything lies below it; one file elsewhere: the folder it is in;
/// several: the deepest folder that holds them all.
fn base_of(folder: &Path, given: &[Given]) -> Result<PathBuf> {
    if let [only] = given
        && only.is_folder
    {
        return Ok(only.absolute.clone());
    }
    if given.iter().all(|g| g.absolute.starts_with(folder) && g.absolute != folder) {
        return Ok(folder.to_owned());
    }
    let mut common = holder(given.first()).map(Path::to_owned);
    for one in given {
        while let Some(base) = &common
            && !one.absolute.starts_with(base)
        {
            common = base.parent().map(Path::to_owned);
        }
    }
    common.ok_or_else(|| Error::input("the paths have no folder in common"))
}

fn holder(given: Option<&Given>) -> Option<&Path> {
    given.and_then(|g| if g.is_folder { Some(g.absolute.as_path()) } else { g.absolute.parent() })
}

fn all_real(given: &[Given]) -> Result<Vec<Given>> {
    let real = |g: &Given| {
        let absolute = real(&g.absolute).map_err(|e| missing(&g.absolute, e))?;
        Ok(Given { absolute, is_folder: g.is_folder })
    };
    given.iter().map(real).collect()
}

fn place(base: PathBuf, given: &[Given]) -> Option<Place> {
    let below = |g: &Given| {
        let path = g.absolute.strip_prefix(&base).ok()?.to_owned();
        Some(Root { path, is_folder: g.is_folder })
    };
    let roots = given.iter().map(below).collect::<Option<Vec<_>>>()?;
    Some(Place { base, roots })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Tree(tempfile::TempDir);

    impl Tree {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            for file in ["desk/a.md", "desk/docs/b.md", "other/c.md"] {
                let path = dir.path().join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, "x").unwrap();
            }
            Self(dir)
        }

        /// Base and roots, relative to the tree, for `paths` seen from `desk`.
        fn locate(&self, paths: &[&str], root: Option<&str>) -> Result<(String, Vec<String>)> {
            let top = self.0.path().canonicalize().unwrap();
            let spec = SourceSpec {
                folder: top.join("desk"),
                paths: paths.iter().map(|p| PathBuf::from(p.replace('@', top.to_str().unwrap()))).collect(),
                root: root.map(PathBuf::from),
                ..SourceSpec::default()
            };
            let place = locate(&spec)?;
            let base = place.base.strip_prefix(&top).unwrap().display().to_string();
            Ok((base, place.roots.iter().map(|r| r.path.display().to_string()).collect()))
        }

        fn check(&self, paths: &[&str], root: Option<&str>, base: &str, roots: &[&str]) {
            let expected = (base.to_owned(), roots.iter().map(ToString::to_string).collect());
            assert_eq!(self.locate(paths, root).unwrap(), expected, "{paths:?}");
        }
    }

    #[test]
    fn names_are_the_same_for_every_way_to_name_the_root() {
        let tree = Tree::new();
        for docs in ["docs", "./docs/", "@/desk/docs", "../desk/docs", "docs/../docs"] {
            tree.check(&[docs], None, "desk/docs", &[""]);
        }
        for file in ["docs/b.md", "./docs/b.md", "@/desk/docs/b.md", "../desk/docs/b.md"] {
            tree.check(&[file], None, "desk", &["docs/b.md"]);
        }
    }

    #[test]
    fn several_inputs_share_the_current_folder_or_the_deepest_common_one() {
        let tree = Tree::new();
        tree.check(&["docs", "a.md"], None, "desk", &["docs", "a.md"]);
        tree.check(&["../other/c.md"], None, "other", &["c.md"]);
        tree.check(&["../other", "a.md"], None, "", &["other", "desk/a.md"]);
        tree.check(&["."], None, "desk", &[""]);
        tree.check(&[".", "a.md"], None, "desk", &["", "a.md"]);
        tree.check(&["docs/b.md"], Some("docs"), "desk/docs", &["b.md"]);
        tree.check(&["docs"], Some("."), "desk", &["docs"]);
    }

    #[test]
    fn what_is_missing_or_outside_is_named() {
        let tree = Tree::new();
        let message = |paths: &[&str], root| tree.locate(paths, root).unwrap_err().to_string();
        assert_eq!(message(&["nope.md"], None), "no such file or folder: nope.md");
        assert_eq!(message(&["a.md/x"], None), "no such file or folder: a.md/x");
        assert_eq!(message(&["a.md"], Some("docs")), "path is outside of the source root `docs`: a.md");
        assert_eq!(message(&["a.md"], Some("a.md")), "source root is not a folder: a.md");
        assert_eq!(message(&[], None), "no path given");
    }

    #[cfg(unix)]
    #[test]
    fn a_root_named_through_a_link_is_the_same_root() {
        let tree = Tree::new();
        std::os::unix::fs::symlink("docs", tree.0.path().join("desk/link")).unwrap();
        tree.check(&["link"], None, "desk/link", &[""]);
        tree.check(&["link/b.md"], None, "desk", &["link/b.md"]);
        tree.check(&["docs/b.md"], Some("link"), "desk/docs", &["b.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn the_current_folder_named_through_a_link_is_the_same_folder() {
        let tree = Tree::new();
        std::os::unix::fs::symlink("desk", tree.0.path().join("way")).unwrap();
        tree.check(&["@/way/docs/b.md"], None, "desk", &["docs/b.md"]);
        tree.check(&["@/way/docs", "a.md"], None, "desk", &["docs", "a.md"]);
        tree.check(&["@/way/docs"], None, "way/docs", &[""]);
    }
}
