//! Documents that are sent instead of fetched: they are put into the folder of a source, so that every later ingest finds
//! them there.

use std::io::Write;
use std::path::{Component, Path, PathBuf};

use gristmill_core::{Error, Result};
use tempfile::NamedTempFile;

use crate::config::{Settings, SourceSettings};

/// Characters of a path at most.
const LONGEST: usize = 512;
/// Bytes of a file's name at most, as the usual file systems have it.
const LONGEST_NAME: usize = 255;

/// A file in the folder that says that it is there, however few documents it holds: an empty one was emptied.
const MARK: &str = ".gristmill-inbox";

/// True for the source that takes documents, when its folder is there. All that was in it may have been taken back.
pub(crate) fn is_there(settings: &Settings, source: &str) -> bool {
    // Nothing is made here: a plan asks, too.
    let is_it = settings.server.push.as_deref() == Some(source);
    is_it && Inbox::named(settings).is_ok_and(|own| own.is_some_and(|own| own.path.join(MARK).is_file()))
}

/// The folder that takes documents.
pub struct Inbox {
    folder: PathBuf,
    source: String,
}

impl Inbox {
    /// The folder of the source that `[server] push` names.
    ///
    /// # Errors
    /// When none is named, or it is no folder of this machine.
    pub fn open(settings: &Settings) -> Result<Self> {
        let source = Self::named(settings)?.ok_or_else(|| {
            Error::config("no source takes documents that are sent").hint("name one by `[server] push`")
        })?;
        let failed = |cause| Error::config("the folder for documents that are sent cannot be used").because(cause);
        std::fs::create_dir_all(&source.path).map_err(failed)?;
        let name = settings.server.push.clone().unwrap_or_default();
        Ok(Self { folder: source.path.canonicalize().map_err(failed)?, source: name })
    }

    /// The source that `[server] push` names, if it does.
    ///
    /// # Errors
    /// When there is no such source, or it is no folder.
    pub fn named(settings: &Settings) -> Result<Option<&SourceSettings>> {
        let Some(name) = settings.server.push.as_deref() else { return Ok(None) };
        let is_it = |source: &&SourceSettings| source.name.as_deref() == Some(name) && source.kind == "fs";
        let found = settings.source.iter().find(is_it);
        let missing = || format!("`[server] push` names no source of type `fs`: {name}");
        found.map(Some).ok_or_else(|| settings.origins.blame("server.push", missing()))
    }

    /// The name of the source.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Puts a document in place, whole or not at all. True when it was not there before.
    ///
    /// # Errors
    /// When the path leads out of the folder, or the file cannot be written.
    pub fn put(&self, path: &str, bytes: &[u8]) -> Result<bool> {
        let place = self.place(path)?;
        let folder = place.parent().unwrap_or(&self.folder);
        let failed = || Error::input(format!("cannot write the document `{path}`"));
        self.mark().map_err(|cause| failed().because(cause))?;
        std::fs::create_dir_all(folder).map_err(|cause| failed().because(cause))?;
        // Made between the look and now, a link would be seen here.
        self.ensure_within(folder)?;
        let is_new = !place.exists();
        let mut file = NamedTempFile::with_prefix_in(".sent-", folder).map_err(|cause| failed().because(cause))?;
        file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(|cause| failed().because(cause))?;
        file.persist(&place).map_err(|cause| failed().because(cause))?;
        Ok(is_new)
    }

    /// Removes a document. False when it was not there.
    ///
    /// # Errors
    /// When the path leads out of the folder, or the file cannot be removed.
    pub fn remove(&self, path: &str) -> Result<bool> {
        let place = self.place(path)?;
        match self.mark().and_then(|()| std::fs::remove_file(&place)) {
            Ok(()) => Ok(true),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(cause) => Err(Error::input(format!("cannot remove the document `{path}`")).because(cause)),
        }
    }

    fn mark(&self) -> std::io::Result<()> {
        std::fs::write(self.folder.join(MARK), "documents that were sent to gristmill\n")
    }

    /// True when a document lies there.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.place(path).is_ok_and(|place| place.is_file())
    }

    /// Where a document lies. No step on the way may be a link.
    fn place(&self, path: &str) -> Result<PathBuf> {
        let wrong = |why: &str| Err(Error::usage(format!("not a path for a document ({why}): `{path}`")));
        if path.is_empty() || path.chars().count() > LONGEST {
            return wrong("its length");
        }
        let is_odd = |c: char| c.is_control() || matches!(c, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
        if path.chars().any(is_odd) {
            return wrong("its characters");
        }
        // `a//b` and `a/./b` would be other names of `a/b`.
        if path.split('/').any(|part| part.is_empty() || part.starts_with('.') || part.ends_with(['.', ' '])) {
            return wrong("one of its parts");
        }
        if path.split('/').any(|part| part.len() > LONGEST_NAME) {
            return wrong("one of its parts is longer than 255 bytes");
        }
        if Path::new(path).components().any(|part| !matches!(part, Component::Normal(_))) {
            return wrong("one of its parts");
        }
        let mut place = self.folder.clone();
        for part in path.split('/') {
            place.push(part);
            if place.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
                return wrong("a link stands on the way");
            }
        }
        if place.is_dir() {
            return Err(Error::input(format!("a folder has the name of the document: `{path}`")));
        }
        Ok(place)
    }

    fn ensure_within(&self, folder: &Path) -> Result<()> {
        let real = folder.canonicalize().map_err(|cause| Error::input("cannot find the folder").because(cause))?;
        if real.starts_with(&self.folder) { Ok(()) } else { Err(Error::usage("the path leads out of the folder")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inbox() -> (tempfile::TempDir, Inbox) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("in")).unwrap();
        let inbox = Inbox { folder: folder.path().join("in").canonicalize().unwrap(), source: "in".into() };
        (folder, inbox)
    }

    #[test]
    fn documents_come_and_go() {
        let (_folder, inbox) = inbox();
        assert!(inbox.put("a/größe 1.md", b"one").unwrap());
        assert!(!inbox.put("a/größe 1.md", b"two").unwrap());
        assert_eq!(std::fs::read(inbox.folder.join("a/größe 1.md")).unwrap(), b"two");
        assert!(inbox.remove("a/größe 1.md").unwrap());
        assert!(!inbox.remove("a/größe 1.md").unwrap());
    }

    #[test]
    fn nothing_leads_out() {
        let (folder, inbox) = inbox();
        let (long, name) = ("x".repeat(LONGEST + 1), "x".repeat(LONGEST_NAME + 1));
        for path in [
            "",
            "/etc/x",
            "../x",
            "a/../../x",
            "a/..",
            "..",
            ".",
            "a//b",
            "./a",
            ".hidden",
            "a/.git/config",
            "a\\..\\b",
            "C:x",
            "a\0b",
            "a\nb",
            "a.",
            &long,
            &name,
        ] {
            assert!(inbox.put(path, b"x").is_err(), "{path:?}");
            assert!(inbox.remove(path).is_err(), "{path:?}");
        }
        let entries: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(entries.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (folder, inbox) = inbox();
        let outside = folder.path().join("outside");
        std::fs::create_dir(&outside).unwrap();
        std::fs::write(outside.join("kept.md"), "kept").unwrap();
        std::os::unix::fs::symlink(&outside, inbox.folder.join("link")).unwrap();
        std::os::unix::fs::symlink(outside.join("kept.md"), inbox.folder.join("kept.md")).unwrap();
        for path in ["link/new.md", "link/kept.md", "kept.md"] {
            assert!(inbox.put(path, b"x").is_err() && inbox.remove(path).is_err(), "{path}");
        }
        assert_eq!(std::fs::read(outside.join("kept.md")).unwrap(), b"kept");
        assert!(!outside.join("new.md").exists());
    }
}
