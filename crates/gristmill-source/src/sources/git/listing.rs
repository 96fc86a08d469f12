//! What a folder of a commit holds.

use std::collections::{HashMap, HashSet};

use gristmill_core::{Diagnostic, Error, Outcome, Severity};

use super::blobs::{contents, look_up};
use super::cache::{Trouble, fetch_blobs};
use super::command::{Failed, Git};
use super::links;
use super::tree::{Kind, Target, Tree};
use super::wanted::{IGNORE_FILE, Rules, parent};
use crate::names::path_of;
use crate::select::Selection;
use crate::{Listed, Listing, Symlinks};

/// No link and no pointer is longer.
const SHORT_MAX: u64 = 4096;

/// A pointer of Git LFS is shorter, and begins so (its specification, version 1).
const POINTER_BELOW: u64 = 1024;
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";

/// What is to be listed.
pub(super) struct Folder<'a> {
    pub(super) git: &'a Git,
    /// From the top of the repository, as text; empty for the top.
    pub(super) path: &'a str,
    pub(super) selection: &'a Selection,
    pub(super) symlinks: Symlinks,
    /// True when the copy may lack the contents of files.
    pub(super) without_blobs: bool,
}

/// A listing, and the object of each path in it.
pub(super) struct Found {
    pub(super) listing: Outcome<Listing>,
    pub(super) objects: HashMap<String, String>,
}

/// What has been found so far. Paths are relative to the folder that is read.
#[derive(Default)]
pub(super) struct Finds {
    /// Path and index of the node.
    pub(super) files: Vec<(String, usize)>,
    /// The same for links.
    pub(super) links: Vec<(String, usize)>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Finds {
    pub(super) fn note(&mut self, code: &'static str, severity: Severity, path: &str, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, severity, path, message));
    }

    pub(super) fn module(&mut self, path: &str) {
        let said = Diagnostic::new("submodule", Severity::Low, path, "is a submodule, which is not read");
        self.diagnostics.push(said.help("add its repository as a source of its own"));
    }
}

impl Folder<'_> {
    pub(super) fn list(&self, commit: &str) -> Result<Found, Trouble> {
        let listed = self.git.local(&["ls-tree", "-r", "-z", "--full-tree", commit], None)?;
        let tree = Tree::parse(&listed);
        let targets = self.targets(&tree)?;
        let base = match tree.resolve(self.path, &targets) {
            Target::Folder(base) => base,
            _ if self.path.is_empty() => String::new(),
            _ => return Err(Trouble::Given(self.no_folder(commit))),
        };
        let mut finds = Finds::default();
        let mut rules = Rules::new(self.selection, &base);
        self.read_ignore_files(&tree, &base, &mut rules, &mut finds)?;
        direct(&tree, &base, &mut rules, &mut finds);
        links::follow(&tree, &targets, &base, self.symlinks, &mut rules, &mut finds);
        self.measure(&tree, finds)
    }

    fn no_folder(&self, commit: &str) -> Error {
        let short = commit.get(..12).unwrap_or(commit);
        Error::input(format!("no such folder in commit {short} of {}: {}", self.git.address.shown, self.path))
    }

    /// What each link says. One that is too long says nothing.
    fn targets(&self, tree: &Tree) -> Result<HashMap<String, Vec<u8>>, Trouble> {
        let links = tree.nodes.iter().filter(|node| node.kind == Kind::Link);
        let names: Vec<&str> = links.map(|node| node.object.as_str()).collect();
        let sizes = self.sizes(&names)?;
        let short = names.iter().zip(sizes).filter(|(_, size)| *size <= SHORT_MAX);
        let names: Vec<&str> = short.map(|(name, _)| *name).collect();
        let said = contents(self.git, &names)?;
        Ok(names.iter().zip(said).filter_map(|(name, said)| Some(((*name).to_owned(), said?))).collect())
    }

    fn read_ignore_files(
        &self,
        tree: &Tree,
        base: &str,
        rules: &mut Rules<'_>,
        finds: &mut Finds,
    ) -> Result<(), Trouble> {
        let is_one = |path: &str| path.rsplit('/').next() == Some(IGNORE_FILE);
        let is_near = |path: &str| {
            let folder = parent(path).unwrap_or_default();
            is_in(folder, base) || is_in(base, folder)
        };
        let files =
            tree.nodes.iter().filter(|node| node.kind == Kind::File && is_one(&node.path) && is_near(&node.path));
        let (paths, names): (Vec<&str>, Vec<&str>) =
            files.map(|node| (node.path.as_str(), node.object.as_str())).unzip();
        self.sizes(&names)?;
        for (path, content) in paths.into_iter().zip(contents(self.git, &names)?) {
            finds.diagnostics.extend(rules.ignore(path, &content.unwrap_or_default()));
        }
        Ok(())
    }

    /// Sizes of blobs, which are fetched where the copy was made without them.
    fn sizes(&self, names: &[&str]) -> Result<Vec<u64>, Trouble> {
        let mut known = look_up(self.git, names)?;
        if self.without_blobs {
            let missing: HashSet<&str> =
                names.iter().zip(&known).filter(|(_, k)| k.is_none()).map(|(n, _)| *n).collect();
            if !missing.is_empty() {
                let mut missing: Vec<&str> = missing.into_iter().collect();
                missing.sort_unstable();
                fetch_blobs(self.git, &missing)?;
                known = look_up(self.git, names)?;
            }
        }
        let sizes: Option<Vec<u64>> = known.into_iter().map(|known| known.map(|known| known.size)).collect();
        sizes.ok_or_else(|| Trouble::Copy(Failed { said: "objects are missing".to_owned(), timed_out: false }))
    }

    fn measure(&self, tree: &Tree, mut finds: Finds) -> Result<Found, Trouble> {
        let names: Vec<&str> = finds.files.iter().map(|(_, index)| tree.nodes[*index].object.as_str()).collect();
        let sizes = self.sizes(&names)?;
        let pointers = self.pointers(&names, &sizes)?;
        let (mut listing, mut objects) = (Listing::default(), HashMap::with_capacity(names.len()));
        for ((path, index), size) in std::mem::take(&mut finds.files).into_iter().zip(sizes) {
            let object = &tree.nodes[index].object;
            if pointers.contains(object.as_str()) {
                finds.diagnostics.push(pointer(&path));
                listing.unseen.push(path);
                continue;
            }
            let escaped = path_of(&path, true).as_os_str() != path.as_str();
            objects.insert(path.clone(), object.clone());
            listing.entries.push(Listed { path, size, modified: None, escaped });
        }
        for path in &tree.malformed {
            finds.note("malformed-name", Severity::High, path, "skipped: no file can have this name");
        }
        Ok(Found { listing: listing.in_order(finds.diagnostics), objects })
    }

    /// Objects that are pointers of Git LFS.
    fn pointers<'n>(&self, names: &[&'n str], sizes: &[u64]) -> Result<HashSet<&'n str>, Trouble> {
        let least = POINTER.len() as u64;
        let small = names.iter().zip(sizes).filter(|(_, size)| (least..POINTER_BELOW).contains(*size));
        let small: Vec<&str> = small.map(|(name, _)| *name).collect();
        let read = contents(self.git, &small)?;
        let is_pointer = |content: &Option<Vec<u8>>| content.as_ref().is_some_and(|c| c.starts_with(POINTER));
        Ok(small.into_iter().zip(read).filter(|(_, content)| is_pointer(content)).map(|(name, _)| name).collect())
    }
}

fn pointer(path: &str) -> Diagnostic {
    Diagnostic::new("lfs-pointer", Severity::High, path, "is a pointer of Git LFS; the document itself is elsewhere")
        .help("check the repository out with `git lfs pull` and read the folder as a source of kind `fs`")
}

/// What is reached without links.
fn direct(tree: &Tree, base: &str, rules: &mut Rules<'_>, finds: &mut Finds) {
    for index in tree.below(base) {
        let node = &tree.nodes[index];
        let path = relative(&node.path, base);
        match node.kind {
            Kind::File if rules.wants(path, false) => finds.files.push((path.to_owned(), index)),
            // Where it leads decides whether it is wanted.
            Kind::Link if rules.enters(path) => finds.links.push((path.to_owned(), index)),
            Kind::Module if rules.wants(path, true) => finds.module(path),
            _ => {}
        }
    }
}

/// `path`, which lies below `base`, relative to it.
pub(super) fn relative<'p>(path: &'p str, base: &str) -> &'p str {
    path.strip_prefix(base).unwrap_or(path).trim_start_matches('/')
}

/// True when `path` is `folder` or lies below it.
pub(super) fn is_in(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
