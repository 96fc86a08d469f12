//! Looking at files: which are documents, and in which folders they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use gristmill_core::{Error, Result};
use gristmill_source::{FsSource, Source, SourceSpec};

use super::ProposedSource;
use crate::kinds::{FileKind, file_kind, own_output};

/// Documents whose first lines are read, spread over all of them.
const SAMPLES: usize = 300;

/// Bytes of a document's start that are read.
const START: u64 = 16 * 1024;

/// The reader of programs.
const CODE: &str = "code";

/// Names of folders that hold documents.
const FOLDERS: [&str; 22] = [
    "articles",
    "book",
    "chapters",
    "contracts",
    "doc",
    "docs",
    "documentation",
    "documents",
    "faq",
    "guide",
    "guides",
    "handbook",
    "help",
    "kb",
    "knowledge",
    "knowledge-base",
    "manual",
    "manuals",
    "pages",
    "policies",
    "wiki",
    "content",
];

/// How deep such a folder is looked for.
const DEPTH: usize = 3;

/// What was seen.
pub(super) struct Look {
    /// Documents: path relative to the folder with `/`, the file, and the reader.
    documents: Vec<(String, PathBuf, &'static str)>,
    /// Paths of other texts and binary files.
    others: Vec<String>,
    /// Documents of kinds that have no reader.
    pub(super) unread: BTreeMap<&'static str, u64>,
    /// Paths that were named, relative to the folder.
    named: Vec<String>,
}

impl Look {
    pub(super) fn at(folder: &Path, paths: &[PathBuf]) -> Result<Self> {
        let here = [PathBuf::from(".")];
        let spec = SourceSpec {
            folder: folder.to_owned(),
            paths: if paths.is_empty() { here.to_vec() } else { paths.to_vec() },
            root: Some(folder.to_owned()),
            readmes: true,
            ..SourceSpec::default()
        };
        let source = FsSource::open(&spec)?;
        let named = paths.iter().map(|path| relative(source.base(), &folder.join(path))).collect::<Result<_>>()?;
        let mut look = Self { documents: Vec::new(), others: Vec::new(), unread: BTreeMap::new(), named };
        let mut programs = Vec::new();
        for listed in source.list()?.value.entries {
            let file = source.locate(&listed);
            let head = start(&file);
            if own_output(&listed.path, &head).is_some() {
                continue;
            }
            match file_kind(&listed.path, &head) {
                FileKind::Document(CODE) => programs.push((listed.path, file, CODE)),
                FileKind::Document(reader) => look.documents.push((listed.path, file, reader)),
                FileKind::Unread(kind) => *look.unread.entry(kind).or_insert(0) += 1,
                FileKind::OtherText | FileKind::Binary => look.others.push(listed.path),
            }
        }
        // Programs beside documents are seldom meant.
        if look.documents.is_empty() {
            look.documents = programs;
        } else {
            look.others.extend(programs.into_iter().map(|(path, _, _)| path));
        }
        Ok(look)
    }

    /// The folders to read from: those that were named, else those whose names promise documents when they hold at least
    /// half of them, else the folder itself.
    pub(super) fn sources(&self) -> Vec<ProposedSource> {
        if self.documents.is_empty() {
            return Vec::new();
        }
        if !self.named.is_empty() {
            return self.named.iter().map(|path| self.source(path)).filter(|source| source.count() > 0).collect();
        }
        let folders: BTreeSet<&str> = self.documents.iter().filter_map(|(path, _, _)| promising(path)).collect();
        let sources: Vec<ProposedSource> = folders.into_iter().map(|folder| self.source(folder)).collect();
        let inside: u64 = sources.iter().map(ProposedSource::count).sum();
        if 2 * inside >= self.documents.len() as u64 { sources } else { vec![self.source("")] }
    }

    fn source(&self, folder: &str) -> ProposedSource {
        let mut source = ProposedSource { path: folder.to_owned(), ..ProposedSource::default() };
        let mut extensions = BTreeSet::new();
        for (path, _, reader) in self.documents.iter().filter(|(path, _, _)| is_below(path, folder)) {
            *source.documents.entry(*reader).or_insert(0) += 1;
            extensions.extend(path.rsplit_once('.').map(|(_, extension)| extension));
        }
        if self.others.iter().any(|path| is_below(path, folder)) {
            source.include = extensions.iter().map(|extension| format!("*.{extension}")).collect();
        }
        if source.path.is_empty() {
            ".".clone_into(&mut source.path);
        }
        source
    }

    /// Names and first lines of the documents in some sources, evenly spread.
    pub(super) fn starts(&self, sources: &[ProposedSource]) -> Vec<(String, String)> {
        let taken = |path: &str| sources.iter().any(|source| source.path == "." || is_below(path, &source.path));
        let documents: Vec<_> = self.documents.iter().filter(|(path, _, _)| taken(path)).collect();
        let sampled = documents.iter().step_by(documents.len().div_ceil(SAMPLES).max(1));
        sampled.map(|(path, file, _)| (path.clone(), String::from_utf8_lossy(&start(file)).into_owned())).collect()
    }
}

/// The first bytes; none of a file that cannot be read.
fn start(file: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|file| file.take(START).read_to_end(&mut bytes));
    if read.is_err() {
        bytes.clear();
    }
    bytes
}

/// The part of a path up to the first folder whose name promises documents.
fn promising(path: &str) -> Option<&str> {
    let folders = path.match_indices('/').map(|(end, _)| end).take(DEPTH);
    folders.map(|end| &path[..end]).find(|folder| {
        let name = folder.rsplit('/').next().unwrap_or_default().to_lowercase();
        FOLDERS.contains(&name.as_str())
    })
}

fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path == folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// The path of something below `base`, with `/`; empty for `base` itself.
fn relative(base: &Path, path: &Path) -> Result<String> {
    let real = |path: &Path| path.canonicalize().map_err(|e| Error::input("cannot look up a path").because(e));
    let (base, path) = (real(base)?, real(path)?);
    let below = path.strip_prefix(&base).map_err(|_| {
        Error::usage(format!("the path is not below the folder of the settings file: {}", path.display()))
    })?;
    let names: Option<Vec<&str>> = below.iter().map(|name| name.to_str()).collect();
    names.map(|names| names.join("/")).ok_or_else(|| Error::input(format!("not Unicode: {}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_known_by_name_and_depth() {
        for (path, folder) in [
            ("docs/a.md", Some("docs")),
            ("site/Content/en/docs/a.md", Some("site/Content")),
            ("a/b/wiki/c.md", Some("a/b/wiki")),
            ("a/b/c/docs/d.md", None),
            ("docs.md", None),
            ("mydocs/a.md", None),
        ] {
            assert_eq!(promising(path), folder, "{path}");
        }
    }

    #[test]
    fn below_is_by_whole_names() {
        assert!(is_below("docs/a.md", "docs") && is_below("a.md", "") && is_below("a.md", "a.md"));
        assert!(!is_below("docs2/a.md", "docs"));
    }
}
