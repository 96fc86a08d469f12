//! Where data goes.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use gristmill::{Error, ErrorKind, Result};

/// Standard output, or a file that appears under its name only when it is complete.
pub enum Output {
    /// Standard output, or a device or pipe.
    Stdout,
    /// A file being written beside its final place.
    File { temporary: PathBuf, place: PathBuf },
}

impl Output {
    /// Opens the output; `-` and `None` are standard output.
    pub fn open(path: Option<&Path>) -> Result<(Self, Box<dyn Write + Send>)> {
        let Some(place) = path.filter(|p| *p != Path::new("-")) else {
            return Ok((Self::Stdout, Box::new(BufWriter::with_capacity(1 << 16, io::stdout()))));
        };
        // A device or a pipe is written to, never replaced.
        if place.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir()) {
            let file = File::options().write(true).open(place).map_err(|e| cannot_write(place, e))?;
            return Ok((Self::Stdout, Box::new(BufWriter::with_capacity(1 << 16, file))));
        }
        if let Some(folder) = place.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|e| cannot_write(place, e))?;
        }
        let mut name = place.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let temporary = place.with_file_name(name);
        let file = File::create(&temporary).map_err(|e| cannot_write(place, e))?;
        Ok((Self::File { temporary, place: place.to_owned() }, Box::new(BufWriter::with_capacity(1 << 16, file))))
    }

    /// Puts a complete file in its place.
    pub fn done(self) -> Result<()> {
        match self {
            Self::Stdout => Ok(()),
            Self::File { temporary, place } => std::fs::rename(&temporary, &place).map_err(|e| cannot_write(&place, e)),
        }
    }

    /// Takes away what was begun.
    pub fn abandon(self) {
        if let Self::File { temporary, .. } = self {
            // The run has failed already, and says why; a left-over is named by its process.
            let _ = std::fs::remove_file(temporary);
        }
    }
}

/// Writes a whole text.
pub fn write_text(path: Option<&Path>, text: &str) -> Result<()> {
    let (output, mut out) = Output::open(path)?;
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    drop(out);
    match written {
        Ok(()) => output.done(),
        Err(e) => {
            output.abandon();
            Err(cannot_write(path.unwrap_or(Path::new("standard output")), e))
        }
    }
}

fn cannot_write(path: &Path, cause: io::Error) -> Error {
    let kind = if cause.kind() == io::ErrorKind::BrokenPipe { ErrorKind::ClosedPipe } else { ErrorKind::Input };
    Error::new(kind, format!("cannot write `{}`", path.display())).because(cause)
}
