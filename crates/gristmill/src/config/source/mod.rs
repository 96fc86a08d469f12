//! `[[source]]`: where documents come from.

mod kinds;
mod object;
mod web;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gristmill_core::Result;
use gristmill_source::{GitSpec, SourceSpec, Symlinks, check_glob};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::path_metadata::{Normaliser, PathRule};
use super::resolve::Cx;
use super::{Env, Scalar};

pub use object::ObjectSettings;
pub use web::WebSettings;

/// Where copies of what is elsewhere are kept, below the project's folder.
const CACHE: &str = ".gristmill/cache";

/// What to do with symbolic links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SymlinkMode {
    /// Follow those that stay within the source's folder.
    #[default]
    Within,
    /// Follow all.
    Anywhere,
    /// Follow none.
    Never,
}

impl From<SymlinkMode> for Symlinks {
    fn from(mode: SymlinkMode) -> Self {
        match mode {
            SymlinkMode::Within => Self::Within,
            SymlinkMode::Anywhere => Self::Anywhere,
            SymlinkMode::Never => Self::Never,
        }
    }
}

/// A place that documents come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceOptions {
    /// A name of its own, part of the identity of its documents. Default: none. Example: `name = "handbook"`.
    pub name: Option<String>,
    /// The kind: `"fs"` for files and folders, `"git"` for a repository, `"web"` for pages, `"object"` for the objects of a
    /// bucket, `"chunks"` for a file of ready chunks. Default: `"fs"`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The folder or file, relative to this file; of a repository the folder in it. Example: `path = "docs/"`.
    pub path: Option<PathBuf>,
    /// Where a repository is: a URL, `user@host:path`, or a path relative to this file. Of a bucket: `s3://`, `gs://` or
    /// `az://`, its name and a prefix. Example: `url = "https://example.com/acme/docs.git"`.
    pub url: Option<String>,
    /// The commit of a repository to read, by its whole name. Default: the newest of the branch.
    pub commit: Option<String>,
    /// Settings of an object store by the names that its own tools use: `region`, `endpoint`, `allow_http`, …; secrets as
    /// `"${NAME}"` or `"file:PATH"`. What the environment says (`AWS_ACCESS_KEY_ID`, …) holds where nothing stands here.
    /// Example: `options = { region = "eu-central-1" }`.
    pub options: Option<BTreeMap<String, Scalar>>,
    /// Pages of the web. Example: `urls = ["https://example.com/handbook"]`.
    pub urls: Option<Vec<String>>,
    /// Sitemaps, and indexes of them. Example: `sitemaps = ["https://example.com/sitemap.xml"]`.
    pub sitemaps: Option<Vec<String>>,
    /// Pages from which links are followed, to what lies beside or below them. Example:
    /// `crawl = ["https://example.com/docs/"]`.
    pub crawl: Option<Vec<String>>,
    /// What sitemaps and crawls are bound to: pages at or below one of these. Example:
    /// `within = ["https://example.com/docs/"]`.
    pub within: Option<Vec<String>>,
    /// Links between the page at which a crawl begins and any other. Default: no limit.
    pub depth: Option<u32>,
    /// The most addresses that are asked for. Default: `10000`.
    pub max_pages: Option<usize>,
    /// The most bytes of all new and changed pages. Default: 2 GiB.
    pub max_bytes: Option<u64>,
    /// The most bytes of one page. Default: 32 MiB.
    pub max_page_bytes: Option<u64>,
    /// The longest that looking for pages may take, in seconds. Default: `3600`.
    pub max_seconds: Option<u64>,
    /// The longest that one request may take, in seconds. Default: `30` for pages, `60` for objects, `600` for repositories.
    pub timeout_seconds: Option<u64>,
    /// The pause between two requests to a host, in milliseconds; `robots.txt` may ask for a longer one. Default: `100`.
    pub delay_ms: Option<u64>,
    /// Allow addresses of this machine and of private networks. Default: `false`.
    pub allow_private: Option<bool>,
    /// Only files that match, by globs as in `.gitignore`. Default: `[]`, all. Example: `include = ["**/*.md"]`.
    pub include: Option<Vec<String>>,
    /// Files and folders that are left out, by globs as in `.gitignore`. Default: `[]`. Example: `exclude = ["drafts/"]`.
    pub exclude: Option<Vec<String>>,
    /// Take files named README. Default: `true`.
    pub readmes: Option<bool>,
    /// Symbolic links that are followed. Default: `"within"` the source's folder.
    pub symlinks: Option<SymlinkMode>,
    /// Fields that the path holds, as a template. Example:
    /// `path_metadata = "module-{module_number:int}-{module}/{lesson:int}-{slug}.md"`.
    pub path_metadata: Option<String>,
    /// Values to set in place of what the path holds, by field. Example: `values = { module = { ros2 = "ROS 2" } }`.
    pub values: Option<BTreeMap<String, BTreeMap<String, Scalar>>>,
    /// Values of fields that the path does not give. Example: `defaults = { hardware_tier = 1 }`.
    pub defaults: Option<BTreeMap<String, Scalar>>,
    /// How values are written: `"upper"`, `"lower"`, or the list of those allowed, found whatever their letter case.
    /// Example: `normalisers = { level = ["A1", "A2"] }`.
    pub normalisers: Option<BTreeMap<String, Normaliser>>,
    /// The type of documents that declare none; it selects `[chunk.by_type.…]`. Example: `document_type = "faq"`.
    pub document_type: Option<String>,
    /// The repository whose pushes ingest this source. Example: `repository = "acme/docs"`.
    pub repository: Option<String>,
    /// The branch of it. Default: `"main"` where `repository` names one, that of the remote where `url` does.
    pub branch: Option<String>,
}

/// A place that documents come from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceSettings {
    /// A name of its own.
    pub name: Option<String>,
    /// The kind: a name of the registry of sources, or `chunks`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The folder or file; of a repository the folder in it. Empty where there is none.
    #[serde(skip_serializing_if = "is_empty")]
    pub path: PathBuf,
    /// Where a repository or a bucket is.
    pub url: Option<String>,
    /// The commit of a repository to read.
    pub commit: Option<String>,
    /// The settings of a bucket's store.
    #[serde(flatten)]
    pub object: Option<ObjectSettings>,
    /// Which pages are read.
    #[serde(flatten)]
    pub web: Option<WebSettings>,
    /// The longest that one request may take, in seconds.
    pub timeout_seconds: Option<u64>,
    /// Only files that match.
    pub include: Vec<String>,
    /// Files and folders that are left out.
    pub exclude: Vec<String>,
    /// Take files named README.
    pub readmes: bool,
    /// Symbolic links that are followed.
    pub symlinks: SymlinkMode,
    /// Fields that the path holds; checked, see [`SourceSettings::path_rule`].
    pub path_metadata: Option<String>,
    /// Values to set in place of what the path holds.
    pub values: BTreeMap<String, BTreeMap<String, Scalar>>,
    /// Values of fields that the path does not give.
    pub defaults: BTreeMap<String, Scalar>,
    /// How values are written.
    pub normalisers: BTreeMap<String, Normaliser>,
    /// The type of documents that declare none.
    pub document_type: Option<String>,
    /// The repository whose pushes ingest this source.
    pub repository: Option<String>,
    /// The branch of it.
    pub branch: Option<String>,
}

impl SourceOptions {
    pub(super) fn rebase(&mut self, folder: &Path) {
        if self.kind.as_deref() != Some(kinds::GIT)
            && let Some(path) = &mut self.path
        {
            *path = folder.join(&path);
        }
        self.options.iter_mut().for_each(|options| object::rebase(options, folder));
        // A path of this machine; URLs have a scheme or a host before a colon.
        if let Some(url) = self.url.as_mut().filter(|url| !url.contains(':') && !url.starts_with('/')) {
            *url = folder.join(&url).to_string_lossy().into_owned();
        }
    }
}

impl SourceSettings {
    /// True for a file of ready chunks.
    pub fn is_chunks(&self) -> bool {
        self.kind == kinds::CHUNKS
    }

    /// True for what is not on this machine, or not as files: only looking again tells whether it changed.
    pub fn is_remote(&self) -> bool {
        self.url.is_some() || self.web.is_some()
    }

    /// What a source is opened with. `folder` is the current folder, `root` that of the project, both absolute.
    ///
    /// # Errors
    /// Config: a secret that is named is not there.
    pub fn spec(&self, folder: &Path, root: &Path, env: &Env) -> Result<SourceSpec> {
        let timeout = self.timeout_seconds.map(Duration::from_secs);
        let git = self.url.as_ref().filter(|_| self.kind == kinds::GIT).map(|url| GitSpec {
            url: url.clone(),
            branch: self.branch.clone(),
            commit: self.commit.clone(),
            path: (!is_empty(&self.path)).then(|| self.path.clone()),
            timeout,
        });
        let object = self.object.as_ref().zip(self.url.as_ref());
        Ok(SourceSpec {
            git,
            web: self.web.as_ref().map(|web| web.spec(timeout, env)),
            object: object.map(|(object, url)| object.spec(url, timeout, env)).transpose()?,
            cache: Some(root.join(CACHE)),
            folder: folder.to_owned(),
            paths: vec![self.path.clone()],
            root: None,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            readmes: self.readmes,
            symlinks: self.symlinks.into(),
        })
    }

    /// The rule that reads fields from paths: none where neither a template nor defaults are given.
    ///
    /// # Errors
    /// Config: the template is malformed, or values or normalisers name a field that nothing gives.
    pub fn path_rule(&self) -> Result<Option<PathRule>> {
        if self.path_metadata.is_none() && self.defaults.is_empty() {
            return Ok(None);
        }
        let template = self.path_metadata.as_deref();
        PathRule::new(template, self.values.clone(), self.defaults.clone(), self.normalisers.clone()).map(Some)
    }

    fn resolve(options: &SourceOptions, key: &str, cx: &Cx) -> Result<Self> {
        let options = options.clone();
        let kind = kinds::checked(&options, key, cx)?;
        let object = (kind == kinds::OBJECT).then(|| ObjectSettings::resolve(&options, key, cx)).transpose()?;
        let web = (kind == kinds::WEB).then(|| WebSettings::resolve(&options));
        let settings = Self {
            name: options.name,
            object,
            web,
            timeout_seconds: options.timeout_seconds,
            kind,
            path: options.path.unwrap_or_default(),
            url: options.url,
            commit: options.commit,
            include: options.include.unwrap_or_default(),
            exclude: options.exclude.unwrap_or_default(),
            readmes: options.readmes.unwrap_or(true),
            symlinks: options.symlinks.unwrap_or_default(),
            path_metadata: options.path_metadata,
            values: options.values.unwrap_or_default(),
            defaults: options.defaults.unwrap_or_default(),
            normalisers: options.normalisers.unwrap_or_default(),
            document_type: options.document_type,
            branch: options.branch.or_else(|| options.repository.as_ref().map(|_| "main".to_owned())),
            repository: options.repository,
        };
        settings.path_rule().map_err(|e| cx.origins.blame(&format!("{key}.path_metadata"), e.to_string()))?;
        check_globs(&settings.include, key, "include", cx)?;
        check_globs(&settings.exclude, key, "exclude", cx)?;
        Ok(settings)
    }

    pub(super) fn resolve_all(options: &[SourceOptions], cx: &Cx) -> Result<Vec<Self>> {
        let mut all: Vec<Self> = Vec::with_capacity(options.len());
        for (index, options) in options.iter().enumerate() {
            let key = format!("source[{index}]");
            let source = Self::resolve(options, &key, cx)?;
            if let Some(name) = source.name.as_ref().filter(|name| all.iter().any(|s| s.name.as_ref() == Some(name))) {
                return Err(cx
                    .origins
                    .blame(&format!("{key}.name"), format!("two sources have the same name: {name}")));
            }
            all.push(source);
        }
        Ok(all)
    }
}

fn is_empty(path: &Path) -> bool {
    path.as_os_str().is_empty()
}

fn check_globs(globs: &[String], key: &str, name: &str, cx: &Cx) -> Result<()> {
    globs.iter().try_for_each(|glob| {
        check_glob(name, glob).map_err(|error| cx.origins.blame(&format!("{key}.{name}"), error.chain()))
    })
}
