//! What a source is told, and what it answers.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use gristmill_core::{Diagnostic, Outcome, Result};

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

    /// The end of name that says which kind of document this is, for sources that know better than its path tells: the
    /// content type of `web`.
    fn extension(&self, _listed: &Listed) -> Option<&'static str> {
        None
    }

    /// What names the state that is listed and fetched, for sources that have such a name: the commit of `git`.
    fn revision(&self) -> Option<String> {
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

impl Listing {
    /// In the order that listings have, with what was met on the way.
    pub(crate) fn in_order(mut self, mut diagnostics: Vec<Diagnostic>) -> Outcome<Self> {
        self.sort();
        self.unseen.sort_unstable();
        self.unseen.dedup();
        diagnostics.sort_by(|a, b| (&a.place.source, a.code, &a.message).cmp(&(&b.place.source, b.code, &b.message)));
        diagnostics.dedup();
        Outcome { value: self, diagnostics }
    }

    pub(crate) fn sort(&mut self) {
        self.entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.entries.dedup_by(|b, a| a.path == b.path);
    }
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
    /// The folder for copies of what is elsewhere; made when it is missing. Sources of one address share their copy,
    /// those of other processes too.
    pub cache: Option<PathBuf>,
    /// What a source of kind `git` reads, instead of `paths` and `root`.
    pub git: Option<GitSpec>,
    /// What a source of kind `web` reads, instead of `paths` and `root`. Globs are those of the paths of addresses.
    pub web: Option<WebSpec>,
    /// What a source of kind `object` reads, instead of `paths` and `root`.
    pub object: Option<ObjectSpec>,
}

/// Objects of a bucket below a prefix.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ObjectSpec {
    /// `s3://bucket/prefix`, `gs://bucket/prefix`, `az://container/prefix`, or the `https` URL of one with its store.
    pub url: String,
    /// Settings of the store by the names that the crate `object_store` knows, with or without that of the store in front:
    /// `region`, `endpoint`, `access_key_id`, `allow_http`, `skip_signature`, `account_name`, …. An unknown name is an error.
    pub options: Vec<(String, String)>,
    /// The same from the environment, such as `AWS_ACCESS_KEY_ID`. `options` come before it, and unknown names are passed
    /// over.
    pub environment: Vec<(String, String)>,
    /// The longest that one request may take. `None` is one minute.
    pub timeout: Option<Duration>,
    /// What to go through. The environment is not asked.
    pub proxy: Option<gristmill_http::ProxyOptions>,
}

impl fmt::Debug for ObjectSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Values may be secrets.
        let names: Vec<&str> = self.options.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("ObjectSpec").field("url", &self.url).field("options", &names).finish_non_exhaustive()
    }
}

/// Pages of the web. At least one of `urls`, `sitemaps` and `crawl` is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebSpec {
    /// Pages.
    pub urls: Vec<String>,
    /// Sitemaps and indexes of them, as XML or text, packed or not. Without `within` they may name what is of their host.
    pub sitemaps: Vec<String>,
    /// Pages from which links are followed.
    pub crawl: Vec<String>,
    /// What crawls and sitemaps are bound to: pages at or below one of these. Empty lets a crawl go to what lies beside or
    /// below the page it begins at.
    pub within: Vec<String>,
    /// Links between the page a crawl begins at and any other. `None` is no limit.
    pub depth: Option<u32>,
    /// The most addresses that are asked for. `None` is 10,000.
    pub max_pages: Option<usize>,
    /// The most bytes of all pages that are new or changed, unpacked. `None` is 2 GiB.
    pub max_bytes: Option<u64>,
    /// The most bytes of one page, unpacked. `None` is 32 MiB.
    pub max_page_bytes: Option<u64>,
    /// The longest that listing may take. `None` is one hour.
    pub max_time: Option<Duration>,
    /// The longest that one request may take. `None` is 30 seconds.
    pub timeout: Option<Duration>,
    /// The pause between two requests to a host, which `Crawl-delay` may make longer. `None` is 100 ms.
    pub delay: Option<Duration>,
    /// Allows addresses of this machine and of private networks.
    pub allow_private: bool,
    /// What to go through. The environment is not asked.
    pub proxy: Option<gristmill_http::ProxyOptions>,
}

/// A folder of a commit of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitSpec {
    /// Where the repository is: `https`, `http`, `ssh`, `git` or `file` URL, `user@host:path`, or a path of this machine,
    /// relative to [`SourceSpec::folder`].
    pub url: String,
    /// The branch to read. `None` is the one the remote calls its default.
    pub branch: Option<String>,
    /// The commit to read, by its whole hexadecimal name. `None` is the newest of the branch.
    pub commit: Option<String>,
    /// The folder inside the repository that names are relative to. `None` is its top.
    pub path: Option<PathBuf>,
    /// The longest that one exchange with the remote may take. `None` is ten minutes.
    pub timeout: Option<Duration>,
}

/// Makes a source.
pub type Build = dyn Fn(&SourceSpec) -> Result<Box<dyn Source>> + Sync;
