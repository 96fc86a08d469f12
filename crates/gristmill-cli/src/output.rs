//! Where data goes.

use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use gristmill::{Error, ErrorKind, Result};

/// Standard output, or a file that appears under its name only when it is complete.
pub enum Output {
    /// Standard output, or a device or pipe.
    Stream,
    /// A file being written beside its final place.
    File {
        /// Where it is written. Locked, so that two runs never write one file.
        temporary: PathBuf,
        /// Where it goes.
        place: PathBuf,
    },
}

/// True for the name of standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Fails for the name of a folder.
///
/// # Errors
/// When the path is a folder.
pub fn refuse_folder(path: &Path) -> Result<()> {
    let error = || Error::usage(format!("the output is a folder: {}", path.display())).hint("name a file in it");
    if path.is_dir() { Err(error()) } else { Ok(()) }
}

impl Output {
    /// Opens the output; `-` and `None` are standard output.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn open(path: Option<&Path>) -> Result<(Self, Box<dyn Write + Send>)> {
        let Some(named) = path.filter(|path| !is_stdout(path)) else {
            return Ok((Self::Stream, Box::new(BufWriter::with_capacity(1 << 16, io::stdout()))));
        };
        let failed = |e: io::Error| cannot_write(named, e);
        // What a link leads to is replaced, not the link.
        let place = named.canonicalize().unwrap_or_else(|_| named.to_owned());
        refuse_folder(&place)?;
        // A device or a pipe is written to, never replaced.
        if place.metadata().is_ok_and(|m| !m.is_file()) {
            let file = File::options().write(true).open(place).map_err(failed)?;
            return Ok((Self::Stream, Box::new(BufWriter::with_capacity(1 << 16, file))));
        }
        if let Some(folder) = place.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let temporary = beside(&place);
        let file = File::options().create(true).write(true).truncate(false).open(&temporary).map_err(failed)?;
        let busy = || Error::input(format!("another run is writing: {}", named.display()));
        file.try_lock().map_err(|e| match e {
            TryLockError::WouldBlock => busy(),
            TryLockError::Error(e) => cannot_write(named, e),
        })?;
        // The other run may have put the file in its place between the two steps above.
        if !temporary.exists() {
            return Err(busy());
        }
        // What an interrupted run left.
        file.set_len(0).map_err(failed)?;
        Ok((Self::File { temporary, place }, Box::new(BufWriter::with_capacity(1 << 16, file))))
    }

    /// Puts a complete file in its place.
    ///
    /// # Errors
    /// When it cannot be put there.
    pub fn done(self) -> Result<()> {
        match self {
            Self::Stream => Ok(()),
            Self::File { temporary, place } => std::fs::rename(&temporary, &place).map_err(|e| cannot_write(&place, e)),
        }
    }

    /// Takes away what was begun.
    pub fn abandon(self) {
        if let Self::File { temporary, .. } = self {
            // The run has failed already, and says why; the next one begins this file anew.
            let _ = std::fs::remove_file(temporary);
        }
    }
}

/// The hidden name under which a file is written.
fn beside(place: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(place.file_name().unwrap_or_default());
    name.push(".part");
    place.with_file_name(name)
}

/// Writes a whole text.
///
/// # Errors
/// When it cannot be written: [`ErrorKind::ClosedPipe`] if its reader has gone.
pub fn write_text(path: Option<&Path>, text: &str) -> Result<()> {
    let (output, mut out) = Output::open(path)?;
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    drop(out);
    match written {
        Ok(()) => output.done(),
        Err(e) => {
            output.abandon();
            Err(cannot_write(path.unwrap_or(Path::new("-")), e))
        }
    }
}

/// Lets `write` write to a file or to standard output; there with styles as they are wanted, when it is `styled`.
///
/// # Errors
/// As [`write_text`].
pub fn written(
    path: Option<&Path>,
    styled: bool,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let named = path.unwrap_or(Path::new("-"));
    if path.is_none_or(is_stdout) && styled {
        let mut out = anstream::stdout().lock();
        return write(&mut out).and_then(|()| out.flush()).map_err(|e| cannot_write(named, e));
    }
    let (output, out) = Output::open(path)?;
    // Styles are for terminals.
    let mut out: Box<dyn Write + Send> = if styled { Box::new(anstream::StripStream::new(out)) } else { out };
    let done = write(&mut out).and_then(|()| out.flush());
    drop(out);
    match done {
        Ok(()) => output.done(),
        Err(e) => {
            output.abandon();
            Err(cannot_write(named, e))
        }
    }
}

/// Writes a text for people to standard output, its styles as they are wanted.
///
/// # Errors
/// As [`write_text`].
pub fn print(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| cannot_write(Path::new("-"), e))
}

/// What a failed write is told as.
pub fn cannot_write(path: &Path, cause: io::Error) -> Error {
    let kind = if cause.kind() == io::ErrorKind::BrokenPipe { ErrorKind::ClosedPipe } else { ErrorKind::Input };
    let place = if is_stdout(path) { "standard output".to_owned() } else { path.display().to_string() };
    Error::new(kind, format!("cannot write: {place}")).because(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("new/chunks.json");
        let (output, mut out) = Output::open(Some(&place)).unwrap();
        out.write_all(b"[]").unwrap();
        out.flush().unwrap();
        assert!(!place.exists());
        let second = Output::open(Some(&place)).map(drop).unwrap_err();
        assert!(second.to_string().starts_with("another run is writing: "));
        drop(out);
        output.done().unwrap();
        assert_eq!(std::fs::read(&place).unwrap(), b"[]");
        assert_eq!(std::fs::read_dir(place.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn what_an_interrupted_run_left_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(".a.txt.part"), "left over, and long").unwrap();
        write_text(Some(&folder.path().join("a.txt")), "new").unwrap();
        assert_eq!(std::fs::read(folder.path().join("a.txt")).unwrap(), b"new");
        assert!(!folder.path().join(".a.txt.part").exists());
    }

    #[test]
    fn nothing_stays_of_an_abandoned_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.txt"), "old").unwrap();
        let (output, out) = Output::open(Some(&folder.path().join("a.txt"))).unwrap();
        drop(out);
        output.abandon();
        assert_eq!(std::fs::read(folder.path().join("a.txt")).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("real.txt"), "old").unwrap();
        std::os::unix::fs::symlink("real.txt", folder.path().join("link.txt")).unwrap();
        write_text(Some(&folder.path().join("link.txt")), "new").unwrap();
        assert_eq!(std::fs::read(folder.path().join("real.txt")).unwrap(), b"new");
        assert!(folder.path().join("link.txt").is_symlink());
    }
}
