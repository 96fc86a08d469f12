//! A folder of a commit of a git repository, near or far, read with the `git` command.

mod address;
mod blobs;
mod cache;
mod command;
mod links;
mod listing;
mod tree;
mod wanted;

use std::collections::HashMap;
use std::path::{Component, Path};
use std::time::Duration;

use gristmill_core::{Error, Outcome, Result};

use self::address::Address;
use self::blobs::Blobs;
use self::cache::Wanted;
use self::command::Git;
use self::listing::Folder;
use crate::select::Selection;
use crate::{GitSpec, Listed, Listing, Raw, Source, SourceSpec, names};

/// The longest that an exchange with the remote may take where nothing is said.
const TIMEOUT: Duration = Duration::from_secs(600);

/// The documents of one commit.
///
/// The remote is asked when the source is opened; listing and fetching then answer from that commit, whatever happens to
/// the remote. Bytes are those of the commit: nothing is checked out, no filter and no line end setting applies. What git
/// tracks is a document even where `.gitignore` names it; `.gristmillignore` holds. Symbolic links and hidden files are
/// treated as those of a file system are, links within the repository only. Submodules and pointers of Git LFS are named
/// and not read.
#[derive(Debug)]
pub struct GitSource {
    commit: String,
    listing: Outcome<Listing>,
    /// The object of each path.
    objects: HashMap<String, String>,
    blobs: Blobs,
}

/// The entry of the registry.
pub(super) fn build(spec: &SourceSpec) -> Result<Box<dyn Source>> {
    Ok(Box::new(GitSource::open(spec)?))
}

impl GitSource {
    /// Fetches what is wanted into the cache, as little of it as the remote allows, and lists it.
    ///
    /// # Errors
    /// Config: the settings are wrong, or there is no git that will do. Input: the remote has no such branch, commit or
    /// folder, or the cache cannot be written. Remote: it cannot be reached, does not answer in time, or lets nobody in.
    pub fn open(spec: &SourceSpec) -> Result<Self> {
        let given = spec.git.as_ref().ok_or_else(|| Error::config("a git source needs a `url`"))?;
        let selection = Selection::new(&spec.include, &spec.exclude, spec.readmes)?;
        let path = inside(given.path.as_deref())?;
        let mut git = command(spec, given)?;
        // Worth a second exchange only where not all of the commit is read.
        let without_blobs = git.check()? && !(path.is_empty() && spec.include.is_empty());
        if without_blobs {
            git.repository.set_extension("part.git");
        }
        git.quiet_ssh();
        let wanted = wanted(&git, given, without_blobs)?;
        let folder = Folder { git: &git, path: &path, selection: &selection, symlinks: spec.symlinks, without_blobs };
        let (commit, found) = cache::with_copy(&git, &wanted, |commit| folder.list(commit))?;
        Ok(Self { commit, listing: found.listing, objects: found.objects, blobs: Blobs::new(git) })
    }

    /// The commit that is read.
    pub fn commit(&self) -> &str {
        &self.commit
    }
}

impl Source for GitSource {
    fn list(&self) -> Result<Outcome<Listing>> {
        Ok(self.listing.clone())
    }

    fn fetch(&self, listed: &Listed) -> Result<Raw> {
        let path = &listed.path;
        let Some(object) = self.objects.get(path) else {
            return Err(Error::input(format!("the commit has no document: {path}")));
        };
        self.blobs.read(object, path)
    }

    fn revision(&self) -> Option<String> {
        Some(self.commit.clone())
    }
}

fn command(spec: &SourceSpec, given: &GitSpec) -> Result<Git> {
    let address = Address::parse(&given.url, &spec.folder)?;
    let cache = spec.cache.as_ref().ok_or_else(|| Error::config("a git source needs a folder for its cache"))?;
    let cache = spec.folder.join(cache).join("git");
    std::fs::create_dir_all(&cache)
        .map_err(|e| Error::input(format!("the cache cannot be made: {}", cache.display())).because(e))?;
    let repository = cache.join(address.key()).with_extension("git");
    let limit = given.timeout.unwrap_or(TIMEOUT);
    Ok(Git { program: "git".to_owned(), repository, address, limit, settings: Vec::new() })
}

/// A path inside of a repository, as text from its top.
fn inside(path: Option<&Path>) -> Result<String> {
    let Some(path) = path else { return Ok(String::new()) };
    let plain = |component: &Component<'_>| matches!(component, Component::Normal(_) | Component::CurDir);
    if !path.components().all(|component| plain(&component)) {
        return Err(Error::config(format!("`path` of a git source leaves the repository: {}", path.display())));
    }
    let names: std::path::PathBuf = path.components().filter(|c| matches!(c, Component::Normal(_))).collect();
    Ok(names::text_of(&names).0)
}

fn wanted(git: &Git, given: &GitSpec, without_blobs: bool) -> Result<Wanted> {
    if let Some(branch) = &given.branch
        && git.outside(&["check-ref-format", &format!("refs/heads/{branch}")]).is_err()
    {
        return Err(Error::config(format!("`branch` of a git source is no name of a branch: {branch}")));
    }
    let commit = given.commit.as_ref().map(|commit| commit.to_ascii_lowercase());
    let is_whole = |commit: &String| [40, 64].contains(&commit.len()) && commit.bytes().all(|b| b.is_ascii_hexdigit());
    if commit.as_ref().is_some_and(|commit| !is_whole(commit)) {
        let given = commit.unwrap_or_default();
        return Err(Error::config(format!("`commit` of a git source is not the whole name of one: {given}"))
            .hint("give all 40 digits"));
    }
    Ok(Wanted { branch: given.branch.clone(), commit, without_blobs })
}
