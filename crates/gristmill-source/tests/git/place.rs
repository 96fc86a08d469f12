//! Repositories and sources to test with.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use gristmill_core::{Error, Result};
use gristmill_source::{GitSource, GitSpec, Listing, Source, SourceSpec};

/// A repository, and a cache for sources that read it.
pub struct Place(pub tempfile::TempDir);

impl Place {
    /// With one commit of `files` on the branch `main`.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir(place.remote()).unwrap();
        place.git(&["init", "-q", "-b", "main"]);
        place.write(files);
        place.commit();
        place
    }

    pub fn remote(&self) -> PathBuf {
        self.0.path().join("remote")
    }

    pub fn write(&self, files: &[(&str, &str)]) {
        for (path, content) in files {
            self.write_bytes(path, content.as_bytes());
        }
    }

    pub fn write_bytes(&self, path: impl AsRef<std::path::Path>, content: &[u8]) {
        let path = self.remote().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Commits all that is there. Answers with the name of the commit.
    pub fn commit(&self) -> String {
        self.git(&["add", "-A", "-f"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "change"]);
        self.git(&["rev-parse", "HEAD"])
    }

    pub fn git<S: AsRef<OsStr>>(&self, arguments: &[S]) -> String {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(self.remote())
            .stdin(Stdio::null())
            .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_ALLOW_PROTOCOL", "file")])
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "A")))
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "a@example.org")))
            .env_remove("GIT_DIR")
            .env_remove("GIT_INDEX_FILE")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// What reads the default branch of the remote.
    pub fn spec(&self) -> SourceSpec {
        let url = format!("file://{}", self.remote().display());
        SourceSpec {
            folder: self.0.path().to_owned(),
            readmes: true,
            cache: Some(PathBuf::from("cache")),
            git: Some(GitSpec { url, ..GitSpec::default() }),
            ..SourceSpec::default()
        }
    }

    pub fn with(&self, change: impl FnOnce(&mut GitSpec)) -> SourceSpec {
        let mut spec = self.spec();
        change(spec.git.as_mut().unwrap());
        spec
    }

    pub fn open(&self) -> GitSource {
        open(&self.spec())
    }

    /// The folder of the copy.
    pub fn copy(&self) -> PathBuf {
        let all = fs::read_dir(self.0.path().join("cache/git")).unwrap().map(|entry| entry.unwrap().path());
        let mut copies: Vec<PathBuf> = all.filter(|path| path.extension() == Some(OsStr::new("git"))).collect();
        assert_eq!(copies.len(), 1);
        copies.remove(0)
    }
}

pub fn open(spec: &SourceSpec) -> GitSource {
    GitSource::open(spec).unwrap_or_else(|error| panic!("{}", error.chain()))
}

pub fn listing(source: &GitSource) -> Listing {
    source.list().unwrap().value
}

pub fn names(source: &GitSource) -> Vec<String> {
    listing(source).entries.into_iter().map(|entry| entry.path).collect()
}

/// Place and code of each diagnostic.
pub fn codes(source: &GitSource) -> Vec<(String, &'static str)> {
    source.list().unwrap().diagnostics.into_iter().map(|d| (d.place.source, d.code)).collect()
}

/// Each path with its text.
pub fn texts(source: &GitSource) -> Vec<(String, String)> {
    let entries = listing(source).entries;
    entries.iter().map(|entry| (entry.path.clone(), String::from_utf8(bytes(source, &entry.path)).unwrap())).collect()
}

pub fn bytes(source: &GitSource, path: &str) -> Vec<u8> {
    let entry = listing(source).entries.into_iter().find(|entry| entry.path == path).unwrap();
    let raw = source.fetch(&entry).unwrap();
    assert_eq!(raw.len(), entry.size);
    raw.window(0, usize::try_from(raw.len()).unwrap()).unwrap().into_owned()
}

pub fn failure(spec: &SourceSpec) -> Error {
    let opened: Result<GitSource> = GitSource::open(spec);
    opened.unwrap_err()
}
