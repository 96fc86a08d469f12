//! The bytes of one document: held when small, read by windows when large.
//!
//! Large files are read by position into buffers of the caller's size rather than mapped: a mapped file that another
//! program shortens kills the process, and mapping needs `unsafe`. Copying windows out of the page cache takes 0.05 s a
//! gigabyte with windows of 1 MiB and 0.6 s with 64 MiB, against tens of seconds for chunking it.

use std::borrow::Cow;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use gristmill_core::{Error, Fingerprint, Result};
use sha2::{Digest, Sha256};

/// Files up to this many bytes are read at once and held.
pub const HELD_MAX: u64 = 16 * 1024 * 1024;

/// Bytes read at a time when a large file is hashed.
const HASH_WINDOW: usize = 1024 * 1024;

/// The bytes of one document.
#[derive(Debug)]
pub struct Raw(Body);

#[derive(Debug)]
enum Body {
    Held(Vec<u8>),
    File { file: File, path: PathBuf, stamp: Stamp },
}

/// What a file looked like when it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self { len: metadata.len(), modified: metadata.modified().ok() }
    }
}

impl Raw {
    /// Bytes that are already at hand.
    pub fn held(bytes: Vec<u8>) -> Self {
        Self(Body::Held(bytes))
    }

    /// A file that is open already, and nobody else's. `path` is for messages.
    ///
    /// # Errors
    /// Input: its length cannot be read.
    pub(crate) fn of_file(file: File, path: PathBuf) -> Result<Self> {
        let stamp = Stamp::of(&file.metadata().map_err(|e| cannot_read(&path, e))?);
        Ok(Self(Body::File { file, path, stamp }))
    }

    /// Opens a file: up to [`HELD_MAX`] bytes are read now, a larger one stays open.
    ///
    /// # Errors
    /// Input: it cannot be read, or is no regular file.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_above(path, HELD_MAX)
    }

    fn open_above(path: &Path, held_max: u64) -> Result<Self> {
        let failed = |e: io::Error| cannot_read(path, e);
        // Looked at before it is opened: opening a pipe would wait for its writer.
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(Error::input(format!("not a regular file: {}", path.display())));
        }
        let mut file = File::open(path).map_err(failed)?;
        let stamp = Stamp::of(&file.metadata().map_err(failed)?);
        if stamp.len <= held_max {
            let mut bytes = Vec::with_capacity(usize::try_from(stamp.len).unwrap_or(0) + 1);
            // A file that grows meanwhile is held as far as the limit goes, and read by windows from there on.
            (&mut file).take(held_max + 1).read_to_end(&mut bytes).map_err(failed)?;
            if bytes.len() as u64 <= held_max {
                return Ok(Self::held(bytes));
            }
        }
        let stamp = Stamp::of(&file.metadata().map_err(failed)?);
        Ok(Self(Body::File { file, path: path.to_owned(), stamp }))
    }

    /// Number of bytes.
    pub fn len(&self) -> u64 {
        match &self.0 {
            Body::Held(bytes) => bytes.len() as u64,
            Body::File { stamp, .. } => stamp.len,
        }
    }

    /// True when there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bytes, when they are held.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Body::Held(bytes) => Some(bytes),
            Body::File { .. } => None,
        }
    }

    /// The bytes from `start`, `len` of them or as many as there are. Borrowed when the document is held.
    ///
    /// # Errors
    /// Input: the file cannot be read, or has become shorter since it was opened.
    pub fn window(&self, start: u64, len: usize) -> Result<Cow<'_, [u8]>> {
        let left = usize::try_from(self.len().saturating_sub(start)).unwrap_or(usize::MAX);
        let len = len.min(left);
        match &self.0 {
            Body::Held(bytes) => {
                let start = usize::try_from(start).unwrap_or(usize::MAX).min(bytes.len());
                Ok(Cow::Borrowed(&bytes[start..start + len]))
            }
            Body::File { file, path, .. } => {
                let mut out = vec![0; len];
                read_at(file, &mut out, start).map_err(|e| match e.kind() {
                    io::ErrorKind::UnexpectedEof => changed(path),
                    _ => cannot_read(path, e),
                })?;
                Ok(Cow::Owned(out))
            }
        }
    }

    /// SHA-256 of all bytes. Reads a large file once, in windows.
    ///
    /// # Errors
    /// As [`Raw::window`].
    pub fn fingerprint(&self) -> Result<Fingerprint> {
        if let Some(bytes) = self.bytes() {
            return Ok(Fingerprint::of(bytes));
        }
        let mut hash = Sha256::new();
        let mut at = 0;
        while at < self.len() {
            let window = self.window(at, HASH_WINDOW)?;
            hash.update(&window);
            at += window.len() as u64;
        }
        Ok(Fingerprint(hash.finalize().into()))
    }

    /// Fails when the file has changed since it was opened, so that windows read at different times do not mix two
    /// versions of a document. To be asked after the last window.
    ///
    /// # Errors
    /// Input: length or time of change differ.
    pub fn ensure_unchanged(&self) -> Result<()> {
        let Body::File { file, path, stamp } = &self.0 else { return Ok(()) };
        let now = Stamp::of(&file.metadata().map_err(|e| cannot_read(path, e))?);
        if now == *stamp { Ok(()) } else { Err(changed(path)) }
    }
}

fn cannot_read(path: &Path, cause: io::Error) -> Error {
    Error::input(format!("cannot read: {}", path.display())).because(cause)
}

fn changed(path: &Path) -> Error {
    Error::input(format!("file changed while it was read: {}", path.display())).hint("run again")
}

#[cfg(unix)]
fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut out: &mut [u8], mut at: u64) -> io::Result<()> {
    while !out.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, out, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => {
                out = &mut out[n..];
                at += n as u64;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_with(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    #[test]
    fn small_files_are_held_and_large_ones_are_read_by_windows() {
        let (_folder, path) = file_with(b"0123456789");
        let small = Raw::open_above(&path, 10).unwrap();
        let large = Raw::open_above(&path, 9).unwrap();
        assert_eq!(small.bytes(), Some(&b"0123456789"[..]));
        assert_eq!(large.bytes(), None);
        for raw in [small, large] {
            assert_eq!(raw.len(), 10);
            assert_eq!(&*raw.window(2, 3).unwrap(), b"234");
            assert_eq!(&*raw.window(8, 100).unwrap(), b"89");
            assert_eq!(&*raw.window(10, 1).unwrap(), b"");
            assert_eq!(&*raw.window(u64::MAX, usize::MAX).unwrap(), b"");
            assert_eq!(raw.fingerprint().unwrap(), Fingerprint::of(b"0123456789"));
            raw.ensure_unchanged().unwrap();
        }
    }

    #[test]
    fn large_hash_takes_every_window() {
        let bytes: Vec<u8> = (0..2 * HASH_WINDOW + 17).map(|n| (n % 251) as u8).collect();
        let (_folder, path) = file_with(&bytes);
        assert_eq!(Raw::open_above(&path, 0).unwrap().fingerprint().unwrap(), Fingerprint::of(&bytes));
    }

    #[test]
    fn a_file_that_shrinks_is_an_error_not_a_crash() {
        let (_folder, path) = file_with(b"0123456789");
        let raw = Raw::open_above(&path, 0).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(4).unwrap();
        assert_eq!(&*raw.window(0, 4).unwrap(), b"0123");
        assert!(raw.window(2, 5).unwrap_err().to_string().starts_with("file changed while it was read"));
        assert!(raw.ensure_unchanged().is_err());
    }

    #[test]
    fn an_empty_file_is_empty_and_a_folder_is_no_file() {
        let (folder, path) = file_with(b"");
        assert!(Raw::open(&path).unwrap().is_empty());
        assert!(Raw::open(folder.path()).unwrap_err().to_string().starts_with("not a regular file"));
    }
}
